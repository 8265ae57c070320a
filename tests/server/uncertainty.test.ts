import { beforeAll, describe, expect, it } from 'vitest'
import { type Body, type Caller, findTrustIds, inviteAndSignIn, type Selection, signInAs, type TrustIds } from '../support/product/http.ts'
import { type Product, startProduct } from '../support/product/product.ts'
import { proceduresOf } from '../support/product/trpc.ts'

let product: Product
let finance: Caller
let places: TrustIds
let northgate: Required<Selection>
let types: Record<string, number>
const everything = { pageNumber: 1, pageSize: 5000 }

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  northgate = places.at('Northgate')
  const { body } = await finance.call('POST', '/api/ContractTypes/list', everything, northgate)
  types = Object.fromEntries(body.rows.map((row: Body) => [row.name, row.id]))
})

const award = (change: Body = {}): Body => ({
  id: 'teachers-2028',
  kind: 'award',
  name: 'Teachers’ award 2028',
  low: 2.2,
  likely: 3,
  high: 4,
  contractTypeIds: [types.Teacher],
  from: '2028-09-01',
  ...change,
})
const intake = (change: Body = {}): Body => ({
  id: 'intake',
  kind: 'intake',
  name: 'Reception intake',
  low: 20,
  likely: 30,
  high: 34,
  yearGroup: 2,
  from: '2027-09-01',
  ...change,
})
const run = (request: Body, who = finance, where: Record<string, number> = { OrganisationId: places.organisationId }) =>
  who.call('POST', '/api/Uncertainty/run', { budgetId: northgate.BudgetId, draws: 200, seed: 7, ...request }, where)

