import { assertDefined } from '../values/assertDefined.ts'
import { type RowSums, toDisplayedValue } from './columns.ts'
import type { ReportFacts } from './facts.ts'
import { calculateShare, dividePerPupil } from './measures/measures.ts'
import type { Report, ReportRow } from './report.ts'
import {
  addRowSums,
  buildAmountRow,
  buildMoneyReport,
  buildReportLedger,
  buildTransferSection,
  calculateBalances,
  calculateInYearSums,
  sumLines,
  sumMissingFigures,
} from './statement.ts'

/** Builds the stakeholder summary: six rows, each also as a share of income and per pupil (rules.md §19). */
export function buildStakeholderSummary(title: string, facts: ReportFacts): Report {
  const ledger = buildReportLedger(facts)
  const { sides, plan } = ledger
  const balances = calculateBalances(ledger)
  const transfers = buildTransferSection(ledger, 0)
  const rowOf = (label: string, side: 'income' | 'staff' | 'other'): ReportRow =>
    buildAmountRow(ledger, { kind: 'Data', label, level: 0, filter: { side }, lines: sides[side] }, sumLines(ledger, sides[side]))
  const balanceRow = (label: string, at: 'opening' | 'closing'): ReportRow => {
    const sums: RowSums = addRowSums(
      balances.map((one) => one[at]),
      ledger,
    )
    return {
      kind: 'Total',
      label,
      level: 0,
      values: plan.finishBalance(sums, at).map(toDisplayedValue),
      drill: null,
      missing: sumMissingFigures(balances, at),
      ...(at === 'closing' ? { adds: [{ label: 'Opening balance' }, { label: 'In-year balance' }] } : {}),
    }
  }
  const money = buildMoneyReport(title, ledger, [
    rowOf('Income', 'income'),
    rowOf('Staff expenditure', 'staff'),
    rowOf('Other expenditure', 'other'),
    ...transfers.rows,
    buildAmountRow(
      ledger,
      {
        kind: 'Total',
        label: 'In-year balance',
        level: 0,
        filter: { side: 'inYear' },
        lines: Object.values(sides).flat(),
        adds: [
          { label: 'Income' },
          { label: 'Staff expenditure', less: true },
          { label: 'Other expenditure', less: true },
          ...transfers.rows.map(({ label }) => ({ label })),
        ],
      },
      calculateInYearSums(ledger),
    ),
    ...(balances.length ? [balanceRow('Opening balance', 'opening'), balanceRow('Closing balance', 'closing')] : []),
  ])
  return addShareColumns(money)
}

/** Adds columns with the share of income and the figure per pupil to each money column. */
function addShareColumns(report: Report): Report {
  const { columns, bases } = report
  return {
    ...report,
    columns: columns.flatMap((column) => [
      column,
      { key: `share ${column.key}`, title: `${column.title}: % of income`, type: 'percent' as const },
      { key: `pupil ${column.key}`, title: `${column.title}: per pupil`, type: 'money' as const },
    ]),
    bases: bases.flatMap((base) => [base, none, none]),
    rows: report.rows.map((row) => ({
      ...row,
      values: row.values.flatMap((value, index) => {
        const amount = typeof value === 'number' ? value : null
        return [
          value,
          calculateShare(amount, assertDefined(bases[index]).income),
          dividePerPupil(amount, assertDefined(bases[index]).pupils),
        ]
      }),
    })),
  }
}

const none = { income: null, pupils: null }
