import { isKeyOf, keysOf } from '../values/keysOf.ts'
/** Every permission with its id in the API. The administrator flag grants all of them. */
export const permissionIds = {
  BudgetingNonStaffingRead: 1,
  BudgetingNonStaffingReadUpdate: 2,
  BudgetingOverviewRead: 3,
  BudgetingOverviewReadUpdate: 4,
  BudgetingStaffingRead: 5,
  BudgetingStaffingReadUpdate: 6,
  BudgetingReportsRead: 7,
  BudgetingPayrollReconciliationRead: 8,
  BudgetingPayrollReconciliationReadUpdate: 9,
  BudgetingMonitoringBudgetActualsRead: 10,
  BudgetingMonitoringBudgetActualsReadUpdate: 11,
  BudgetingMonitoringBudgetForecastRead: 12,
  BudgetingMonitoringBudgetForecastReadUpdate: 13,
  ConsoleOrganisationsRead: 14,
  ConsoleOrganisationsReadUpdate: 15,
  ConsoleLocationsRead: 16,
  ConsoleLocationsReadUpdate: 17,
  ConsoleClustersRead: 18,
  ConsoleClustersReadUpdate: 19,
  ConsoleUsersRead: 20,
  ConsoleUsersReadUpdate: 21,
  ConsoleBudgetCodesRead: 22,
  ConsoleBudgetCodesReadUpdate: 23,
  ConsoleCostCentresRead: 24,
  ConsoleCostCentresReadUpdate: 25,
  ConsoleFundCodesRead: 26,
  ConsoleFundCodesReadUpdate: 27,
  ConsoleAnalysisTagsRead: 28,
  ConsoleAnalysisTagsReadUpdate: 29,
  ConsoleFinancialReportingCodesRead: 30,
  ConsoleFinancialReportingCodesReadUpdate: 31,
  ConsolePayrollCodesRead: 32,
  ConsolePayrollCodesReadUpdate: 33,
  ConsoleBudgetManagementRead: 34,
  ConsoleBudgetManagementReadUpdate: 35,
  ConsoleBudgetGroupRead: 36,
  ConsoleBudgetGroupReadUpdate: 37,
  ConsolePayrollReconciliationRead: 38,
  ConsolePayrollReconciliationReadUpdate: 39,
  ConsoleMonitoringRead: 40,
  ConsoleMonitoringReadUpdate: 41,
  ConsoleMonitoringBudgetActualsRead: 42,
  ConsoleMonitoringBudgetActualsReadUpdate: 43,
  ConsoleMonitoringBudgetForecastRead: 44,
  ConsoleMonitoringBudgetForecastReadUpdate: 45,
  ConsoleFlashMessagesRead: 46,
  ConsoleFlashMessagesReadUpdate: 47,
  ConsoleNewsRead: 48,
  ConsoleNewsReadUpdate: 49,
  ConsoleServiceTermsRead: 50,
  ConsoleServiceTermsReadUpdate: 51,
  ConsoleStaffMembersRead: 52,
  ConsoleStaffMembersReadUpdate: 53,
  ConsoleExtendedLeaveRulesRead: 54,
  ConsoleExtendedLeaveRulesReadUpdate: 55,
  ConsoleCustomPayScalesRead: 56,
  ConsoleCustomPayScalesReadUpdate: 57,
  ConsoleContractTypesRead: 58,
  ConsoleContractTypesReadUpdate: 59,
  ConsoleAllowancesRead: 60,
  ConsoleAllowancesReadUpdate: 61,
  ConsoleStaffAssumptionsRead: 62,
  ConsoleStaffAssumptionsReadUpdate: 63,
  ConsoleGagPoolingRead: 64,
  ConsoleGagPoolingReadUpdate: 65,
  ConsoleTopSlicesRead: 66,
  ConsoleTopSlicesReadUpdate: 67,
  ConsoleNonStaffInflationRead: 68,
  ConsoleNonStaffInflationReadUpdate: 69,
  ConsoleProfileTemplatesRead: 70,
  ConsoleProfileTemplatesReadUpdate: 71,
  ConsoleApprenticeshipLevyRead: 72,
  ConsoleApprenticeshipLevyReadUpdate: 73,
  ConsoleBudgetSummaryRead: 74,
  ConsoleTeacherPayScalesAdminTableRead: 75,
  ConsoleSupportPayScalesAdminTableRead: 76,
  ConsoleNationalInsuranceAdminTableRead: 77,
  ConsoleExtendedLeaveAdminTableRead: 78,
  ConsoleLaFundingRatesAdminTableRead: 79,
} as const

