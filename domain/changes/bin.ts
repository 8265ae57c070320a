import type { Permission } from '../people/permissions.ts'

/** Days for which a deleted record can be restored. */
export const binRetentionDays = 30

/** Records deleted after this moment can still be restored. */
export const getRestorableSince = (now: Date): Date => new Date(now.getTime() - binRetentionDays * 86_400_000)

/** The moment until which a record can be restored; both in ISO 8601. */
export const getRestorableUntil = (deletedAt: string): string =>
  new Date(Date.parse(deletedAt) + binRetentionDays * 86_400_000).toISOString()

/**
 * Permissions that open the bin: those for changing any list that has one, budgets, or groups. They follow from the declarations, and a
 * test compares them; the menu would otherwise have to load every declaration.
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
