import { and, type SQL, sql } from 'drizzle-orm'
import { getResource, type ResourceName } from '../../../domain/resources/all.ts'
import type { AnyRecord, AnyResource } from '../../../domain/resources/resource.ts'
import type { BudgetId, OrganisationId } from '../../../domain/values/ids.ts'
import { appliedExtendedLeave } from '../../../drizzle/consoleTables.ts'
import { budgetItems } from '../../../drizzle/costTables.ts'
import { budgets, referenceChanges, staffContracts } from '../../../drizzle/schema.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { buildVisibleCondition } from '../../core/database/tables.ts'
import { buildBudgetUsesCondition, buildContractUsesCondition, buildItemUsesCondition } from './usePaths.ts'

type ChangedRecord = Pick<AnyRecord, 'id' | 'version' | 'organisationId'>

/** Resources to which budgets refer only through a parent record, with the parent's resource and the field that has its id. */
const parentRecords: Record<string, { of: ResourceName; by: string } | undefined> = {
  payScalePoint: { of: 'adminTable', by: 'adminTableId' },
  nationalInsurance: { of: 'adminTable', by: 'adminTableId' },
  extendedLeaveType: { of: 'adminTable', by: 'adminTableId' },
  extendedLeaveRule: { of: 'extendedLeaveRuleSet', by: 'extendedLeaveRulesetId' },
  staffErPensionRate: { of: 'staffAssumptions', by: 'staffAssumptionsId' },
  staffInflationRate: { of: 'staffAssumptions', by: 'staffAssumptionsId' },
  apprenticeshipLevy: { of: 'location', by: 'locationId' },
  inflationRate: { of: 'inflation', by: 'inflationId' },
  topSlice: { of: 'topSliceTable', by: 'topSliceTableId' },
  gagPool: { of: 'gagPoolTable', by: 'gagPoolTableId' },
} satisfies Partial<Record<ResourceName, { of: ResourceName; by: string }>>

type IndirectUse = (target: AnyResource, ids: readonly number[], records: readonly ChangedRecord[]) => (SQL | undefined)[]

/**
 * Further ways in which the figures of a budget depend on a resource, besides references in the budget and its
 * contracts.
 */
const indirectUses: Record<string, IndirectUse | undefined> = {
  profileTemplate: (target, ids) => {
    const inItems = buildItemUsesCondition(target, ids)
    return [inItems && sql`exists (select from ${budgetItems} where ${belongsToBudgetCondition(budgetItems)} and ${inItems})`]
  },
  extendedLeaveRuleSet: (_target, ids) => [
    sql`exists (select from ${appliedExtendedLeave} join ${staffContracts} on ${staffContracts.organisationId} = ${appliedExtendedLeave.organisationId} and ${staffContracts.staffId} = ${appliedExtendedLeave.staffId}
      where ${belongsToBudgetCondition(staffContracts)} and ${appliedExtendedLeave.extendedLeaveRulesetId} = any(${sql.param(`{${ids.join(',')}}`)}::int[]))`,
  ],
  // Top slices select budget codes by type of income; no other field of a code affects figures.
  budgetCode: (target, _ids, records) => [
    sql`(jsonb_array_length(${budgets.head} -> 'elements' -> 'topSliceTables') > 0 and ${ownsChangedRecordCondition(target, records, ['incomeTypeId', 'type'])})`,
  ],
  employmentAllowance: () => [
    sql`exists (select from budget_group_members member join budget_groups claiming
      on claiming.organisation_id = member.organisation_id and claiming.id = member.group_id and claiming.claims_employment_allowance
      where member.organisation_id = ${budgets.organisationId} and member.budget_id = ${budgets.id})`,
  ],
  // The only settings of an organisation that affect figures are those for sharing the levy allowance.
  organisation: (target, _ids, records) => [
    ownsChangedRecordCondition(target, records, ['calculateApprenticeshipLevyAutomatically', 'apprenticeshipLevyAllowanceAsPercentage']),
  ],
} satisfies Partial<Record<ResourceName, IndirectUse>>

/** SQL condition: the row belongs to the budget of the outer query. */
function belongsToBudgetCondition(table: typeof staffContracts | typeof budgetItems): SQL {
  return sql`${table.organisationId} = ${budgets.organisationId} and ${table.budgetId} = ${budgets.id}`
}

/**
 * Finds unlocked budgets whose figures depend on changed records and must be recalculated: in one organisation, or in
 * all of them for national data.
 */
export async function findBudgetsUsing(
  tx: OrganisationTx,
  resource: AnyResource,
  records: readonly AnyRecord[],
): Promise<{ organisationId: OrganisationId; budgetId: BudgetId }[]> {
  const whole = parentRecords[resource.name]
  const target = whole ? getResource(whole.of) : resource
  const ids = [...new Set(records.map((record) => (whole ? Number(record[whole.by]) : record.id)))]
  const inContracts = buildContractUsesCondition(target, ids)
  const conditions = [
    buildBudgetUsesCondition(target, ids),
    inContracts && sql`exists (select from ${staffContracts} where ${belongsToBudgetCondition(staffContracts)} and ${inContracts})`,
    ...(indirectUses[target.name]?.(target, ids, records) ?? []),
  ].filter((one) => one !== undefined)
  if (!conditions.length) return []
  return tx
    .select({ organisationId: budgets.organisationId, budgetId: budgets.id })
    .from(budgets)
    .where(
      and(
        buildVisibleCondition(tx, budgets.organisationId),
        sql`not coalesce((${budgets.head} ->> 'locked')::boolean, false) and (${sql.join(conditions, sql` or `)})`,
      ),
    )
}

/**
 * SQL condition: the budget's organisation owns one of the changed records, and the change altered one of the given
 * fields.
 */
function ownsChangedRecordCondition(resource: AnyResource, records: readonly ChangedRecord[], fields: readonly string[]): SQL {
  const { before, after } = referenceChanges
  const differ = fields.map((field) => sql`${before} -> ${field} is distinct from ${after} -> ${field}`)
  const owner = (record: ChangedRecord) => (resource.reach === 'organisation' ? record.id : (record.organisationId ?? 0))
  // Pass the records as a single JSON parameter, because an import may change 20,000.
  const changedRecords = JSON.stringify(
    records.map((record) => ({ owner: owner(record), record: String(record.id), version: record.version })),
  )
  return sql`${budgets.organisationId} in (select made.owner from json_to_recordset(${changedRecords}::json) as made(owner integer, record text, version integer)
    join ${referenceChanges} on ${referenceChanges.resource} = ${resource.name} and ${referenceChanges.recordId} = made.record
      and ${referenceChanges.version} = made.version and (${sql.join(differ, sql` or `)}))`
}
