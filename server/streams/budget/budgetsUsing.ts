import { type SQL, sql } from 'drizzle-orm'
import { type ResourceName, resourceNamed } from '../../../domain/resources/all.ts'
import type { AnyRecord, AnyResource } from '../../../domain/resources/resource.ts'
import type { BudgetId, OrganisationId } from '../../../domain/values/ids.ts'
import { appliedExtendedLeave } from '../../../drizzle/consoleTables.ts'
import { budgetItems } from '../../../drizzle/costTables.ts'
import { budgets, referenceChanges, staffContracts } from '../../../drizzle/schema.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { budgetUse, contractUse, itemUse } from './usePaths.ts'

type Changed = Pick<AnyRecord, 'id' | 'version' | 'organisationId'>

/** The records that budgets name in place of those that are parts of them, and the field that says which. */
const wholes: Record<string, { of: ResourceName; by: string } | undefined> = {
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

type AlsoUsed = (target: AnyResource, ids: readonly number[], records: readonly Changed[]) => (SQL | undefined)[]

/** What else of an entity the figures of a budget depend on, beside what budgets and contracts name. */
const alsoUsed: Record<string, AlsoUsed | undefined> = {
  profileTemplate: (target, ids) => {
    const inItems = itemUse(target, ids)
    return [inItems && sql`exists (select from ${budgetItems} where ${isOwn(budgetItems)} and ${inItems})`]
  },
  extendedLeaveRuleSet: (_target, ids) => [
    sql`exists (select from ${appliedExtendedLeave} join ${staffContracts} on ${staffContracts.organisationId} = ${appliedExtendedLeave.organisationId} and ${staffContracts.staffId} = ${appliedExtendedLeave.staffId}
      where ${isOwn(staffContracts)} and ${appliedExtendedLeave.extendedLeaveRulesetId} = any(${sql.param(`{${ids.join(',')}}`)}::int[]))`,
  ],
  // Of a budget code only its type of income matters, which top slices are taken by.
  budgetCode: (target, _ids, records) => [
    sql`(jsonb_array_length(${budgets.head} -> 'elements' -> 'topSliceTables') > 0 and ${ownerOfChanged(target, records, ['incomeTypeId', 'type'])})`,
  ],
  employmentAllowance: () => [
    sql`exists (select from budget_group_members member join budget_groups claiming
      on claiming.organisation_id = member.organisation_id and claiming.id = member.group_id and claiming.claims_employment_allowance
      where member.organisation_id = ${budgets.organisationId} and member.budget_id = ${budgets.id})`,
  ],
  // Of an organisation only the way the levy allowance is shared matters to figures.
  organisation: (target, _ids, records) => [
    ownerOfChanged(target, records, ['calculateApprenticeshipLevyAutomatically', 'apprenticeshipLevyAllowanceAsPercentage']),
  ],
} satisfies Partial<Record<ResourceName, AlsoUsed>>

/** What is of the budget that a condition is about. */
function isOwn(table: typeof staffContracts | typeof budgetItems): SQL {
  return sql`${table.organisationId} = ${budgets.organisationId} and ${table.budgetId} = ${budgets.id}`
}

/** The budgets that use changed records, so that their figures are to be worked out anew; of one organisation, or of all for national data. */
export async function budgetsUsing(
  tx: OrganisationTx,
  resource: AnyResource,
  records: readonly AnyRecord[],
): Promise<{ organisationId: OrganisationId; budgetId: BudgetId }[]> {
  const whole = wholes[resource.name]
  const target = whole ? resourceNamed(whole.of) : resource
  const ids = [...new Set(records.map((record) => (whole ? Number(record[whole.by]) : record.id)))]
  const inContracts = contractUse(target, ids)
  const conditions = [
    budgetUse(target, ids),
    inContracts && sql`exists (select from ${staffContracts} where ${isOwn(staffContracts)} and ${inContracts})`,
    ...(alsoUsed[target.name]?.(target, ids, records) ?? []),
  ].filter((one) => one !== undefined)
  if (!conditions.length) return []
  return tx
    .select({ organisationId: budgets.organisationId, budgetId: budgets.id })
    .from(budgets)
    .where(sql`not coalesce((${budgets.head} ->> 'locked')::boolean, false) and (${sql.join(conditions, sql` or `)})`)
}

/** Of a budget: it belongs to an organisation in which one of some fields was changed, by the changes that made these versions of records. */
function ownerOfChanged(resource: AnyResource, records: readonly Changed[], fields: readonly string[]): SQL {
  const { before, after } = referenceChanges
  const differ = fields.map((field) => sql`${before} -> ${field} is distinct from ${after} -> ${field}`)
  const owner = (record: Changed) => (resource.reach === 'organisation' ? record.id : (record.organisationId ?? 0))
  // One parameter, and looked through once: an import may bring 20,000 records.
  const made = JSON.stringify(records.map((record) => ({ owner: owner(record), record: String(record.id), version: record.version })))
  return sql`${budgets.organisationId} in (select made.owner from json_to_recordset(${made}::json) as made(owner integer, record text, version integer)
    join ${referenceChanges} on ${referenceChanges.resource} = ${resource.name} and ${referenceChanges.recordId} = made.record
      and ${referenceChanges.version} = made.version and (${sql.join(differ, sql` or `)}))`
}
