import { beforeAll, describe, expect, it } from 'vitest'
import { type Body, type Caller, findTrustIds, type Selection, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'

let product: Product
let finance: Caller
let places: TrustIds
let northgate: Required<Selection>
const everything = { pageNumber: 1, pageSize: 5000 }
const pennies = (pounds: number): number => Math.round(pounds * 100)

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  northgate = places.at('Northgate')
})

const of = (where: Required<Selection>, who = finance) => proceduresOf(product, who, where)
const duplicate = async (name: string): Promise<Required<Selection>> => {
  const { body } = await finance.call(
    'POST',
    `/api/Budget/duplicate/${northgate.BudgetId}`,
    { name },
    { OrganisationId: places.organisationId },
  )
  return { ...northgate, BudgetId: body.mongoId }
}
const rows = async (path: string, where: Required<Selection>): Promise<Body[]> =>
  (await finance.call('POST', path, everything, where)).body.rows

describe('a scenario', () => {
  it('without changes equals the budget, to the penny, and follows it', async () => {
    const where = await duplicate('Followed')
    await of(where).scenarios.save.mutate({ name: 'Nothing yet', changes: [] })
    const first = await of(where).scenarios.list.query()
    const overview = await of(where).overview.summary.query()
    for (const [year, figures] of first.base.years.entries())
      for (const key of ['income', 'staffing', 'nonStaffing', 'inYear', 'closing'] as const) {
        // Supply cover and similar entries have the category Staffing; both calls count them as staffing.
        expect(pennies(figures[key])).toBe(pennies(overview.years[year]![key]))
        expect(first.scenarios[0]!.years[year]![key]).toBe(figures[key])
      }
    const [entry] = (await rows('/api/BudgetEntry/paginated', where)).filter((one) => !one.source)
    await finance.call('PUT', '/api/BudgetEntry/save', { ...entry, amount: entry.amount + 500 }, where)
    const second = await of(where).scenarios.list.query()
    expect(second.scenarios[0]!.years[0]!.inYear).not.toBe(first.scenarios[0]!.years[0]!.inYear)
    expect(second.scenarios[0]!.years).toEqual(second.base.years)
  })
  it('tries awards, posts, hours, entries and pupils at once, and is applied with the figures it showed, except for the levy, which must be shared again', async () => {
    const where = await duplicate('Everything')
    const contracts = await rows('/api/StaffContract/paginated', where)
    const [entry] = (await rows('/api/BudgetEntry/paginated', where)).filter((one) => !one.source)
    const { base, yearGroups, contractTypes } = await of(where).scenarios.list.query()
    const contractTypeIds = contractTypes.map((type) => type.id)
    await of(where).scenarios.save.mutate({
      name: 'A leaner year',
      changes: [
        { kind: 'award', contractTypeIds, effectiveDate: '2027-04-01', rate: 1 },
        { kind: 'removePost', contractId: contracts[0]!.id, from: '2027-01-01' },
        { kind: 'hours', contractId: contracts[1]!.id, from: '2027-01-01', percentage: 60 },
        { kind: 'entry', entryId: entry.id, percentage: -10 },
        { kind: 'newEntry', description: 'Lettings', budgetCodeId: entry.budgetCodeId, costCentreId: null, amount: 1_234_56, firstYear: 1 },
        { kind: 'pupils', yearGroup: yearGroups[1]!, firstYear: 1, by: -8 },
      ],
    })
    const shown = (await of(where).scenarios.list.query()).scenarios[0]!
    expect(shown.changes.map((one) => one.conflict)).toEqual([null, null, null, null, null, null])
    expect(shown.years[1]!.staffing).toBeLessThan(base.years[1]!.staffing)
    expect(shown.years[2]!.income).toBeLessThan(base.years[2]!.income)
    await of(where).scenarios.become.mutate({ id: shown.id })
    const { years } = await of(where).overview.summary.query()
    let levies = 0
    for (const [year, figures] of shown.years.entries()) {
      const now = years[year]!
      for (const key of ['income', 'nonStaffing'] as const)
        expect([year, key, pennies(now[key])]).toEqual([year, key, pennies(figures[key])])
      // Changed pay releases the share of the levy allowance, so the levy is not calculated. Nothing else differs.
      const levy = pennies(figures.staffing) - pennies(now.staffing)
      levies += levy
      expect([levy > 0, now.missing]).toEqual([true, 12])
      expect(pennies(now.inYear) - pennies(figures.inYear)).toBe(levy)
      expect(pennies(now.closing) - pennies(figures.closing)).toBe(levies)
    }
    expect((await of(where).scenarios.list.query()).scenarios).toEqual([])
    expect((await of(where).overview.summary.query()).outOfDate).toEqual([])
  })
  it('says which changes are no longer possible, leaves them out, and cannot be applied until they are corrected', async () => {
    const where = await duplicate('Conflicts')
    const [contract] = await rows('/api/StaffContract/paginated', where)
    const id = await of(where).scenarios.save.mutate({
      name: 'A post less',
      changes: [
        { kind: 'removePost', contractId: contract!.id, from: '2027-01-01' },
        { kind: 'hours', contractId: contract!.id, from: '2027-06-01', percentage: 50 },
        { kind: 'newEntry', description: 'On no code', budgetCodeId: 999_999, costCentreId: null, amount: 1, firstYear: 0 },
      ],
    })
    const first = (await of(where).scenarios.list.query()).scenarios[0]!
    expect(first.changes.map((one) => one.conflict)).toEqual([
      null,
      'The contract has ended by that date.',
      'This budget cannot use that budget code.',
    ])
    await finance.call('POST', '/api/StaffContract/bulkDelete', { state: { selectAll: false, toggledNodes: [contract!.id] } }, where)
    const second = await of(where).scenarios.list.query()
    expect(second.scenarios[0]!.changes[0]!.conflict).toBe('The contract is no longer in the budget.')
    expect(second.scenarios[0]!.years).toEqual(second.base.years)
    await expect(of(where).scenarios.become.mutate({ id })).rejects.toThrow('3 changes can no longer be made.')
    const versions = await of(where).scenarios.delete.mutate({ id })
    // After an accidental deletion, undo restores it unchanged.
    await of(where).budgets.undo.mutate({ versions })
    expect((await of(where).scenarios.list.query()).scenarios.map((one) => one.id)).toContain(id)
    await of(where).scenarios.delete.mutate({ id })
    expect((await of(where).scenarios.list.query()).scenarios).toEqual([])
  })
  it('is not copied with the budget, has a unique name, and requires the permissions for what it changes', async () => {
    const where = await duplicate('Rights')
    const id = await of(where).scenarios.save.mutate({ name: 'Once', changes: [] })
    await expect(of(where).scenarios.save.mutate({ name: 'once', changes: [] })).rejects.toThrow('Name is already used.')
    const copy = (
      await finance.call(
        'POST',
        `/api/Budget/duplicate/${where.BudgetId}`,
        { name: 'Rights, copied' },
        { OrganisationId: places.organisationId },
      )
    ).body
    expect((await of({ ...where, BudgetId: copy.mongoId }).scenarios.list.query()).scenarios).toEqual([])
    const manager = await signInAs(product, 'northgate@harbour.example')
    await expect(of(where, manager).scenarios.become.mutate({ id })).rejects.toThrow('permission')
    const governor = await signInAs(product, 'governor@harbour.example')
    await expect(of(where, governor).scenarios.save.mutate({ name: 'Mine', changes: [] })).rejects.toThrow()
  })
})
