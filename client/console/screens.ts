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
  IconTrash,
  IconTrendingUp,
  IconUserCog,
  IconUsers,
  IconWallet,
} from '@tabler/icons-react'
import { binPermissions } from '../../domain/changes/bin.ts'
import { adminTableType, financialCodeType, requestType } from '../../domain/lookups/lookupIds.ts'
import { notArchivedFilter } from '../resources/notArchivedFilter.ts'
import { createConsoleScreen, createNationalTableScreen, createRecordPages } from '../resources/recordScreens.ts'
import { lazyPage, type Screen } from '../shell/screens/screen.ts'

/** The screens for organisation, locations and users. */
export const organisationScreens: Screen[] = [
  createConsoleScreen({
    section: 'General',
    path: 'general/organisations',
    resource: 'organisation',
    title: 'Organisation',
    icon: IconBuildingBank,
    feature: 'ConsoleOrganisations',
    children: [':id'],
    own: true,
  }),
  createConsoleScreen({
    section: 'General',
    path: 'general/locations',
    resource: 'location',
    title: 'Location',
    icon: IconBuilding,
    feature: 'ConsoleLocations',
    children: [':id'],
    own: true,
  }),
  createConsoleScreen({
    section: 'General',
    path: 'general/users',
    resource: 'user',
    title: 'User',
    icon: IconUserCog,
    feature: 'ConsoleUsers',
    children: [':id'],
    own: true,
    hide: ['isAdministrator', 'organisationIds'],
  }),
]

export const clusterScreens: Screen[] = [
  createConsoleScreen({
    section: 'General',
    path: 'general/clusters',
    resource: 'cluster',
    title: 'Cluster',
    icon: IconMapPins,
    feature: 'ConsoleClusters',
  }),
]

export const binScreens: Screen[] = [
  {
    path: '/console/general/bin',
    title: { text: 'Bin' },
    area: 'Console',
    section: 'General',
    icon: IconTrash,
    view: binPermissions,
    edit: binPermissions,
    needs: 'organisation',
    page: lazyPage(() => import('./BinPage.tsx'), 'BinPage'),
  },
]

const budgetCodePages = createRecordPages(['add', ':id'])

export const codingScreens: Screen[] = [
  createConsoleScreen({
    section: 'Coding',
    path: 'coding/budget-codes',
    resource: 'budgetCode',
    title: 'BudgetCode',
    icon: IconListNumbers,
    feature: 'ConsoleBudgetCodes',
    subPages: [
      { path: 'start-kit', page: lazyPage(() => import('./StartKitPage.tsx'), 'StartKitPage') },
      ...(budgetCodePages.subPages ?? []),
    ],
  }),
  createConsoleScreen({
    section: 'Coding',
    path: 'coding/cost-centres',
    resource: 'costCentre',
    title: 'CostCentre',
    icon: IconHierarchy,
    feature: 'ConsoleCostCentres',
    children: ['add', 'bulk', ':id'],
  }),
  createConsoleScreen({
    section: 'Coding',
    path: 'coding/fund-codes',
    resource: 'fundCode',
    title: 'FundCode',
    icon: IconCoins,
    feature: 'ConsoleFundCodes',
  }),
  createConsoleScreen({
    section: 'Coding',
    path: 'coding/analysis-tags',
    resource: 'analysisTag',
    title: 'AnalysisTag',
    icon: IconTags,
    feature: 'ConsoleAnalysisTags',
  }),
  createConsoleScreen({
    section: 'Coding',
    path: 'coding/financial-reporting-codes',
    resource: 'financialReportingCode',
    title: 'FinancialReportingCode',
    icon: IconBook2,
    feature: 'ConsoleFinancialReportingCodes',
    children: ['add', 'bulk', ':id'],
    requestType: requestType.own,
    fixed: { type: financialCodeType.custom },
  }),
  createConsoleScreen({
    section: 'Coding',
    path: 'coding/payroll-codes',
    resource: 'payrollCode',
    title: 'PayrollCode',
    icon: IconFileCode,
    feature: 'ConsolePayrollCodes',
    children: ['add', 'bulk', ':id'],
  }),
  createConsoleScreen({
    section: 'Coding',
    path: 'coding/student-groups',
    resource: 'studentGroup',
    title: 'StudentGroup',
    icon: IconSchool,
    feature: 'ConsoleBudgetCodes',
  }),
]

