import { listViewPermissions } from '../people/permissions.ts'
import { choice, money, reference, text } from '../resources/fields.ts'
import { resource } from '../resources/resource.ts'

/**
 * The columns of a file of actuals and commitments. No rows are stored under this resource: those of a file go to the monitoring log of
 * each location.
 */
export const actualFile = resource({
  key: 'ActualCommitment',
  table: 'actual_lines',
  path: 'monitoring/actuals-commitments',
  scope: 'organisation',
  access: { read: listViewPermissions('ConsoleMonitoring'), write: ['ConsoleMonitoringReadUpdate'] },
  fields: {
    type: choice('Type', { required: true, lookup: 'actualTypes', column: 'Type' }),
    budgetCodeFilter: text('Budget code filter', { required: true, max: 50, column: 'BudgetCodeFilter' }),
    value: money('Value', { required: true, column: 'Value' }),
    budgetCode: reference('Budget code', { required: true, to: 'budgetCode', column: 'BudgetCode' }),
    costCentre: reference('Cost centre', { required: true, to: 'costCentre', column: 'CostCentre' }),
    description: text('Description', { max: 200, column: 'Description' }),
    fundCode: reference('Fund code', { to: 'fundCode', column: 'FundCode' }),
    analysisTag: reference('Analysis tag', { to: 'analysisTag', column: 'AnalysisTag' }),
  },
  defaultSort: 'budgetCode',
  grid: [],
  naming: ['description'],
  importRequired: ['Type', 'BudgetCodeFilter', 'Value', 'BudgetCode', 'CostCentre'],
  purpose: 'A month’s actuals and commitments from a ledger.',
})
