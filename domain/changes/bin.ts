import type { Permission } from '../people/permissions.ts'

/** Days that a deleted record can be put back. */
export const binRetentionDays = 30

/** What was deleted since then can be put back. */
export const restorableSince = (now: Date): Date => new Date(now.getTime() - binRetentionDays * 86_400_000)

/** Until when what was deleted at a moment can be put back; both ISO 8601. */
export const restorableUntil = (deletedAt: string): string => new Date(Date.parse(deletedAt) + binRetentionDays * 86_400_000).toISOString()

/**
 * Who may look into the bin: whoever may make records of one of its lists, or budgets and their groups. The lists' follow from the declarations, which a test holds them against:
 * those are not read here, for the menu would have to load them all.
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
