import type { Permission } from '../people/permissions.ts'

/** Days for which a deleted record can be restored. */
export const binRetentionDays = 30

/** Records deleted after this moment can still be restored. */
export const getRestorableSince = (now: Date): Date => new Date(now.getTime() - binRetentionDays * 86_400_000)

/** The moment until which a record can be restored; both in ISO 8601. */
export const getRestorableUntil = (deletedAt: string): string =>
  new Date(Date.parse(deletedAt) + binRetentionDays * 86_400_000).toISOString()

/**
 * Permissions that open the bin: those for changing budgets, groups, or any list with a bin. They are written out because the menu would
 * otherwise load every declaration; a test compares them with the declarations.
 */
export const binPermissions: readonly Permission[] = [
  'ConsoleAllowancesReadUpdate',
  'ConsoleAnalysisTagsReadUpdate',
  'ConsoleBudgetCodesReadUpdate',
  'ConsoleBudgetGroupReadUpdate',
  'ConsoleBudgetManagementReadUpdate',
  'ConsoleClustersReadUpdate',
  'ConsoleContractTypesReadUpdate',
  'ConsoleCostCentresReadUpdate',
  'ConsoleCustomPayScalesReadUpdate',
  'ConsoleExtendedLeaveRulesReadUpdate',
  'ConsoleFinancialReportingCodesReadUpdate',
  'ConsoleFlashMessagesReadUpdate',
  'ConsoleFundCodesReadUpdate',
  'ConsoleGagPoolingReadUpdate',
  'ConsoleNewsReadUpdate',
  'ConsoleNonStaffInflationReadUpdate',
  'ConsolePayrollCodesReadUpdate',
  'ConsoleProfileTemplatesReadUpdate',
  'ConsoleServiceTermsReadUpdate',
  'ConsoleStaffAssumptionsReadUpdate',
  'ConsoleTopSlicesReadUpdate',
]
