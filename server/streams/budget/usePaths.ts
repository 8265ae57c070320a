import { type SQL, sql } from 'drizzle-orm'
import { toStoredFieldName } from '../../../domain/budget/budget.ts'
import type { ResourceName } from '../../../domain/resources/all.ts'
import { budgetTableKindNames, budgetTableKinds } from '../../../domain/resources/entities/budget/budget.ts'
import { staffContract } from '../../../domain/resources/entities/budget/staffContract.ts'
import { listReferringFields, type ReferringField } from '../../../domain/resources/fields.ts'
import type { AnyResource } from '../../../domain/resources/resource.ts'
import { budgetItems } from '../../../drizzle/costTables.ts'
import { budgets, staffContracts } from '../../../drizzle/schema.ts'

/**
 * SQL condition: a path in stored JSON contains the id of one of the given records. PostgreSQL hashes the ids once per
 * query: an import may change 20,000 records, and comparing each path with each id would be too slow.
 */
function jsonContainsAnyCondition(
  column: typeof budgets.head | typeof staffContracts.contract | typeof budgetItems.item,
  jsonPath: string,
  ids: readonly number[],
): SQL {
  return sql`exists (select from jsonb_path_query(${column}, ${jsonPath}::jsonpath) as named(id)
    where named.id in (select to_jsonb(wanted) from unnest(${sql.param(`{${ids.join(',')}}`)}::int[]) as wanted))`
}

type BudgetUse = (ids: readonly number[]) => SQL

/** The resources to which budgets refer, and how, apart from the tables that are elements of a budget. */
const budgetUses: Record<string, BudgetUse | undefined> = {
  location: (ids) => sql`${budgets.locationId} = any(${sql.param(`{${ids.join(',')}}`)}::int[])`,
  inflation: (ids) => jsonContainsAnyCondition(budgets.head, '$.inflationId', ids),
  staffAssumptions: (ids) => jsonContainsAnyCondition(budgets.head, '$.staffAssumptionsId', ids),
  contractType: (ids) => jsonContainsAnyCondition(budgets.head, '$.contractTypeIds[*]', ids),
} satisfies Partial<Record<ResourceName, BudgetUse>>

/** SQL condition for budgets that refer to one of the records; undefined if budgets never refer to this resource. */
export function buildBudgetUsesCondition(resource: AnyResource, ids: readonly number[]): SQL | undefined {
  const kinds = budgetTableKindNames.filter((kind) => budgetTableKinds[kind].of === resource.name)
  if (!kinds.length) return budgetUses[resource.name]?.(ids)
  const wanted = kinds.map((kind) => `@.key == "${kind}"`).join(' || ')
  return jsonContainsAnyCondition(budgets.head, `$.elements.keyvalue() ? (${wanted}).value[*].adminTableId`, ids)
}

/** The end of the JSON path at which a field's ids are stored, by the kind of the field. */
const pathEndings: Record<ReferringField['kind'], string> = { reference: '', references: '[*]', shares: '[*].fundCodeId', point: '.id' }

/** The JSON paths at which contracts refer to a resource, from their declaration. */
function contractPaths(resource: string): string[] {
  return listReferringFields(staffContract.fields)
    .filter(({ field }) => field.to === resource)
    .map(({ name, part, field }) => `$.${toStoredFieldName(name)}${part ? `[*].${part}` : ''}${pathEndings[field.kind]}`)
}

/**
 * SQL condition for contracts that refer to one of the records; undefined if contracts never refer to this resource.
 */
export function buildContractUsesCondition(resource: AnyResource, ids: readonly number[]): SQL | undefined {
  const conditions = contractPaths(resource.name).map((jsonPath) => jsonContainsAnyCondition(staffContracts.contract, jsonPath, ids))
  return conditions.length ? sql`(${sql.join(conditions, sql` or `)})` : undefined
}

const itemPaths: Record<string, string | undefined> = {
  budgetCode: '$.budgetCodeId',
  costCentre: '$.costCentreId',
  fundCode: '$.fundCodes[*].fundCodeId',
  analysisTag: '$.analysisTags[*]',
  profileTemplate: '$.profileTemplateId',
  adminTable: '$.versionId',
} satisfies Partial<Record<ResourceName, string>>

/**
 * SQL condition for entries, calculations and predictions that refer to one of the records; undefined if they never
 * refer to this resource.
 */
export function buildItemUsesCondition(resource: AnyResource, ids: readonly number[]): SQL | undefined {
  const expression = itemPaths[resource.name]
  return expression ? jsonContainsAnyCondition(budgetItems.item, expression, ids) : undefined
}
