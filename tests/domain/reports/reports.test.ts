import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LessonYear } from '../../../domain/budget/items/pupilNumbers.ts'
import { calculateOverviewYears } from '../../../domain/calculation/nonStaffing/balances.ts'
import { rollUpPupilCounts } from '../../../domain/calculation/nonStaffing/pupils.ts'
import { extendedLeaveReportCategories } from '../../../domain/lookups/rowKinds.ts'
import { divideRounded } from '../../../domain/monitoring/figures.ts'
import { type ComparedBudget, formatComparedBudgetName } from '../../../domain/reports/budgetNames.ts'
import { findBudgetsWithoutCommonYear, findCommonYears, listBudgetYears } from '../../../domain/reports/budgetYears.ts'
import { createRowKeys, findCell, findContractOfRow } from '../../../domain/reports/cells/cells.ts'
import { addExtraColumns, noExtraColumns } from '../../../domain/reports/extraColumns.ts'
import type {
  ContractYearCost,
  LineSum,
  OpeningPosition,
  ReportCode,
  ReportFacts,
  ReportUnit,
  ReturnContext,
} from '../../../domain/reports/facts.ts'
import { buildLocationsAtAGlance } from '../../../domain/reports/glance.ts'
import {
  calculateClassSize,
  calculateContactRatio,
  calculateLessonCost,
  calculateShare,
  dividePerPupil,
  divideToDecimals,
} from '../../../domain/reports/measures/measures.ts'
import { buildMeasuresReport } from '../../../domain/reports/measures/measuresReport.ts'
import { compareWithOutturn, sumOutturnComparisons } from '../../../domain/reports/outturn.ts'
import { buildPupilNumbersReport } from '../../../domain/reports/pupilNumbers.ts'
import { type ReportName, reports } from '../../../domain/reports/registry.ts'
import { describeEmptyCell, formatLineFilter, parseLineFilter, type Report, type ReportRow } from '../../../domain/reports/report.ts'
import { buildBudgetForecastReturn } from '../../../domain/reports/returns/budgetForecastReturn.ts'
import { buildCfrReturn } from '../../../domain/reports/returns/cfrReturn.ts'
import { buildStaffingReport } from '../../../domain/reports/staffing.ts'
import { buildLedgerPerLocation, buildReportLedger } from '../../../domain/reports/statement.ts'
import { buildTrialBudget } from '../../../domain/reports/trialBudget.ts'
import { findContactWarnings, findWarnings, type YearToCheck } from '../../../domain/reports/warnings.ts'
import { type StaffId, toBudgetId, toLocationId, toStaffId } from '../../../domain/values/ids.ts'
import { sampleReports, sampleTrust } from '../../support/samples/sampleReports.ts'
import {
  anyTransfer,
  anyTrust,
  type BudgetLine,
  buildFacts,
  buildMoneyReport,
  buildMonthlyFacts,
  codeFacts,
  type TrustMoney,
  trustCentres,
  trustCodes,
  trustYears,
} from '../../support/stories/trustMoney.ts'

const number = (value: number | string | null | undefined): number => (typeof value === 'number' ? value : 0)
const rowNamed = (report: Report, label: string, from = 0): ReportRow => report.rows.slice(from).find((row) => row.label === label)!
const totals = ['Total income', 'Total expenditure', 'In-year balance'] as const

/** An independent sum of lines according to the rules: income, expenditure and transfers between locations. */
function byHand(lines: readonly BudgetLine[]): Record<(typeof totals)[number] | 'transfers', number> {
  const sum = (own: readonly BudgetLine[]): number => own.flatMap((one) => one.months).reduce<number>((all, one) => all + (one ?? 0), 0)
  const isIncome = ({ codeId }: BudgetLine): boolean => codeId === 1 || codeId === 2
  const counted = lines.filter((one) => one.codeId !== 6)
  const [own, moved] = [counted.filter((one) => !one.transfer), counted.filter((one) => one.transfer)]
  const income = sum(own.filter(isIncome))
  const spent = sum(own.filter((one) => !isIncome(one)))
  const between = sum(moved.filter(isIncome)) - sum(moved.filter((one) => !isIncome(one)))
  return { 'Total income': income, 'Total expenditure': spent, transfers: between, 'In-year balance': income - spent + between }
}

/** Expects every footer to be the sum of the data rows since its heading, in each column. */
function expectExactFooters(report: Report): void {
  let open: ReportRow[] = []
  for (const row of report.rows) {
    if (row.kind === 'SectionHeader') open = []
    if (row.kind === 'Data') open.push(row)
    if (row.kind === 'SectionFooter')
      expect(row.values.map(number), row.label).toEqual(
        report.columns.map((_column, at) => open.reduce((sum, one) => sum + number(one.values[at]), 0)),
      )
    expect(row.values).toHaveLength(report.columns.length)
  }
  expect(report.bases).toHaveLength(report.columns.length)
}

describe('the figures of a report', () => {
  it('equal an independent sum of the lines, year by year', () => {
    fc.assert(
      fc.property(anyTrust, fc.boolean(), (from, byScheme) => {
        for (const name of ['budgetAnalysis', 'costCentreAnalysis'] as const) {
          const report = buildMoneyReport(name, from, { byScheme })
          expectExactFooters(report)
          for (const [index] of trustYears.entries()) {
            const hand = byHand(from.lines.filter((one) => one.year === index))
            for (const label of totals) expect(number(rowNamed(report, label).values[index]), label).toBe(hand[label])
          }
        }
      }),
    )
  })
  it('by month add up to the year, and closing balances open the next month', () => {
    fc.assert(
      fc.property(anyTrust, (from) => {
        const report = buildMoneyReport('profileBudgetAnalysis', from)
        expectExactFooters(report)
        for (const row of report.rows.slice(0, report.rows.indexOf(rowNamed(report, 'In-year balance')) + 1))
          expect(number(row.values[12])).toBe(row.values.slice(0, 12).reduce<number>((sum, one) => sum + number(one), 0))
        const [opening, closing] = [rowNamed(report, 'Total opening balances'), rowNamed(report, 'Total closing balances')]
        expect(opening.values.slice(1, 12)).toEqual(closing.values.slice(0, 11))
        expect([opening.values[12], closing.values[12]]).toEqual([opening.values[0], closing.values[11]])
      }),
    )
  })
  it('over all locations equal the sum of each, in rows or in columns', () => {
    fc.assert(
      fc.property(anyTrust, (from) => {
        for (const [all, by, each] of [
          ['budgetAnalysis', 'budgetAnalysisByLocation', 'budgetAnalysisBySingleLocation'],
          ['costCentreAnalysis', 'costCentreAnalysisByLocation', 'costCentreAnalysisBySingleLocation'],
        ] as const) {
          const [one, side, apart] = [buildMoneyReport(all, from), buildMoneyReport(by, from), buildMoneyReport(each, from)]
          expectExactFooters(side)
          for (const row of side.rows)
            if (row.kind !== 'SectionHeader')
              expect(number(row.values[3]), row.label).toBe(row.values.slice(0, 3).reduce<number>((sum, value) => sum + number(value), 0))
          for (const label of totals) {
            expect(number(rowNamed(side, label).values[3])).toBe(number(rowNamed(one, label).values[0]))
            for (const at of trustYears.keys())
              expect(apart.rows.filter((row) => row.label === label).reduce((sum, row) => sum + number(row.values[at]), 0)).toBe(
                number(rowNamed(one, label).values[at]),
              )
          }
        }
      }),
    )
  })
  it('for payments between locations add up to zero, on one line each', () => {
    fc.assert(
      fc.property(fc.array(anyTransfer, { minLength: 1, maxLength: 4 }), (moved) => {
        const from = { lines: moved.flat(), openings: [] }
        for (const name of ['budgetAnalysis', 'stakeHolder', 'budgetAnalysisByLocation'] as const) {
          const report = buildMoneyReport(name, from)
          const byLocation = name === 'budgetAnalysisByLocation'
          const lines = report.rows.filter((row) => row.kind === 'Data' && /^(GAG pooling|Top slices)$/.test(row.label))
          const shown = from.lines.filter((one) => !byLocation || one.year === 0)
          expect(lines).toHaveLength(new Set(shown.map((one) => one.transfer)).size)
          const all = byLocation ? 3 : 0
          for (const row of lines) expect(row.values[all]).toBe(0)
        }
      }),
    )
  })
  it('agree with the years at a glance, including balances', () => {
    fc.assert(
      fc.property(anyTrust, (from) => {
        const sums = from.lines.map(({ codeId, isStaff, year, months }) => ({
          code: codeId === null ? null : trustCodes.find((code) => code.id === codeId)!.facts,
          isStaff,
          year,
          total: months.reduce<number>((sum, one) => sum + (one ?? 0), 0),
          missing: 0,
        }))
        const openings = new Map<number, number>()
        for (const { type, value } of from.openings) openings.set(type, (openings.get(type) ?? 0) + value)
        const glance = calculateOverviewYears(sums, openings, 2)
        // A single location’s own report shows its transfers on their codes.
        const report = buildMoneyReport('stakeHolder', from, { hasSeveralLocations: false })
        for (const [index, year] of glance.entries())
          expect(
            ['Income', 'Staff expenditure', 'Other expenditure', 'In-year balance', 'Opening balance', 'Closing balance'].map((label) =>
              number(rowNamed(report, label).values[index * 3]),
            ),
          ).toEqual([year.income, year.staffing, year.nonStaffing, year.inYear, year.opening, year.closing])
        const analysis = buildMoneyReport('budgetAnalysis', from)
        for (const [index, year] of glance.entries())
          for (const [at, label] of [
            ['opening', 'Total opening balances'],
            ['closing', 'Total closing balances'],
          ] as const)
            expect(number(rowNamed(analysis, label).values[index])).toBe(year[at])
      }),
    )
  })
  it('of two to four budgets are shown with the difference from the first', () => {
    fc.assert(
      fc.property(anyTrust, (from) => {
        const report = buildMoneyReport('budgetComparison', from)
        expect(report.columns.map((column) => column.title)).toEqual([
          'Budget 0',
          'Budget 1',
          'Budget 2',
          'Budget 1 less Budget 0',
          'Budget 2 less Budget 0',
        ])
        for (const row of report.rows)
          if (row.values.every((value) => typeof value === 'number')) {
            const [a, b, c, ab, ac] = row.values.map(number)
            expect([ab, ac]).toEqual([b! - a!, c! - a!])
          }
      }),
    )
  })
})

