import type { ElementKind } from '../../domain/budget/budget.ts'

/** What the kinds of tables are called on screens. */
export const elementTitles: Record<ElementKind, string> = {
  teacherPayScales: 'Teacher pay scales',
  supportPayScales: 'Support pay scales',
  customTeacherPayScales: 'Custom teacher pay scales',
  customSupportPayScales: 'Custom support pay scales',
  nationalInsurance: 'National insurance',
  extendedLeaveRates: 'Extended leave rates',
  localAuthorityFundingRates: 'Local authority funding rates',
  topSliceTables: 'Top slice tables',
  gagPoolTables: 'GAG pool tables',
}
