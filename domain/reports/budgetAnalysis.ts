import { findOverviewSection } from '../calculation/nonStaffing/balances.ts'
import { recordFromKeys } from '../values/keysOf.ts'
import type { ReportFacts } from './facts.ts'
import type { Report, ReportRow } from './report.ts'
import {
  addRowSums,
  buildAmountRow,
  buildBalanceSection,
  buildCodeRows,
  buildInYearRows,
  buildMoneyReport,
  buildReportLedger,
  buildReportPerLocation,
  buildSection,
  calculateBalances,
  type ReportLedger,
} from './statement.ts'

/**
 * Builds the rows: income and expenditure by code or scheme, the in-year balance, and opening and closing balances by type (rules.md §19).
 */
function buildAnalysisRows(ledger: ReportLedger, level = 0): ReportRow[] {
  const { facts, sides } = ledger
  const used = new Set(facts.lines.map((line) => line.codeId))
  // A code without lines is listed under income or expenditure according to its type.
  const also = facts.includeEmpty ? [...facts.codes.values()].filter(({ id }) => !used.has(id)) : []
  const { income, staff, other } = recordFromKeys(['income', 'staff', 'other'], (side) =>
    buildCodeRows(ledger, sides[side], {
      level: level + 1,
      filter: { side },
      also: also.filter(({ facts: code }) => findOverviewSection(code, false) === side),
    }),
  )
  const balances = calculateBalances(ledger)
  return [
    ...buildSection(ledger, { title: 'Income', body: income, level, filter: { side: 'income' } }),
    ...buildSection(ledger, { title: 'Staff expenditure', body: staff, level, filter: { side: 'staff' } }),
    ...buildSection(ledger, { title: 'Other expenditure', body: other, level, filter: { side: 'other' } }),
    buildAmountRow(
      ledger,
      {
        kind: 'Total',
        label: 'Total expenditure',
        level,
        filter: { side: 'expenditure' },
        lines: [...sides.staff, ...sides.other],
        adds: [{ label: 'Total staff expenditure' }, { label: 'Total other expenditure' }],
      },
      addRowSums([staff.sums, other.sums], ledger),
    ),
    ...buildInYearRows(ledger, level),
    ...buildBalanceSection(ledger, { balances, at: 'opening', level }),
    ...buildBalanceSection(ledger, { balances, at: 'closing', level }),
  ]
}

/** Builds a budget analysis with a column for each year, month or location, or with a section for each location. */
export function buildBudgetAnalysis(title: string, facts: ReportFacts): Report {
  if (facts.spread === 'eachLocation') return buildReportPerLocation(title, facts, buildAnalysisRows)
  const ledger = buildReportLedger(facts)
  return buildMoneyReport(title, ledger, buildAnalysisRows(ledger))
}
