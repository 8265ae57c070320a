import { assertDefined } from '../values/assertDefined.ts'
import { type Sums, shownCell } from './columns.ts'
import type { ReportFacts } from './facts.ts'
import { perPupil, shareIn } from './measures/measures.ts'
import type { Report, ReportRow } from './report.ts'
import { addSums, amountRow, balancesOf, inYearSums, ledgerOf, missingOf, moneyReport, sumsOf, transferSection } from './statement.ts'

/** The page for those who want to know how a school stands: six rows, each also as a share of income and per pupil (rules.md §19). */
export function stakeHolder(title: string, facts: ReportFacts): Report {
  const ledger = ledgerOf(facts)
  const { sides, plan } = ledger
  const balances = balancesOf(ledger)
  const transfers = transferSection(ledger, 0)
  const rowOf = (label: string, side: 'income' | 'staff' | 'other'): ReportRow =>
    amountRow(ledger, { kind: 'Data', label, level: 0, place: { side }, lines: sides[side] }, sumsOf(ledger, sides[side]))
  const balanceRow = (label: string, at: 'opening' | 'closing'): ReportRow => {
    const sums: Sums = addSums(
      balances.map((one) => one[at]),
      ledger,
    )
    return {
      kind: 'Total',
      label,
      level: 0,
      values: plan.finishBalance(sums, at).map(shownCell),
      drill: null,
      missing: missingOf(balances, at),
      ...(at === 'closing' ? { adds: [{ label: 'Opening balance' }, { label: 'In-year balance' }] } : {}),
    }
  }
  const money = moneyReport(title, ledger, [
    rowOf('Income', 'income'),
    rowOf('Staff expenditure', 'staff'),
    rowOf('Other expenditure', 'other'),
    ...transfers.rows,
    amountRow(
      ledger,
      {
        kind: 'Total',
        label: 'In-year balance',
        level: 0,
        place: { side: 'inYear' },
        lines: Object.values(sides).flat(),
        adds: [
          { label: 'Income' },
          { label: 'Staff expenditure', less: true },
          { label: 'Other expenditure', less: true },
          ...transfers.rows.map(({ label }) => ({ label })),
        ],
      },
      inYearSums(ledger),
    ),
    ...(balances.length ? [balanceRow('Opening balance', 'opening'), balanceRow('Closing balance', 'closing')] : []),
  ])
  return withShares(money)
}

/** Beside each column of money its figures as a share of income and per pupil. */
function withShares(report: Report): Report {
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
        return [value, shareIn(amount, assertDefined(bases[index]).income), perPupil(amount, assertDefined(bases[index]).pupils)]
      }),
    })),
  }
}

const none = { income: null, pupils: null }
