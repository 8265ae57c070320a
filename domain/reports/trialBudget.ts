import type { Sums } from './columns.ts'
import type { LineSum, ReportFacts } from './facts.ts'
import { mappedLines } from './mapped.ts'
import { codesIn, type Report, type ReportRow } from './report.ts'
import { addSums, amountRow, ledgerOf, minusSums, moneyReport, sumsOf } from './statement.ts'

/** Which lines the figures are of: every one, a credit less. */
const place = { side: 'debit', transfer: 'with' } as const

/**
 * The budget by the accounts of the chart of accounts, month by month, as a ledger takes it in: what is spent is a debit and positive, what
 * comes in is a credit and negative. What locations pay each other stands on the accounts of its codes.
 */
export function trialBudget(title: string, given: ReportFacts): Report {
  const facts = { ...given, isSeveral: false }
  const ledger = ledgerOf(facts)
  const { income, staff, other } = ledger.sides
  const isIncome = (line: LineSum): boolean => facts.codes.get(line.codeId ?? -1)?.facts.isIncome ?? false
  const accounts = mappedLines(facts, [...income, ...staff, ...other]).map((account): { row: ReportRow; sums: Sums } => {
    const debit = sumsOf(
      ledger,
      account.lines.filter((line) => !isIncome(line)),
    )
    const credit = sumsOf(ledger, account.lines.filter(isIncome))
    const sums = addSums([debit, minusSums(credit)], ledger)
    return {
      sums,
      row: amountRow(
        ledger,
        { kind: 'Data', label: account.label, level: 0, place: { ...place, code: codesIn(account.lines) }, lines: account.lines },
        sums,
      ),
    }
  })
  const all = addSums(
    accounts.map((one) => one.sums),
    ledger,
  )
  return moneyReport(title, ledger, [
    ...accounts.map((one) => one.row),
    amountRow(
      ledger,
      {
        kind: 'Total',
        label: 'Debits less credits: the deficit of the year',
        level: 0,
        place,
        lines: [...income, ...staff, ...other],
        adds: 'data',
      },
      all,
    ),
  ])
}
