import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StaffContract } from '../../../domain/budget/budget.ts'
import { rollContract } from '../../../domain/budget/copies/rollContract.ts'
import { findFreeBudgetName, suggestRolledForwardName } from '../../../domain/budget/copies/rollForward.ts'
import { rollCalculatorRows, rollEntry, rollFundingRows, rollItem, rollPupilRows } from '../../../domain/budget/copies/rollItems.ts'
import { type BudgetEntry, calculateEntryYears } from '../../../domain/budget/items/budgetEntry.ts'
import type { CalculationInputs, ContractCost, ContractInput, ScalePoint } from '../../../domain/calculation/inputs.ts'
import { calculateRows, calculatorRowKind } from '../../../domain/calculation/nonStaffing/calculator.ts'
import { calculateFunding } from '../../../domain/calculation/nonStaffing/funding.ts'
import { countPupils, rollUpPupilCounts } from '../../../domain/calculation/nonStaffing/pupils.ts'
import { calculateAgesReached, listAgeLimits } from '../../../domain/calculation/staffing/ages.ts'
import type { CostCase } from '../../../domain/calculation/staffing/case.ts'
import { costEmployee } from '../../../domain/calculation/staffing/cost.ts'
import { toContractInput } from '../../../domain/calculation/staffing/frozen.ts'
import { prepareCalculation } from '../../../domain/calculation/staffing/prepared.ts'
import { calculateWeeklyEarnings } from '../../../domain/calculation/staffing/stretches.ts'
import { firstDayOfMonth, toIsoDate } from '../../../domain/values/calendar.ts'
import { toContractId, toStaffId } from '../../../domain/values/ids.ts'

const folder = join(import.meta.dirname, '../golden')

/** A worked case with ids in place of names, as a budget stores contracts. */
function asKept({ employee, ...inputs }: CostCase) {
  const types = Object.keys(inputs.contractTypes)
  const allowances = Object.keys(inputs.allowances)
  const renamed = <T>(record: Record<string, T>, names: string[]): Record<string, T> =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [String(names.indexOf(name)), value]))
  const kept: CalculationInputs = {
    ...inputs,
    contractTypes: renamed(inputs.contractTypes, types),
    assumptions: renamed(inputs.assumptions, types),
    allowances: renamed(inputs.allowances, allowances),
  }
  const point = (one: ScalePoint | null) => one && { ...one, id: one.increment }
  const number = (text: string | null) => (text === null ? null : Number(text))
  const contract = (one: ContractInput): StaffContract => ({
    id: toContractId(one.name),
    staffId: toStaffId(1),
    type: 1,
    contractName: one.name,
    contractTypeId: types.indexOf(one.contractType),
    maximumScalePoint: point(one.maximumScalePoint),
    startDate: one.startDate,
    endDate: one.endDate,
    position: null,
    department: null,
    apprentice: one.apprentice,
    attritionContract: one.attritionContract,
    sealedNotes: null,
    serviceTerms: [1],
    analysisTags: [],
    fundCodes: [],
    salary: one.rows.map((row) => ({
      effectiveDate: row.effectiveDate,
      calculationCeaseDate: row.calculationCeaseDate,
      scalePoint: point(row.scalePoint),
      spotAdjustment: number(row.spotAdjustment),
      allowances: row.allowances.map((name) => allowances.indexOf(name)),
      erPension: row.erPension,
      fte: number(row.fte),
      hoursPerWeek: number(row.hoursPerWeek),
      weeksPerYear: number(row.weeksPerYear),
    })),
  })
  return { inputs: kept, employee, contracts: employee.contracts.map(contract) }
}

const figuresOf = (cost: ContractCost | undefined, year: number) => {
  const { year: _name, ...figures } = cost?.years[year] ?? { year: '' }
  return figures
}

