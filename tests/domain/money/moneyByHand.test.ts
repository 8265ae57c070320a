import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rollCalculatorRows, rollEntry, rollFundingRows, rollPupilRows } from '../../../domain/budget/copies/rollItems.ts'
import { type BudgetEntry, calculateEntryYears } from '../../../domain/budget/items/budgetEntry.ts'
import { calculateLevy, resolveEnteredLevyShares } from '../../../domain/calculation/levy.ts'
import { type CalculatorRow, calculateRows, calculatorRowKind } from '../../../domain/calculation/nonStaffing/calculator.ts'
import { calculateFunding, type FundingRow } from '../../../domain/calculation/nonStaffing/funding.ts'
import { countPupils, type PupilRow, rollUpPupilCounts } from '../../../domain/calculation/nonStaffing/pupils.ts'
import { calculationByHand, entryByHand, fundingByHand, type HandRow, levyByHand, rollByHand } from '../../support/samples/moneyByHand.ts'

const runs = { numRuns: 300 }
const hundredths = (min: number, max: number) => fc.integer({ min, max }).map((value) => Number(`${value}e-2`))
const rate = hundredths(-500, 4000)
const orNot = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null })
const years = <T>(of: fc.Arbitrary<T>) => fc.array(of, { minLength: 5, maxLength: 5 })
const count = fc.integer({ min: 1, max: 5 })

/** Twelve periods, either all amounts or all refunds. Small values are included, because rounding matters most there. */
const periods = fc
  .tuple(
    fc.array(fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 90_000_000 })), { minLength: 12, maxLength: 12 }),
    fc.boolean(),
  )
  .map(([values, isRefund]) => values.map((value) => (isRefund && value !== 0 ? -value : value)))
const typedYear = fc
  .record({
    amount: orNot(fc.integer({ min: -5_000_000, max: 50_000_000 })),
    periods: orNot(periods),
    rate: orNot(rate),
    isTyped: fc.boolean(),
  })
  .map(({ amount, periods: months, rate: own, isTyped }) => ({
    amount: isTyped && months ? months.reduce((sum, one) => sum + one, 0) : amount,
    periods: isTyped ? months : null,
    rate: own,
  }))
const entry = fc
  .record({
    firstYear: fc.integer({ min: 0, max: 2 }),
    years: years(typedYear),
    first: fc.integer({ min: -5_000_000, max: 50_000_000 }),
    rates: orNot(years(rate)),
    weights: orNot(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 12 })),
  })
  .map(({ firstYear, years: typed, first, rates, weights }) => ({
    firstYear,
    rates,
    weights,
    years: typed.map((year, index) =>
      index < firstYear
        ? { amount: null, periods: null, rate: null }
        : index > firstYear
          ? year
          : { ...year, amount: year.amount ?? first, rate: null },
    ),
  }))
const stored = ({ firstYear, years: typed, rates, weights }: typeof entry extends fc.Arbitrary<infer T> ? T : never): BudgetEntry => ({
  id: 'a'.repeat(24),
  identifier: null,
  description: 'Any',
  budgetCodeId: 1,
  costCentreId: null,
  analysisTags: [],
  fundCodes: [],
  sealedNotes: null,
  firstYear,
  years: typed,
  profileTemplateId: null,
  rows: [],
  source: null,
  basis: { rates, weights },
})

const kinds = ['criteria', 'amount', 'inflation', 'fixed', 'subtotal', 'words'] as const
const kindOf = {
  criteria: calculatorRowKind.criteria,
  amount: calculatorRowKind.amount,
  inflation: calculatorRowKind.inflation,
  fixed: calculatorRowKind.fixedInput,
  subtotal: calculatorRowKind.subtotal,
  words: calculatorRowKind.description,
}
const handRow: fc.Arbitrary<HandRow> = fc
  .record({
    kind: fc.constantFrom(...kinds, 'criteria' as const, 'amount' as const),
    value: hundredths(0, 90_000),
    years: orNot(years(orNot(hundredths(0, 3000)))),
    hasValue: fc.integer({ min: 0, max: 9 }),
  })
  .map(({ kind, value, years: own, hasValue }) => ({ kind, value: hasValue || !own ? value : null, years: own ?? [] }))
const asRow = ({ kind, value, years: own }: HandRow): CalculatorRow => ({
  kind: kindOf[kind],
  description: null,
  value,
  years: [...own],
  periods: [],
})

const pupil = fc.oneof(hundredths(0, 9000), fc.integer({ min: 0, max: 60 }))
const groups = fc
  .array(fc.record({ before: orNot(pupil), years: years(orNot(pupil)), isTyped: fc.boolean() }), { minLength: 1, maxLength: 6 })
  .map((rows) =>
    rows.map(({ before, years: own, isTyped }, index) => ({
      yearGroup: index + 2,
      before: before ?? (isTyped ? 30 : null),
      years: index === 0 && isTyped ? own.map((one) => one ?? 29.5) : own,
    })),
  )
const asPupils = (rows: typeof groups extends fc.Arbitrary<infer T> ? T : never): PupilRow[] =>
  rows.map((row) => ({ ...row, kind: 'Phase', phase: null, description: null }))

