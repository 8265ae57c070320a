import { sideOf } from '../calculation/nonStaffing/balances.ts'
import { recordFromKeys } from '../values/keysOf.ts'
import type { ReportFacts } from './facts.ts'
import type { Report, ReportRow } from './report.ts'
import {
  addSums,
  amountRow,
  balanceSection,
  balancesOf,
  bySingleLocation,
  codeRows,
  inYearRows,
  type Ledger,
  ledgerOf,
  moneyReport,
  section,
} from './statement.ts'

/** Income and expenditure by code or scheme, the in-year balance, opening and closing balances by type (rules.md §19). */
function analysisRows(ledger: Ledger, level = 0): ReportRow[] {
  const { facts, sides } = ledger
  const used = new Set(facts.lines.map((line) => line.codeId))
  // A code without lines stands where its own kind does.
  const also = facts.includeEmpty ? [...facts.codes.values()].filter(({ id }) => !used.has(id)) : []
  const { income, staff, other } = recordFromKeys(['income', 'staff', 'other'], (side) =>
    codeRows(ledger, sides[side], {
      level: level + 1,
      place: { side },
      also: also.filter(({ facts: code }) => sideOf(code, false) === side),
    }),
  )
  const balances = balancesOf(ledger)
  return [
    ...section(ledger, { title: 'Income', body: income, level, place: { side: 'income' } }),
    ...section(ledger, { title: 'Staff expenditure', body: staff, level, place: { side: 'staff' } }),
    ...section(ledger, { title: 'Other expenditure', body: other, level, place: { side: 'other' } }),
    amountRow(
      ledger,
      {
        kind: 'Total',
        label: 'Total expenditure',
        level,
        place: { side: 'expenditure' },
        lines: [...sides.staff, ...sides.other],
        adds: [{ label: 'Total staff expenditure' }, { label: 'Total other expenditure' }],
      },
      addSums([staff.sums, other.sums], ledger),
    ),
    ...inYearRows(ledger, level),
    ...balanceSection(ledger, { balances, at: 'opening', level }),
    ...balanceSection(ledger, { balances, at: 'closing', level }),
  ]
}

/** A column for each year, month or location, as the facts are spread. */
export function budgetAnalysis(title: string, facts: ReportFacts): Report {
  if (facts.spread === 'eachLocation') return bySingleLocation(title, facts, analysisRows)
  const ledger = ledgerOf(facts)
  return moneyReport(title, ledger, analysisRows(ledger))
}