export type Permission = keyof typeof permissionIds

export const allPermissions = keysOf(permissionIds)

/** Converts the stored names of a user group's permissions. Names of permissions that no longer exist are dropped. */
export function toPermissions(given: readonly { name: string }[]): Permission[] {
  return given.flatMap(({ name }) => (isKeyOf(permissionIds, name) ? [name] : []))
}

/** All budgeting permissions. Each of them allows reading the names of codes and profile templates. */
export const budgetingPermissions: Permission[] = allPermissions.filter((name) => name.startsWith('Budgeting'))

/** The features that have a Read and a ReadUpdate permission. */
type Feature = { [P in Permission]: P extends `${infer F}ReadUpdate` ? F : never }[Permission]

/** The Read and ReadUpdate permissions of features. Either of the two allows a user to view the feature. */
export function listViewPermissions(...features: Feature[]): Permission[] {
  return features.flatMap((feature): Permission[] => [`${feature}Read`, `${feature}ReadUpdate`])
}

export interface PermissionHolder {
  isAdministrator: boolean
  permissions: readonly Permission[]
}

/** Whether a user may see who works in a budget, in which post and for how many hours. */
export function canSeeStaff(holder: PermissionHolder): boolean {
  return hasAnyPermission(holder, listViewPermissions('BudgetingStaffing'))
}

/**
 * Whether a user may see payrolls. `part`: those of a budget or a group. `whole`: those of the organisation, which need the console
 * permission.
 */
export function canSeePayroll(holder: PermissionHolder, level: 'part' | 'whole'): boolean {
  return hasAnyPermission(
    holder,
    level === 'whole'
      ? listViewPermissions('ConsolePayrollReconciliation')
      : listViewPermissions('BudgetingPayrollReconciliation', 'ConsolePayrollReconciliation'),
  )
}

/** A user with any of these permissions may recalculate the budgets of a group. */
export const groupRecalculationPermissions = ['BudgetingStaffingReadUpdate', 'ConsoleBudgetGroupReadUpdate'] as const
/** A user with any of these permissions may recalculate a budget outside any group. */
export const budgetRecalculationPermissions = ['BudgetingStaffingReadUpdate', 'ConsoleBudgetManagementReadUpdate'] as const
/** A user with any of these permissions may approve or return a submitted budget. */
export const budgetApprovalPermissions = ['ConsoleBudgetManagementReadUpdate'] as const
/** A user with any of these permissions may read comments on a budget. Comments on contracts also require permission to see staff. */
export const commentReadPermissions = listViewPermissions(
  'BudgetingOverview',
  'BudgetingStaffing',
  'BudgetingNonStaffing',
  'ConsoleBudgetManagement',
)
export const reportReadPermissions = ['BudgetingReportsRead'] as const
/** A user with any of these permissions may comment on a budget. */
export const commentWritePermissions = [
  'BudgetingOverviewReadUpdate',
  'BudgetingStaffingReadUpdate',
  'BudgetingNonStaffingReadUpdate',
  'ConsoleBudgetManagementReadUpdate',
] as const
/** A user with any of these permissions may set up an organisation and sees the list of set-up steps. */
export const setUpPermissions = ['ConsoleBudgetManagementReadUpdate', 'ConsoleBudgetCodesReadUpdate'] as const
/** A user with any of these permissions may submit a budget for approval. */
export const budgetSubmissionPermissions = ['BudgetingOverviewReadUpdate', 'ConsoleBudgetManagementReadUpdate'] as const

/** Whether a user has any of the permissions. Administrators have all of them; an empty list requires none. */
export function hasAnyPermission(holder: PermissionHolder, anyOf: readonly Permission[]): boolean {
  return holder.isAdministrator || anyOf.length === 0 || anyOf.some((permission) => holder.permissions.includes(permission))
}