/** Rolls every contract of a case forward and expects the same cost in every month of the remaining years. @returns the rolled contracts */
function expectSamePennies(given: CostCase): (StaffContract | null)[] {
  const { inputs, employee, contracts } = asKept(given)
  const { firstYear, years, startMonth } = inputs.budget
  const first = firstDayOfMonth(firstYear + 1, startMonth)
  const later = { ...inputs, budget: { ...inputs.budget, firstYear: firstYear + 1, years: years - 1 } }
  const { types } = prepareCalculation(inputs)
  const isOnLeave = employee.leaves.some(
    (leave) => leave.startDate < `${firstYear + 1}-${String(startMonth).padStart(2, '0')}-01` && leave.endDate >= `${firstYear + 1}`,
  )
  const rolled = contracts.map((contract) =>
    rollContract(contract, first, {
      type: types.get(String(contract.contractTypeId)),
      pointId: ({ increment }) => increment,
      isOnLeave,
    }),
  )
  const ages = (from: CalculationInputs) =>
    calculateAgesReached(employee.dateOfBirth, listAgeLimits(inputs.tables.nationalInsurance), from.budget)
  const cost = (from: CalculationInputs, of: StaffContract[], leaves = employee.leaves) =>
    costEmployee(prepareCalculation(from), { ages: ages(from), leaves, contracts: of.map(toContractInput) })
  const before = cost(inputs, contracts)
  const atWork = { ages: ages(inputs), leaves: [], contracts: contracts.map(toContractInput) }
  const kept = employee.leaves.map((leave) => {
    const weekly = leave.startDate <= toIsoDate(first) ? calculateWeeklyEarnings(prepareCalculation(inputs), atWork, leave) : null
    return weekly ? { ...leave, weekly } : leave
  })
  const after = cost(
    later,
    rolled.filter((contract) => contract !== null),
    kept,
  )
  for (const [index, contract] of contracts.entries()) {
    const own = after.find((one) => one.name === contract.id)
    for (let year = 0; year < years - 1; year++) {
      const was = figuresOf(before[index], year + 1)
      // A contract that is not rolled forward had ended, so it cost nothing in these years.
      if (!own) expect((was as ContractCost['years'][number]).gross.every((amount) => amount === 0)).toBe(true)
      else {
        const { allowances: wasPaid, ...plainWas } = was as ContractCost['years'][number]
        const { allowances: isPaid, ...plainIs } = figuresOf(own, year) as ContractCost['years'][number]
        expect(plainIs).toEqual(plainWas)
        for (const [name, amounts] of Object.entries(wasPaid)) expect(isPaid[name] ?? amounts.map((amount) => amount && 0)).toEqual(amounts)
      }
    }
  }
  return rolled
}

describe('a contract that is rolled forward', () => {
  for (const file of readdirSync(folder)) {
    const given: CostCase & { name: string } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    if (given.budget.years < 2) continue
    it(`costs the same pennies in every month of the remaining years: ${given.name}`, () => {
      expectSamePennies(given)
    })
  }
  it('does not lose an increment due before support staff have been on the new row for six months', () => {
    const given: CostCase = JSON.parse(readFileSync(join(folder, 'support-six-month-rule.json'), 'utf8'))
    const [name, type] = Object.entries(given.contractTypes).find(([key]) => key === given.employee.contracts[0]!.contractType)!
    const january = { ...given, contractTypes: { ...given.contractTypes, [name]: { ...type, incrementMonth: 1 } } }
    const years = { ...january, budget: { ...given.budget, years: 4, startMonth: 9 } }
    const [rolled] = expectSamePennies(years)
    expect(rolled!.salary.map((row) => row.effectiveDate.slice(5))).toEqual(['09-01', '01-01'])
  })
  it('has one salary row on the first day, at the point reached by then, and the later rows', () => {
    const given: CostCase = JSON.parse(readFileSync(join(folder, 'teacher-increments.json'), 'utf8'))
    const { inputs, contracts } = asKept(given)
    const first = firstDayOfMonth(inputs.budget.firstYear + 1, inputs.budget.startMonth)
    const facts = { type: prepareCalculation(inputs).types.get('0'), pointId: ({ increment }: ScalePoint) => increment, isOnLeave: false }
    const rolled = rollContract(contracts[0]!, first, facts)!
    expect(rolled.salary).toHaveLength(1)
    expect(rolled.salary[0]!.effectiveDate).toBe(`${inputs.budget.firstYear + 1}-09-01`)
    expect(rolled.salary[0]!.scalePoint!.increment).toBeGreaterThan(contracts[0]!.salary[0]!.scalePoint!.increment)
  })
})

