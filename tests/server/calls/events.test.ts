import { beforeAll, describe, expect, it } from 'vitest'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import {
  asClient,
  type Body,
  browserCall,
  type Caller,
  findTrustIds,
  inviteAndSignIn,
  signInAs,
  type TrustIds,
} from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'

let product: Product
let finance: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
})

const ask = async (after: number, by = finance, most = 500): Promise<Body> => {
  const { status, body } = await by.call('GET', `/api/events?after=${after}&most=${most}`, undefined, own)
  expect(status).toBe(200)
  return body
}
/** All events, page by page. */
const all = async (by = finance, most = 500): Promise<Body[]> => {
  const found: Body[] = []
  for (let after = 0; ; ) {
    const { events, next } = await ask(after, by, most)
    found.push(...events)
    if (next === after) return found
    after = next
  }
}
const rename = (alias: string, name: string) =>
  browserCall(product, finance, 'budgets.rename', { id: places.budgets[alias], name }, places.at(alias))

describe('the feed of events', () => {
  it('returns a change once, after the caller’s last position, and the same position while nothing is new', async () => {
    const end = (await all()).length
    expect(end).toBeGreaterThan(0)
    let { next } = await ask(0)
    for (let before = -1; before !== next; ) {
      before = next
      ;({ next } = await ask(next))
    }
    expect(await ask(next)).toEqual({ events: [], next })
    await rename('Northgate', 'Renamed for the feed')
    const told = await ask(next)
    expect(told.events).toMatchObject([
      { type: 'budget.saved', budgetId: places.budgets.Northgate, locationId: places.locations.Northgate, year: null, month: null },
    ])
    expect(told.next).toBeGreaterThan(next)
    expect(await ask(told.next)).toEqual({ events: [], next: told.next })
  })
  it('is the same for any page size, in order, with no id twice', async () => {
    const whole = await all()
    expect(await all(finance, 7)).toEqual(whole)
    const ids = whole.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const moments = whole.map(({ occurredAt }) => Date.parse(occurredAt))
    expect(moments).toEqual([...moments].sort((a, b) => a - b))
    for (const type of ['budget.created', 'budget.recalculated']) expect(whole.map((one) => one.type)).toContain(type)
  })
  it('misses nothing while many save at once', async () => {
    let { next: after } = await ask(0)
    for (let before = -1; before !== after; ) {
      before = after
      ;({ next: after } = await ask(after))
    }
    const aliases = Object.keys(places.budgets).slice(0, 4)
    const seen: string[] = []
    let isDone = false
    const following = (async () => {
      for (;;) {
        const isLast = isDone
        const { events, next } = await ask(after, finance, 2)
        seen.push(...events.map(({ id, budgetId }: Body) => `${id} ${budgetId}`))
        if (isLast && next === after) return
        after = next
      }
    })()
    await Promise.all(
      aliases.map(async (alias) => {
        for (const turn of [1, 2, 3, 4, 5]) await rename(alias, `${alias} ${turn} of the feed`)
      }),
    )
    isDone = true
    await following
    for (const alias of aliases) expect([alias, seen.filter((one) => one.endsWith(` ${places.budgets[alias]}`)).length]).toEqual([alias, 5])
    expect(new Set(seen).size).toBe(seen.length)
  })
  it('is open to an API client, and to nobody of another trust', async () => {
    expect((await all(await asClient(product, 'harbour'))).length).toBe((await all()).length)
    const meadow = await asClient(product, 'meadow')
    expect((await meadow.call('GET', '/api/events', undefined, own)).status).toBe(403)
    const theirs = (await findTrustIds(meadow)).organisationId
    const { body } = await meadow.call('GET', '/api/events?most=500', undefined, { OrganisationId: theirs })
    const ids = new Set(Object.values(places.budgets))
    expect(body.events.filter(({ budgetId }: Body) => ids.has(budgetId))).toEqual([])
  })
  it('shows a user of one school that school only, and each kind only to users who may read it', async () => {
    const administrator = await signInAs(product, 'admin@bursar.example')
    const { organisationId, locations } = places
    const invited = (email: string, permissions: string[], schools: LocationId[] = []) =>
      inviteAndSignIn(product, administrator, email, permissions, organisationId, schools)
    const school = await all(await invited('office.feed@harbour.example', ['BudgetingOverviewRead'], [locations.Northgate!]))
    expect(new Set(school.map(({ locationId }) => locationId))).toEqual(new Set([locations.Northgate]))
    const months = await all(await invited('months.feed@harbour.example', ['ConsoleMonitoringRead']))
    expect(months.filter(({ type }) => !type.startsWith('month.'))).toEqual([])
    const nobody = await invited('codes.feed@harbour.example', ['ConsoleBudgetCodesRead'])
    expect((await nobody.call('GET', '/api/events', undefined, own)).status).toBe(403)
  })
  it('refuses an impossible request with a sentence', async () => {
    expect((await finance.call('GET', '/api/events?after=-1', undefined, own)).body).toBe('The cursor must be 0 or more.')
    expect((await finance.call('GET', '/api/events?most=5000', undefined, own)).body).toBe('Request 1 to 500.')
  })
})
