import type { RowSums } from './columns.ts'
import type { LineSum, ReportFacts } from './facts.ts'
import { groupMappedLines } from './mapped.ts'
import { formatCodeIds, type Report, type ReportRow } from './report.ts'
import { addRowSums, buildAmountRow, buildMoneyReport, buildReportLedger, negateSums, sumLines } from './statement.ts'

/** Selects all lines and subtracts credits. */
const allLinesFilter = { side: 'debit', transfer: 'with' } as const

/**
 * Builds the trial budget for a ledger: the accounts of the chart of accounts by month, with expenditure as positive debits and income as
 * negative credits. Payments between locations are included under the accounts that their codes are mapped to.
 */
export function buildTrialBudget(title: string, given: ReportFacts): Report {
  const facts = { ...given, hasSeveralLocations: false }
  const ledger = buildReportLedger(facts)
  const { income, staff, other } = ledger.sides
  const isIncome = (line: LineSum): boolean => facts.codes.get(line.codeId ?? -1)?.facts.isIncome ?? false
  const accounts = groupMappedLines(facts, [...income, ...staff, ...other]).map((account): { row: ReportRow; sums: RowSums } => {
    const debit = sumLines(
      ledger,
      account.lines.filter((line) => !isIncome(line)),
    )
    const credit = sumLines(ledger, account.lines.filter(isIncome))
    const sums = addRowSums([debit, negateSums(credit)], ledger)
    return {
      sums,
      row: buildAmountRow(
        ledger,
        {
          kind: 'Data',
          label: account.label,
          level: 0,
          filter: { ...allLinesFilter, code: formatCodeIds(account.lines) },
          lines: account.lines,
        },
        sums,
      ),
    }
  })
  const all = addRowSums(
    accounts.map((one) => one.sums),
    ledger,
  )
  return buildMoneyReport(title, ledger, [
    ...accounts.map((one) => one.row),
    buildAmountRow(
      ledger,
      {
        kind: 'Total',
        label: 'Debits less credits: the deficit for the year',
        level: 0,
        filter: allLinesFilter,
        lines: [...income, ...staff, ...other],
        adds: 'data',
      },
      all,
    ),
  ])
}
