import {
  IconBook2,
  IconBuilding,
  IconBuildingBank,
  IconCalculator,
  IconCalendarDollar,
  IconCalendarEvent,
  IconCalendarStats,
  IconCertificate,
  IconChartBar,
  IconChartHistogram,
  IconClipboardList,
  IconCoins,
  IconFileCode,
  IconFileDollar,
  IconFolders,
  IconGauge,
  IconHierarchy,
  IconHistory,
  IconHome,
  IconId,
  IconListNumbers,
  IconMap2,
  IconMapPins,
  IconPercentage,
  IconReceiptTax,
  IconScale,
  IconSchool,
  IconStack2,
  IconTable,
  IconTags,
  IconUsers,
  IconWallet,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { either, type Permission } from '../../domain/permissions.ts'
import type { ResourceName } from '../../domain/resources/all.ts'
import type { TermKey } from '../../domain/terms.ts'

/** A screen that a menu leads to: who may open it, who may change what it shows, and what must be selected. */
export interface Screen {
  path: string
  /** A term of the organisation, or fixed words. */
  title: TermKey | { text: string }
  area: 'Overview' | 'Staffing' | 'Console' | 'Administrator'
  section?: string
  icon: ComponentType<{ size?: number; stroke?: number }>
  view: readonly Permission[] | 'administrator'
  edit: readonly Permission[] | 'administrator' | 'nobody'
  needs: 'budget' | 'preferences' | 'nothing'
  /** For screens made from a declaration: which one, its own set of calls or all, its children, and what it is limited to. */
  resource?: ResourceName
  own?: boolean
  children?: ('add' | 'bulk' | ':id')[]
  /** Only rows of admin tables of this type; and only national rows, or only the organisation's own. */
  adminTableType?: number
  requestType?: 1 | 2
  /** Values of fields that the screen fixes. */
  fixed?: Record<string, number>
}

const all = ['add', ':id'] as const

function console_(
  section: string,
  path: string,
  resource: ResourceName,
  title: Screen['title'],
  icon: Screen['icon'],
  feature: Parameters<typeof either>[0],
  children: Screen['children'] = [...all],
  more: Partial<Screen> = {},
): Screen {
  return {
    path: `/console/${path}`,
    title,
    area: 'Console',
    section,
    icon,
    view: either(feature),
    edit: [`${feature}ReadUpdate`] as Permission[],
    needs: 'preferences',
    resource,
    children,
    ...more,
  }
}

function administrator(
  path: string,
  resource: ResourceName,
  title: Screen['title'],
  icon: Screen['icon'],
  children: Screen['children'] = [...all],
  more: Partial<Screen> = {},
): Screen {
  return {
    path: `/administrator/${path}`,
    title,
    area: 'Administrator',
    icon,
    view: 'administrator',
    edit: 'administrator',
    needs: 'nothing',
    resource,
    children,
    ...more,
  }
}

function table(path: string, text: string, resource: ResourceName, permission: Permission, adminTableType?: number): Screen {
  return {
    path: `/console/admin-tables/${path}`,
    title: { text },
    area: 'Console',
    section: 'Admin tables',
    icon: IconTable,
    view: [permission],
    edit: 'nobody',
    needs: 'preferences',
    resource,
    children: [],
    adminTableType,
    requestType: resource === 'payScalePoint' ? 2 : undefined,
  }
}

/** Every screen of the product, in the order of the menu. */
export const screens: Screen[] = [
  {
    path: '/overview/summary',
    title: { text: 'Summary' },
    area: 'Overview',
    icon: IconGauge,
    view: either('BudgetingOverview'),
    edit: 'nobody',
    needs: 'budget',
  },
  {
    path: '/overview/history',
    title: { text: 'History' },
    area: 'Overview',
    icon: IconHistory,
    view: either('BudgetingOverview'),
    edit: 'nobody',
    needs: 'budget',
  },
  {
    path: '/staffing/staff-contracts',
    title: 'StaffContract',
    area: 'Staffing',
    icon: IconFileDollar,
    view: either('BudgetingStaffing'),
    edit: ['BudgetingStaffingReadUpdate'],
    needs: 'budget',
  },
  {
    path: '/staffing/staff-members',
    title: 'StaffMember',
    area: 'Staffing',
    icon: IconUsers,
    view: either('BudgetingStaffing'),
    edit: ['BudgetingStaffingReadUpdate'],
    needs: 'budget',
  },
  {
    path: '/console/budget-management',
    title: 'Budget',
    area: 'Console',
    section: 'Budgets',
    icon: IconFolders,
    view: either('ConsoleBudgetManagement'),
    edit: ['ConsoleBudgetManagementReadUpdate'],
    needs: 'preferences',
  },
  {
    path: '/console/budget-management/groups',
    title: 'BudgetGroup',
    area: 'Console',
    section: 'Budgets',
    icon: IconStack2,
    view: either('ConsoleBudgetGroup'),
    edit: ['ConsoleBudgetGroupReadUpdate'],
    needs: 'preferences',
  },
  console_('General', 'general/organisations', 'organisation', 'Organisation', IconBuildingBank, 'ConsoleOrganisations', [':id'], {
    own: true,
  }),
  console_('General', 'general/locations', 'location', 'Location', IconBuilding, 'ConsoleLocations', [':id'], { own: true }),
  console_('General', 'general/clusters', 'cluster', 'Cluster', IconMapPins, 'ConsoleClusters'),
  console_('Coding', 'coding/budget-codes', 'budgetCode', 'BudgetCode', IconListNumbers, 'ConsoleBudgetCodes'),
  console_('Coding', 'coding/cost-centres', 'costCentre', 'CostCentre', IconHierarchy, 'ConsoleCostCentres', ['add', 'bulk', ':id']),
  console_('Coding', 'coding/fund-codes', 'fundCode', 'FundCode', IconCoins, 'ConsoleFundCodes'),
  console_('Coding', 'coding/analysis-tags', 'analysisTag', 'AnalysisTag', IconTags, 'ConsoleAnalysisTags'),
  console_(
    'Coding',
    'coding/financial-reporting-codes',
    'financialReportingCode',
    'FinancialReportingCode',
    IconBook2,
    'ConsoleFinancialReportingCodes',
    ['add', 'bulk', ':id'],
    { requestType: 1, fixed: { type: 4 } },
  ),
  console_('Coding', 'coding/payroll-codes', 'payrollCode', 'PayrollCode', IconFileCode, 'ConsolePayrollCodes', ['add', 'bulk', ':id']),
  console_('Coding', 'coding/student-groups', 'studentGroup', 'StudentGroup', IconSchool, 'ConsoleBudgetCodes'),
  console_('Staffing', 'staffing/service-terms', 'serviceTerm', 'ServiceTerm', IconReceiptTax, 'ConsoleServiceTerms', [
    'add',
    'bulk',
    ':id',
  ]),
  console_('Staffing', 'staffing/contract-types', 'contractType', 'ContractType', IconId, 'ConsoleContractTypes', ['add', 'bulk', ':id']),
  console_('Staffing', 'staffing/allowances', 'allowance', 'Allowance', IconWallet, 'ConsoleAllowances'),
  console_('Staffing', 'staffing/assumptions', 'staffAssumptions', 'StaffAssumptions', IconPercentage, 'ConsoleStaffAssumptions'),
  { ...console_('Staffing', 'staffing/pension-rates', 'staffErPensionRate', 'StaffErPensionRate', IconScale, 'ConsoleStaffAssumptions') },
  { ...console_('Staffing', 'staffing/pay-awards', 'staffInflationRate', 'StaffInflationRate', IconChartBar, 'ConsoleStaffAssumptions') },
  console_(
    'Staffing',
    'staffing/custom-pay-scales',
    'payScalePoint',
    { text: 'Custom pay scales' },
    IconCalculator,
    'ConsoleCustomPayScales',
    [...all],
    {
      requestType: 1,
    },
  ),
  console_(
    'Staffing',
    'staffing/extended-leave-rules',
    'extendedLeaveRule',
    'ExtendedLeaveRule',
    IconCalendarStats,
    'ConsoleExtendedLeaveRules',
  ),
  console_(
    'Staffing',
    'staffing/extended-leave-rule-sets',
    'extendedLeaveRuleSet',
    'ExtendedLeaveRuleSet',
    IconCalendarEvent,
    'ConsoleExtendedLeaveRules',
  ),
  console_(
    'Income and expenditure',
    'income-and-expenditure/profile-templates',
    'profileTemplate',
    'ProfileTemplate',
    IconChartHistogram,
    'ConsoleProfileTemplates',
  ),
  table('teacher-pay-scales', 'Teacher pay scales', 'payScalePoint', 'ConsoleTeacherPayScalesAdminTableRead', 1),
  table('support-pay-scales', 'Support pay scales', 'payScalePoint', 'ConsoleSupportPayScalesAdminTableRead', 2),
  table('national-insurance', 'National insurance', 'nationalInsurance', 'ConsoleNationalInsuranceAdminTableRead'),
  table('extended-leave-rates', 'Extended leave types', 'extendedLeaveType', 'ConsoleExtendedLeaveAdminTableRead'),
  table(
    'local-authority-funding-rates',
    'Local authority funding rates',
    'localAuthorityFundingRate',
    'ConsoleLaFundingRatesAdminTableRead',
  ),
  administrator('organisations', 'organisation', 'Organisation', IconBuildingBank, ['add', 'bulk', ':id']),
  administrator('locations', 'location', 'Location', IconBuilding),
  administrator('local-authorities', 'localAuthority', 'LocalAuthority', IconMap2),
  administrator('local-authority-funding-rates', 'localAuthorityFundingRate', 'LocalAuthorityFundingRate', IconMap2),
  administrator('admin-tables', 'adminTable', 'AdminTable', IconTable),
  administrator('pay-scales', 'payScalePoint', { text: 'Pay scales' }, IconCalculator, [...all], { requestType: 2 }),
  administrator('national-insurance', 'nationalInsurance', 'NationalInsurance', IconReceiptTax),
  administrator('extended-leave-types', 'extendedLeaveType', 'ExtendedLeaveType', IconCalendarDollar),
  administrator('financial-reporting-codes', 'financialReportingCode', 'FinancialReportingCode', IconBook2, ['add', 'bulk', ':id'], {
    requestType: 2,
  }),
  administrator('bfr-codes', 'bFRCode', 'BFRCode', IconCertificate),
  administrator('benchmarking-groups', 'benchmarkingGroup', 'BenchmarkingGroup', IconClipboardList),
]

export const homeIcon = IconHome

/** The paths that lead on to the first screen of their area a user may open (behaviours B-034 and B-035). */
export const redirects = [
  '/overview',
  '/staffing',
  '/console',
  '/console/general',
  '/console/coding',
  '/console/staffing',
  '/console/income-and-expenditure',
  '/console/admin-tables',
  '/administrator',
]
