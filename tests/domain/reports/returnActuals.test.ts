import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CodeId, calculateCodeFigures, type ImportedAmounts } from '../../../domain/monitoring/figures.ts'
import type { CodeBudget, LineSum, ReportCode, ReportFacts, ReturnActuals, ReturnYear, YearActuals } from '../../../domain/reports/facts.ts'
import { parseLineFilter, type Report } from '../../../domain/reports/report.ts'
import { buildBudgetForecastReturn } from '../../../domain/reports/returns/budgetForecastReturn.ts'

const code = (id: number, own: string, isIncome: boolean, category: number | null): ReportCode => ({
  id,
  code: own,
  description: own,
  facts: { isIncome, category, cfrCode: null },
  scheme: { code: own, description: own, order: 0 },
})
/**
 * A grant, teachers, books, the schools’ charges to the central office and its receipts from them. The last two codes hold nothing else.
 */
const [grant, teachers, books, charge, receipt, roof] = [1, 2, 3, 4, 5, 6] as const
const codes = new Map(
  [
    code(grant, '102', true, 2),
    code(teachers, '300', false, 1),
    code(books, '340', false, 2),
    code(charge, '341', false, 2),
    code(receipt, '220', true, 2),
    code(roof, '900', false, 3),
  ].map((one) => [one.id, one]),
)
const names = ['2026/27', '2027/28', '2028/29']

/** A school in one year, with its budget and its ledger. */
interface School {
  closed: boolean[]
  budget: { codeId: number; months: (number | null)[] }[]
  /** The charge that the school pays to the office, by month. */
  paid: number[]
  ledger: { codeId: number; months: number[] }[]
}

const months = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 12, maxLength: 12 })
const amount = fc.integer({ min: -40_000, max: 9_000_000 })
const school: fc.Arbitrary<School> = fc.record({
  closed: months(fc.boolean()),
  budget: fc.uniqueArray(
    fc.record({
      codeId: fc.constantFrom(grant, teachers, books, roof),
      months: months(fc.oneof({ weight: 9, arbitrary: amount }, { weight: 1, arbitrary: fc.constant(null) })),
    }),
    { selector: (one) => one.codeId, maxLength: 4 },
  ),
  paid: months(fc.integer({ min: 1, max: 90_000 })),
  ledger: fc.uniqueArray(fc.record({ codeId: fc.constantFrom(grant, teachers, books, charge, receipt, roof), months: months(amount) }), {
    selector: (one) => one.codeId,
    maxLength: 6,
  }),
})

const lineOf = (codeId: number, amounts: readonly (number | null)[], transfer: LineSum['transfer'] = null): CodeBudget => ({
  codeId,
  isStaff: codeId === teachers,
  transfer,
  amounts,
  gaps: amounts.map((one) => (one === null ? 1 : 0)),
})
const budgetOf = ({ budget, paid }: School): CodeBudget[] => [
  ...budget.map((one) => lineOf(one.codeId, one.months)),
  lineOf(charge, paid, 'topSlice'),
  lineOf(receipt, paid, 'topSlice'),
]
const placeOf = (own: School, more: Partial<YearActuals> = {}): YearActuals => ({
  closed: own.closed,
  imported: new Map<CodeId, ImportedAmounts>(
    own.ledger.map((one) => [one.codeId, { actuals: one.months, commitments: Array<number>(12).fill(0) }]),
  ),
  methods: new Map(),
  budget: budgetOf(own),
  ...more,
})
const yearCame = (year: string, schools: readonly School[], more: Partial<ReturnYear> = {}): ReturnYear => ({
  year,
  isPrior: false,
  isRequested: true,
  sums: schools.map((one) => placeOf(one)),
  months: schools.map((one, index) => ({ location: `School ${index + 1}`, closed: one.closed, hasBudget: true })),
  ...more,
})
const unitOf = (year: string) => ({ year, location: null, budget: null, pupils: null })
/** The facts of a trust that has the same budget in every year. */
function factsOf(schools: readonly School[], cameIn: Partial<ReturnActuals>, more: Partial<ReportFacts> = {}): ReportFacts {
  const lines = names.flatMap((_name, unit) =>
    schools.flatMap((one) =>
      budgetOf(one).map(
        ({ gaps, ...line }): LineSum => ({ ...line, unit, centreId: null, missing: gaps.reduce((sum, gap) => sum + gap, 0) }),
      ),
    ),
  )
  return {
    spread: 'years',
    units: names.map(unitOf),
    startMonth: 9,
    lines,
    carried: { openings: [{ unit: 0, type: 1, value: 123_456_789 }], before: [] },
    codes,
    centres: new Map(),
    byScheme: false,
    hasSeveralLocations: true,
    includeEmpty: false,
    notCalculated: 0,
    returnActuals: { cumulative: false, earlierYears: [], years: [], ...cameIn },
    ...more,
  }
}
const made = (facts: ReportFacts): Report => buildBudgetForecastReturn('Budget Forecast Return', facts)
const cell = (report: Report, label: string, title: string) =>
  report.rows.find((row) => row.label === label)?.values[report.columns.findIndex((column) => column.title === title)] ?? null
