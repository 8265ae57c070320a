import { bfrCodeType, financialCodeType } from '../../../lookups/lookupIds.ts'
import { listViewPermissions } from '../../../people/permissions.ts'
import { choice, reference, references, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

const reporting = { section: 'Reporting' } as const

export const budgetCode = resource({
  key: 'BudgetCode',
  table: 'budget_codes',
  path: 'BudgetCodes',
  scope: 'organisation',
  access: {
    read: listViewPermissions('ConsoleBudgetCodes'),
    alsoReadBy: [
      ...listViewPermissions(
        'BudgetingNonStaffing',
        'BudgetingOverview',
        'BudgetingStaffing',
        'BudgetingMonitoringBudgetActuals',
        'BudgetingMonitoringBudgetForecast',
      ),
      'BudgetingReportsRead',
      ...listViewPermissions(
        'ConsoleMonitoring',
        'ConsoleMonitoringBudgetActuals',
        'ConsoleMonitoringBudgetForecast',
        'ConsoleServiceTerms',
      ),
      ...listViewPermissions('ConsoleAllowances', 'ConsoleGagPooling', 'ConsoleTopSlices'),
    ],
    pickedBy: ['ConsoleBudgetGroupReadUpdate'],
    write: ['ConsoleBudgetCodesReadUpdate'],
  },
  fields: {
    code: text('Code', { isCode: true, required: true, unique: true, max: 20, column: 'Code' }),
    type: choice('Type', { required: true, lookup: 'budgetCodeTypes', column: 'Type' }),
    description: text('Description', { required: true, max: 200, column: 'Description' }),
    cfrCodeId: reference('CFR code', {
      to: 'financialReportingCode',
      where: { type: financialCodeType.cfr },
      hiddenUnless: 'cfrEnabled',
      column: 'CfrCode',
      ...reporting,
    }),
    gagCodeId: reference('GAG code', {
      to: 'financialReportingCode',
      where: { type: financialCodeType.gag },
      hiddenUnless: 'gagEnabled',
      column: 'GagCode',
      ...reporting,
    }),
    acoaCodeId: reference('ACOA code', {
      to: 'financialReportingCode',
      where: { type: financialCodeType.acoa },
      hiddenUnless: 'acoaEnabled',
      column: 'AcoaCode',
      ...reporting,
    }),
    customCodeId: reference('Custom code', {
      to: 'financialReportingCode',
      where: { type: financialCodeType.custom },
      hiddenUnless: 'customEnabled',
      column: 'CustomCode',
      ...reporting,
    }),
    mainBFRCodeId: reference('Main BFR code', { to: 'bFRCode', where: { type: bfrCodeType.main }, column: 'MainBFRCode', ...reporting }),
    secondaryBFRCodeId: reference('Secondary BFR code', {
      to: 'bFRCode',
      where: { type: bfrCodeType.secondary },
      column: 'SecondaryBFRCode',
      ...reporting,
    }),
    locations: references('Locations', { one: 'Location', to: 'location', column: 'Locations' }),
    altDescription: text('Alternative description', { max: 200, column: 'AltDescription' }),
    incomeTypeId: reference('Income type', {
      to: 'incomeType',
      column: 'IncomeType',
      help: 'Top slices can be taken from selected types of income.',
    }),
    category: choice('Category', { lookup: 'budgetCodeCategories', column: 'Category' }),
  },
  defaultSort: 'code',
  grid: [
    'code',
    'type',
    'description',
    'cfrCodeId',
    'gagCodeId',
    'acoaCodeId',
    'customCodeId',
    'mainBFRCodeId',
    'secondaryBFRCodeId',
    'locations',
    'category',
  ],
  naming: ['code', 'description'],
  importRequired: ['Code', 'Type', 'Description'],
  affectsCosts: true,
  purpose: 'Budget codes say what money is for. Every budgeted amount is posted to one.',
})
