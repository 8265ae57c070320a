import { beforeAll, describe, expect, it } from 'vitest'
import { lockBudget } from '../../../domain/budget/decide.ts'
import { toUserId } from '../../../domain/values/ids.ts'
import { openStore } from '../../../server/core/database/database.ts'
import { loadBudget } from '../../../server/streams/budget/queries.ts'
import { commitEvents } from '../../../server/streams/budget/stream.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import { type Body, type Caller, findTrustIds, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'

/** What governors approved stays unchanged, whatever else happens. */
let product: Product
let finance: Caller
let places: TrustIds
let sql: ReturnType<typeof connectAsOwner>
const locked = ['Northgate', 'Beacon', 'Harbour'] as const

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  sql = connectAsOwner(product.config.databaseUrl)
  const store = openStore(product.config, 1)
  const at = new Date()
  for (const school of Object.keys(places.budgets))
    await store.inOrganisation(places.organisationId, async (tx) => {
      const call = { tx, organisationId: places.organisationId, actor: { userId: toUserId(1), requestId: `lock-${school}`, now: at } }
      const row = await loadBudget(call, places.at(school).BudgetId, true)
      await commitEvents(call, row, { events: lockBudget(row.head, toUserId(1), at.toISOString()) })
    })
  await store.close()
}, 120_000)

const own = () => ({ OrganisationId: places.organisationId })
const linesOf = (school: string) =>
  sql`select source_kind, source_id, component, year, budget_code_id, amounts, missing from budget_lines
    where budget_id = ${places.at(school).BudgetId} order by 1, 2, 3, 4, 5`
const group = async (): Promise<Body> => (await finance.call('GET', `/api/BudgetGroup/edit/id/${places.groupId}`, undefined, own())).body

describe('a locked budget', () => {
  it('keeps its lines when another budget that shares a pool or a top slice with it leaves the group', async () => {
    const before = new Map(await Promise.all(locked.map(async (school) => [school, [...(await linesOf(school))]] as const)))
    for (const school of locked)
      expect(
        before.get(school)!.some((line) => line.source_kind === 'transfer'),
        school,
      ).toBe(true)
    const { id, items } = await group()
    const left = (items as Body[]).filter((item) => item.budgetId !== places.at('Northgate').BudgetId)
    const body = { id, items: left.map(({ budgetId }, order) => ({ budgetId, order })) }
    expect((await finance.call('PATCH', '/api/BudgetGroup/items', body, own())).status).toBe(200)
    expect((await group()).items).toHaveLength(left.length)
    for (const school of locked) expect([school, [...(await linesOf(school))]]).toEqual([school, before.get(school)])
  })
  it('keeps its lines when a budget code of it is renamed', async () => {
    const before = [...(await linesOf('Northgate'))]
    const where = places.at('Northgate')
    const code = (await finance.call('POST', '/api/BudgetCodes/list', { pageNumber: 1, pageSize: 5000 }, where)).body.rows[0]
    expect((await finance.call('PUT', '/api/BudgetCodes', { ...code, inflation1: 9, description: 'Renamed' }, own())).status).toBeLessThan(
      500,
    )
    expect([...(await linesOf('Northgate'))]).toEqual(before)
  })
})