const [income, spent, inYear, brought, carried] = [
  '298 Total revenue income',
  '380 Total revenue expenditure',
  'In-year revenue balance',
  'Revenue funds brought forward',
  '430 Balance carried forward',
]
const labels = (report: Report): string[] => report.rows.filter((row) => row.kind === 'Empty').map((row) => row.label)

/** An independent sum of some months of one year: transactions for closed months, budget lines for the others. */
function byHand(schools: readonly School[], isIncome: boolean, [from, to]: readonly [number, number]): number {
  const own = isIncome ? [grant] : [teachers, books]
  let sum = 0
  for (const one of schools)
    for (let month = from; month < to; month++)
      for (const { codeId, months: amounts } of one.closed[month] ? one.ledger : one.budget)
        if ((own as number[]).includes(codeId)) sum += amounts[month] ?? 0
  return sum
}

describe('the Budget Forecast Return with actuals', () => {
  it('equals an independent sum of transactions and lines, in each half, and each year opens with the last closing balance', () => {
    fc.assert(
      fc.property(fc.array(school, { minLength: 1, maxLength: 4 }), (schools) => {
        const [year] = names as [string]
        const report = made(factsOf(schools, { years: [yearCame(year, schools)] }))
        for (const [label, isIncome] of [
          [income, true],
          [spent, false],
        ] as const) {
          // A row without any calculated figure shows none.
          const exact = cell(report, label, `${year} exact`)
          if (exact !== null) expect(exact).toBe(byHand(schools, isIncome, [0, 12]))
          // Later years are all budget.
          const budget = schools.map((one) => ({ ...one, closed: Array<boolean>(12).fill(false) }))
          const next = cell(report, label, `${names[1]} exact`)
          if (next !== null) expect(next).toBe(byHand(budget, isIncome, [0, 12]))
        }
        const parts = report.columns.filter((column) => /£000$|exact$/.test(column.title)).map((column) => column.title)
        for (const part of parts) {
          const [opened, moved, closed] = [brought, inYear, carried].map((label) => cell(report, label!, part))
          if (typeof opened === 'number' && typeof moved === 'number') expect(closed).toBe(opened + moved)
        }
        for (const [index, later] of names.slice(1).entries())
          expect(cell(report, brought!, `${later} exact`)).toBe(cell(report, carried!, `${names[index]} exact`))
        for (const row of report.rows) expect(row.values).toHaveLength(report.columns.length)
        for (const row of report.rows) if (row.drill) expect(parseLineFilter(row.drill)?.basis).toBe('outturn')
      }),
    )
  })
  it('counts a cumulative import for the months since the last one', () => {
    fc.assert(
      fc.property(school, (own) => {
        const plain = { ...own, budget: [{ codeId: grant, months: Array<number>(12).fill(0) }] }
        const running = (amounts: number[]): number[] => {
          let sum = 0
          return amounts.map((one, month) => (own.closed[month] ? (sum += one) : 0))
        }
        const toDate = { ...plain, ledger: plain.ledger.map((one) => ({ ...one, months: running(one.months) })) }
        const of = (one: School, cumulative: boolean) => made(factsOf([one], { cumulative, years: [yearCame('2026/27', [one])] }))
        expect(of(toDate, true).rows.map((row) => row.values)).toEqual(of(plain, false).rows.map((row) => row.values))
      }),
    )
  })
  it('forecasts the months of a code with its location’s method', () => {
    const closed = [true, true, ...Array<boolean>(10).fill(false)]
    const own: School = {
      closed,
      budget: [{ codeId: books, months: Array<number>(12).fill(10_000) }],
      paid: Array<number>(12).fill(0),
      ledger: [{ codeId: books, months: [9_000, 13_000, ...Array<number>(10).fill(0)] }],
    }
    // The example of rules.md §17: by twelfths £1,200, actuals of £90 and £130.
    for (const [method, outcome] of [
      ['budget', 122_000],
      ['whatIsLeft', 120_000],
      ['runRate', 132_000],
    ] as const) {
      const sums = [placeOf(own, { methods: new Map([[books, { method, values: null }]]) })]
      expect(
        calculateCodeFigures(
          { ...sums[0]!, period: 12, forecastBudget: null, budget: new Map([[books, Array<number>(12).fill(10_000)]]) },
          books,
          false,
        ).forecast,
      ).toBe(outcome)
      const report = made(factsOf([own], { years: [yearCame('2026/27', [own], { sums })] }))
      expect(cell(report, spent!, '2026/27 exact'), method).toBe(outcome)
    }
  })
  const twelve = (value: number): number[] => Array<number>(12).fill(value)
  const plain = (more: Partial<School> = {}): School => ({
    closed: Array<boolean>(12).fill(false),
    budget: [
      { codeId: grant, months: twelve(1_000_000) },
      { codeId: teachers, months: twelve(900_000) },
    ],
    paid: twelve(50_000),
    ledger: [
      { codeId: grant, months: twelve(1_100_000) },
      { codeId: teachers, months: twelve(800_000) },
      { codeId: charge, months: twelve(50_000) },
      { codeId: receipt, months: twelve(50_000) },
    ],
    ...more,
  })
  const first = (count: number): boolean[] => Array.from({ length: 12 }, (_unused, month) => month < count)
  const prior = (schools: readonly School[]): ReturnYear =>
    yearCame('2025/26', schools, {
      isPrior: true,
      isRequested: false,
      sums: schools.map((one) => placeOf(one, { budget: null })),
      months: schools.map((one, index) => ({ location: `School ${index + 1}`, closed: one.closed, hasBudget: false })),
    })
  const inFront = [{ unit: unitOf('2025/26'), carried: null }]
  it('includes the previous year with its actuals, ending with the first year’s opening balance', () => {
    const schools = [plain({ closed: first(12) }), plain({ closed: first(12) })]
    const now = schools.map((one) => ({ ...one, closed: first(2) }))
    const report = made(factsOf(now, { earlierYears: inFront, years: [prior(schools), yearCame('2026/27', now)] }))
    expect(cell(report, income!, '2025/26 actuals exact')).toBe(2 * 12 * 1_100_000)
    expect(cell(report, spent!, '2025/26 actuals exact')).toBe(2 * 12 * 800_000)
    // 14 × £11,000 is £154,000. Charges between schools are in neither total.
    expect(cell(report, income!, '2025/26 actuals Sep to Mar £000')).toBe(154)
    expect(cell(report, '220 220', '2025/26 actuals exact')).toBeNull()
    expect(cell(report, income!, '2026/27 exact')).toBe(2 * (2 * 1_100_000 + 10 * 1_000_000))
    expect(cell(report, carried!, '2025/26 actuals exact')).toBe(123_456_789)
    expect(cell(report, brought!, '2025/26 actuals exact')).toBe(123_456_789 - 2 * 12 * 300_000)
    expect(cell(report, brought!, '2026/27 exact')).toBe(123_456_789)
    // The previous year, the current year and the next are each split into halves.
    expect(report.columns.filter((column) => column.key.startsWith('first ')).map((column) => column.key)).toEqual([
      'first 2025/26',
      'first 2026/27',
      'first 2027/28',
    ])
    expect(labels(report)).toContain('Actuals for 2025/26: September 2025 to August 2026 at every school.')
    expect(labels(report)).toContain(
      'Actuals for 2026/27: September to October 2026 at every school. The other months are from the budget.',
    )
  })
  it('shows a year without any actuals as not available, and not as zero', () => {
    const report = made(factsOf([plain()], { earlierYears: inFront, years: [prior([plain()])] }))
    // A single column says so in words.
    const columns = report.columns.filter((column) => column.title.startsWith('2025/26'))
    expect(columns).toMatchObject([{ title: '2025/26 actuals £000', without: 'not available' }])
    for (const label of [income, spent, inYear, brought]) expect(cell(report, label!, '2025/26 actuals £000'), label).toBeNull()
    for (const row of report.rows) expect(row.values).toHaveLength(report.columns.length)
    expect(report.bases).toHaveLength(report.columns.length)
    // The year’s closing balance is the budget’s opening balance.
    expect(cell(report, carried!, '2025/26 actuals £000')).toBe(cell(report, brought!, '2026/27 £000'))
    expect(labels(report)).toContain('2025/26 is not available: it has no actuals.')
    expect(labels(report)).toContain('Every month is from the budgets: no column has actuals. Key in the actual figures instead.')
    expect(cell(report, income!, '2026/27 exact')).toBe(12 * 1_000_000)
  })
  it('says what the previous year lacks for a school that joined in the middle of it, and shows no balance before it', () => {
    const joined = plain({ closed: Array.from({ length: 12 }, (_unused, month) => month > 3) })
    const schools = [plain({ closed: first(12) }), joined]
    const report = made(factsOf([plain(), plain()], { earlierYears: inFront, years: [prior(schools)] }))
    expect(cell(report, income!, '2025/26 actuals exact')).toBe((12 + 8) * 1_100_000)
    expect(labels(report)).toContain('Check: 2025/26 is missing September to December 2025 for School 2: these months have no actuals.')
    expect(cell(report, carried!, '2025/26 actuals exact')).toBe(123_456_789)
    expect(cell(report, brought!, '2025/26 actuals exact')).toBeNull()
    // If no school has actuals for half of a year, neither that half nor the year is known.
    const half = made(factsOf([plain()], { earlierYears: inFront, years: [prior([plain({ closed: first(7) })])] }))
    expect(cell(half, income!, '2025/26 actuals Sep to Mar £000')).toBe(77)
    expect(cell(half, income!, '2025/26 actuals Apr to Aug £000')).toBeNull()
    expect(cell(half, income!, '2025/26 actuals £000')).toBeNull()
  })
  it('carries a current year that began before its budgets into them, and says where they begin with another balance', () => {
    const now = plain({ closed: first(10) })
    const running = yearCame('2025/26', [now], { isRequested: false })
    const report = made(
      factsOf([plain()], {
        earlierYears: [{ unit: unitOf('2025/26'), carried: { openings: [{ unit: 0, type: 1, value: 1_000_000 }], before: [] } }],
        years: [running],
      }),
    )
    const ends = 1_000_000 + 10 * 300_000 + 2 * 100_000
    expect(cell(report, carried!, '2025/26 exact')).toBe(ends)
    expect(cell(report, brought!, '2026/27 exact')).toBe(ends)
    expect(
      labels(report).some((label) =>
        label.startsWith('Check: the budgets for 2026/27 begin with £1,234,567.89, and 2025/26 is forecast to end with £42,000.00'),
      ),
    ).toBe(true)
  })
  it('begins a year with the closing balance of earlier years, shown or not', () => {
    const now = plain({ closed: first(2) })
    const came = yearCame('2026/27', [now])
    const both = made(factsOf([now], { years: [came] }))
    const whole = factsOf([now], { years: [came] })
    const one = 12 * 100_000
    const alone = made({
      ...whole,
      units: [unitOf('2027/28')],
      lines: whole.lines.filter((line) => line.unit === 1).map((line) => ({ ...line, unit: 0 })),
      carried: {
        openings: [{ unit: 0, type: 1, value: 123_456_789 }],
        before: [{ unit: 0, codeId: grant, isStaff: false, transfer: null, total: one, missing: 0 }],
      },
    })
    expect(cell(both, brought!, '2027/28 exact')).toBe(123_456_789 + 2 * 300_000 + 10 * 100_000)
    expect(cell(alone, brought!, '2027/28 exact')).toBe(123_456_789 + 2 * 300_000 + 10 * 100_000)
  })
  it('reports a code with both payments between schools and other money, which actuals cannot separate', () => {
    const own = plain({ closed: first(1) })
    const mixed = { ...own, budget: [...own.budget, { codeId: charge, months: twelve(10) }] }
    const report = made(factsOf([mixed], { years: [yearCame('2026/27', [mixed])] }))
    expect(labels(report).some((label) => label.startsWith('Check: 341 341 holds transfers between schools and also other money'))).toBe(
      true,
    )
    expect(cell(report, '341 341', '2026/27 exact')).toBe(50_000 + 11 * 10)
  })
})