describe('the rows of a report', () => {
  it.each([...sampleReports])('B-239 B-240 are of six kinds, and footers the exact sums of the data above them: %s', (_name, report) => {
    const isMoney = (at: number): boolean => report.columns[at]!.type === 'money'
    const moneyOf = (row: ReportRow): number[] => row.values.filter((_value, at) => isMoney(at)).map(number)
    let open: number[][] = []
    for (const row of report.rows) {
      expect(['Data', 'Description', 'Empty', 'SectionHeader', 'SectionFooter', 'Total']).toContain(row.kind)
      expect(row.values).toHaveLength(report.columns.length)
      if (row.kind === 'SectionHeader') open = []
      if (row.kind === 'Data') open.push(moneyOf(row))
      if (row.kind === 'SectionFooter')
        expect(moneyOf(row), row.label).toEqual(moneyOf(row).map((_value, at) => open.reduce((sum, one) => sum + one[at]!, 0)))
    }
  })
  it('of the stakeholder summary are the totals of the budget analysis, each with its share of income', () => {
    const [summary, analysis] = [sampleReports.get('stakeHolder')!, sampleReports.get('budgetAnalysis')!]
    expect(summary.columns.map((column) => column.type).slice(0, 3)).toEqual(['money', 'percent', 'money'])
    const income = rowNamed(summary, 'Income').values
    expect([income[0], income[1]]).toEqual([rowNamed(analysis, 'Total income').values[0], 100])
    expect(rowNamed(summary, 'Closing balance').values[0]).toBe(rowNamed(analysis, 'Total closing balances').values[0])
  })
  it('are grouped by a scheme without changing a total', () => {
    const [plain, byScheme] = [false, true].map((one) => buildMoneyReport('budgetAnalysis', sampleTrust, { byScheme: one }))
    expect(byScheme!.rows.filter((row) => row.kind === 'Description').map((row) => row.label)).toContain('CI Income')
    for (const label of ['Total income', 'Total staff expenditure', 'In-year balance', 'Total closing balances'])
      expect(rowNamed(byScheme!, label).values, label).toEqual(rowNamed(plain!, label).values)
  })
})

describe('a figure that could not be calculated', () => {
  const none = Array<number | null>(12).fill(null)
  const base = { place: 0, year: 0, centreId: null, isStaff: false, transfer: null }
  const from: TrustMoney = {
    lines: [
      { ...base, codeId: 4, months: none },
      { ...base, codeId: 5, months: [...none.slice(1), 700] },
    ],
    openings: [],
  }
  it('is never shown as zero, and is in no total', () => {
    const report = buildMoneyReport('budgetAnalysis', from)
    expect(rowNamed(report, 'E10 Books')).toMatchObject({ values: [null, 0], missing: 12 })
    expect(rowNamed(report, 'C01 Roof')).toMatchObject({ values: [700, 0], missing: 11 })
    expect(rowNamed(report, 'Total other expenditure')).toMatchObject({ values: [700, 0], missing: 23 })
  })
  it('is reported month by month', () => {
    expect(rowNamed(buildMoneyReport('profileBudgetAnalysis', from), 'C01 Roof').values).toEqual([...none.slice(1), 700, 700])
  })
  it('B-241 balances are separated into Revenue, Capital and Extended, and no others', () => {
    const openings = ([1, 2, 3] as const).map((type) => ({ place: 0, type, value: type * 100 }))
    const labels = buildMoneyReport('budgetAnalysis', { lines: [], openings }).rows.map(
      (row) => /^(\w+) balance$/.exec(row.label ?? '')?.[1],
    )
    const categories = extendedLeaveReportCategories.map(({ name }) => name)
    expect(categories).toEqual(['Revenue', 'Capital', 'Extended'])
    expect(labels.filter(Boolean)).toEqual([...categories, ...categories])
  })
  it('is reported for the balances that include it', () => {
    const report = buildMoneyReport('budgetAnalysis', from)
    expect(rowNamed(report, 'Total opening balances').missing).toBe(23)
    expect(rowNamed(report, 'Total closing balances').missing).toBe(23)
    expect(report.rows.filter((row) => row.label === 'Capital balance').map((row) => row.missing)).toEqual([11, 11])
    expect(report.rows.filter((row) => row.label === 'Revenue balance').map((row) => row.missing)).toEqual([12, 12])
    const by = buildMoneyReport('budgetAnalysisByLocation', from)
    expect([rowNamed(by, 'Total opening balances').missing, rowNamed(by, 'Total closing balances').missing]).toEqual([0, 23])
    const page = buildMoneyReport('stakeHolder', from)
    expect([rowNamed(page, 'Opening balance').missing, rowNamed(page, 'Closing balance').missing]).toEqual([23, 23])
    // A code that carries balances is in no balance, so its missing months count in none either.
    const carried = buildMoneyReport('budgetAnalysis', { lines: [{ ...base, codeId: 6, months: none }], openings: [] })
    expect(rowNamed(carried, 'Total closing balances').missing).toBe(0)
  })
})

