import fc from 'fast-check'
import { rollUpPupilCounts } from '../../../domain/calculation/nonStaffing/pupils.ts'
import { defaultExplanationSettings } from '../../../domain/monitoring/monitoring.ts'
import type { ContractYearCost, ReportFacts, ReturnActuals, StaffFacts, StaffingContract } from '../../../domain/reports/facts.ts'
import { buildMeasuresReport } from '../../../domain/reports/measures/measuresReport.ts'
import { buildPupilNumbersReport } from '../../../domain/reports/pupilNumbers.ts'
import { type ReportName, reports } from '../../../domain/reports/registry.ts'
import type { Report } from '../../../domain/reports/report.ts'
import { buildBudgetForecastReturn } from '../../../domain/reports/returns/budgetForecastReturn.ts'
import { buildStaffingReport } from '../../../domain/reports/staffing.ts'
import { type StaffId, toBudgetId, toStaffId } from '../../../domain/values/ids.ts'
import { keysOf } from '../../../domain/values/keysOf.ts'
import {
  anyTrust,
  buildFacts,
  buildMoneyReport,
  buildMonthlyFacts,
  type TrustMoney,
  trustSchools,
  trustYears,
} from '../stories/trustMoney.ts'

/** A trust with money of every kind at every school, some of it not calculated. */
export const sampleTrust: TrustMoney = {
  lines: fc.sample(anyTrust, { seed: 11, numRuns: 12 }).flatMap((one) => one.lines),
  openings: fc.sample(anyTrust, { seed: 11, numRuns: 12 }).flatMap((one) => one.openings),
}

const staffYear = (basic: number | null): ContractYearCost => ({
  basic,
  allowances: 120_055,
  leave: -4_000,
  ni: 500_001,
  pension: 700_099,
  fte: 0.733333,
})
const contract = (id: number, payrollCode: string, more: Partial<StaffingContract> = {}): StaffingContract => ({
  id: String(id).padStart(24, 'c'),
  budgetId: toBudgetId('b'.repeat(24)),
  location: trustSchools[id % 2]!.name,
  personId: toStaffId(id) as StaffId | null,
  payrollCode,
  employee: `Person ${id}`,
  post: 'Post <& "of" all>',
  type: 'Teacher',
  isTeacher: id < 4,
  point: 'M1',
  works: '0.73 FTE',
  startDate: '2026-09-01',
  endDate: id === 2 ? '2027-03-31' : null,
  years: trustYears.map((_year, index) => staffYear(3_000_000 + 1_111 * id + 50_000 * index)),
  ...more,
})
/** Contracts under two payroll codes, one of them not calculated in one year. */
const sampleStaff: StaffFacts = {
  years: trustYears,
  contracts: [
    contract(1, 'Teachers'),
    contract(2, 'Teachers'),
    contract(3, 'Teachers'),
    contract(4, 'Support'),
    contract(5, 'Support', { years: [staffYear(null), staffYear(1_000)] }),
  ],
  isNamed: true,
  notCalculated: 1,
}

const pupils = (first: number | null) =>
  rollUpPupilCounts(
    [
      { kind: 'Phase', phase: null, yearGroup: 2, description: null, before: 28, years: [first, 30] },
      { kind: 'Phase', phase: null, yearGroup: 3, description: null, before: 29.5, years: [null, null] },
    ],
    2,
  )
const countedSchools = [
  { location: trustSchools[0]!, before: 2025, rows: pupils(30) },
  { location: trustSchools[1]!, before: 2025, rows: pupils(null) },
]

const months = (count: number): boolean[] => Array.from({ length: 12 }, (_unused, month) => month < count)
/** September and October of the first year have actuals; the year before has none. */
function samplesCameIn(): ReturnActuals {
  const budget = buildMonthlyFacts(sampleTrust)
    .lines.filter(({ unit }) => unit === 0)
    .map(({ codeId, isStaff, transfer, amounts }) => ({
      codeId,
      isStaff,
      transfer,
      amounts,
      gaps: amounts.map((one) => (one === null ? 1 : 0)),
    }))
  const imported = new Map(
    [1, 3, 4].map((code) => [code, { actuals: Array<number>(12).fill(code * 77_701), commitments: Array<number>(12).fill(0) }]),
  )
  const locationMonth = { imported, methods: new Map() }
  return {
    cumulative: false,
    earlierYears: [{ unit: { year: '2025/26', location: null, budget: null, pupils: null }, carried: null }],
    years: [
      {
        year: '2025/26',
        isPrior: true,
        isRequested: false,
        sums: [{ ...locationMonth, closed: months(0), budget: null }],
        months: [{ location: 'Northgate', closed: months(0), hasBudget: false }],
      },
      {
        year: '2026/27',
        isPrior: false,
        isRequested: true,
        sums: [{ ...locationMonth, closed: months(2), budget }],
        months: [{ location: 'Northgate', closed: months(2), hasBudget: true }],
      },
    ],
  }
}

/** The facts of the return with actuals, the last return and its reasons. */
function returnFacts(): ReportFacts {
  const facts = buildMonthlyFacts({ ...sampleTrust, lines: sampleTrust.lines.slice(0, 60) })
  return {
    ...buildMonthlyFacts(sampleTrust),
    returnActuals: samplesCameIn(),
    lastReturn: { facts: facts, without: ['Southgate'], settings: defaultExplanationSettings },
    returnContext: {
      outturn: null,
      contactRatios: [],
      reasons: { of: { locationId: null, firstYear: 2026 }, mayWrite: true, kept: new Map() },
    },
  }
}

/** Each report of the sample trust, as the product makes it. */
export const sampleReports: ReadonlyMap<ReportName, Report> = new Map(keysOf(reports).map((name) => [name, sampleReport(name)] as const))

function sampleReport(name: ReportName): Report {
  const { kind, title, spread } = reports[name]
  switch (kind) {
    case 'money':
      return name === 'budgetForecastReturn' ? buildBudgetForecastReturn(title, returnFacts()) : buildMoneyReport(name, sampleTrust)
    case 'staff':
      return buildStaffingReport(title, sampleStaff)
    case 'pupils':
      return buildPupilNumbersReport(title, { spread, octobers: spread === 'years' ? [2025, 2026] : [2026], budgets: countedSchools })
    case 'measures':
      return buildMeasuresReport(title, {
        money: buildFacts(sampleTrust, 'years'),
        staff: sampleStaff,
        groups: [
          { name: 'Educational supplies', codeIds: new Set([4]) },
          { name: 'Utilities', codeIds: new Set() },
        ],
        supplyCodeIds: new Set([3]),
        lessons: null,
        isNamed: true,
        comparators: {
          name: 'Like us',
          source: 'file.csv',
          year: '2024/25',
          schools: [1, 2, 3, 4].map((at) => ({
            key: String(at),
            name: `School ${at}`,
            figures: { income: at * 200_000, staffOfIncome: 700 + at },
          })),
        },
      })
  }
}
