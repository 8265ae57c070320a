import { beforeAll, describe, expect, it } from 'vitest'
import { connectAsOwner } from '../../support/product/database.ts'
import type { Selection } from '../../support/product/http.ts'
import { type Body, type Caller, findTrustIds, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'

let product: Product
let finance: Caller
let governor: Caller
let places: TrustIds
let northgate: Required<Selection>
/** Northgate’s budget codes that contain the pay of only one or two people in some month. */
let few: { id: number; code: string; description: string }[]

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  governor = await signInAs(product, 'governor@harbour.example')
  places = await findTrustIds(finance)
  northgate = places.at('Northgate')
  const owner = connectAsOwner(product.config.databaseUrl)
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
  it('is not shown to a governor by budget code, year or month, and everything still adds up', async () => {
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
    expect(told).toContain('Budget codes with few people')
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
      'Your selection covers only part of the pay on a budget code, and would reveal what fewer than three people are paid. Choose other codes, centres, funds or tags, or ask someone who can view staff.',
    ])
  })
  it('is in no row of monitoring and of no return, and both have the same totals as with all codes', async () => {
    const asked = { year: 2026, month: 10, budgetId: northgate.BudgetId }
    const rowsOf = async (who: Caller) => (await of(who).monitoring.budgetsVsActuals.query(asked)).rows
    const [told, whole] = [await rowsOf(governor), await rowsOf(finance)]
    const codes = new Set(few.map(({ id }) => id))
    expect(whole.filter(({ budgetCodeId }) => codes.has(budgetCodeId ?? 0)).length).toBe(codes.size)
    expect(told.filter(({ budgetCodeId }) => codes.has(budgetCodeId ?? 0))).toEqual([])
    expect(told.filter(({ description }) => description === 'Budget codes with few people')).toHaveLength(1)
    const totals = (rows: typeof told) =>
      rows.filter(({ kind }) => kind === 'Total').map(({ budgetToDate, variance }) => [budgetToDate, variance])
    expect(totals(told)).toEqual(totals(whole))
    await expect(of(governor).monitoring.forecastValues.query({ ...asked, id: few[0]!.id })).rejects.toThrow('fewer than three people')
    const returned = async (who: Caller) => (await of(who).reports.cfrReturn.query({ budgetId: northgate.BudgetId })).rows
    const balance = async (who: Caller) => (await returned(who)).find(({ label }) => label === 'In-year revenue balance')?.values
    expect(await balance(governor)).toEqual(await balance(finance))
    expect((await returned(governor)).map(({ label }) => label)).toContain('Budget codes with few people')
  })
  it('is in no file for a ledger, in no scenario, and not in a comparison of two budgets', async () => {
    const file = {
      connection: 'budgetJournal',
      preset: 'Xero manual journals',
      yearName: '2026/27',
      locationIds: [northgate.LocationId],
      from: 1,
      to: 12,
    }
    const made = await governor.call('POST', '/api/integrations/files/try', file, { OrganisationId: places.organisationId })
    expect([made.status, made.body]).toEqual([403, expect.stringContaining('fewer than three people')])
    const [contract] = (await of(finance).contracts.list.query({ pageNumber: 1, pageSize: 50 })).rows.filter(
      (row: Body) => row.employeeNumber,
    )
    const changes = [{ kind: 'removePost' as const, contractId: contract!.id, from: '2026-09-01' }]
    const id = await of(finance).scenarios.save.mutate({ name: 'One fewer', changes })
    const scenario = async (who: Caller) => (await of(who).scenarios.list.query()).scenarios.find((one) => one.id === id)
    expect(await scenario(governor)).toMatchObject({ isWithheld: true, years: [] })
    expect((await scenario(finance))?.years).toHaveLength(5)
    const own = { OrganisationId: places.organisationId }
    const copy = await finance.call<Body>('POST', `/api/Budget/duplicate/${northgate.BudgetId}`, { name: 'One fewer' }, own)
    const second = { ...northgate, BudgetId: copy.body.mongoId }
    const compared = async () => {
      const input = { budgetIds: [northgate.BudgetId, second.BudgetId], yearNames: ['2026/27'] }
      return (await of(governor).reports.budgetComparison.query(input)).rows
    }
    expect((await compared()).length).toBeGreaterThan(10)
    const there = (await proceduresOf(product, finance, second).contracts.list.query({ pageNumber: 1, pageSize: 50 })).rows.find(
      (row: Body) => row.employeeNumber === contract!.employeeNumber,
    )
    await proceduresOf(product, finance, second).contracts.bulkDelete.mutate({ state: { selectAll: false, toggledNodes: [there!.id] } })
    await expect(compared()).rejects.toThrow('differ by the pay of fewer than three people')
    // Each budget by itself is shown whole.
    expect((await proceduresOf(product, governor, second).overview.summary.query()).years).toHaveLength(5)
  })
})