describe('the returns', () => {
  const whole = anyTrust.map(({ lines, openings }) => ({
    openings,
    lines: lines.map((one) => ({ ...one, months: one.months.map(number) })),
  }))
  const at = (report: Report, title: string): number => report.columns.findIndex((column) => column.title === title)
  const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0)
  it('of the budget forecast add up in thousands, and equal an independent sum of the lines', () => {
    fc.assert(
      fc.property(whole, (from) => {
        const report = buildBudgetForecastReturn('Budget Forecast Return', buildMonthlyFacts(from))
        const revenue = from.lines.filter((one) => !one.transfer && one.codeId !== 5 && one.codeId !== 6)
        for (const [year, name] of trustYears.entries()) {
          const own = revenue.filter((one) => one.year === year)
          const value = (label: string, title: string): number => number(rowNamed(report, label).values[at(report, title)])
          const hand = byHand(own)
          expect(value('298 Total revenue income', `${name} exact`)).toBe(hand['Total income'])
          expect(value('380 Total revenue expenditure', `${name} exact`)).toBe(hand['Total expenditure'])
          // Each half of each line is rounded separately, and totals add the rounded figures.
          const grant = own.filter((one) => one.codeId === 1)
          if (report.rows.some((row) => row.label === 'CI Income')) {
            const half = (first: number, last: number): number =>
              divideRounded(sum(grant.flatMap((one) => one.months.slice(first, last).map(number))), 100_000)
            expect(value('CI Income', `${name} Sep to Mar £000`)).toBe(half(0, 7))
            expect(value('CI Income', `${name} Apr to Aug £000`)).toBe(half(7, 12))
            expect(value('CI Income', `${name} £000`)).toBe(half(0, 7) + half(7, 12))
          }
          for (const part of [`${name} Sep to Mar £000`, `${name} Apr to Aug £000`, `${name} £000`]) {
            expect(value('In-year revenue balance', part)).toBe(
              value('298 Total revenue income', part) - value('380 Total revenue expenditure', part),
            )
            expect(value('430 Balance carried forward', part)).toBe(
              value('Revenue funds brought forward', part) + value('In-year revenue balance', part),
            )
          }
        }
        expectExactFooters(report)
        expect(number(rowNamed(report, 'Revenue funds brought forward').values[at(report, `${trustYears[1]} £000`)])).toBe(
          number(rowNamed(report, '430 Balance carried forward').values[at(report, `${trustYears[0]} £000`)]),
        )
      }),
    )
  })
  it('drop no code that maps to no line, and report it', () => {
    const base = { place: 0, year: 0, centreId: null, isStaff: false, transfer: null, months: Array<number>(12).fill(100_000) }
    const report = buildBudgetForecastReturn('Budget Forecast Return', buildMonthlyFacts({ lines: [{ ...base, codeId: 2 }], openings: [] }))
    expect(rowNamed(report, 'Not mapped: I02 Lettings').values.slice(0, 3)).toEqual([7, 5, 12])
    expect(report.rows.some((row) => row.label.startsWith('Check: 1 row above has no line'))).toBe(true)
  })
  it('distinguish the levy, which has no code, from codes that map to nothing', () => {
    const levy = { place: 0, year: 0, codeId: null, centreId: null, isStaff: true, transfer: null, months: Array<number>(12).fill(100_000) }
    for (const report of [
      buildBudgetForecastReturn('Budget Forecast Return', buildMonthlyFacts({ lines: [levy], openings: [] })),
      buildCfrReturn('CFR return', buildFacts({ lines: [levy], openings: [] }, 'years')),
    ]) {
      const checks = report.rows.map((row) => row.label).filter((label) => label.startsWith('Check:'))
      expect(checks.some((label) => label.includes('no budget code'))).toBe(true)
      expect(checks.some((label) => label.startsWith('Check: 1 row above'))).toBe(false)
    }
  })
  it('of a maintained school say where revenue contributions to capital do not arrive', () => {
    const returned = (id: number, code: string): ReportCode => ({ ...trustCodes[id - 1]!, scheme: { code, description: code, order: 0 } })
    const capital = { ...returned(1, 'CI04'), facts: codeFacts(true, 3, 'CI04') }
    const own = { codes: new Map([capital, returned(4, 'E30')].map((code) => [code.id, code])) }
    const base = { place: 0, centreId: null, isStaff: false, transfer: null }
    const months = (pennies: number) => [pennies, ...Array<number>(11).fill(0)]
    const from = (year: number, received: number) => [
      { ...base, year, codeId: 1, months: months(received) },
      { ...base, year, codeId: 4, months: months(500) },
    ]
    const report = buildCfrReturn('CFR return', buildFacts({ lines: [...from(0, 500), ...from(1, 400)], openings: [] }, 'years', own))
    expect(report.rows.filter((row) => row.kind === 'Empty').map((row) => row.label)).toEqual([
      'Check: E30 and CI04 are the same transfer from revenue to capital. They differ in 2027/28.',
    ])
  })
  describe('of the budget forecast, calculated by hand,', () => {
    /** A trust’s years. Each line is a grant of 12 × £1,000 unless stated otherwise. */
    const of = (
      names: readonly string[],
      lines: (Partial<LineSum> & { unit: number })[],
      carried: OpeningPosition,
      more: Partial<ReportFacts> = {},
    ) =>
      buildBudgetForecastReturn('Budget Forecast Return', {
        ...buildFacts({ lines: [], openings: [] }, 'years'),
        units: names.map((name): ReportUnit => ({ year: name, location: null, budget: null, pupils: null })),
        lines: lines.map((one) => {
          const amounts = one.amounts ?? Array<number>(12).fill(100_000)
          return {
            codeId: 1,
            centreId: null,
            isStaff: false,
            transfer: null,
            missing: amounts.filter((each) => each === null).length,
            ...one,
            amounts,
          }
        }),
        carried,
        ...more,
      })
    const moved = (
      unit: number,
      total: number,
      more: Partial<OpeningPosition['before'][number]> = {},
    ): OpeningPosition['before'][number] => ({
      unit,
      codeId: 1,
      isStaff: false,
      transfer: null,
      total,
      missing: 0,
      ...more,
    })
    const figure = (report: Report, label: string, column: string) => rowNamed(report, label).values[at(report, column)]
    const begins = 'Revenue funds brought forward'
    it('begins a year with the closing balance of the year before, even if that is not shown', () => {
      const openings = [0, 1].map((unit) => ({ unit, type: 1, value: 50_000_000 }))
      // 2026/27 brings £12,000. 2027/28 costs £300,000, but is not in the report.
      const report = of(['2026/27', '2028/29'], [{ unit: 0 }, { unit: 1 }], {
        openings,
        before: [moved(1, 1_200_000), moved(1, -30_000_000)],
      })
      expect(figure(report, '430 Balance carried forward', '2026/27 exact')).toBe(51_200_000)
      expect(figure(report, begins, '2028/29 exact')).toBe(21_200_000)
      expect(figure(report, begins, '2028/29 £000')).toBe(212)
      expect(figure(report, '430 Balance carried forward', '2028/29 £000')).toBe(224)
    })
    it('begins a year alike whether it is requested alone or with the year before', () => {
      const openings = (units: number[]) => units.map((unit) => ({ unit, type: 1, value: 1_000_000 }))
      const paid = { codeId: 4, transfer: 'topSlice' as const, total: 700_000 }
      const alone = of(['2027/28'], [{ unit: 0 }], { openings: openings([0]), before: [moved(0, 1_200_000), moved(0, 0, paid)] })
      const both = of(
        ['2026/27', '2027/28'],
        [{ unit: 0 }, { unit: 0, codeId: 4, transfer: 'topSlice', amounts: Array<number>(12).fill(58_333) }, { unit: 1 }],
        { openings: openings([0, 1]), before: [moved(1, 1_200_000), moved(1, 0, paid)] },
      )
      expect(figure(alone, begins, '2027/28 exact')).toBe(2_200_000)
      expect(figure(both, begins, '2027/28 exact')).toBe(2_200_000)
    })
    it('reports in its balances what earlier years could not calculate', () => {
      const report = of(['2027/28'], [{ unit: 0 }], { openings: [], before: [moved(0, 500_000, { missing: 3 })] })
      expect(rowNamed(report, begins).missing).toBe(3)
      expect(rowNamed(report, '430 Balance carried forward').missing).toBe(3)
      expect(report.rows.some((row) => row.label.startsWith('Check: part of the earlier years could not be calculated'))).toBe(true)
    })
    it('leaves out and counts what could not be calculated, whatever else is in the line', () => {
      const gap = [null, ...Array<number>(11).fill(100_000)]
      const none = Array<null>(12).fill(null)
      const report = of(
        ['2026/27'],
        [
          { unit: 0, amounts: gap },
          { unit: 0, codeId: 2, amounts: none },
        ],
        { openings: [], before: [] },
      )
      expect(rowNamed(report, 'CI Income')).toMatchObject({ values: [6, 5, 11, 1_100_000, 0], missing: 1 })
      expect(rowNamed(report, 'Not mapped: I02 Lettings')).toMatchObject({ values: [null, null, null, null, null], missing: 12 })
      for (const label of ['298 Total revenue income', 'In-year revenue balance', '430 Balance carried forward'])
        expect(rowNamed(report, label).missing, label).toBe(13)
      expect(rowNamed(report, '298 Total revenue income').values).toEqual([6, 5, 11, 1_100_000, 0])
    })
    it('has no balance if nothing of a year could be calculated', () => {
      const lines = [{ unit: 0, amounts: Array<null>(12).fill(null) }, { unit: 1 }]
      const report = of(['2026/27', '2027/28'], lines, {
        openings: [{ unit: 0, type: 1, value: 5 }],
        before: [moved(1, 0, { missing: 12 })],
      })
      expect(figure(report, '430 Balance carried forward', '2026/27 exact')).toBeNull()
      expect(figure(report, '430 Balance carried forward', '2027/28 £000')).toBeNull()
    })
    it('has one row for each line of the return, rounded once, whatever is posted to it', () => {
      // Half a thousand of contracts and half a thousand of invoices in a month: £1,000 together, shown as 1 and not as 1 + 1.
      const half = [50_000, ...Array<number>(11).fill(0)]
      const report = of(
        ['2026/27'],
        [
          { unit: 0, codeId: 4, isStaff: true, amounts: half },
          { unit: 0, codeId: 4, amounts: half },
        ],
        { openings: [], before: [] },
      )
      expect(report.rows.filter((row) => row.label === 'CB Learning').map((row) => row.values[0])).toEqual([1])
      expect(figure(report, '380 Total revenue expenditure', '2026/27 £000')).toBe(1)
      const numbered = new Map(
        trustCodes.map((code) => [code.id, code.id === 4 ? { ...code, scheme: { code: '303b', description: 'Office', order: 0 } } : code]),
      )
      const asStaff = of(['2026/27'], [{ unit: 0, codeId: 4, amounts: half }], { openings: [], before: [] }, { codes: numbered })
      expect(figure(asStaff, '335 Total staff costs', '2026/27 £000')).toBe(1)
    })
    it('shows for each year the difference made by rounding each line', () => {
      // Two lines of £1,400 are shown as 1 each, 2 together, which leaves £800.
      const some = [140_000, ...Array<number>(11).fill(0)]
      const lines = [1, 2].map((codeId) => ({ unit: 0, codeId, amounts: some }))
      const report = of(['2026/27'], lines, { openings: [], before: [] })
      expect(rowNamed(report, '298 Total revenue income').values).toEqual([2, 0, 2, 280_000, 80_000])
    })
    describe('compared with the last return', () => {
      const settings = { explainOver: 1_000_000, explainOverPercent: 10, explainAlwaysOver: 5_000_000 }
      const line = (more: Partial<LineSum>): LineSum => {
        const amounts = more.amounts ?? Array<number>(12).fill(100_000)
        return { unit: 0, codeId: 1, centreId: null, isStaff: false, transfer: null, missing: 0, ...more, amounts }
      }
      const a = (thousands: number) => Array<number>(12).fill(thousands * 100_000)
      /** Last year’s budgets cover only the first year of this return. */
      const compared = (
        said: Partial<LineSum>[],
        more: Partial<LineSum>[] = [{}],
        openings = 0,
        reasons: ReturnContext['reasons'] = { of: { locationId: null, firstYear: 2026 }, mayWrite: true, kept: new Map() },
      ) => {
        const base = buildFacts({ lines: [], openings: [] }, 'years')
        const lastFacts: ReportFacts = {
          ...base,
          units: [{ year: '2026/27', location: null, budget: null, pupils: null }],
          lines: said.map(line),
          carried: { openings: [{ unit: 0, type: 1, value: openings }], before: [] },
        }
        return of(
          ['2026/27', '2027/28'],
          more.map((one) => ({ unit: 0, ...one })),
          { openings: [], before: [] },
          {
            lastReturn: { facts: lastFacts, without: ['Southgate'], settings },
            returnContext: { outturn: null, contactRatios: [], reasons },
          },
        )
      }
      it('shows each line’s former amount for the same year and its change, and no year that the last return did not cover', () => {
        const report = compared([{ amounts: a(2) }, { codeId: 4, amounts: a(1) }], [{}], 700_000)
        expect(report.columns.map((column) => column.title).filter((title) => /return|change since|Reason/.test(title))).toEqual([
          '2026/27 last return £000',
          '2026/27 change since £000',
          'Reason',
          'Reason given by',
        ])
        const beside = (label: string) =>
          ['2026/27 last return £000', '2026/27 change since £000'].map((title) => figure(report, label, title))
        expect(beside('CI Income')).toEqual([24, -12])
        // A line that only the last return had is shown, with zero now.
        expect(beside('CB Learning')).toEqual([12, -12])
        expect(figure(report, 'CB Learning', '2026/27 £000')).toBe(0)
        expect(beside('298 Total revenue income')).toEqual([24, -12])
        expect(beside('380 Total revenue expenditure')).toEqual([12, -12])
        expect(beside('In-year revenue balance')).toEqual([12, 0])
        expect(beside('Revenue funds brought forward')).toEqual([7, -7])
        expect(beside('430 Balance carried forward')).toEqual([19, -7])
        // The last return’s amount is in no figure of this return.
        expect(figure(report, '298 Total revenue income', '2026/27 exact')).toBe(1_200_000)
        for (const row of report.rows) expect(row.values).toHaveLength(report.columns.length)
        expectExactFooters(report)
        expect(report.rows.some((row) => row.label.endsWith('It excludes Southgate, which had no approved budget.'))).toBe(true)
      })
      it('requires a reason only for lines that changed by more than the organisation’s limit', () => {
        const reasons = (said: number, now: number) => {
          const report = compared([{ amounts: a(said) }], [{ amounts: a(now) }])
          return report.rows.filter((row) => row.values.at(-2)).map((row) => [row.label, row.values.at(-2)])
        }
        // £12,000 on £12,000; £12,000 on £1,200,000, which is 1 %; £60,000 on that, which is over the upper amount.
        expect(reasons(1, 2)).toEqual([['CI Income', 'Required for 2026/27']])
        expect(reasons(100, 101)).toEqual([])
        expect(reasons(100, 105)).toEqual([['CI Income', 'Required for 2026/27']])
        expect(compared([{}]).rows.some((row) => /changed since the last return/.test(row.label))).toBe(false)
        const labels = compared([{ amounts: a(2) }]).rows.map((row) => row.label)
        expect(labels.some((label) => label.startsWith('Check: 1 row above has changed since the last return'))).toBe(true)
      })
      it('shows the stored reason of a line and who wrote it, and counts only the missing ones', () => {
        const kept = {
          line: 'income line CI',
          version: 3,
          text: 'A grant came late.',
          by: 'Ann Finance',
          at: '2026-10-03T23:30:00.000Z',
        }
        const of = { locationId: toLocationId(11), firstYear: 2026 }
        const said = [{ amounts: a(2) }, { codeId: 4, amounts: a(5) }]
        const report = compared(said, [{}], 0, { of, mayWrite: false, kept: new Map([[kept.line, kept]]) })
        expect(report.reasons).toEqual({ ...of, mayWrite: false })
        expect(rowNamed(report, 'CI Income')).toMatchObject({ reason: { line: kept.line, version: 3 } })
        expect(rowNamed(report, 'CI Income').values.slice(-2)).toEqual(['A grant came late.', 'Ann Finance, 04 Oct, 2026'])
        expect(rowNamed(report, 'CB Learning').reason).toEqual({ line: 'expenditure line CB', version: 0 })
        expect(rowNamed(report, 'CB Learning').values.slice(-2)).toEqual(['Required for 2026/27', null])
        expect(rowNamed(report, '298 Total revenue income').reason).toBeUndefined()
        expect(report.rows.filter((row) => /changed since the last return/.test(row.label)).map((row) => row.label)).toEqual([
          'Check: 1 row above has changed since the last return by more than the limit. Enter the cause under Reason.',
        ])
        // Even a smaller change needs a reason; no change needs none.
        expect(compared([{ amounts: a(1) }]).rows.some((row) => row.reason)).toBe(false)
        expect(rowNamed(compared([{ amounts: a(100) }], [{ amounts: a(101) }]), 'CI Income')).toMatchObject({ reason: { version: 0 } })
      })
      it('hides the reasons from a user who does not see every school they concern, and says so', () => {
        const report = compared([{ amounts: a(2) }], [{}], 0, null)
        expect(report.reasons).toBeUndefined()
        expect(report.rows.every((row) => !row.reason)).toBe(true)
        expect(
          report.rows.some((row) => row.label.endsWith('Only people who see every school of the organisation can read the reasons.')),
        ).toBe(true)
      })
      it('shows no change if the former amount could not be calculated', () => {
        const none = Array<null>(12).fill(null)
        const report = compared([{ amounts: none, missing: 12 }])
        expect(figure(report, 'CI Income', '2026/27 last return £000')).toBeNull()
        expect(figure(report, 'CI Income', '2026/27 change since £000')).toBeNull()
        expect(figure(report, 'CI Income', '2026/27 £000')).toBe(12)
        expect(report.rows.some((row) => row.label.startsWith('Check: part of the last return could not be calculated'))).toBe(true)
      })
      it('says so if there is no last return', () => {
        const labels = of(['2026/27'], [{ unit: 0 }], { openings: [], before: [] }, { lastReturn: null }).rows.map((row) => row.label)
        expect(labels.some((label) => label.startsWith('Not compared with the last return'))).toBe(true)
      })
    })
    it('says that every month comes from the budget, and none from actuals', () => {
      const { rows } = of(['2026/27'], [{ unit: 0 }], { openings: [], before: [] })
      expect(rows.some(({ label }) => label.startsWith('Every month is from the budgets: no column has actuals.'))).toBe(true)
    })
    it('lists the checks that were made', () => {
      const labels = of(['2026/27'], [{ unit: 0 }], { openings: [], before: [] }).rows.map((row) => row.label)
      expect(labels.at(-1)).toBe(
        'Not checked here: the reserve floor (the organisation has not set one), the last outturn (a month is missing) and the contact ratio (it needs a timetable and teachers’ FTE).',
      )
      const withFloor = of(['2026/27'], [{ unit: 0 }], { openings: [], before: [] }, { reserveFloor: 5 }).rows.map((row) => row.label)
      expect(withFloor.at(-1)).toMatch(/^Not checked here: the last outturn \(a month is missing\) and the contact ratio/)
      expect(withFloor.some((label) => label.includes('negative reserves and reserves below the floor,'))).toBe(true)
      const beside = (outturn: ReturnContext['outturn']) =>
        of(
          ['2026/27'],
          [{ unit: 0 }],
          { openings: [], before: [] },
          {
            reserveFloor: 5,
            returnContext: { outturn, contactRatios: [{ location: 'Northgate', ratio: 0.7 }], reasons: null },
          },
        ).rows.map((row) => row.label)
      const whole = beside({ name: '2025/26', byCode: new Map([[1, 1_000_000]]) })
      expect(whole).toContain('Check: Revenue income for 2026/27 is forecast to be 20.0% above the outturn for 2025/26, more than 10%.')
      expect(whole).toContain('Check: The contact ratio of 0.70 is below 0.78.')
      expect(whole.at(-1)).toMatch(/^Checked: .* staff costs as a share of income, the outturn of 2025\/26 and the contact ratio\.$/)
      expect(whole.some((label) => label.startsWith('Not checked'))).toBe(false)
      expect(beside('hidden').at(-1)).toBe('Not checked here: the last outturn (only for people who can view actuals).')
    })
  })
  it('of a maintained school carry its balances to the penny', () => {
    fc.assert(
      fc.property(whole, (from) => {
        const report = buildCfrReturn('CFR return', buildFacts(from, 'years'))
        expectExactFooters(report)
        for (const index of trustYears.keys()) {
          const value = (label: string): number =>
            sum(report.rows.filter((row) => row.label.endsWith(label)).map((row) => number(row.values[index])))
          const balances = (begins: RegExp): number =>
            sum(report.rows.filter((row) => begins.test(row.label)).map((row) => number(row.values[index])))
          const moved = value('In-year revenue balance') + value('In-year capital balance')
          expect(balances(/^OB0/) + moved).toBe(balances(/^B0/))
          const hand = byHand(from.lines.filter((one) => one.year === index))
          expect(moved).toBe(hand['In-year balance'])
        }
      }),
    )
  })
  it('for the ledger equal the deficit of the year, month by month', () => {
    fc.assert(
      fc.property(whole, (from) => {
        const report = buildTrialBudget('Trial budget', buildFacts(from, 'months'))
        const rows = report.rows.filter((row) => row.kind === 'Data')
        const total = report.rows.at(-1)!
        for (const column of report.columns.keys())
          expect(number(total.values[column])).toBe(sum(rows.map((row) => number(row.values[column]))))
        expect(number(total.values.at(-1))).toBe(-byHand(from.lines.filter((one) => one.year === 0))['In-year balance'] || 0)
      }),
    )
  })
})

