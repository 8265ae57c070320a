import { beforeAll, describe, expect, it } from 'vitest'
import type { BudgetId, LocationId, OrganisationId } from '../../domain/values/ids.ts'
import { connectAsOwner } from '../support/product/database.ts'
import { type Caller, findTrustIds, signInAs } from '../support/product/http.ts'
import { type Product, startProduct } from '../support/product/product.ts'

let product: Product
let finance: Caller
let neighbour: Caller
let own: Awaited<ReturnType<typeof findTrustIds>>
let other: Awaited<ReturnType<typeof findTrustIds>>

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  neighbour = await signInAs(product, 'finance@meadow.example')
  own = await findTrustIds(finance)
  other = await findTrustIds(neighbour)
})

interface Named {
  id: BudgetId
  name: string
  locationId: LocationId
}

async function budgetsOf(organisationId: OrganisationId): Promise<Named[]> {
  const sql = connectAsOwner(product.config.databaseUrl)
  return sql<Named[]>`select id, name, location_id as "locationId" from budgets
    where organisation_id = ${organisationId} and not coalesce((head ->> 'locked')::boolean, false) order by id`
}

/** Locks a budget’s row during some work, as another server that changes it does. */
async function whileHeld<T>(budget: Named, work: () => Promise<T>): Promise<T> {
  return connectAsOwner(product.config.databaseUrl).begin(async (sql) => {
    await sql`select from budgets where id = ${budget.id} for update`
    return work()
  }) as Promise<T>
}

const at = ({ organisationId }: typeof own, { id, locationId }: Named) => ({
  OrganisationId: organisationId,
  LocationId: locationId,
  BudgetId: id,
})

function rename(caller: Caller, of: typeof own, budget: Named): Promise<{ status: number; text: string; headers: Headers }> {
  return fetch(`${product.origin}/trpc/budgets.rename`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${caller.token}`,
      ApiVersion: '2',
      OrganisationId: String(of.organisationId),
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ json: { id: budget.id, name: budget.name } }),
  }).then(async (reply) => ({ status: reply.status, text: await reply.text(), headers: reply.headers }))
}

describe('while another transaction locks a budget', () => {
  it('a change of it is refused in one sentence, while other budgets can be changed and everything can be read', async () => {
    const [held, ...free] = await budgetsOf(own.organisationId)
    const order: string[] = []
    await whileHeld(held!, async () => {
      const refused = rename(finance, own, held!).then((reply) => {
        order.push('held')
        return reply
      })
      for (const budget of free.slice(0, 3)) {
        expect((await rename(finance, own, budget)).status).toBe(200)
        order.push('free')
      }
      for (const [caller, places] of [
        [finance, own],
        [neighbour, other],
      ] as const)
        expect((await caller.call('GET', '/api/Authorisation', undefined, { OrganisationId: places.organisationId })).status).toBe(200)
      expect((await fetch(`${product.origin}/readyz`)).status).toBe(200)
      const { status, text, headers } = await refused
      expect(status).toBe(409)
      expect(text).toContain('Someone else is changing this at the moment. Nothing was saved. Try again in a moment.')
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    })
    expect(order).toEqual(['free', 'free', 'free', 'held'])
    expect((await rename(finance, own, held!)).status).toBe(200)
  })

  it('only a limited number of changes of it wait, and those waiting do not hold up another trust', async () => {
    const [held] = await budgetsOf(own.organisationId)
    const [theirs] = await budgetsOf(other.organisationId)
    const answers = await whileHeld(held!, async () => {
      const waiting = Array.from({ length: 60 }, () => rename(finance, own, held!))
      expect((await rename(neighbour, other, theirs!)).status).toBe(200)
      const first = await Promise.race(waiting)
      expect(first.status).toBe(503)
      expect(first.text).toContain('Too many changes to this budget are already waiting. Try again in a moment.')
      expect(Number(first.headers.get('retry-after'))).toBeGreaterThan(0)
      return waiting
    })
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    // Calls waiting for the budget are carried out once it is free.
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0)
    expect(new Set(statuses).has(500)).toBe(false)
  })

  it('a locked table is reported in a sentence too, and everything that does not need it works', async () => {
    const [budget] = await budgetsOf(own.organisationId)
    await connectAsOwner(product.config.databaseUrl).begin(async (sql) => {
      await sql`lock table budgets in access exclusive mode`
      const [saved, read] = [
        rename(finance, own, budget!),
        finance.call('GET', `/api/Budget/id/${budget!.id}`, undefined, at(own, budget!)),
      ]
      const { status } = await neighbour.call('POST', '/api/CostCentres/list', {}, { OrganisationId: other.organisationId })
      expect(status).toBe(200)
      expect((await fetch(`${product.origin}/readyz`)).status).toBe(200)
      expect((await saved).status).toBe(409)
      expect(await read).toMatchObject({
        status: 503,
        body: 'Another change is using the same data. Nothing was changed. Try again in a moment.',
      })
      expect(Number((await read).headers.get('retry-after'))).toBeGreaterThan(0)
    })
    expect((await rename(finance, own, budget!)).status).toBe(200)
  })
})
