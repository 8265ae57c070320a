import { lookups } from './lookups.ts'

/** Builds row kinds whose ids are their names. */
const createNamedKinds = (...names: string[]) => names.map((name) => ({ id: name, name }))

/** Row kinds of income and expenditure calculations and budget entries, in the order of the list `budgetEntryTypes`. */
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

export const pupilNumberRowKinds = createNamedKinds('Phase', 'Total', 'Description', 'HighNeeds')
export const fundingPredictorRowKinds = createNamedKinds('Type', 'SubTotal', 'Total', 'Description', 'Inflation', 'Stream')
/** The types of balance in reports, the same as those of opening balances. The name is that of the list in the API. */
export const extendedLeaveReportCategories = createNamedKinds(...lookups.openingBalanceTypes.map(({ name }) => name))
export const reportRowKinds = createNamedKinds('Data', 'Description', 'Empty', 'SectionHeader', 'SectionFooter', 'Total')