describe('the trust at a glance', () => {
  it('has each location’s figures from the budget analysis, and a total that is their sum', () => {
    fc.assert(
      fc.property(anyTrust, (from) => {
        const { locations, total } = buildLocationsAtAGlance(buildFacts(from, 'eachLocation'))
        for (const [place, { years: own }] of locations.entries())
          for (const [year, shown] of own.entries()) {
            const own = from.lines.filter((one) => one.place === place && one.year === year)
            expect([shown.income ?? 0, shown.inYear ?? 0]).toEqual([
              byHand(own)['Total income'],
              byHand(own.filter((one) => one.codeId !== 5))['In-year balance'],
            ])
          }
        for (const [year, all] of total.entries()) {
          for (const figure of ['income', 'staff', 'inYear', 'reserve'] as const)
            expect(all[figure] ?? 0).toBe(locations.reduce((sum, one) => sum + (one.years[year]![figure] ?? 0), 0))
          const analysis = buildMoneyReport('budgetAnalysis', from)
          const closing = analysis.rows.slice(analysis.rows.findIndex((row) => row.label === 'Closing balances'))
          const capital = number(closing.find((row) => row.label === 'Capital balance')?.values[year])
          if (locations.every((one) => one.years[year]!.reserve !== null))
            expect(all.reserve).toBe(number(rowNamed(analysis, 'Total closing balances').values[year]) - capital)
        }
      }),
    )
  })
  it('does not count money for buildings as a reserve', () => {
    const base = { place: 0, year: 0, centreId: null, isStaff: false, transfer: null }
    const spent = [40_000, ...Array<number>(11).fill(0)]
    const { locations } = buildLocationsAtAGlance(
      buildFacts({ lines: [{ ...base, codeId: 4, months: spent }], openings: [{ place: 0, type: 2, value: 100_000 }] }, 'eachLocation'),
    )
    expect(locations[0]!.years[0]).toMatchObject({ inYear: -40_000, reserve: -40_000 })
    expect(findWarnings(locations[0]!.years).map((one) => one.kind)).toEqual(['reserve'])
  })
  it('has no reserve if nothing of a year could be calculated, and says what later years lack', () => {
    const base = { place: 0, centreId: null, isStaff: false, transfer: null, codeId: 1 }
    const none = Array<null>(12).fill(null)
    const yearsOf = (months: (number | null)[]) =>
      buildLocationsAtAGlance(
        buildFacts(
          {
            lines: [
              { ...base, year: 0, months },
              { ...base, year: 1, months: Array<number>(12).fill(1) },
            ],
            openings: [{ place: 0, type: 1, value: 500 }],
          },
          'eachLocation',
        ),
      ).locations[0]!.years.map(({ reserve, missing }) => [reserve, missing])
    expect(yearsOf(none)).toEqual([
      [null, 12],
      [null, 12],
    ])
    expect(yearsOf([...none.slice(1), 7])).toEqual([
      [507, 11],
      [519, 11],
    ])
  })
})

