import { describe, expect, it } from 'vitest'
import type { CodeFacts } from '../../../domain/calculation/nonStaffing/balances.ts'
import type { SharedInputs } from '../../../domain/calculation/staffing/frozen.ts'
import { type BudgetDraws, prepareBudgetDraws } from '../../../domain/uncertainty/budget/drawBudget.ts'
import { prepareBudgetRun } from '../../../domain/uncertainty/budget/drawBudgets.ts'
import { type BudgetDriver, findDriverProblem } from '../../../domain/uncertainty/budget/driver.ts'
import type { UncertainBudget } from '../../../domain/uncertainty/budget/uncertainBudget.ts'
import { drawFutures } from '../../../domain/uncertainty/draws.ts'
import { toContractId, toLocationId, toStaffId } from '../../../domain/values/ids.ts'
import { goldenBudget, goldenBudgets } from '../../support/stories/goldenContracts.ts'

const expenditure: CodeFacts = { isIncome: false, category: null, cfrCode: null }
const capital: CodeFacts = { isIncome: false, category: null, cfrCode: 'CE01' }
const income: CodeFacts = { isIncome: true, category: null, cfrCode: 'I01' }

const driver = (change: Partial<BudgetDriver>): BudgetDriver => ({
  id: 'a',
  kind: 'award',
  name: 'Award',
  low: 2,
  likely: 3,
  high: 4,
  contractTypeIds: [],
  budgetCodeIds: [],
  yearGroup: null,
  from: null,
  perYear: false,
  locationIds: [],
  ...change,
})

/** A budget of three years whose only cost is £1,242,000 of pay a year, without national insurance and pension. */
function knownPay(): UncertainBudget {
  const { contracts, frozen, shared } = goldenBudget('award-not-twice')
  const [contract] = contracts
  const budget = { firstYear: 2026, years: 3, startMonth: 9, payArea: 'main' as const }
  const sharedInputs: SharedInputs = {
    ...shared,
    tables: {
      ...shared.tables,
      nationalInsurance: {
        none: [
          {
            name: 'None',
            bandStart: '0',
            bandEnd: null,
            rate: '0',
            rebate: '0',
            base: '0',
            minAge: 0,
            maxAge: null,
            apprentice: false,
            pension: null,
          },
        ],
      },
    },
    contractTypes: { 1: { calculationType: 1, payScaleTypes: 0 } },
    assumptions: { [frozen.staffAssumptionsId]: { 1: { erPension: [], inflation: [] } } },
    allowances: {},
  }
  const row = { ...contract!.salary[0]!, effectiveDate: '2026-09-01', calculationCeaseDate: null, scalePoint: null }
  return {
    head: { firstYear: 2026, numberOfYears: 3, startMonth: 9 },
    frozen: {
      ...frozen,
      budget,
      budgetElements: {
        ...frozen.budgetElements,
        nationalInsurance: [{ effectiveDate: '2020-04-01', table: 'none' }],
        teacherPayScales: [],
        supportPayScales: [],
        customTeacherPayScales: [],
        customSupportPayScales: [],
      },
      people: {},
    },
    shared: sharedInputs,
    contracts: [
      {
        ...contract!,
        id: toContractId('0'.repeat(24)),
        staffId: toStaffId(7),
        contractTypeId: 1,
        startDate: '2026-09-01',
        endDate: null,
        salary: [{ ...row, spotAdjustment: 1_242_000, allowances: [], erPension: false, fte: 1, hoursPerWeek: null, weeksPerYear: null }],
      },
    ],
    entries: [],
    pupils: [],
    predictions: [],
    codes: new Map([[1, expenditure]]),
    levyShares: null,
    planned: [1, 2, 3].map((year) => ({ closing: year * 100_000_00, income: 0 })),
  }
}

const award = driver({ contractTypeIds: [1], from: '2027-09-01' })
const draw = (prepared: BudgetDraws, differences: number[]) => prepared.finish(differences, prepared.drawStaff(differences))
const drawOf = (budget: UncertainBudget, drivers: BudgetDriver[], differences: number[]) =>
  draw(
    prepareBudgetDraws(
      budget,
      drivers.map((one, index) => ({ driver: one, index })),
    ),
    differences,
  )

