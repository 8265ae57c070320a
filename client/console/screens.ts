import {
  IconBook2,
  IconBuilding,
  IconBuildingBank,
  IconCalculator,
  IconCalendarEvent,
  IconCalendarStats,
  IconChartBar,
  IconChartHistogram,
  IconCoins,
  IconFileCode,
  IconHierarchy,
  IconId,
  IconListNumbers,
  IconMapPins,
  IconNews,
  IconPercentage,
  IconReceiptTax,
  IconScale,
  IconSchool,
  IconSpeakerphone,
  IconTags,
  IconTrendingUp,
  IconUserCog,
  IconUsers,
  IconWallet,
} from '@tabler/icons-react'
import { adminTableType, financialCodeType, requestType } from '../../domain/lookupIds.ts'
import { notArchived } from '../resources/notArchived.ts'
import { consoleScreen, nationalTableScreen } from '../resources/recordScreens.ts'
import type { Screen } from '../shell/screen.ts'

/** Where and by whom the product is used. */
export const placeScreens: Screen[] = [
  consoleScreen('General', 'general/organisations', 'organisation', 'Organisation', IconBuildingBank, 'ConsoleOrganisations', [':id'], {
    own: true,
  }),
  consoleScreen('General', 'general/locations', 'location', 'Location', IconBuilding, 'ConsoleLocations', [':id'], { own: true }),
  consoleScreen('General', 'general/users', 'user', 'User', IconUserCog, 'ConsoleUsers', [':id'], {
    own: true,
    hide: ['isAdministrator', 'organisationIds'],
  }),
]

export const clusterScreens: Screen[] = [consoleScreen('General', 'general/clusters', 'cluster', 'Cluster', IconMapPins, 'ConsoleClusters')]

export const codingScreens: Screen[] = [
  consoleScreen('Coding', 'coding/budget-codes', 'budgetCode', 'BudgetCode', IconListNumbers, 'ConsoleBudgetCodes'),
  consoleScreen('Coding', 'coding/cost-centres', 'costCentre', 'CostCentre', IconHierarchy, 'ConsoleCostCentres', ['add', 'bulk', ':id']),
  consoleScreen('Coding', 'coding/fund-codes', 'fundCode', 'FundCode', IconCoins, 'ConsoleFundCodes'),
  consoleScreen('Coding', 'coding/analysis-tags', 'analysisTag', 'AnalysisTag', IconTags, 'ConsoleAnalysisTags'),
  consoleScreen(
    'Coding',
    'coding/financial-reporting-codes',
    'financialReportingCode',
    'FinancialReportingCode',
    IconBook2,
    'ConsoleFinancialReportingCodes',
    ['add', 'bulk', ':id'],
    { requestType: requestType.own, fixed: { type: financialCodeType.custom } },
  ),
  consoleScreen('Coding', 'coding/payroll-codes', 'payrollCode', 'PayrollCode', IconFileCode, 'ConsolePayrollCodes', [
    'add',
    'bulk',
    ':id',
  ]),
  consoleScreen('Coding', 'coding/student-groups', 'studentGroup', 'StudentGroup', IconSchool, 'ConsoleBudgetCodes'),
]

/** What contracts are costed with. */
export const staffRecordScreens: Screen[] = [
  consoleScreen('Staffing', 'staffing/staff-members', 'staffMember', 'StaffMember', IconUsers, 'ConsoleStaffMembers', ['add', ':id'], {
    startFilters: notArchived,
  }),
  consoleScreen('Staffing', 'staffing/service-terms', 'serviceTerm', 'ServiceTerm', IconReceiptTax, 'ConsoleServiceTerms', [
    'add',
    'bulk',
    ':id',
  ]),
  consoleScreen('Staffing', 'staffing/contract-types', 'contractType', 'ContractType', IconId, 'ConsoleContractTypes', [
    'add',
    'bulk',
    ':id',
  ]),
  consoleScreen('Staffing', 'staffing/allowances', 'allowance', 'Allowance', IconWallet, 'ConsoleAllowances'),
  consoleScreen('Staffing', 'staffing/assumptions', 'staffAssumptions', 'StaffAssumptions', IconPercentage, 'ConsoleStaffAssumptions'),
  consoleScreen('Staffing', 'staffing/pension-rates', 'staffErPensionRate', 'StaffErPensionRate', IconScale, 'ConsoleStaffAssumptions'),
  consoleScreen('Staffing', 'staffing/pay-awards', 'staffInflationRate', 'StaffInflationRate', IconChartBar, 'ConsoleStaffAssumptions'),
  consoleScreen(
    'Staffing',
    'staffing/custom-pay-scales',
    'payScalePoint',
    { text: 'Custom pay scales', singular: 'Custom pay scale' },
    IconCalculator,
    'ConsoleCustomPayScales',
    ['add', ':id'],
    {
      requestType: requestType.own,
    },
  ),
  consoleScreen(
    'Staffing',
    'staffing/extended-leave-rules',
    'extendedLeaveRule',
    'ExtendedLeaveRule',
    IconCalendarStats,
    'ConsoleExtendedLeaveRules',
  ),
  consoleScreen(
    'Staffing',
    'staffing/extended-leave-rule-sets',
    'extendedLeaveRuleSet',
    'ExtendedLeaveRuleSet',
    IconCalendarEvent,
    'ConsoleExtendedLeaveRules',
  ),
]

/** What prices and profiles are made of. */
export const priceScreens: Screen[] = [
  consoleScreen(
    'Income and expenditure',
    'income-and-expenditure/non-staff-inflation',
    'inflation',
    'Inflation',
    IconTrendingUp,
    'ConsoleNonStaffInflation',
  ),
  consoleScreen(
    'Income and expenditure',
    'income-and-expenditure/profile-templates',
    'profileTemplate',
    'ProfileTemplate',
    IconChartHistogram,
    'ConsoleProfileTemplates',
  ),
]

export const messagingScreens: Screen[] = [
  consoleScreen(
    'Messaging',
    'messaging/flash-messages',
    'flashMessage',
    'FlashMessage',
    IconSpeakerphone,
    'ConsoleFlashMessages',
    ['add', ':id'],
    {
      own: true,
    },
  ),
  consoleScreen('Messaging', 'messaging/news', 'newsArticle', 'NewsArticle', IconNews, 'ConsoleNews', ['add', ':id'], {
    requestType: requestType.own,
  }),
]

/** National data, for reading only. */
export const nationalTableScreens: Screen[] = [
  nationalTableScreen(
    'teacher-pay-scales',
    'Teacher pay scales',
    'payScalePoint',
    'ConsoleTeacherPayScalesAdminTableRead',
    adminTableType.teacherPayScales,
  ),
  nationalTableScreen(
    'support-pay-scales',
    'Support pay scales',
    'payScalePoint',
    'ConsoleSupportPayScalesAdminTableRead',
    adminTableType.supportPayScales,
  ),
  nationalTableScreen(
    'national-insurance',
    'National insurance',
    'nationalInsurance',
    'ConsoleNationalInsuranceAdminTableRead',
    adminTableType.nationalInsurance,
  ),
  nationalTableScreen(
    'extended-leave-rates',
    'Extended leave types',
    'extendedLeaveType',
    'ConsoleExtendedLeaveAdminTableRead',
    adminTableType.extendedLeave,
  ),
  nationalTableScreen(
    'local-authority-funding-rates',
    'Local authority funding rates',
    'localAuthorityFundingRate',
    'ConsoleLaFundingRatesAdminTableRead',
    adminTableType.fundingRates,
  ),
]