describe('the warnings before a budget is submitted', () => {
  const year = (name: string, income: number, staff: number, inYear: number, reserve: number): YearToCheck => ({
    name,
    income,
    staff,
    inYear,
    reserve,
  })
  const words = (...all: Parameters<typeof findWarnings>): string[] => findWarnings(...all).map((one) => one.text)
  it('are none if nothing is unusual, and ignore what is unknown', () => {
    expect(words([year('2026/27', 1000, 799, -10, 5), year('2027/28', 1000, 799, 10, 15)])).toEqual([])
    expect(words([{ name: '2026/27', income: null, staff: null, inYear: null, reserve: null }])).toEqual([])
  })
  it('name the years with a negative reserve, runs of deficits and a high share of staff costs', () => {
    expect(words([year('2026/27', 1000, 800, -10, 5), year('2027/28', 1000, 700, -20, -15)])).toEqual([
      'Reserves are negative at the end of 2027/28.',
      'An in-year deficit in 2 years running: 2026/27 to 2027/28.',
      'Staff costs are 80.0% of income in 2026/27.',
    ])
    // Each run of deficits is listed separately, and a run does not continue across a missing year.
    const running = (names: string[]) => words(names.map((name) => year(name, 1000, 0, -1, 5)))
    expect(running(['2026/27', '2028/29'])).toEqual([])
    expect(words([-1, -1, 1, -1, -1].map((inYear, index) => year(`${2026 + index}/${27 + index}`, 1000, 0, inYear, 5)))).toEqual([
      'An in-year deficit in 2 years running: 2026/27 to 2027/28.',
      'An in-year deficit in 2 years running: 2029/30 to 2030/31.',
    ])
    expect(words(['2026/27', '2028/29'].map((name) => year(name, 1000, 0, 1, -5)))).toEqual([
      'Reserves are negative at the end of 2026/27 and 2028/29.',
    ])
    // 79.96 % is shown as 80.0 but is below it.
    expect(words([year('2026/27', 10_000, 7_996, 0, 0)])).toEqual([])
  })
  it('name the years whose reserve ends below the organisation’s minimum, to the penny', () => {
    const years = [year('2026/27', 10_000, 0, 1, 550), year('2027/28', 10_000, 0, 1, 549), year('2028/29', 10_000, 0, 1, -1)]
    expect(words(years, { reserveFloor: 5.5 })).toEqual([
      'Reserves are negative at the end of 2028/29.',
      'The reserve is below the floor of 5.5% of income at the end of 2027/28 to 2028/29.',
    ])
    expect(words(years, { reserveFloor: 5.49 })).toEqual(words(years.slice(2), { reserveFloor: 5.49 }))
    expect(words([{ ...years[1]!, income: null }], { reserveFloor: 50 })).toEqual([])
    expect(words(years.slice(0, 2), { reserveFloor: null })).toEqual([])
  })
  it('include the forecast compared with the last outturn, and the contact ratio', () => {
    const of = { name: '2025/26', forecastName: '2026/27' }
    expect(words([], { outturn: { ...of, income: { forecast: 1060, last: 1000 }, expenditure: { forecast: 880, last: 1000 } } })).toEqual([
      'Revenue income for 2026/27 is forecast to be 6.0% above the outturn for 2025/26.',
      'Revenue expenditure for 2026/27 is forecast to be 12.0% below the outturn for 2025/26, more than 10%.',
    ])
    expect(words([], { outturn: { ...of, income: { forecast: 1050, last: 1000 } }, contactRatio: 0.78 })).toEqual([])
    expect(words([], { outturn: null, contactRatio: 0.7 })).toEqual(['The contact ratio of 0.70 is below 0.78.'])
  })
  it('name the school of the contact ratio if there are several', () => {
    const ratios = [
      { location: 'Northgate', ratio: 0.7 },
      { location: 'Southgate', ratio: 0.8 },
      { location: 'Westgate', ratio: null },
    ]
    expect(findContactWarnings(ratios).map((one) => one.text)).toEqual(['The contact ratio of 0.70 at Northgate is below 0.78.'])
  })
})

describe('the forecast compared with the last outturn', () => {
  const base = { place: 0, year: 0, centreId: null, isStaff: false, transfer: null }
  const twelve = (amount: number | null) => Array<number | null>(12).fill(amount)
  const came = {
    name: '2025/26',
    byCode: new Map([
      [1, 1000],
      [4, 500],
      [5, 700],
      [6, 90],
    ]),
  }
  const lines: BudgetLine[] = [
    { ...base, codeId: 1, months: twelve(100) },
    { ...base, codeId: 4, months: twelve(50) },
    { ...base, codeId: 5, months: twelve(70) },
    { ...base, codeId: 6, months: twelve(9) },
    // A top slice is a charge at one school and income at the trust.
    { ...base, codeId: 4, transfer: 'topSlice', months: twelve(3) },
    { ...base, place: 2, codeId: 1, transfer: 'topSlice', months: twelve(3) },
  ]
  it('covers only revenue, and for one school includes its payments to others', () => {
    const [school] = buildLedgerPerLocation(buildFacts({ lines, openings: [] }, 'eachLocation'))
    expect(compareWithOutturn(school!.ledger, came)).toEqual({
      name: '2025/26',
      forecastName: '2026/27',
      income: { forecast: 1200, last: 1000 },
      expenditure: { forecast: 636, last: 500 },
    })
  })
  it('for several schools leaves out the codes of payments between them, on both sides', () => {
    const facts = buildFacts({ lines: [...lines, { ...base, codeId: 2, months: twelve(1) }], openings: [] }, 'years')
    const all = { name: '2025/26', byCode: new Map([...came.byCode, [2, 20]]) }
    expect(compareWithOutturn(buildReportLedger(facts), all)).toMatchObject({
      income: { forecast: 12, last: 20 },
      expenditure: { forecast: 0, last: 0 },
    })
  })
  it('is unknown for any other year than the next, or if a side could not be calculated', () => {
    const facts = buildFacts({ lines: [{ ...base, codeId: 1, months: twelve(null) }], openings: [] }, 'years')
    expect(compareWithOutturn(buildReportLedger(facts), { ...came, name: '2024/25' })).toBeNull()
    expect(compareWithOutturn(buildReportLedger(facts), came)).toEqual({
      name: '2025/26',
      forecastName: '2026/27',
      expenditure: { forecast: 0, last: 500 },
    })
  })
  it('adds up over schools, and is unknown if one of them has none', () => {
    const one = { name: '2025/26', forecastName: '2026/27', income: { forecast: 3, last: 2 } }
    expect(sumOutturnComparisons([one, { ...one, expenditure: { forecast: 1, last: 1 } }])).toEqual({
      ...one,
      income: { forecast: 6, last: 4 },
    })
    expect(sumOutturnComparisons([one, null])).toBeNull()
    expect(sumOutturnComparisons([])).toBeNull()
  })
})

describe('an empty budget', () => {
  const from: TrustMoney = { lines: [], openings: [] }
  it('shows the structure of its reports, without figures', () => {
    for (const [name, report] of Object.entries(reports))
      if (report.kind === 'money') {
        const built = buildMoneyReport(name as ReportName, from)
        if (!report.mapping)
          expect(rowNamed(built, 'In-year balance').values.filter((value) => typeof value === 'number' && value !== 0)).toEqual([])
        expectExactFooters(built)
      }
  })
  it('lists every code and centre on request', () => {
    const labels = buildMoneyReport('budgetAnalysis', from, { includeEmpty: true }).rows.map((row) => row.label)
    expect(labels).toEqual(expect.arrayContaining(['I01 Grant', 'E01 Teachers', 'E10 Books', 'C01 Roof']))
    expect(labels).not.toContain('B01 Brought forward')
    expect(buildMoneyReport('costCentreAnalysis', from, { includeEmpty: true }).rows.map((row) => row.label)).toContain('ENG English')
  })
})

