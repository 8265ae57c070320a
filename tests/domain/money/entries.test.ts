import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BudgetHead } from '../../../domain/budget/budget.ts'
import { rollEntry } from '../../../domain/budget/copies/rollItems.ts'
import { type BudgetEntry, type BudgetEntryInput, budgetEntryInput, calculateEntryYears } from '../../../domain/budget/items/budgetEntry.ts'
import { saveBudgetEntry, toEntryInput } from '../../../domain/budget/items/decideEntry.ts'
import type { StoredItem } from '../../../domain/budget/items/item.ts'
import { calculatorRowKind } from '../../../domain/calculation/nonStaffing/calculator.ts'
import { postEntry, projectEntryYears, toWholeWeights } from '../../../domain/calculation/nonStaffing/entries.ts'
import { DomainError } from '../../../domain/words/errors.ts'

const blank = { amount: null, periods: null, rate: null }
const plan = (years: object[], more: object = {}) => ({
  firstYear: 0,
  years: Array.from({ length: 5 }, (_unused, year) => ({ ...blank, ...years[year] })),
  rates: null,
  weights: null,
  ...more,
})
const amounts = (...args: Parameters<typeof projectEntryYears>): (number | null)[] => projectEntryYears(...args).map((year) => year.amount)

describe('a budget entry', () => {
  it('follows its first amount by the rates of the budget code, each year rounded once from the first', () => {
    const rates = [9, 2.5, 3, 0, -1]
    // 1,000.01 × 1.025 = 1,025.01025; × 1.03 = 1,055.7605575; then the same; × 0.99 = 1,045.2029519
    expect(amounts(plan([{ amount: 100_001 }], { rates }), 5)).toEqual([100_001, 102_501, 105_576, 105_576, 104_520])
  })
  it('is constant without rates, and zero before it begins', () => {
    expect(amounts(plan([{}, { amount: 500 }], { firstYear: 1 }), 4)).toEqual([0, 500, 500, 500])
  })
  it('starts again from an amount typed for a later year, and a typed rate replaces the code’s', () => {
    const rates = [0, 10, 10, 10, 10]
    expect(amounts(plan([{ amount: 10_000 }, { rate: 1 }, { amount: 20_000 }], { rates }), 5)).toEqual([
      10_000, 10_100, 20_000, 22_000, 24_200,
    ])
    expect(amounts(plan([{ amount: 10_000 }, { amount: 0 }], { rates }), 3)).toEqual([10_000, 0, 0])
  })
  it('rounds halves of a penny away from zero, of a refund too', () => {
    expect(amounts(plan([{ amount: 1 }], { rates: [0, 50, 0, 0, 0] }), 2)).toEqual([1, 2])
    expect(amounts(plan([{ amount: -1 }], { rates: [0, 50, 0, 0, 0] }), 2)).toEqual([-1, -2])
  })
  it('spreads an amount equally, by its profile, or later by twelve typed values', () => {
    expect(projectEntryYears(plan([{ amount: 100 }]), 1)[0]!.periods).toEqual([9, 9, 9, 9, 8, 8, 8, 8, 8, 8, 8, 8])
    const weights = [0, 0, 1, 0, 0, 0, 0, 0, 3, 0, 0, 0]
    expect(projectEntryYears(plan([{ amount: 100 }], { weights }), 1)[0]!.periods).toEqual([0, 0, 25, 0, 0, 0, 0, 0, 75, 0, 0, 0])
    const periods = [10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 30]
    const years = projectEntryYears(plan([{ amount: 40, periods }], { rates: [0, 100, 0, 0, 0], weights }), 2)
    expect(years[0]!.periods).toEqual(periods)
    expect(years[1]!.periods).toEqual([20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 60])
  })
  it('keeps decimal weights exact', () => {
    expect(toWholeWeights([0.1, '0.2', 1])).toEqual([100_000, 200_000, 1_000_000])
  })
  it('adds up: periods to the year, and fund codes to the period, whatever the amounts', () => {
    const amount = fc.integer({ min: -2_000_000_000, max: 2_000_000_000 })
    const weight = fc.integer({ min: 0, max: 1_000_000 })
    const rate = fc.integer({ min: -10_000, max: 50_000 }).map((one) => one / 1000)
    fc.assert(
      fc.property(
        amount,
        fc.option(fc.array(weight, { minLength: 12, maxLength: 12 })),
        fc.array(rate, { minLength: 5, maxLength: 5 }),
        fc.integer({ min: 0, max: 100 }),
        (first, weights, rates, share) => {
          const years = projectEntryYears(plan([{ amount: first }], { rates, weights }), 5)
          for (const year of years) expect(year.periods.reduce<number>((sum, one) => sum + one!, 0)).toBe(year.amount)
          const funds = [
            { fundCodeId: 1, percentage: share },
            { fundCodeId: 2, percentage: 100 - share },
          ]
          const lines = postEntry(years, { budgetCodeId: 1, costCentreId: null }, funds)
          for (const [index, year] of years.entries())
            for (let period = 0; period < 12; period++) {
              const parts = lines.filter((line) => line.year === index).map((line) => line.amounts[period]!)
              expect(parts.reduce((sum, one) => sum + one, 0)).toBe(year.periods[period])
            }
        },
      ),
    )
  })
})

