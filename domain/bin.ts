import type { Permission } from './permissions.ts'

/** Days that a deleted record can be put back. */
export const keptInBinDays = 30

/**
 * Who may look into the bin: whoever may make records of one of its lists. It follows from the declarations, which a test holds it against:
 * they are not read here, for the menu would have to load them all.
 */
export const restorers: readonly Permission[] = [
  'ConsoleAllowancesReadUpdate',
  'ConsoleAnalysisTagsReadUpdate',
  'ConsoleBudgetCodesReadUpdate',
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