/** The screens for records that determine the cost of contracts. */
export const staffRecordScreens: Screen[] = [
  createConsoleScreen({
    section: 'Staffing',
    path: 'staffing/staff-members',
    resource: 'staffMember',
    title: 'StaffMember',
    icon: IconUsers,
    feature: 'ConsoleStaffMembers',
    children: ['add', ':id'],
    startFilters: notArchivedFilter,
  }),
  createConsoleScreen({
    section: 'Staffing',
    path: 'staffing/service-terms',
    resource: 'serviceTerm',
    title: 'ServiceTerm',
    icon: IconReceiptTax,
    feature: 'ConsoleServiceTerms',
    children: ['add', 'bulk', ':id'],
  }),
  createConsoleScreen({
    section: 'Staffing',
    path: 'staffing/contract-types',
    resource: 'contractType',
    title: 'ContractType',
    icon: IconId,
    feature: 'ConsoleContractTypes',
    children: ['add', 'bulk', ':id'],
  }),
  createConsoleScreen({
    section: 'Staffing',
    path: 'staffing/allowances',
    resource: 'allowance',
    title: 'Allowance',
    icon: IconWallet,
    feature: 'ConsoleAllowances',
  }),
  createConsoleScreen({
    section: 'Staffing',
    path: 'staffing/assumptions',
    resource: 'staffAssumptions',
    title: 'StaffAssumptions',
    icon: IconPercentage,
    feature: 'ConsoleStaffAssumptions',
  }),
  createConsoleScreen({
    section: 'Staffing',
    path: 'staffing/pension-rates',
    resource: 'staffErPensionRate',
    title: 'StaffErPensionRate',
    icon: IconScale,
    feature: 'ConsoleStaffAssumptions',
  }),
  createConsoleScreen({
    section: 'Staffing',
    path: 'staffing/pay-awards',
    resource: 'staffInflationRate',
    title: 'StaffInflationRate',
    icon: IconChartBar,
    feature: 'ConsoleStaffAssumptions',
  }),
  createConsoleScreen({
    section: 'Staffing',
    path: 'staffing/custom-pay-scales',
    resource: 'payScalePoint',
    title: { text: 'Custom pay scales', singular: 'Custom pay scale' },
    icon: IconCalculator,
    feature: 'ConsoleCustomPayScales',
    children: ['add', ':id'],
    requestType: requestType.own,
  }),
  createConsoleScreen({
    section: 'Staffing',
    path: 'staffing/extended-leave-rules',
    resource: 'extendedLeaveRule',
    title: 'ExtendedLeaveRule',
    icon: IconCalendarStats,
    feature: 'ConsoleExtendedLeaveRules',
  }),
  createConsoleScreen({
    section: 'Staffing',
    path: 'staffing/extended-leave-rule-sets',
    resource: 'extendedLeaveRuleSet',
    title: 'ExtendedLeaveRuleSet',
    icon: IconCalendarEvent,
    feature: 'ConsoleExtendedLeaveRules',
  }),
]

/** The screens for inflation rates and monthly profiles. */
export const inflationScreens: Screen[] = [
  createConsoleScreen({
    section: 'Income and expenditure',
    path: 'income-and-expenditure/non-staff-inflation',
    resource: 'inflation',
    title: 'Inflation',
    icon: IconTrendingUp,
    feature: 'ConsoleNonStaffInflation',
  }),
  createConsoleScreen({
    section: 'Income and expenditure',
    path: 'income-and-expenditure/profile-templates',
    resource: 'profileTemplate',
    title: 'ProfileTemplate',
    icon: IconChartHistogram,
    feature: 'ConsoleProfileTemplates',
  }),
]

export const messagingScreens: Screen[] = [
  createConsoleScreen({
    section: 'Messaging',
    path: 'messaging/flash-messages',
    resource: 'flashMessage',
    title: 'FlashMessage',
    icon: IconSpeakerphone,
    feature: 'ConsoleFlashMessages',
    children: ['add', ':id'],
    own: true,
  }),
  createConsoleScreen({
    section: 'Messaging',
    path: 'messaging/news',
    resource: 'newsArticle',
    title: 'NewsArticle',
    icon: IconNews,
    feature: 'ConsoleNews',
    children: ['add', ':id'],
    requestType: requestType.own,
  }),
]

/** The screens that show national data, read-only. */
export const nationalTableScreens: Screen[] = [
  createNationalTableScreen({
    path: 'teacher-pay-scales',
    text: 'Teacher pay scales',
    resource: 'payScalePoint',
    permission: 'ConsoleTeacherPayScalesAdminTableRead',
    tableType: adminTableType.teacherPayScales,
  }),
  createNationalTableScreen({
    path: 'support-pay-scales',
    text: 'Support pay scales',
    resource: 'payScalePoint',
    permission: 'ConsoleSupportPayScalesAdminTableRead',
    tableType: adminTableType.supportPayScales,
  }),
  createNationalTableScreen({
    path: 'national-insurance',
    text: 'National insurance',
    resource: 'nationalInsurance',
    permission: 'ConsoleNationalInsuranceAdminTableRead',
    tableType: adminTableType.nationalInsurance,
  }),
  createNationalTableScreen({
    path: 'extended-leave-rates',
    text: 'Extended leave types',
    resource: 'extendedLeaveType',
    permission: 'ConsoleExtendedLeaveAdminTableRead',
    tableType: adminTableType.extendedLeave,
  }),
  createNationalTableScreen({
    path: 'local-authority-funding-rates',
    text: 'Local authority funding rates',
    resource: 'localAuthorityFundingRate',
    permission: 'ConsoleLaFundingRatesAdminTableRead',
    tableType: adminTableType.fundingRates,
  }),
]
