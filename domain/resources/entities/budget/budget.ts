import { adminTableType, versionType } from '../../../lookups/lookupIds.ts'
import { listViewPermissions } from '../../../people/permissions.ts'
import { keysOf } from '../../../values/keysOf.ts'
import { choice, date, integer, reference, references, rows, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

/**
 * The kinds of tables with effective dates that a budget refers to. `of` is the resource that stores the tables, and `type` the type of an
 * admin table.
 */
export const budgetTableKinds = {
  teacherPayScales: { label: 'Teacher pay scales', of: 'adminTable', type: adminTableType.teacherPayScales },
  supportPayScales: { label: 'Support pay scales', of: 'adminTable', type: adminTableType.supportPayScales },
  customTeacherPayScales: { label: 'Custom teacher pay scales', of: 'adminTable', type: adminTableType.teacherPayScales },
  customSupportPayScales: { label: 'Custom support pay scales', of: 'adminTable', type: adminTableType.supportPayScales },
  nationalInsurance: { label: 'National insurance', of: 'adminTable', type: adminTableType.nationalInsurance },
  extendedLeaveRates: { label: 'Extended leave rates', of: 'adminTable', type: adminTableType.extendedLeave },
  localAuthorityFundingRates: { label: 'Local authority funding rates', of: 'adminTable', type: adminTableType.fundingRates },
  topSliceTables: { label: 'Top slice tables', of: 'topSliceTable', type: null },
  gagPoolTables: { label: 'GAG pool tables', of: 'gagPoolTable', type: null },
} as const
export type BudgetTableKind = keyof typeof budgetTableKinds
export const budgetTableKindNames = keysOf(budgetTableKinds)

function tables(kind: BudgetTableKind) {
  const { label, of, type } = budgetTableKinds[kind]
  return rows(label, {
    max: 200,
    leavesUnfinished: true,
    of: {
      effectiveDate: date('Effective date', { required: true }),
      adminTableId: reference('Table', { required: true, to: of, where: type === null ? undefined : { type } }),
    },
  })
}

/** Builds a record with one value for each kind of table. */
export function buildRecordByTableKind<T>(of: (kind: BudgetTableKind) => T): Record<BudgetTableKind, T> {
  return {
    teacherPayScales: of('teacherPayScales'),
    supportPayScales: of('supportPayScales'),
    customTeacherPayScales: of('customTeacherPayScales'),
    customSupportPayScales: of('customSupportPayScales'),
    nationalInsurance: of('nationalInsurance'),
    extendedLeaveRates: of('extendedLeaveRates'),
    localAuthorityFundingRates: of('localAuthorityFundingRates'),
    topSliceTables: of('topSliceTables'),
    gagPoolTables: of('gagPoolTables'),
  }
}

export const budgetTableFields = buildRecordByTableKind(tables)

/**
 * The settings with which a budget is calculated, in addition to its tables. They are saved, compared, described and replaced together with
 * the tables.
 */
export const budgetSettingFields = {
  numberOfYears: integer('Number of years', { short: 'Years', required: true, min: 1, max: 5 }),
  staffAssumptionsId: reference('Staff assumptions', { required: true, to: 'staffAssumptions' }),
  contractTypeIds: references('Contract types', { one: 'Contract type', required: true, to: 'contractType', max: 500 }),
  inflationId: reference('Non-staff inflation', { to: 'inflation' }),
}

/**
 * The declaration of a budget. Budgets are stored in event logs. The budget group of a budget is stored with the group, not with the
 * budget.
 */
export const budget = resource({
  key: 'Budget',
  store: 'events',
  table: 'budgets',
  path: 'BudgetElements',
  scope: 'organisation',
  access: { read: listViewPermissions('ConsoleBudgetManagement'), write: ['ConsoleBudgetManagementReadUpdate'] },
  fields: {
    name: text('Name', { required: true, max: 100 }),
    locationIds: references('Locations', { one: 'Location', required: true, to: 'location', max: 500 }),
    versionType: choice('Version type', { lookup: 'budgetVersionTypes', default: versionType.working }),
    firstYear: integer('First year', { required: true, min: 2000, max: 2100 }),
    ...budgetSettingFields,
    ...budgetTableFields,
  },
  defaultSort: 'name',
  grid: [],
  naming: ['name'],
  purpose: 'What a school plans to receive and spend.',
})