describe('how sure a budget is', () => {
  it('without a spread is the budget, to the penny, in every future', async () => {
    const { body, status } = await run({ drivers: [award({ low: 3, high: 3 }), intake({ low: 30, high: 30 })] })
    expect([status, body.years?.length]).toEqual([200, 5])
    const { years } = await proceduresOf(product, finance, northgate).overview.summary.query()
    for (const [index, year] of body.years.entries()) {
      const reserve = years[index]!.balances.filter((one) => one.type !== 2).reduce((sum, one) => sum + Math.round(one.closing * 100), 0)
      for (const figure of ['planned', 'p10', 'p50', 'p90']) expect([figure, Math.round(year[figure] * 100)]).toEqual([figure, reserve])
      expect([0, 100]).toContain(year.belowZeroPercent)
    }
    expect(body.drivers.map((one: Body) => one.share)).toEqual([0, 0])
  })
  it('spreads around the budget with awards and pupils, names what decides it, and gives the same for the same seed', async () => {
    const request = { drivers: [award(), intake()], correlations: [{ first: 'intake', second: 'teachers-2028', word: 'movesWith' }] }
    const first = (await run(request)).body
    const last = first.years.at(-1)
    expect(last.p10).toBeLessThan(last.p50)
    expect(last.p50).toBeLessThan(last.p90)
    expect(first.drivers.map((one: Body) => one.id).sort()).toEqual(['intake', 'teachers-2028'])
    for (const { share, note } of first.drivers) expect([share > 0, note]).toEqual([true, null])
    expect(first.movedCorrelations).toEqual([])
    expect((await run(request)).body).toEqual(first)
    expect((await run({ ...request, seed: 8 })).body.years).not.toEqual(first.years)
    // Without a seed Bursar chooses one, with which the run can be repeated.
    const chosen = (await run({ ...request, seed: undefined })).body
    expect((await run({ ...request, seed: chosen.seed })).body).toEqual(chosen)
  })
  it('moves by as much as the award does in the what-if', async () => {
    const of = proceduresOf(product, finance, northgate)
    const { body } = await run({ draws: 1999, drivers: [award({ contractTypeIds: [types.Teacher], low: 3 - 1, high: 3 + 1 })] })
    const standing = (await of.scenarios.list.query()).standing.find((one) => one.effectiveDate === '2028-09-01')
    const rate = Number(standing?.rate ?? 0) + 1
    const effects = await of.scenarios.award.query({ kind: 'award', contractTypeIds: [types.Teacher!], effectiveDate: '2028-09-01', rate })
    const rise = effects.reduce((sum, one) => sum + one.years[2]!.after - one.years[2]!.before, 0)
    const last = body.years[2]
    expect(rise).toBeGreaterThan(0)
    // The 10th percentile of the reserve is the 90th of the award: one point more. The levy adds half a per cent of pay at most.
    expect(last.planned - last.p10).toBeGreaterThan(rise * 0.98)
    expect(last.planned - last.p10).toBeLessThan(rise * 1.03)
  })
  it('says why a driver changes nothing, and which words could not all be true', async () => {
    const drivers = [
      award({ id: 'late', from: '2040-09-01' }),
      award({ id: 'a', name: 'A' }),
      award({ id: 'b', name: 'B', from: '2028-10-01' }),
      award({ id: 'c', name: 'C', from: '2028-11-01' }),
    ]
    const correlations = [
      { first: 'a', second: 'b', word: 'movesWith' },
      { first: 'b', second: 'c', word: 'movesWith' },
      { first: 'a', second: 'c', word: 'movesAgainst' },
    ]
    const { body } = await run({ drivers, correlations, draws: 50 })
    const late = body.drivers.find((one: Body) => one.id === 'late')
    expect([late.share, late.note]).toEqual([0, 'It begins after the last day of the budget.'])
    expect(body.movedCorrelations).toHaveLength(3)
  })
  it('refuses what makes no sense, with one sentence at its field', async () => {
    const cases: [string, Body, string][] = [
      ['drivers.0.likely', { drivers: [award({ low: 5 })] }, 'Likely must be between low and high.'],
      ['drivers.0.from', { drivers: [award({ from: '2028-13-01' })] }, 'Date is not a valid date.'],
      ['drivers.0.from', { drivers: [award({ from: null })] }, 'Enter the date from which it applies.'],
      ['drivers.0.contractTypeIds', { drivers: [award({ contractTypeIds: [999_999] })] }, 'Contract type was not found.'],
      ['drivers.0.yearGroup', { drivers: [intake({ yearGroup: null })] }, 'Choose the year group of the intake.'],
      ['drivers.0.locationIds', { drivers: [intake({ locationIds: [999_999] })] }, 'Location was not found.'],
      ['draws', { drivers: [], draws: 20_001 }, 'Draw at most 20,000 futures.'],
      ['seed', { drivers: [], seed: -1 }, 'The seed cannot be below zero.'],
      ['drivers', { drivers: [award(), award()] }, 'Two drivers have the same id.'],
      [
        'correlations',
        { drivers: [award()], correlations: [{ first: 'teachers-2028', second: 'x', word: 'movesWith' }] },
        'A pair names a driver that is not in the list.',
      ],
    ]
    for (const [field, request, sentence] of cases) {
      const { status, body } = await run(request)
      expect([field, status, body]).toEqual([field, 400, sentence])
    }
  })
  it('is for people who see the summary, and for budgets of theirs', async () => {
    const meadow = await signInAs(product, 'finance@meadow.example')
    const { organisationId } = await findTrustIds(meadow)
    const elsewhere = await run({ drivers: [] }, meadow, { OrganisationId: organisationId })
    expect([elsewhere.status, elsewhere.body]).toEqual([404, 'Budget was not found.'])
    const administrator = await signInAs(product, 'admin@bursar.example')
    const reader = await inviteAndSignIn(product, administrator, 'codes@harbour.example', ['ConsoleBudgetCodesRead'], places.organisationId)
    expect((await run({ drivers: [] }, reader)).status).toBe(403)
    const other = await inviteAndSignIn(
      product,
      administrator,
      'riverside.sums@harbour.example',
      ['BudgetingOverviewRead'],
      places.organisationId,
      [places.at('Riverside').LocationId],
    )
    expect((await run({ drivers: [] }, other)).status).toBe(404)
  })
  it('of several locations adds up to theirs, with the same awards and other intakes', async () => {
    const locationIds = [places.at('Northgate').LocationId, places.at('St Anne’s').LocationId]
    const drivers = [award(), award({ id: 'support', name: 'Support award', contractTypeIds: [types.Support] })]
    const together = (await run({ budgetId: undefined, locationIds, drivers, draws: 300 })).body
    const alone = await Promise.all(
      locationIds.map(async (id) => (await run({ budgetId: undefined, locationIds: [id], drivers, draws: 300 })).body),
    )
    expect(together.budgets.map((one: Body) => one.locationId).sort()).toEqual([...locationIds].sort())
    for (const [index, year] of together.years.entries()) {
      const sum = (pick: (of: Body) => number) => alone.reduce((all, one) => all + Math.round(pick(one.years[index]) * 100), 0)
      expect(Math.round(year.planned * 100)).toBe(sum((one) => one.planned))
      // The same awards in both: the sum of the percentiles, but for the interpolation, which is at most £50 a year for a location.
      const most = 2 * 50_00 * (index + 1)
      expect(Math.abs(Math.round(year.p50 * 100) - sum((one) => one.p50))).toBeLessThan(most + 5_000_00)
      expect(Math.abs(Math.round(year.p10 * 100) - sum((one) => one.p10))).toBeLessThan(most + 5_000_00)
    }
    expect(together.interpolation.largestDifference).toBeLessThanOrEqual(50)
    expect(alone.map((one) => one.interpolation)).toEqual([null, null])
    // Intakes of two schools offset each other, so together they spread less than the sum of both.
    const spread = (of: Body): number => of.years.at(-1).p90 - of.years.at(-1).p10
    const pupils = { drivers: [intake()], draws: 1000 }
    const both = spread((await run({ ...pupils, budgetId: undefined, locationIds })).body)
    const each = await Promise.all(
      locationIds.map(async (id) => spread((await run({ ...pupils, budgetId: undefined, locationIds: [id] })).body)),
    )
    expect(each.every((one) => one > 0)).toBe(true)
    expect(both).toBeLessThan(0.9 * (each[0]! + each[1]!))
    expect(both).toBeGreaterThan(Math.max(...each) * 0.9)
  })
  it('of several locations refuses a pair of an intake and a driver that they share', async () => {
    const locationIds = [places.at('Northgate').LocationId, places.at('St Anne’s').LocationId]
    const [shared, pupils] = [award(), intake()]
    const correlations = [{ first: shared.id, second: pupils.id, word: 'movesWith' }]
    const request = { budgetId: undefined, locationIds, drivers: [shared, pupils], draws: 10 }
    const refused = await run({ ...request, correlations })
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.body)).toContain('With several locations, an intake can only move with another intake.')
    expect((await run({ ...request, budgetId: northgate.BudgetId, locationIds: undefined, correlations })).status).toBe(200)
  })
  it('shows totals to a reader who may not see staff, but no award of one or two people', async () => {
    const administrator = await signInAs(product, 'admin@bursar.example')
    const reader = await inviteAndSignIn(product, administrator, 'sums@harbour.example', ['BudgetingOverviewRead'], places.organisationId)
    const contracts = (await finance.call('POST', '/api/StaffContract/paginated', everything, northgate)).body.rows
    const holders = new Map<number, Set<string>>()
    for (const { contractTypeName, id } of contracts) holders.set(contractTypeName, (holders.get(contractTypeName) ?? new Set()).add(id))
    expect(holders.get(types.Teacher!)!.size).toBeGreaterThan(2)
    const drivers = [award(), intake()]
    const totals = await run({ drivers }, reader)
    expect(totals.body).toEqual((await run({ drivers })).body)
    const few = [...holders].find(([, ids]) => ids.size < 3)
    expect(few).toBeDefined()
    const refused = await run({ drivers: [award({ contractTypeIds: [types.Teacher, few![0]], name: 'Heads' })] }, reader)
    expect([refused.status, refused.body]).toEqual([
      403,
      'Heads concerns a contract type with fewer than three people. Leave it out, or ask someone who can view staff.',
    ])
  })
})
