import { type SQL, sql } from 'drizzle-orm'
import { storedFieldName } from '../../../domain/budget/budget.ts'
import type { ResourceName } from '../../../domain/resources/all.ts'
import { elementKinds, elementNames } from '../../../domain/resources/entities/budget/budget.ts'
import { staffContract } from '../../../domain/resources/entities/budget/staffContract.ts'
import { type NamingField, namingFields } from '../../../domain/resources/fields.ts'
import type { AnyResource } from '../../../domain/resources/resource.ts'
import { budgetItems } from '../../../drizzle/costTables.ts'
import { budgets, staffContracts } from '../../../drizzle/schema.ts'

/**
 * Whether a place in kept JSON names one of some records. Their numbers are hashed once for the whole query: an import may bring 20,000, and
 * each place would otherwise be compared with each of them.
 */
function names(
  column: typeof budgets.head | typeof staffContracts.contract | typeof budgetItems.item,
  place: string,
  ids: readonly number[],
): SQL {
  return sql`exists (select from jsonb_path_query(${column}, ${place}::jsonpath) as named(id)
    where named.id in (select to_jsonb(wanted) from unnest(${sql.param(`{${ids.join(',')}}`)}::int[]) as wanted))`
}

type UseIn = (ids: readonly number[]) => SQL

/** How budgets name records, beside the tables of their elements. */
const budgetUses: Record<string, UseIn | undefined> = {
  location: (ids) => sql`${budgets.locationId} = any(${sql.param(`{${ids.join(',')}}`)}::int[])`,
  inflation: (ids) => names(budgets.head, '$.inflationId', ids),
  staffAssumptions: (ids) => names(budgets.head, '$.staffAssumptionsId', ids),
  contractType: (ids) => names(budgets.head, '$.contractTypeIds[*]', ids),
} satisfies Partial<Record<ResourceName, UseIn>>

/** The condition for budgets that name a record. */
export function budgetUse(resource: AnyResource, ids: readonly number[]): SQL | undefined {
  const kinds = elementNames.filter((kind) => elementKinds[kind].of === resource.name)
  if (!kinds.length) return budgetUses[resource.name]?.(ids)
  const wanted = kinds.map((kind) => `@.key == "${kind}"`).join(' || ')
  return names(budgets.head, `$.elements.keyvalue() ? (${wanted}).value[*].adminTableId`, ids)
}

/** Where the log has what a field of a contract names. */
const ends: Record<NamingField['kind'], string> = { reference: '', references: '[*]', shares: '[*].fundCodeId', point: '.id' }

/** How contracts name records: the places of a resource, as their declaration has them. */
function contractPaths(resource: string): string[] {
  return namingFields(staffContract.fields)
    .filter(({ field }) => field.to === resource)
    .map(({ name, part, field }) => `$.${storedFieldName(name)}${part ? `[*].${part}` : ''}${ends[field.kind]}`)
}

/** The condition for contracts that name a record. */
export function contractUse(resource: AnyResource, ids: readonly number[]): SQL | undefined {
  const conditions = contractPaths(resource.name).map((place) => names(staffContracts.contract, place, ids))
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

/** The condition for entries, calculations and predictions that name a record. */
export function itemUse(resource: AnyResource, ids: readonly number[]): SQL | undefined {
  const expression = itemPaths[resource.name]
  return expression ? names(budgetItems.item, expression, ids) : undefined
}