describe('columns calculated on the page', () => {
  const months = Array<number>(12).fill(1000)
  const base = { place: 0, centreId: null, isStaff: false, transfer: null }
  const report = buildMoneyReport('budgetAnalysis', {
    lines: [
      { ...base, year: 0, codeId: 1, months },
      { ...base, year: 1, codeId: 1, months: months.map((one) => one * 2) },
      { ...base, year: 0, codeId: 4, months: months.map(() => 250) },
    ],
    openings: [],
  })
  it('are beside each column of money', () => {
    const shown = addExtraColumns(report, { perPupil: true, ofIncome: true, change: true })
    expect(shown.columns.map((column) => column.title)).toEqual([
      '2026/27',
      '2026/27: per pupil',
      '2026/27: % of income',
      '2027/28',
      '2027/28: per pupil',
      '2027/28: % of income',
      '2027/28: change',
    ])
    expect(rowNamed(shown, 'I01 Grant').values).toEqual([12_000, 119, 100, 24_000, 239, 100, 12_000])
    expect(rowNamed(shown, 'E10 Books').values.slice(0, 3)).toEqual([3_000, 30, 25])
    expect(addExtraColumns(report, noExtraColumns)).toEqual(report)
  })
  it('round halves away from zero, and are blank if a part is missing', () => {
    expect([calculateShare(1, 800), calculateShare(-1, 2000), calculateShare(5, 0), calculateShare(null, 5)]).toEqual([
      0.1,
      -0.1,
      null,
      null,
    ])
    expect([dividePerPupil(1, 2), dividePerPupil(-1, 2), dividePerPupil(5, 0), dividePerPupil(5, null), dividePerPupil(100, 1.25)]).toEqual(
      [1, -1, null, null, 80],
    )
  })
})

describe('pupil numbers', () => {
  const rows = (first: number | null) =>
    rollUpPupilCounts(
      [
        { kind: 'Phase', phase: null, yearGroup: 2, description: null, before: 28, years: [first, 30] },
        { kind: 'Phase', phase: null, yearGroup: 3, description: null, before: 29.5, years: [null, null] },
        { kind: 'HighNeeds', phase: null, yearGroup: 16, description: null, before: 4, years: [null, null] },
      ],
      2,
    )
  const budgets = [
    { location: { id: toLocationId(1), name: 'Northgate' }, before: 2025, rows: rows(30) },
    { location: { id: toLocationId(2), name: 'Southgate' }, before: 2025, rows: rows(null) },
  ]
  it('add year groups up to phases and all pupils, by October', () => {
    const report = buildPupilNumbersReport('Pupil numbers', { spread: 'years', octobers: [2025, 2026], budgets: [budgets[0]!] })
    expect(report.columns.map((column) => column.title)).toEqual(['October 2025', 'October 2026'])
    expect(report.rows.filter((row) => row.kind !== 'SectionHeader').map((row) => [row.label, row.values])).toEqual([
      ['Reception', [28, 30]],
      ['Year 1', [29.5, 28]],
      ['Total primary', [57.5, 58]],
      ['High needs places', [4, 4]],
      ['Total high needs', [4, 4]],
      ['All pupils', [57.5, 58]],
    ])
  })
  it('are unknown in a total if one school’s are unknown', () => {
    const report = buildPupilNumbersReport('Pupil numbers', { spread: 'locations', octobers: [2026], budgets })
    expect(report.rows.find((row) => row.label === 'Reception')!.values).toEqual([30, null, null])
    expect(report.rows.at(-1)!.values).toEqual([58, null, null])
  })
  it('are unknown in any total that includes a school without typed numbers, which has its column', () => {
    const silent = { location: { id: toLocationId(3), name: 'Westgate' }, before: 2025, rows: [] }
    const by = buildPupilNumbersReport('Pupil numbers', { spread: 'locations', octobers: [2026], budgets: [budgets[0]!, silent] })
    expect(by.columns.map((column) => column.title)).toEqual(['Northgate', 'Westgate', 'All'])
    expect(by.rows.find((row) => row.label === 'Total primary')!.values).toEqual([58, null, null])
    expect(by.rows.at(-1)!.values).toEqual([58, null, null])
    const all = buildPupilNumbersReport('Pupil numbers', { spread: 'years', octobers: [2025, 2026], budgets: [budgets[0]!, silent] })
    expect(all.rows.find((row) => row.label === 'Reception')!.values).toEqual([null, null])
    // Unknown figures are shown in words. A school that has entered its numbers has zero pupils in a year group it does not have.
    expect(describeEmptyCell(all, all.rows.at(-1)!, 0)).toBe('not known')
    const nursery = rollUpPupilCounts([{ kind: 'Phase', phase: null, yearGroup: 1, description: null, before: 5, years: [6, 7] }], 2)
    const beside = buildPupilNumbersReport('Pupil numbers', {
      spread: 'locations',
      octobers: [2026],
      budgets: [budgets[0]!, { location: { id: toLocationId(4), name: 'Eastgate' }, before: 2025, rows: nursery }],
    })
    expect(beside.rows.find((row) => row.label === 'Reception')!.values).toEqual([30, 0, 30])
    // High-needs places alone do not make the number of pupils known.
    const high = rollUpPupilCounts([{ kind: 'HighNeeds', phase: null, yearGroup: 16, description: null, before: 4, years: [5, null] }], 2)
    const special = { location: { id: toLocationId(5), name: 'Hillside' }, before: 2025, rows: high }
    const withPlaces = buildPupilNumbersReport('Pupil numbers', { spread: 'locations', octobers: [2026], budgets: [budgets[0]!, special] })
    expect(withPlaces.rows.at(-1)!.values).toEqual([58, null, null])
    expect(withPlaces.rows.find((row) => row.label === 'High needs places' || row.label === 'Total high needs')!.values).toEqual([4, 5, 9])
    expect(all.rows.at(-1)!.values).toEqual([null, null])
  })
})

