import { listViewPermissions } from '../../../people/permissions.ts'
import { choice, flag, integer, reference, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const financialReportingCode = resource({
  key: 'FinancialReportingCode',
  table: 'financial_reporting_codes',
  path: 'FinancialReportingCodes',
  scope: 'globalOrOrganisation',
  access: {
    read: listViewPermissions('ConsoleFinancialReportingCodes'),
    alsoReadBy: listViewPermissions('ConsoleBudgetCodes'),
    write: ['ConsoleFinancialReportingCodesReadUpdate'],
  },
  fields: {
    code: text('Code', { isCode: true, required: true, max: 20, column: 'Code' }),
    type: choice('Type', { required: true, lookup: 'financialCodeTypes', column: 'Type' }),
    description: text('Description', { required: true, max: 200, column: 'Description' }),
    order: integer('Order', { min: 0, max: 9999, default: 0, column: 'Order' }),
    category: choice('Category', { lookup: 'financialCodeCategories', required: true, column: 'Category' }),
    useForBroughtForward: flag('Use for brought forward', { column: 'UseForBroughtForward' }),
    calculateInYearBalance: flag('Calculate in year balance', { column: 'CalculateInYearBalance' }),
    containsStaffContracts: flag('Contains staff contracts', { column: 'ContainsStaffContracts' }),
    accountingSoftwareCode: text('Accounting software code', { isCode: true, max: 50, column: 'AccountingSoftwareCode' }),
    archive: flag('Archive', { column: 'Archive' }),
    benchmarkingGroupId: reference('Benchmarking group', { to: 'benchmarkingGroup', column: 'BenchmarkingGroup' }),
  },
  unique: [['code', 'type']],
  defaultSort: 'order',
  grid: [
    'code',
    'type',
    'description',
    'category',
    'order',
    'useForBroughtForward',
    'calculateInYearBalance',
    'containsStaffContracts',
    'accountingSoftwareCode',
    'archive',
    'benchmarkingGroupId',
  ],
  naming: ['code', 'description'],
  importRequired: ['Code', 'Type', 'Description', 'Category'],
  archivedBy: 'archive',
  purpose: 'Reporting codes that budget codes map to: CFR, GAG, ACOA and your own.',
})
