import { listViewPermissions } from '../../people/permissions.ts'
import { date, longText, money, percent, reference, references, shares, text } from '../../resources/fields.ts'
import { resource } from '../../resources/resource.ts'
import { periodNames } from './budgetEntry.ts'

const period = (index: number) => money(`Period ${index + 1}`, { column: `Period${index + 1}` })

/**
 * Columns of a file of budget entries, one row for each entered year. Entries are stored in the log of their budget; this resource only
 * describes the file.
 */
export const entryFile = resource({
  key: 'BudgetEntry',
  store: 'events',
  table: 'budget_items',
  path: 'BudgetEntry',
  scope: 'organisation',
  access: { read: listViewPermissions('BudgetingNonStaffing'), write: ['BudgetingNonStaffingReadUpdate'] },
  fields: {
    identifier: text('Identifier', { max: 50, column: 'Identifier' }),
    description: text('Description', { required: true, max: 200, column: 'Description' }),
    budgetCodeId: reference('Budget code', { required: true, to: 'budgetCode', column: 'BudgetCode' }),
    costCentreId: reference('Cost centre', { to: 'costCentre', column: 'CostCentre' }),
    analysisTags: references('Analysis tags', { to: 'analysisTag', column: 'AnalysisTags' }),
    fundCodes: shares('Fund codes', { one: 'Fund code', to: 'fundCode', column: 'FundCodes' }),
    notes: longText('Notes', { max: 2000, column: 'Notes' }),
    reminderDate: date('Reminder date', { column: 'ReminderDate' }),
    reminderText: text('Reminder text', { max: 200, column: 'ReminderText' }),
    amount: money('Amount', { column: 'Amount' }),
    period1: period(0),
    period2: period(1),
    period3: period(2),
    period4: period(3),
    period5: period(4),
    period6: period(5),
    period7: period(6),
    period8: period(7),
    period9: period(8),
    period10: period(9),
    period11: period(10),
    period12: period(11),
    budgetYearName: text('Budget year name', { required: true, max: 7, column: 'BudgetYearName' }),
    profileTemplateId: reference('Profile template', { to: 'profileTemplate', column: 'ProfileTemplate' }),
    rate: percent('Inflation rate', {
      min: -100,
      max: 1000,
      column: 'InflationRate',
      help: 'For a later year, instead of the code’s own rate.',
    }),
  },
  defaultSort: 'description',
  grid: [],
  naming: ['description'],
  importRequired: ['Description', 'BudgetCode', 'BudgetYearName'],
  purpose: 'Income and non-staff expenditure: what it is for, how much, and when.',
})

/** Whether a row has periods, which then replace its amount (behaviour B-150). */
export function hasPeriods(values: Record<string, unknown>): boolean {
  return periodNames.some((name) => values[name] !== null && values[name] !== undefined)
}