describe('saving a budget entry', () => {
  const head = { firstYear: 2026, numberOfYears: 3, startMonth: 9, locked: false } as BudgetHead
  const facts = {
    budgetCodes: new Map([[1, { code: 'E1', isIncome: false, rates: [7, 10, 10, 10, 10] }]]),
    costCentres: new Set<number>(),
    fundCodes: new Set<number>(),
    analysisTags: new Set<number>(),
    profiles: new Map<number, number[]>(),
    costCentresMandatory: false,
  }
  const id = 'b'.repeat(24)
  const input = (part: object): BudgetEntryInput => budgetEntryInput.parse({ description: 'Any', budgetCodeId: 1, ...part })
  const save = (given: BudgetEntryInput, before?: BudgetEntry): BudgetEntry => {
    const stored = before && ({ kind: 'entry', id, version: 1, savedAt: '', created: '', item: before } as StoredItem<'entry'>)
    const [event] = saveBudgetEntry(head, { id, before: stored, input: given, sealedNotes: null, facts })
    return event?.type === 'BudgetEntrySaved' ? event.data.item : before!
  }
  const refused = (part: object): [string, string][] => {
    try {
      save(input(part))
    } catch (error) {
      if (error instanceof DomainError) return error.fields.map(({ field, message }) => [field, message])
    }
    return []
  }
  it('refuses an amount for a year before the entry begins, at its field, rather than dropping it', () => {
    const early = { amount: 100, budgetYearName: '2028/29', years: [{ yearName: '2026/27', amount: 500 }] }
    expect(refused(early)).toEqual([
      ['years.0', 'The entry starts in 2028/29: remove the amount for 2026/27, or start the entry in that year.'],
    ])
    expect(refused({ ...early, years: [{ yearName: '2028/29', rate: 3 }] })[0]![0]).toBe('years.0')
    expect(refused({ ...early, years: [{ yearName: '2026/27', amount: null }] })).toEqual([])
  })
  it('accepts typed periods with amounts and refunds: each rises separately, and a later amount is split equally', () => {
    const mixed = [100.05, -50, ...Array<number>(10).fill(0)]
    const named = Object.fromEntries(mixed.map((value, index) => [`period${index + 1}`, value]))
    const worked = calculateEntryYears(save(input(named)), 3)
    expect(worked.map(({ amount, periods }) => [amount, periods[0], periods[1], periods[2]])).toEqual([
      [5005, 10_005, -5000, 0],
      // A tenth more: 110.055 and 55.00, then 121.0605 and 60.50, each rounded once.
      [11_006 - 5500, 11_006, -5500, 0],
      [12_106 - 6050, 12_106, -6050, 0],
    ])
    const later = calculateEntryYears(save(input({ ...named, years: [{ yearName: '2027/28', amount: 120 }] })), 3)
    expect(later[1]!.periods).toEqual(Array<number>(12).fill(1000))
    expect(later[2]!.periods).toEqual(Array<number>(12).fill(1100))
  })
  it('keeps months with amounts and refunds to the penny after rolling forward', () => {
    const mixed = [100.05, -50, ...Array<number>(10).fill(0)]
    const entry = save(input(Object.fromEntries(mixed.map((value, index) => [`period${index + 1}`, value]))))
    const before = calculateEntryYears(entry, 3)
    const after = calculateEntryYears(rollEntry(entry, 3), 3)
    expect(after.slice(0, 2).map(({ periods }) => periods)).toEqual(before.slice(1).map(({ periods }) => periods))
  })
  it('continues after rolling forward with the amount typed after amounts and refunds, split equally', () => {
    const mixed = [1200, -200, ...Array<number>(10).fill(0)]
    const named = Object.fromEntries(mixed.map((value, index) => [`period${index + 1}`, value]))
    const entry = save(input({ ...named, years: [{ yearName: '2027/28', amount: 5000 }] }))
    const [first, second] = calculateEntryYears(rollEntry(entry, 2), 2)
    expect(first!.amount).toBe(500_000)
    expect(second!.amount).toBe(550_000)
    expect(new Set(second!.periods)).toEqual(new Set([45_833, 45_834]))
  })
  it('refuses a period row of zeros', () => {
    const rows = [
      { kind: calculatorRowKind.fixedInput, value: 5 },
      { kind: calculatorRowKind.period, periods: Array<number>(12).fill(0) },
    ]
    expect(refused({ rows })).toEqual([['rows.1.periods', 'A period row needs twelve weights, at least one above zero.']])
  })
  it('shows no inflation for its first year: the first of the five rates is never used', () => {
    const worked = calculateEntryYears(save(input({ amount: 100 })), 3)
    expect(worked.map((year) => year.rate)).toEqual([null, 10, 10])
    expect(calculateEntryYears(save(input({ amount: 100, budgetYearName: '2027/28' })), 3).map((year) => year.rate)).toEqual([
      null,
      null,
      10,
    ])
  })
  it('keeps the typed periods as weights after rolling forward, until the amount or the months are typed again', () => {
    const periods = [0.1, 0.2, 0.33, ...Array<number>(9).fill(0)]
    const named = Object.fromEntries(periods.map((value, index) => [`period${index + 1}`, value]))
    const typed = save(
      input({
        ...named,
        years: [
          { yearName: '2027/28', rate: 7.5 },
          { yearName: '2028/29', rate: 30 },
        ],
      }),
    )
    const months = (entry: BudgetEntry, year: number) => calculateEntryYears(entry, 3)[year]!.periods.slice(0, 3)
    expect([months(typed, 1), months(typed, 2)]).toEqual([
      [11, 21, 36],
      [14, 28, 46],
    ])
    const rolled = rollEntry(typed, 3)
    expect([months(rolled, 0), months(rolled, 1)]).toEqual([
      [11, 21, 36],
      [14, 28, 46],
    ])
    const stored = { kind: 'entry', id, version: 1, savedAt: '', created: '', item: rolled } as StoredItem<'entry'>
    const base = toEntryInput(head, stored, null)
    expect(save({ ...base, description: 'Other' }, rolled).years).toEqual(rolled.years)
    expect(save({ ...base, amount: 1.2 }, rolled).years[0]).toEqual({ amount: 120, periods: null, rate: null })
    const equal = {
      ...base,
      amount: null,
      ...Object.fromEntries(periods.map((_value, index) => [`period${index + 1}`, index < 8 ? 0.06 : 0.05])),
    }
    expect(months(save(equal as BudgetEntryInput, rolled), 0)).toEqual([6, 6, 6])
  })
})
