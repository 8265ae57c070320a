import { lookups } from './lookups.ts'

/** Kinds of rows that are told apart by words. */
const byWord = (...names: string[]) => names.map((name) => ({ id: name, name }))

/** Rows of an income and expenditure calculation and of a budget entry, in the order of the list `budgetEntryTypes`. */
export const calculatorRowKinds = [
  { id: 'amount', name: 'Amount' },
  { id: 'inflation', name: 'Inflation' },
  { id: 'period', name: 'Period' },
  { id: 'description', name: 'Description' },
  { id: 'criteria', name: 'Criteria' },
  { id: 'subtotal', name: 'Subtotal' },
  { id: 'total', name: 'Total' },
  { id: 'fixedInput', name: 'Fixed input' },
] as const

export const pupilNumberRowKinds = byWord('Phase', 'Total', 'Description', 'HighNeeds')
export const fundingPredictorRowKinds = byWord('Type', 'SubTotal', 'Total', 'Description', 'Inflation', 'Stream')
/** The kinds of balance that reports tell apart, and of which an opening balance is one. */
export const extendedLeaveReportCategories = byWord(...lookups.openingBalanceTypes.map(({ name }) => name))
/** Rows of a report. */
export const reportRowKinds = byWord('Data', 'Description', 'Empty', 'SectionHeader', 'SectionFooter', 'Total')