const blank = { amount: null, periods: null, rate: null }
const entryOf = (years: BudgetEntry['years'], firstYear: number, rates: number[] | null, weights: number[] | null): BudgetEntry => ({
  id: 'a'.repeat(24),
  identifier: null,
  description: 'Any',
  budgetCodeId: 1,
  costCentreId: null,
  analysisTags: [],
  fundCodes: [],
  sealedNotes: null,
  firstYear,
  years,
  profileTemplateId: null,
  rows: [],
  source: null,
  basis: { rates, weights },
})

describe('an entry that is rolled forward', () => {
  const rate = fc.integer({ min: -500, max: 2000 }).map((value) => value / 100)
  const amount = fc.integer({ min: -5_000_000, max: 50_000_000 })
  const later = fc.record({
    amount: fc.option(amount, { nil: null }),
    rate: fc.option(rate, { nil: null }),
    periods: fc.constant(null),
  })
  it('keeps the pennies of the remaining years, whatever was typed and however prices rise', () => {
    fc.assert(
      fc.property(
        amount,
        fc.array(later, { minLength: 4, maxLength: 4 }),
        fc.option(fc.array(rate, { minLength: 5, maxLength: 5 }), { nil: null }),
        fc.integer({ min: 2, max: 5 }),
        (first, others, rates, count) => {
          const entry = entryOf([{ ...blank, amount: first }, ...others], 0, rates, null)
          const [before, after] = [calculateEntryYears(entry, count), calculateEntryYears(rollEntry(entry, count), count)]
          for (let year = 0; year < count - 1; year++) expect(after[year]!.amount).toBe(before[year + 1]!.amount)
          // The last year is the one before, raised by the code’s inflation rate.
          const last = entryOf(
            [
              { ...blank, amount: after[count - 2]!.amount },
              { ...blank, rate: rates?.[count - 1] ?? 0 },
            ],
            0,
            null,
            null,
          )
          if (!rollEntry(entry, count).years.some((one, year) => year === count - 1 && one.amount !== null))
            expect(Math.abs(after[count - 1]!.amount! - calculateEntryYears(last, 2)[1]!.amount!)).toBeLessThanOrEqual(1)
        },
      ),
    )
  })
  it('and begins in a later year begins one year sooner', () => {
    const entry = entryOf([blank, blank, { ...blank, amount: 700_00 }, blank, blank], 2, [0, 10, 10, 10, 10], null)
    const rolled = calculateEntryYears(rollEntry(entry, 5), 5).map((year) => year.amount)
    expect(rolled).toEqual([0, 700_00, 770_00, 847_00, 931_70])
  })
  it('keeps the distribution of its typed periods', () => {
    const periods = [1200, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2400]
    const entry = entryOf([{ ...blank, amount: 3600, periods }, blank, blank, blank, blank], 0, [0, 10, 0, 0, 0], null)
    const [first, second] = calculateEntryYears(rollEntry(entry, 5), 5)
    expect(first!.periods).toEqual([1320, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2640])
    expect(second!.periods[11]).toBe(2640)
  })
})