describe('the staffing report', () => {
  const year = (basic: number | null): ContractYearCost => ({ basic, allowances: 100, leave: 0, ni: 50, pension: 20, fte: 0.5 })
  const contract = (id: string, payrollCode: string, basic: number | null) => ({
    id,
    location: 'Northgate',
    personId: null as StaffId | null,
    budgetId: toBudgetId('f'.repeat(24)),
    payrollCode,
    employee: `Person ${id}`,
    post: 'Teacher',
    type: 'Teacher',
    isTeacher: true,
    point: 'M1',
    works: '0.5 FTE',
    startDate: '2026-09-01',
    endDate: null,
    years: [year(basic)],
  })
  const contracts = [contract('2', 'Support', 500), contract('1', 'Teachers', 1000), contract('3', 'Teachers', null)]
  it('lists contracts under their payroll code with the cost of each', () => {
    const report = buildStaffingReport('Staffing', { years: ['2026/27'], contracts, isNamed: true, notCalculated: 1 })
    const figures = (label: string) => report.rows.find((row) => row.label === label)!.values.slice(6)
    expect(figures('Person 1')).toEqual([0.5, 1000, 100, 0, 50, 20, 1170])
    expect(figures('Person 3')).toEqual([0.5, null, 100, 0, 50, 20, null])
    expect(figures('Total Teachers')).toEqual([1, 1000, 200, 0, 100, 40, 1170])
    expect(figures('All contracts')).toEqual([1.5, 1500, 300, 0, 150, 60, 1840])
  })
  it('adds up the printed full-time equivalents, so that each footer is the sum of its rows', () => {
    const thirds = ['1', '2', '3', '4'].map((id) => {
      const one = contract(id, id === '4' ? 'Support' : 'Teachers', 100)
      return { ...one, years: [{ ...year(100), fte: 0.333333 }] }
    })
    for (const isNamed of [true, false]) {
      const report = buildStaffingReport('Staffing', { years: ['2026/27'], contracts: thirds, isNamed, notCalculated: 0 })
      const at = report.columns.findIndex(({ key }) => key === 'fte 2026/27')
      const of = (kind: ReportRow['kind']) => report.rows.filter((row) => row.kind === kind).map((row) => number(row.values[at]))
      expect(of('Total')).toEqual([1.32])
      expect(of('Data').reduce((sum, one) => sum + Math.round(one * 100), 0)).toBe(132)
      if (isNamed) expect(of('SectionFooter')).toEqual([0.33, 0.99])
    }
  })
  it('names the school of each contract if there are several', () => {
    const own = contracts.map((one, index) => ({ ...one, location: index ? 'Northgate' : 'Riverside' }))
    const titles = (all: typeof contracts) =>
      buildStaffingReport('Staffing', { years: ['2026/27'], contracts: all, isNamed: true, notCalculated: 0 }).columns.map(
        ({ title }) => title,
      )
    expect(titles(contracts)[0]).toBe('Post')
    expect(titles(own).slice(0, 2)).toEqual(['School', 'Post'])
    const { rows } = buildStaffingReport('Staffing', { years: ['2026/27'], contracts: own, isNamed: true, notCalculated: 0 })
    expect(rows.find((row) => row.label === 'Person 2')!.values[0]).toBe('Riverside')
  })
  it('names nobody to a user who may not see staff', () => {
    const report = buildStaffingReport('Staffing', { years: ['2026/27'], contracts, isNamed: false, notCalculated: 1 })
    expect(JSON.stringify(report)).not.toMatch(/Person|M1|2026-09-01/)
    expect(report.rows.map((row) => [row.label, row.values[0]])).toEqual([
      ['Other payroll codes', 3],
      ['All contracts', 3],
    ])
  })
  it('combines codes with one or two people, if nobody is named', () => {
    const many = ['4', '5', '6'].map((id) => contract(id, 'Midday', 100))
    const told = (all: typeof contracts) =>
      buildStaffingReport('Staffing', { years: ['2026/27'], contracts: all, isNamed: false, notCalculated: 0 }).rows.map((row) => row.label)
    expect(told([...contracts, ...many])).toEqual(['Midday', 'Other payroll codes', 'All contracts'])
    expect(told([contract('1', 'Head', 900), ...many])).toEqual(['Other payroll codes', 'All contracts'])
    expect(told(many)).toEqual(['Midday', 'All contracts'])
  })
  it('does not disclose a budget by the difference between all budgets and the others, if nobody is named', () => {
    const at = (budget: string, ids: string[], payrollCode: string) =>
      ids.map((id) => ({ ...contract(budget + id, payrollCode, 100), budgetId: toBudgetId(budget.repeat(24)) }))
    const large = [...at('a', ['1', '2', '3', '4'], 'Premises'), ...at('a', ['5', '6', '7'], 'Midday')]
    const small = [...at('b', ['1'], 'Premises'), ...at('b', ['2', '3', '4'], 'Midday')]
    const countOf = (all: typeof contracts, label: string) =>
      buildStaffingReport('Staffing', { years: ['2026/27'], contracts: all, isNamed: false, notCalculated: 0 }).rows.find(
        (row) => row.label === label,
      )?.values[0] ?? 0
    for (const label of ['Premises', 'Midday', 'Other payroll codes'])
      expect(Number(countOf([...large, ...small], label)) - Number(countOf(large, label)), label).toBe(countOf(small, label))
    expect(countOf([...large, ...small], 'Premises')).toBe(4)
  })
  it('does not show the cost of one or two contracts, if nobody is named', () => {
    const few = contracts.slice(0, 2)
    const report = buildStaffingReport('Staffing', { years: ['2026/27'], contracts: few, isNamed: false, notCalculated: 0 })
    expect(report.rows.map((row) => row.values.slice(0, 3))).toEqual([
      [2, 1, 'not shown'],
      [2, 1, 'not shown'],
      [null, null, null],
    ])
    expect(report.rows.at(-1)).toMatchObject({ kind: 'Empty', label: expect.stringMatching(/fewer than three/) })
  })
  const none: ContractYearCost = { basic: 0, allowances: 0, leave: 0, ni: 0, pension: 0, fte: 0 }
  const totalsOf = (all: typeof contracts, years = ['2026/27', '2027/28']) => {
    const report = buildStaffingReport('Staffing', { years, contracts: all, isNamed: false, notCalculated: 0 })
    const at = years.map((one) => report.columns.findIndex(({ key }) => key === `total ${one}`))
    return Object.fromEntries(report.rows.map((row) => [row.label, at.map((index) => row.values[index])]))
  }
  it('does not show a code’s year in which only one or two people are paid, nor the code that would disclose it, if nobody is named', () => {
    const both = (id: string, payrollCode: string) => ({ ...contract(id, payrollCode, 100), years: [year(100), year(100)] })
    const leaving = { ...both('1', 'Premises'), years: [year(100), none] }
    const premises = [leaving, both('2', 'Premises'), both('3', 'Premises')]
    const midday = ['4', '5', '6'].map((id) => both(id, 'Midday'))
    const teachers = ['7', '8', '9', '10'].map((id) => both(id, 'Teachers'))
    expect(totalsOf([...premises, ...midday, ...teachers])).toEqual({
      Premises: [810, 'not shown'],
      Midday: [810, 'not shown'],
      Teachers: [1080, 1080],
      'All contracts': [2700, 2430],
      'Annual costs of fewer than three people, and figures that would reveal them, are shown only to people who can view staff.': [
        null,
        null,
      ],
    })
    // If everybody has left, there is nobody whose pay could be disclosed.
    expect(totalsOf([...premises.map((one) => ({ ...one, years: [year(100), none] })), ...midday])).toMatchObject({
      Premises: [810, 0],
      Midday: [810, 810],
    })
  })
  it('counts several contracts of one person as one person, if nobody is named', () => {
    const held = ['1', '2', '3'].map((id) => ({ ...contract(id, 'Head', 100), personId: toStaffId(7) }))
    const others = ['4', '5', '6'].map((id, index) => ({ ...contract(id, 'Midday', 100), personId: toStaffId(index) }))
    expect(Object.keys(totalsOf([...held, ...others], ['2026/27']))).toEqual(['Other payroll codes', 'All contracts'])
    expect(totalsOf(held, ['2026/27'])).toMatchObject({ 'All contracts': ['not shown'] })
  })
})

describe('the years of budgets', () => {
  it('are those that all of them have', () => {
    expect(
      findCommonYears([
        { firstYear: 2026, startMonth: 9, numberOfYears: 3 },
        { firstYear: 2027, startMonth: 9, numberOfYears: 5 },
      ]),
    ).toEqual([2027, 2028])
    expect(findCommonYears([])).toEqual([])
    expect(listBudgetYears([2027], 9)).toEqual([{ index: 0, name: '2027/28', start: '2027-09-01', end: '2028-08-31' }])
    expect(listBudgetYears([2027], 4)[0]).toMatchObject({ start: '2027-04-01', end: '2028-03-31' })
  })
})

describe('the name of a budget among others', () => {
  const [northgate, riverside] = [
    { id: 1, name: 'Northgate Primary School' },
    { id: 2, name: 'Riverside School' },
  ]
  const called = (...all: ComparedBudget[]): string[] => all.map((one) => formatComparedBudgetName(one, all))
  it('is its own name if all are of one school', () => {
    expect(called({ name: 'Draft', location: northgate }, { name: 'Approved', location: northgate })).toEqual(['Draft', 'Approved'])
  })
  it('is its school if all have one name', () => {
    expect(called({ name: '2026/27', location: northgate }, { name: '2026/27', location: riverside })).toEqual([
      'Northgate Primary School',
      'Riverside School',
    ])
  })
  it('is both if schools and names differ', () => {
    expect(called({ name: 'Draft', location: northgate }, { name: 'Approved', location: riverside })).toEqual([
      'Northgate Primary School: Draft',
      'Riverside School: Approved',
    ])
  })
})

describe('budgets without a year in common', () => {
  const budget = (name: string, firstYear: number, numberOfYears: number) => ({ name, firstYear, numberOfYears, startMonth: 9 })
  it('report which of them prevent it', () => {
    const three = [budget('a', 2026, 3), budget('b', 2026, 3), budget('c', 2031, 2)]
    expect(findBudgetsWithoutCommonYear(three).map((one) => one.name)).toEqual(['c'])
    expect(findBudgetsWithoutCommonYear(three.slice(0, 2))).toEqual([])
    expect(findBudgetsWithoutCommonYear([])).toEqual([])
  })
  it('have one once those are left out, whatever they are', () => {
    const any = fc.array(fc.record({ firstYear: fc.integer({ min: 2020, max: 2032 }), numberOfYears: fc.integer({ min: 1, max: 5 }) }), {
      minLength: 2,
    })
    fc.assert(
      fc.property(any, (some) => {
        const all = some.map((one) => ({ ...one, startMonth: 9 }))
        const away = findBudgetsWithoutCommonYear(all)
        expect(away.length === 0).toBe(findCommonYears(all).length > 0)
        expect(findCommonYears(all.filter((one) => !away.includes(one))).length).toBeGreaterThan(0)
      }),
    )
  })
})

describe('the position of a figure in a report', () => {
  it('is one text that can be read back', () => {
    const place = { side: 'income', code: '12', year: '2026/27', month: '3', location: '5' } as const
    expect(parseLineFilter(formatLineFilter(place))).toEqual(place)
    const several = { side: 'debit', code: '12,15,levy', transfer: 'without', month: '1-7' } as const
    expect(parseLineFilter(formatLineFilter(several))).toEqual(several)
    expect(parseLineFilter('')).toEqual({})
    for (const text of ['side=wrong', 'code=1;drop', 'month=13', 'nothing', 'code=', 'budget=1', 'year=2026'])
      expect(parseLineFilter(text), text).toBeUndefined()
  })
})