describe('a draw of a budget', () => {
  it('without a difference is the budget, to the penny', () => {
    const budget = knownPay()
    expect(drawOf(budget, [award], [0]).closing).toEqual(budget.planned.map(({ closing }) => closing))
  })
  it('costs a point more of an award from its date, and carries it into later years', () => {
    const budget = knownPay()
    // 1% of 1,242,000 is 12,420 a year; the award that was 0 becomes 1.
    expect(drawOf(budget, [award], [1]).closing).toEqual([100_000_00, 200_000_00 - 12_420_00, 300_000_00 - 2 * 12_420_00])
  })
  it('is refused to readers without staff if its contract type pays one or two people in some month from its date', () => {
    const budget = knownPay()
    const contract = budget.contracts[0]!
    const startingOn = (startDate: string, number: number): typeof contract => ({
      ...contract,
      id: toContractId(String(number).repeat(24)),
      staffId: toStaffId(number),
      startDate,
      salary: contract.salary.map((row) => ({ ...row, effectiveDate: startDate })),
    })
    const contracts = [contract, startingOn('2028-10-01', 1), startingOn('2028-10-01', 2)]
    const isOfFew = (from: string) =>
      prepareBudgetDraws({ ...budget, contracts }, [{ driver: { ...award, from }, index: 0 }]).findDriversOfFewPeople().size === 1
    // Only one person is paid in September 2028. The difference of two runs would be the pay of that month.
    expect(isOfFew('2028-09-01')).toBe(true)
    expect(isOfFew('2028-11-01')).toBe(false)
  })
  it('has a standard deviation of £9,315 for 3% ± 0.75 on £1,242,000 of pay for a year, within 1% at 20,000 draws', () => {
    const q = 1.2815515655446004
    const spread = driver({ ...award, low: 3 - 0.75 * q, high: 3 + 0.75 * q })
    const budget = knownPay()
    const prepared = prepareBudgetDraws(budget, [{ driver: spread, index: 0 }])
    const { drivers } = drawFutures({ drivers: [spread], pairs: [], count: 20_000, seed: 1 })
    const inYear = [...drivers[0]!.values].map((value) => {
      const { closing } = draw(prepared, [Math.round((value - 3) * 1e6) / 1e6])
      return (closing[1]! - closing[0]! - 100_000_00) / 100
    })
    const mean = inYear.reduce((sum, one) => sum + one, 0) / inYear.length
    const deviation = Math.sqrt(inYear.reduce((sum, one) => sum + (one - mean) ** 2, 0) / inYear.length)
    expect(deviation).toBeGreaterThan(9_315 * 0.99)
    expect(deviation).toBeLessThan(9_315 * 1.01)
  })
  it('costs a point more of the employer’s pension from its date, on top of the rate in force', () => {
    const plain = knownPay()
    const [contract] = plain.contracts
    const budget: UncertainBudget = {
      ...plain,
      shared: {
        ...plain.shared,
        assumptions: {
          [plain.frozen.staffAssumptionsId]: { 1: { erPension: [{ effectiveDate: '2024-04-01', rate: '28.68' }], inflation: [] } },
        },
      },
      contracts: [{ ...contract!, salary: contract!.salary.map((row) => ({ ...row, erPension: true })) }],
    }
    const pension = driver({ kind: 'pension', contractTypeIds: [1], from: '2028-03-01' })
    // From March, six months of the second year.
    expect(drawOf(budget, [pension], [1]).closing).toEqual([100_000_00, 200_000_00 - 6_210_00, 300_000_00 - 6_210_00 - 12_420_00])
  })
  it('does not change the reserve if the pay is capital', () => {
    const budget = { ...knownPay(), codes: new Map([[1, capital]]) }
    expect(drawOf(budget, [award], [1]).closing).toEqual(budget.planned.map(({ closing }) => closing))
  })
  it('changes entries by a percentage, once or again each year, and income the other way', () => {
    const entry = (budgetCodeId: number, amount: number) => ({
      id: String(budgetCodeId),
      identifier: null,
      description: 'Entry',
      budgetCodeId,
      costCentreId: null,
      analysisTags: [],
      fundCodes: [],
      sealedNotes: null,
      firstYear: 0,
      years: Array.from({ length: 5 }, (_unused, year) => ({ amount: year ? null : amount, periods: null, rate: null })),
      profileTemplateId: null,
      rows: [],
      source: null,
      basis: { rates: null, weights: null, engine: '2.0.0' },
    })
    const budget: UncertainBudget = {
      ...knownPay(),
      entries: [entry(2, 10_000_00), entry(3, 5_000_00)],
      codes: new Map([
        [1, expenditure],
        [2, expenditure],
        [3, income],
      ]),
    }
    const prices = driver({ kind: 'prices', budgetCodeIds: [2], from: '2027-09-01', perYear: true })
    const topUp = driver({ id: 'b', kind: 'topUp', budgetCodeIds: [3] })
    const drawn = drawOf(budget, [prices, topUp], [2, -10])
    // Prices: 0, then 2% of 10,000, then 4.04% of it. Income: 10% of 5,000 less in each year.
    expect(drawn.closing).toEqual([100_000_00 - 500_00, 200_000_00 - 1_000_00 - 200_00, 300_000_00 - 1_500_00 - 200_00 - 404_00])
    expect(drawn.income).toEqual([-500_00, -500_00, -500_00])
  })
  it('leaves an award alone that a pay table has published, and says so', () => {
    const found = goldenBudgets().flatMap(({ contracts, frozen, shared }) => {
      const tables = Object.values(frozen.budgetElements.teacherPayScales).map((one) => one.effectiveDate)
      return tables.length > 1 ? [{ contracts, frozen, shared, date: tables[1]! }] : []
    })
    expect(found.length).toBeGreaterThan(0)
    const notes = found.map(({ date, ...golden }) => {
      const { firstYear, years: numberOfYears, startMonth } = golden.frozen.budget
      const budget = { ...knownPay(), ...golden, head: { firstYear, numberOfYears, startMonth } }
      const types = [...new Set(golden.contracts.map((one) => one.contractTypeId))]
      const one = driver({ contractTypeIds: types, from: date })
      return prepareBudgetDraws(budget, [{ driver: one, index: 0 }]).notes.get('a') ?? ''
    })
    expect(notes.some((note) => /^The award of .* is published in .*, so it is certain/.test(note))).toBe(true)
  })
})

