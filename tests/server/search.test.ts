import { beforeAll, describe, expect, it } from 'vitest'
import { asUser, type Caller, type Places, placesOf } from '../support/http.ts'
import { type Product, startProduct } from '../support/product.ts'
import { proceduresOf } from '../support/trpc.ts'

let product: Product
let finance: Caller
let places: Places

beforeAll(async () => {
  product = await startProduct()
  finance = await asUser(product, 'finance@harbour.example')
  places = await placesOf(finance)
})

const find = (caller: Caller, search: string, where: Record<string, string | number> = { OrganisationId: places.organisationId }) =>
  proceduresOf(product, caller, where).search.find.query({ search })

/** A person of Northgate, and one who works only elsewhere, as the whole trust lists them. */
async function people() {
  const { rows } = await proceduresOf(product, finance, { OrganisationId: places.organisationId }).staff.list.query({
    pageNumber: 1,
    pageSize: 1000,
  })
  const northgate = places.locations.Northgate!
  const here = rows.find((one) => one.locations.includes(northgate))!
  const elsewhere = rows.find((one) => one.locations.length > 0 && !one.locations.includes(northgate))!
  return { here, elsewhere }
}

describe('a search over everything', () => {
  it('finds a person by forename and surname in either order, by employee number, and the contracts that they hold', async () => {
    const { here } = await people()
    for (const text of [`${here.forename} ${here.surname}`, `${here.surname.toUpperCase()} ${here.forename}`, here.employeeNumber]) {
      const hits = await find(finance, text)
      expect(hits).toContainEqual(expect.objectContaining({ entity: 'staffMember', id: String(here.id) }))
      expect(hits.some((hit) => hit.entity === 'staffContract' && hit.detail.includes(`${here.surname}, ${here.forename}`))).toBe(true)
    }
  })
  it('finds people, contracts and budgets only of the schools that the person may see', async () => {
    const { elsewhere, here } = await people()
    const manager = await asUser(product, 'northgate@harbour.example')
    const other = (await find(manager, elsewhere.employeeNumber)).filter((hit) => ['staffMember', 'staffContract'].includes(hit.entity))
    expect(other).toEqual([])
    expect(await find(manager, here.employeeNumber)).not.toEqual([])
    const all = await find(finance, 'working')
    const own = (await find(manager, 'working')).filter((hit) => hit.entity === 'budget')
    expect(new Set(own.map((hit) => hit.place!.locationId))).toEqual(new Set([places.locations.Northgate]))
    expect(new Set(all.flatMap((hit) => (hit.entity === 'budget' ? [hit.place!.locationId] : []))).size).toBeGreaterThan(1)
  })
  it('finds codes by what they are called, the exact one first, and entries with the school and budget that they stand in', async () => {
    const { rows } = await proceduresOf(product, finance, { OrganisationId: places.organisationId }).resources.budgetCode!.list.query({
      pageSize: 5,
    })
    const [code] = rows
    const hits = await find(finance, String(code!.code))
    expect(hits.filter((hit) => hit.entity === 'budgetCode')[0]).toMatchObject({ id: String(code!.id) })
    const [entry] = (await find(finance, 'cleaning')).filter((hit) => hit.entity === 'budgetEntry')
    expect(entry).toMatchObject({ name: expect.stringMatching(/cleaning/i), detail: expect.stringMatching(/, \d{4}\/\d\d/) })
  })
  it('puts what stands in the budget that is open before the same in others', async () => {
    const of = proceduresOf(product, finance, { OrganisationId: places.organisationId, LocationId: places.locations.Northgate! })
    for (const { mongoId } of (await of.budgets.listByLocation.query({ ids: [places.locations.Northgate!] })).rows.slice(0, 2)) {
      const where = { OrganisationId: places.organisationId, LocationId: places.locations.Northgate!, BudgetId: mongoId }
      const [first] = (await find(finance, 'teacher', where)).filter((hit) => hit.entity === 'staffContract')
      expect(first!.place!.budgetId).toBe(mongoId)
    }
  })
  it('says nothing of people or of what they hold to somebody who may not see staff, whether or not there is such a person', async () => {
    const { here } = await people()
    const governor = await asUser(product, 'governor@harbour.example')
    for (const text of [here.employeeNumber, `${here.forename} ${here.surname}`, 'teacher'])
      expect((await find(governor, text)).filter((hit) => ['staffMember', 'staffContract'].includes(hit.entity))).toEqual([])
    expect(await find(governor, here.employeeNumber)).toEqual(await find(governor, 'N0-SUCH-NUMBER'))
    expect((await find(governor, 'cleaning')).map((hit) => hit.entity)).toContain('budgetEntry')
  })
  it('finds nothing of another trust, and needs two letters', async () => {
    const { here } = await people()
    const meadow = await asUser(product, 'finance@meadow.example')
    const there = await placesOf(meadow)
    expect(await find(meadow, `${here.forename} ${here.surname}`, { OrganisationId: there.organisationId })).not.toContainEqual(
      expect.objectContaining({ id: String(here.id), entity: 'staffMember' }),
    )
    expect((await find(meadow, 'northgate', { OrganisationId: there.organisationId })).map((hit) => hit.name)).toEqual([])
    await expect(find(meadow, 'northgate')).rejects.toThrow()
    await expect(find(finance, 'n')).rejects.toThrow('at least two letters')
  })
})