describe('the measures in the regulator’s guidance', () => {
  const codeMap = new Map(trustCodes.map((code) => [code.id, code]))
  const lineOf = (codeId: number, value: number | null, isStaff = false): LineSum => ({
    unit: 0,
    codeId,
    centreId: null,
    isStaff,
    transfer: null,
    amounts: [value],
    missing: value === null ? 1 : 0,
  })
  const money = (lines: LineSum[], pupils: number | null = 210): ReportFacts => ({
    spread: 'years',
    units: [{ year: '2026/27', location: null, budget: null, pupils }],
    startMonth: 9,
    lines,
    carried: { before: [], openings: [{ unit: 0, type: 1, value: 20_000_00 }] },
    codes: codeMap,
    centres: trustCentres,
    byScheme: false,
    hasSeveralLocations: false,
    includeEmpty: false,
    notCalculated: 0,
  })
  const contract = (isTeacher: boolean, fte: number | null, basic: number | null) => ({
    id: 'c',
    budgetId: toBudgetId('b'),
    location: 'Northgate',
    personId: null,
    payrollCode: 'T',
    employee: '',
    post: '',
    type: '',
    isTeacher,
    point: '',
    works: '',
    startDate: '2026-09-01',
    endDate: null,
    years: [{ basic, allowances: 1_000_00, leave: 0, ni: 4_000_00, pension: 5_000_00, fte }],
  })
  const staff = [
    contract(true, 1, 40_000_00),
    contract(true, 0.8, 30_000_00),
    contract(true, 0.733333, 20_000_00),
    contract(false, 0.5, 10_000_00),
  ]
  // Income 1,000,000.00, of which lettings 50,000.00; teachers 620,000.00, of which supply 30,000.00; books 300,000.00.
  const lines = [lineOf(1, 950_000_00), lineOf(2, 50_000_00), lineOf(3, 620_000_00, true), lineOf(4, 300_000_00)]
  const made = (
    more: {
      lines?: LineSum[]
      pupils?: number | null
      contracts?: typeof staff
      isNamed?: boolean
      supply?: number[]
      lessons?: LessonYear[] | null
    } = {},
  ) =>
    buildMeasuresReport('Measures', {
      money: money(more.lines ?? lines, more.pupils === undefined ? 210 : more.pupils),
      staff: { years: ['2026/27'], contracts: more.contracts ?? staff, isNamed: false, notCalculated: 0 },
      groups: [
        { name: 'Educational supplies', codeIds: new Set([4]) },
        { name: 'Utilities', codeIds: new Set() },
      ],
      supplyCodeIds: new Set(more.supply ?? []),
      lessons: more.lessons === undefined ? [] : more.lessons,
      isNamed: more.isNamed ?? true,
    })
  const value = (label: string, report = made()) => report.rows.find((row) => row.label === label && row.kind === 'Data')!.values[0]

  it('show how much of the costs is in no group', () => {
    const report = made({ lines: [...lines, { ...lineOf(3, 1_000_00, true), codeId: null }] })
    // 620,000 of teachers and 1,000 of the levy, divided by 210 pupils.
    expect(value('No benchmarking group', report)).toBe(2957_14)
    expect(report.rows.find((row) => row.label === 'No benchmarking group')?.drill).toBe('side=expenditure&code=levy,3')
    expect(report.rows.at(-1)?.label).toBe(
      'Left out of the groups: 1 budget code and the apprenticeship levy without a benchmarking group, £621,000 in 2026/27.',
    )
    const whole = made({ lines: lines.filter(({ codeId }) => codeId !== 3) })
    expect(whole.rows.some((row) => /benchmarking group/.test(row.label))).toBe(false)
  })
  it('are shares with one decimal, ratios with two, and money to the penny', () => {
    expect(value('Staff, % of income')).toBe(62)
    // 620,000 of 920,000
    expect(value('Staff, % of expenditure')).toBe(67.4)
    // 40,000 + 30,000 + 20,000 and three times 10,000 of 920,000
    expect(value('Teachers, % of expenditure')).toBe(13)
    // 120,000 ÷ 2.533333
    expect(value('Average teacher cost (1 FTE), £')).toBe(47_368_43)
    expect(value('Pupils per teacher (FTE)')).toBe(82.89)
    expect(value('Pupils per adult (FTE)')).toBe(69.23)
    // 1,000,000 ÷ 210
    expect(value('Income')).toBe(4_761_90)
    expect(value('Educational supplies')).toBe(1_428_57)
    expect(value('In-year balance, % of income')).toBe(8)
    expect(value('Reserve at the end of the year, % of income')).toBe(10)
  })
  it('are blank if a part is unknown, and say which', () => {
    const row = (label: string, report: Report): ReportRow => report.rows.find((one) => one.label === label && one.kind === 'Data')!
    const words = (label: string, report: Report) => [row(label, report).values[0], describeEmptyCell(report, row(label, report), 0)]
    expect(words('Supply teachers, % of expenditure', made())).toEqual([null, 'not known'])
    expect(words('Supply teachers, % of expenditure', made({ supply: [3] }))).toEqual([67.4, null])
    expect(words('Utilities', made())).toEqual([null, 'not known'])
    const uncounted = made({ pupils: null })
    for (const label of ['Pupils per teacher (FTE)', 'Income', 'Educational supplies'])
      expect(words(label, uncounted)).toEqual([null, 'not known'])
    const broken = made({ lines: [...lines, lineOf(4, null)] })
    for (const label of ['Staff, % of expenditure', 'Educational supplies', 'In-year balance, % of income'])
      expect(words(label, broken), label).toEqual([null, 'not calculated'])
    expect(words('Staff, % of income', broken)).toEqual([62, null])
    expect(words('Average teacher cost (1 FTE), £', made({ contracts: [...staff, contract(true, 1, null)] }))).toEqual([
      null,
      'not calculated',
    ])
    expect(words('Pupils per teacher (FTE)', made({ contracts: [] }))).toEqual([null, 'not known'])
  })
  it('hide the cost of one or two teachers from users who may not see staff', () => {
    const two = staff.slice(1)
    expect(value('Average teacher cost (1 FTE), £', made({ contracts: two, isNamed: false }))).toBeNull()
    expect(value('Teachers, % of expenditure', made({ contracts: two, isNamed: false }))).toBeNull()
    expect(value('Average teacher cost (1 FTE), £', made({ contracts: two }))).not.toBeNull()
    expect(value('Average teacher cost (1 FTE), £', made({ isNamed: false }))).not.toBeNull()
  })
  it('of teaching come from the typed timetable, for one school', () => {
    const lessons = [{ week: 25, taught: 50, weeks: 38 }]
    const typed = made({ lessons })
    // 50 ÷ (2.533333 × 25); 210 × 25 ÷ 50; 120,000 ÷ (50 × 38)
    expect(value('Contact ratio', typed)).toBe(0.79)
    expect(value('Average class size', typed)).toBe(105)
    expect(value('Cost per lesson, £', typed)).toBe(63_16)
    const part = made({ lessons: [{ week: 25, taught: null, weeks: 38 }] })
    for (const label of ['Contact ratio', 'Average class size', 'Cost per lesson, £']) expect(value(label, part), label).toBeNull()
    expect(value('Contact ratio')).toBeNull()
    expect(made({ lessons: null }).rows.some(({ label }) => label === 'Contact ratio')).toBe(false)
    expect(calculateContactRatio({ week: 24.5, taught: 49.25, weeks: null }, 2.6)).toBe(0.77)
    expect(calculateClassSize({ week: 0, taught: 10, weeks: null }, 30)).toBe(0)
    expect(calculateLessonCost({ week: 25, taught: 0.5, weeks: 0.5 }, 100)).toBe(400)
  })
  it('round halves away from zero', () => {
    expect(divideToDecimals(5, 2, 0)).toBe(3)
    expect(divideToDecimals(-5, 2, 0)).toBe(-3)
    expect(divideToDecimals(210, 0, 2)).toBeNull()
    expect(divideToDecimals(null, 2, 2)).toBeNull()
    expect(divideToDecimals(20_000_000_000, 333.333333, 0)).toBe(60_000_000)
  })
})

describe('the key of a report’s row', () => {
  const row = (kind: ReportRow['kind'], label: string, drill: string | null, level = 1): ReportRow => ({
    kind,
    label,
    drill,
    level,
    values: [1],
    missing: 0,
  })
  const columns = [{ key: 'year=2026/27', title: '2026/27', type: 'money' as const }]
  const reportOf = (teachers: string): Pick<Report, 'rows' | 'columns'> => ({
    columns,
    rows: [
      row('SectionHeader', 'Staff expenditure', null, 0),
      row('Data', teachers, 'side=staff&code=3'),
      row('SectionFooter', 'Total staff expenditure', 'side=staff', 0),
      row('SectionHeader', 'Opening balances', null, 0),
      row('Data', 'Revenue', null),
      row('SectionHeader', 'Closing balances', null, 0),
      row('Data', 'Revenue', null),
      row('Data', 'Revenue', null),
    ],
  })
  it('stays the same when its code is renamed or another row comes before it', () => {
    const [, key] = createRowKeys('budgetAnalysis', reportOf('E01 Teachers'), 0)
    const after = reportOf('E01 Teachers and leaders')
    after.rows.unshift(row('Data', 'I01 Grant', 'side=income&code=1'))
    expect(findCell('budgetAnalysis', after, { row: key!, column: 'year=2026/27', scheme: 0 })).toEqual({ row: 2, column: 0 })
    expect(findCell('budgetAnalysis', after, { row: key!, column: 'year=2030/31', scheme: 0 })).toBeNull()
  })
  it('stays the same when the product renames its row', () => {
    const [key] = createRowKeys('measures', { rows: [row('Data', 'Pupils per teacher (FTE)', null)] }, 0)
    expect(key).toBe('Data  › Pupils for each teacher (FTE)')
  })
  it('differs for each row, whatever they are called', () => {
    const keys = createRowKeys('budgetAnalysis', reportOf('E01 Teachers'), 0)
    expect(new Set(keys).size).toBe(keys.length)
  })
  it('is that of its line in a return, and of its contract for a person', () => {
    const [, line] = createRowKeys('cfrReturn', reportOf('E01 Teaching staff'), 0)
    expect(line).toBe('Data Staff expenditure › E01 Teaching staff')
    const contract = 'a'.repeat(24)
    const [key] = createRowKeys('staffing', { rows: [row('Data', 'Brown, Ann', `contract=${contract}&budget=${'b'.repeat(24)}`)] }, 0)
    expect(key).not.toContain('Brown')
    expect(findContractOfRow(key!)).toBe(contract)
  })
})
