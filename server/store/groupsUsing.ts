import { type SQL, sql } from 'drizzle-orm'
import { resourceNamed } from '../../domain/resources/all.ts'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import { appliedExtendedLeave } from '../../drizzle/consoleTables.ts'
import { budgetItems } from '../../drizzle/costTables.ts'
import { budgetGroups, budgets, referenceChanges, staffContracts } from '../../drizzle/schema.ts'
import type { OrganisationTx } from './database.ts'
import { budgetUse, contractUse, itemUse } from './usePaths.ts'

/** The budget groups that use changed records and so need to be recalculated; groups of one organisation, or of all for national data. */
export async function groupsUsing(
  tx: OrganisationTx,
  resource: AnyResource,
  records: readonly AnyRecord[],
): Promise<(typeof budgetGroups.$inferSelect)[]> {
  const parents: Record<string, [string, string]> = {
    payScalePoint: ['adminTable', 'adminTableId'],
    nationalInsurance: ['adminTable', 'adminTableId'],
    extendedLeaveType: ['adminTable', 'adminTableId'],
    extendedLeaveRule: ['extendedLeaveRuleSet', 'extendedLeaveRulesetId'],
    staffErPensionRate: ['staffAssumptions', 'staffAssumptionsId'],
    staffInflationRate: ['staffAssumptions', 'staffAssumptionsId'],
    apprenticeshipLevy: ['location', 'locationId'],
    inflationRate: ['inflation', 'inflationId'],
    topSlice: ['topSliceTable', 'topSliceTableId'],
    gagPool: ['gagPoolTable', 'gagPoolTableId'],
  }
  const parent = parents[resource.name]
  const target = parent ? resourceNamed(parent[0]) : resource
  const ids = [...new Set(records.map((record) => (parent ? (record[parent[1]] as number) : record.id)))]
  const inBudgets = budgetUse(target, ids)
  const inContracts = contractUse(target, ids)
  const conditions: SQL[] = []
  if (inBudgets)
    conditions.push(
      sql`exists (select from ${budgets} where ${budgets.organisationId} = ${budgetGroups.organisationId} and ${budgets.id} = any(${budgetGroups.budgetIds}) and ${inBudgets})`,
    )
  if (inContracts)
    conditions.push(
      sql`exists (select from ${staffContracts} where ${staffContracts.organisationId} = ${budgetGroups.organisationId} and ${staffContracts.budgetId} = any(${budgetGroups.budgetIds}) and ${inContracts})`,
    )
  const inItems = target.name === 'profileTemplate' ? itemUse(target, ids) : undefined
  if (inItems)
    conditions.push(
      sql`exists (select from ${budgetItems} where ${budgetItems.organisationId} = ${budgetGroups.organisationId} and ${budgetItems.budgetId} = any(${budgetGroups.budgetIds}) and ${inItems})`,
    )
  if (target.name === 'extendedLeaveRuleSet')
    conditions.push(sql`exists (select from ${appliedExtendedLeave} join ${staffContracts} on ${staffContracts.organisationId} = ${appliedExtendedLeave.organisationId} and ${staffContracts.staffId} = ${appliedExtendedLeave.staffId}
      where ${staffContracts.organisationId} = ${budgetGroups.organisationId} and ${staffContracts.budgetId} = any(${budgetGroups.budgetIds}) and ${appliedExtendedLeave.extendedLeaveRulesetId} = any(${sql.param(`{${ids.join(',')}}`)}::int[]))`)
  // Of a budget code only its type of income matters, which top slices are taken by.
  if (target.name === 'budgetCode')
    for (const { id, version, organisationId } of records)
      conditions.push(sql`${budgetGroups.organisationId} = ${organisationId ?? 0}
        and exists (select from ${budgets} where ${budgets.organisationId} = ${budgetGroups.organisationId} and ${budgets.id} = any(${budgetGroups.budgetIds})
          and jsonb_array_length(${budgets.head} -> 'elements' -> 'topSliceTables') > 0)
        and ${changed('budgetCode', id, version, ['incomeTypeId', 'type'])}`)
  // Of an organisation only the way the levy allowance is shared matters to figures.
  if (target.name === 'organisation')
    for (const { id, version } of records)
      conditions.push(
        sql`${budgetGroups.organisationId} = ${id} and ${changed('organisation', id, version, ['calculateApprenticeshipLevyAutomatically', 'apprenticeshipLevyAllowanceAsPercentage'])}`,
      )
  if (!conditions.length) return []
  return tx
    .select()
    .from(budgetGroups)
    .where(sql`(${sql.join(conditions, sql` or `)})`)
}

/** Whether the change that made a version of a record changed one of some fields. */
function changed(resource: string, id: number, version: unknown, fields: readonly string[]): SQL {
  const { before, after } = referenceChanges
  const differ = fields.map((field) => sql`${before} -> ${field} is distinct from ${after} -> ${field}`)
  return sql`exists (select from ${referenceChanges} where ${referenceChanges.resource} = ${resource} and ${referenceChanges.recordId} = ${String(id)}
    and ${referenceChanges.version} = ${version} and (${sql.join(differ, sql` or `)}))`
}
