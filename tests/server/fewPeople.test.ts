import { beforeAll, describe, expect, it } from 'vitest'
import { asOwner } from '../support/database.ts'
import type { Selection } from '../support/http.ts'
import { asUser, type Body, type Caller, type Places, placesOf } from '../support/http.ts'
import { type Product, startProduct } from '../support/product.ts'
import { proceduresOf } from '../support/trpc.ts'

let product: Product
let finance: Caller
let governor: Caller
let places: Places
let northgate: Required<Selection>
/** Budget codes of Northgate that are the pay of one or two people in some month. */
let few: { id: number; code: string; description: string }[]

beforeAll(async () => {
  product = await startProduct()
  finance = await asUser(product, 'finance@harbour.example')
  governor = await asUser(product, 'governor@harbour.example')
  places = await placesOf(finance)
  northgate = places.at('Northgate')
  const owner = asOwner(product.config.databaseUrl)
  few = await owner`
    select distinct code.id, code.code, code.description from (
      select line.budget_code_id as id, count(distinct coalesce(contract.staff_id::text, line.source_id)) as people
      from budget_lines line
      cross join lateral unnest(line.amounts) with ordinality as month (amount, number)
      left join staff_contracts contract on contract.budget_id = line.budget_id and contract.id = line.source_id
      where line.budget_id = ${northgate.BudgetId} and line.source_kind = 'contract' and month.amount <> 0
      group by line.budget_code_id, line.year, month.number) as paid
    join budget_codes code on code.id = paid.id where people < 3`
})

const of = (who: Caller) => proceduresOf(product, who, northgate)
const codesOf = (tree: { codes: { id: number | null }[] }[]) => tree.flatMap(({ codes }) => codes)

describe('the pay of one or two people', () => {
  it('is not told to a governor by budget code, year or month, and everything still adds up', async () => {
    expect(few.length).toBeGreaterThan(0)
    const [told, whole] = [
      await of(governor).overview.tree.query({ scheme: 'category' }),
      await of(finance).overview.tree.query({ scheme: 'category' }),
    ]
    const ids = codesOf(told).map(({ id }) => id)
    for (const { id } of few) {
      expect(codesOf(whole).map((code) => code.id)).toContain(id)
      expect(ids).not.toContain(id)
      const sources = await of(governor).overview.sources.query({ codeId: id })
      expect(sources.filter(({ kind }) => kind === 'contract' || kind === 'contracts')).toEqual([])
    }
    const total = (tree: typeof told, side: string): number =>
      tree
        .filter((node) => node.side === side)
        .reduce((sum, { codes }) => sum + codes.reduce((all, { years }) => all + Math.round(years[0]!.total * 100), 0), 0)
    expect(total(told, 'expenditure')).toBe(total(whole, 'expenditure'))
  })
  it('is in no report of money, its file or its lines', async () => {
    const own = { OrganisationId: places.organisationId }
    const request = { budgetId: northgate.BudgetId }
    const report = async (who: Caller): Promise<string> =>
      (await who.call<Body>('POST', '/api/Reporting/Csv', { report: 'budgetAnalysis', ...request }, own)).body
    const [told, whole] = [await report(governor), await report(finance)]
    for (const { code, description } of few) {
      expect(whole).toContain(description)
      expect(told).not.toContain(`${code} ${description}`)
    }
    expect(told).toContain('Budget codes of few people')
    const footer = (text: string): string | undefined => text.split('\n').find((line) => line.includes('Total staff expenditure'))
    expect(footer(told)).toBe(footer(whole))
    const [one] = few
    const narrowed = await governor.call(
      'POST',
      '/api/Reporting/Csv',
      { report: 'budgetAnalysis', ...request, budgetCodeIds: [one!.id] },
      own,
    )
    expect([narrowed.status, narrowed.body]).toEqual([
      403,
      'This is the pay of fewer than three people in some months. Choose more, or ask somebody who may see staff.',
    ])
  })
})