describe('calculations and predictions that are rolled forward', () => {
  const pupils = [
    { kind: 'Phase' as const, phase: null, yearGroup: 2, description: null, before: 30, years: [28, null, null] },
    { kind: 'Phase' as const, phase: null, yearGroup: 3, description: null, before: 25, years: [null, 40, null] },
  ]
  it('a calculation has the same results in the remaining years', () => {
    const row = { description: null, value: null, years: [], periods: [] }
    const rows = [
      { ...row, kind: calculatorRowKind.criteria, years: [100, 110, 120] },
      { ...row, kind: calculatorRowKind.amount, value: 2.53 },
      { ...row, kind: calculatorRowKind.inflation, years: [0, 3, 2] },
      { ...row, kind: calculatorRowKind.fixedInput, years: [10, 20, 30] },
    ]
    const [before, after] = [calculateRows(rows, 3).total, calculateRows(rollCalculatorRows(rows, 3), 3).total]
    expect(after.slice(0, 2)).toEqual(before.slice(1))
  })
  it('pupil numbers move down a year, and the first year becomes the October before', () => {
    const [before, after] = [
      countPupils(rollUpPupilCounts(pupils, 3), null),
      countPupils(rollUpPupilCounts(rollPupilRows(pupils, 3), 3), null),
    ]
    expect(after.slice(0, 3)).toEqual(before.slice(1))
  })
  it('the timetables of pupil numbers move with their years', () => {
    const year = (taught: number) => ({ week: 25, taught, weeks: 38 })
    const stored = (lessons: ReturnType<typeof year>[]) =>
      ({ kind: 'pupils', id: 'p', version: 1, savedAt: '', created: '', item: { id: 'p', rows: pupils, lessons } }) as const
    const context = { count: 3, pupils: { before: [], after: [] }, tableYearOf: () => 0 }
    expect(rollItem(stored([year(1), year(2), year(3)]), context)).toMatchObject({ item: { lessons: [year(2), year(3)] } })
    expect(JSON.stringify(rollItem(stored([year(1)]), context))).not.toContain('lessons')
  })
  it('a prediction funds the remaining years as before, also after two roll-forwards', () => {
    const rows = [
      { kind: 'Stream' as const, category: 1, description: null, years: [], rate: null },
      { kind: 'Stream' as const, category: 4, description: null, years: [12], rate: null },
      { kind: 'Inflation' as const, category: null, description: null, years: [0, 2, 1.5, 1], rate: null },
      { kind: 'Total' as const, category: null, description: null, years: [], rate: null },
    ]
    const rates = new Map([
      [1, 4000],
      [4, 500],
    ])
    const numbers = pupils.map((row) => ({ ...row, years: [...row.years, 21] }))
    const total = (of: typeof rows, counted: typeof numbers, tableYear: number) =>
      calculateFunding({ rows: of, rates, pupils: rollUpPupilCounts(counted, 4), years: 4, tableYear }).total
    const once = rollFundingRows(rows, {
      count: 4,
      pupils: { before: rollUpPupilCounts(numbers, 5), after: rollUpPupilCounts(rollPupilRows(numbers, 4), 4) },
      tableYear: 0,
    }) as typeof rows
    const onceNumbers = rollPupilRows(numbers, 4) as typeof numbers
    const counted = { before: rollUpPupilCounts(onceNumbers, 5), after: rollUpPupilCounts(rollPupilRows(onceNumbers, 4), 4) }
    const twice = rollFundingRows(once, { count: 4, pupils: counted, tableYear: -1 }) as typeof rows
    const twiceNumbers = rollPupilRows(onceNumbers, 4) as typeof numbers
    const all = total(rows, numbers, 0)
    expect(total(once, onceNumbers, -1).slice(0, 3)).toEqual(all.slice(1))
    expect(total(twice, twiceNumbers, -2).slice(0, 2)).toEqual(all.slice(2))
  })
})

it('a rolled-forward budget is named after its year, and a used name gets a number', () => {
  expect(suggestRolledForwardName({ name: '2026/27 Working', firstYear: 2026 })).toBe('2027/28 Working')
  expect(suggestRolledForwardName({ name: 'Governors', firstYear: 2026 })).toBe('Governors 2027/28')
  expect(findFreeBudgetName('A', ['a', 'A (2)'])).toBe('A (3)')
  expect(findFreeBudgetName('x'.repeat(100), ['x'.repeat(100)])).toHaveLength(100)
})
