import type { ColumnMeaning, LedgerLayout } from '../../../domain/monitoring/ledger/columns.ts'
import type { MappedKind } from '../../../domain/monitoring/ledger/mapping.ts'

export const layoutNames: Record<LedgerLayout, string> = {
  trialBalance: 'Trial balance',
  budgetReport: 'Budget monitoring report',
  transactions: 'Transaction list',
  template: 'Template',
}

export const columnMeaningNames: Record<ColumnMeaning, string> = {
  account: 'Account code',
  accountName: 'Account name',
  costCentre: 'Cost centre',
  fund: 'Fund code',
  tag: 'Analysis tag',
  location: 'Location',
  date: 'Date',
  period: 'Period or month',
  year: 'Year',
  reference: 'Reference',
  supplier: 'Supplier',
  details: 'Details',
  debit: 'Debit',
  credit: 'Credit',
  amount: 'Actual',
  commitment: 'Commitment',
  sign: 'Debit or credit',
  type: 'Type',
}

/** Labels of the choice that leaves a text unmapped on purpose. */
export const leaveOutLabels: Record<MappedKind, string> = {
  account: 'Leave out on purpose',
  location: 'Leave out on purpose',
  costCentre: 'The usual cost centre',
  fund: 'Without a fund code',
  tag: 'Without an analysis tag',
}

/** The kind of record that each kind of text is mapped to. */
export const mappedKindTerms = {
  account: 'BudgetCode',
  costCentre: 'CostCentre',
  fund: 'FundCode',
  tag: 'AnalysisTag',
  location: 'Location',
} as const satisfies Record<MappedKind, string>
