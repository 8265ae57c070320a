import { type SQL, sql } from 'drizzle-orm'
import { resourceNamed } from '../../../domain/resources/all.ts'
import type { AnyRecord, AnyResource } from '../../../domain/resources/resource.ts'
import { appliedExtendedLeave } from '../../../drizzle/consoleTables.ts'
import { budgetItems } from '../../../drizzle/costTables.ts'
import { budgets, referenceChanges, staffContracts } from '../../../drizzle/schema.ts'
import type { OrganisationTx } from '../database/database.ts'
import { budgetUse, contractUse, itemUse } from './usePaths.ts'

/** The budgets that use changed records, so that their figures are to be worked out anew; of one organisation, or of all for national data. */
export async function budgetsUsing(
  tx: OrganisationTx,
  resource: AnyResource,
  records: readonly AnyRecord[],
): Promise<{ organisationId: number; budgetId: string }[]> {
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
  const isOwn = (table: typeof staffContracts | typeof budgetItems): SQL =>
    sql`${table.organisationId} = ${budgets.organisationId} and ${table.budgetId} = ${budgets.id}`
  if (inBudgets) conditions.push(inBudgets)
  if (inContracts) conditions.push(sql`exists (select from ${staffContracts} where ${isOwn(staffContracts)} and ${inContracts})`)
  const inItems = target.name === 'profileTemplate' ? itemUse(target, ids) : undefined
  if (inItems) conditions.push(sql`exists (select from ${budgetItems} where ${isOwn(budgetItems)} and ${inItems})`)
  if (target.name === 'extendedLeaveRuleSet')
    conditions.push(sql`exists (select from ${appliedExtendedLeave} join ${staffContracts} on ${staffContracts.organisationId} = ${appliedExtendedLeave.organisationId} and ${staffContracts.staffId} = ${appliedExtendedLeave.staffId}
      where ${isOwn(staffContracts)} and ${appliedExtendedLeave.extendedLeaveRulesetId} = any(${sql.param(`{${ids.join(',')}}`)}::int[]))`)
  // Of a budget code only its type of income matters, which top slices are taken by.
  if (target.name === 'budgetCode')
    for (const { id, version, organisationId } of records)
      conditions.push(sql`${budgets.organisationId} = ${organisationId ?? 0}
        and jsonb_array_length(${budgets.head} -> 'elements' -> 'topSliceTables') > 0 and ${changed('budgetCode', id, version, ['incomeTypeId', 'type'])}`)
  // Of an organisation only the way the levy allowance is shared matters to figures.
  if (target.name === 'organisation')
    for (const { id, version } of records)
      conditions.push(
        sql`${budgets.organisationId} = ${id} and ${changed('organisation', id, version, ['calculateApprenticeshipLevyAutomatically', 'apprenticeshipLevyAllowanceAsPercentage'])}`,
      )
  if (!conditions.length) return []
  return tx
    .select({ organisationId: budgets.organisationId, budgetId: budgets.id })
    .from(budgets)
    .where(sql`not coalesce((${budgets.head} ->> 'locked')::boolean, false) and (${sql.join(conditions, sql` or `)})`)
}

/** Whether the change that made a version of a record changed one of some fields. */
function changed(resource: string, id: number, version: unknown, fields: readonly string[]): SQL {
  const { before, after } = referenceChanges
  const differ = fields.map((field) => sql`${before} -> ${field} is distinct from ${after} -> ${field}`)
  return sql`exists (select from ${referenceChanges} where ${referenceChanges.resource} = ${resource} and ${referenceChanges.recordId} = ${String(id)}
    and ${referenceChanges.version} = ${version} and (${sql.join(differ, sql` or `)}))`
}