describe('several locations', () => {
  const locationOf = (id: number) => ({ locationId: toLocationId(id), budget: knownPay(), firstCommonYear: 0 })
  const runOf = (ids: number[], drivers: BudgetDriver[], seed = 3) =>
    prepareBudgetRun(ids.map(locationOf), 3, { drivers, pairs: [], count: 400, seed }).drawAll(() => undefined)

  it('have the same awards, so two equal schools are twice the one in every future', () => {
    const [one, two] = [runOf([1], [award]), runOf([1, 2], [award])]
    expect(one.interpolation).toBeNull()
    expect(two.interpolation).toEqual({ largestDifference: expect.any(Number), locationsInFull: [] })
    expect(new Set(one.drawn.map(({ closing }) => closing[2])).size).toBeGreaterThan(300)
    for (const [index, { closing }] of two.drawn.entries())
      for (const [year, figure] of closing.entries()) {
        // Costs between two of the five values are estimated, here to a few pennies.
        const difference = Math.abs(figure! - 2 * one.drawn[index]!.closing[year]!)
        expect(difference).toBeLessThanOrEqual(2 * (year + 1) * two.interpolation!.largestDifference + 10)
      }
  })
  it('are costed in full where estimates are more than £50 away', () => {
    // A point of each award on top of the other is £124 a year.
    const both = [award, driver({ ...award, id: 'b', from: '2028-09-01' })]
    const { drawn, interpolation } = runOf([1, 2], both)
    expect(interpolation).toEqual({ largestDifference: 0, locationsInFull: [1, 2] })
    const alone = runOf([1], both)
    expect(drawn.map(({ closing }) => closing)).toEqual(alone.drawn.map(({ closing }) => closing.map((figure) => 2 * figure!)))
  })
  it('have their own intakes, which are drawn for each', () => {
    const intake = driver({ id: 'intake', kind: 'intake', low: 20, likely: 30, high: 33, yearGroup: 2 })
    const one = driver({ ...intake, id: 'of-one', locationIds: [toLocationId(2)] })
    const { draws, plannedIdOf } = prepareBudgetRun([1, 2].map(locationOf), 3, { drivers: [intake, one], pairs: [], count: 50, seed: 1 })
    expect(draws.drivers.map(({ driver: { id } }) => [id, plannedIdOf(id)])).toEqual([
      ['intake@1', 'intake'],
      ['intake@2', 'intake'],
      ['of-one@1', 'of-one'],
      ['of-one@2', 'of-one'],
    ])
    const [first, second, elsewhere] = draws.drivers.map(({ values }) => [...values])
    expect(first).not.toEqual(second)
    expect(new Set(elsewhere)).toEqual(new Set([30]))
  })
  it('end where the caller ends them', () => {
    const run = prepareBudgetRun([locationOf(1)], 3, { drivers: [award], pairs: [], count: 50, seed: 1 })
    let costed = 0
    const end = (): void => {
      if (++costed > 10) throw new Error('Too long')
    }
    expect(() => run.drawAll(end)).toThrow('Too long')
  })
})

describe('a driver', () => {
  it('is refused where its values or what it concerns make no sense', () => {
    expect(findDriverProblem(driver({ low: 5 }))).toEqual({ field: 'likely', message: 'Likely must be between low and high.' })
    expect(findDriverProblem(driver({}))?.field).toBe('contractTypeIds')
    expect(findDriverProblem(driver({ contractTypeIds: [1], from: null }))?.field).toBe('from')
    expect(findDriverProblem(driver({ contractTypeIds: [1], from: '2027-09-01', high: 60 }))?.field).toBe('high')
    expect(findDriverProblem(driver({ kind: 'energy' }))?.field).toBe('budgetCodeIds')
    expect(findDriverProblem(driver({ kind: 'intake' }))?.field).toBe('yearGroup')
    expect(findDriverProblem(driver({ kind: 'intake', yearGroup: 2, low: 2.5 }))?.field).toBe('likely')
    expect(findDriverProblem(driver({ kind: 'fundingRate' }))).toBeNull()
  })
})