const streams = fc
  .array(
    fc.record({
      kind: fc.constantFrom('basic' as const, 'pupils' as const, 'sum' as const),
      rate: hundredths(1, 900_000),
      first: hundredths(0, 50_000),
      later: years(orNot(hundredths(0, 50_000))),
      isTyped: fc.integer({ min: 0, max: 3 }),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((all) =>
    all.map(({ kind, rate: own, first, later, isTyped }) => ({
      kind,
      rate: own,
      years: later.map((one, year) => (year === 0 ? (kind === 'basic' ? one : first) : isTyped === 0 ? one : null)),
    })),
  )
const categories = { basic: 1, pupils: 4, sum: 40 }
const asFunding = (all: typeof streams extends fc.Arbitrary<infer T> ? T : never, rises: (number | null)[]): FundingRow[] => [
  ...all.map(
    ({ kind, rate: own, years: numbers }): FundingRow => ({
      kind: 'Stream',
      category: categories[kind],
      description: null,
      years: [...numbers],
      rate: own,
    }),
  ),
  { kind: 'Inflation', category: null, description: null, years: rises, rate: null },
]

describe('the product’s results agree with a second implementation of the rules for', () => {
  it('an entry, in every month', () => {
    fc.assert(
      fc.property(entry, count, (plan, length) => {
        const months = calculateEntryYears(stored(plan), length).map((year) => year.periods)
        expect(months).toEqual(entryByHand(plan, length))
      }),
      runs,
    )
  })
  it('a calculation, in every year', () => {
    fc.assert(
      fc.property(fc.array(handRow, { maxLength: 12 }), count, (rows, length) => {
        expect(calculateRows(rows.map(asRow), length).total).toEqual(calculationByHand(rows, length))
      }),
      runs,
    )
  })
  it('pupils and a prediction, with decimals and unknown numbers', () => {
    fc.assert(
      fc.property(groups, streams, years(orNot(rate)), fc.integer({ min: -2, max: 4 }), count, (rows, all, rises, tableYear, length) => {
        const counted = rollUpPupilCounts(asPupils(rows), length)
        const roll = rollByHand(rows, length)
        expect(countPupils(counted, null)).toEqual(roll.map((hundreds) => (hundreds === null ? null : Number(hundreds) / 100)))
        const { total } = calculateFunding({ rows: asFunding(all, rises), rates: new Map(), pupils: counted, years: length, tableYear })
        expect(total).toEqual(fundingByHand(all, rises, roll, tableYear, length))
      }),
      runs,
    )
  })
  it('the levy with a typed share', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 90_000_000 }), hundredths(0, 1_500_000), (gross, allowance) => {
        expect(calculateLevy([gross], resolveEnteredLevyShares([{ from: 0, allowance, percentage: null }], false, [0]))).toEqual([
          levyByHand(gross, allowance),
        ])
      }),
      runs,
    )
  })
})

describe('after rolling forward, every month of the remaining years is the same to the penny', () => {
  it('for an entry with typed periods, twice in a row', () => {
    fc.assert(
      fc.property(entry, count, (plan, length) => {
        const first = stored(plan)
        const once = rollEntry(first, length)
        const twice = rollEntry(once, length)
        const months = (of: BudgetEntry) => calculateEntryYears(of, length).map((year) => year.periods)
        expect(months(once).slice(0, length - 1)).toEqual(months(first).slice(1))
        expect(months(twice).slice(0, length - 1)).toEqual(months(once).slice(1))
      }),
      runs,
    )
  })
  it('for a calculation, twice in a row', () => {
    fc.assert(
      fc.property(fc.array(handRow, { maxLength: 12 }), count, (rows, length) => {
        const all = [rows.map(asRow)]
        for (let turn = 0; turn < 2; turn++) all.push(rollCalculatorRows(all[turn]!, length))
        const [first, once, twice] = all.map((one) => calculateRows(one, length).total)
        expect(once!.slice(0, length - 1)).toEqual(first!.slice(1))
        expect(twice!.slice(0, length - 1)).toEqual(once!.slice(1))
      }),
      runs,
    )
  })
  it('for pupils and predictions, twice in a row', () => {
    fc.assert(
      fc.property(groups, streams, years(orNot(rate)), fc.integer({ min: -2, max: 4 }), count, (rows, all, rises, table, length) => {
        let [pupils, funding, tableYear] = [asPupils(rows), asFunding(all, rises), table]
        const look = () => {
          const counted = rollUpPupilCounts(pupils, length)
          return {
            roll: countPupils(counted, null),
            total: calculateFunding({ rows: funding, rates: new Map(), pupils: counted, years: length, tableYear }).total,
          }
        }
        for (let turn = 0; turn < 2; turn++) {
          const was = look()
          const later = rollPupilRows(pupils, length)
          funding = rollFundingRows(funding, {
            count: length,
            pupils: { before: rollUpPupilCounts(pupils, length + 1), after: rollUpPupilCounts(later, length) },
            tableYear,
          })
          ;[pupils, tableYear] = [later, tableYear - 1]
          const is = look()
          expect(is.roll.slice(0, length)).toEqual(was.roll.slice(1))
          // A total that is unknown stays unknown, or the new first year’s own count replaces it.
          expect(is.total.slice(0, length - 1).map((total, year) => (was.total[year + 1] === null ? null : total))).toEqual(
            was.total.slice(1),
          )
        }
      }),
      runs,
    )
  })
})
