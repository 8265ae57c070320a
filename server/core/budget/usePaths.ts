import { inArray, type SQL, sql } from 'drizzle-orm'
import { keptName } from '../../../domain/budget/budget.ts'
import { locationIdOf } from '../../../domain/ids.ts'
import type { ResourceName } from '../../../domain/resources/all.ts'
import { elementKinds, elementNames } from '../../../domain/resources/entities/budget.ts'
import { staffContract } from '../../../domain/resources/entities/staffContract.ts'
import { type NamingField, namingFields } from '../../../domain/resources/fields.ts'
import type { AnyResource } from '../../../domain/resources/resource.ts'
import { budgetItems } from '../../../drizzle/costTables.ts'
import { budgets, staffContracts } from '../../../drizzle/schema.ts'

function path(
  column: SQL | typeof budgets.head | typeof staffContracts.contract | typeof budgetItems.item,
  expression: string,
  ids: readonly number[],
): SQL {
  return sql`jsonb_path_exists(${column}, ${expression}::jsonpath, ${JSON.stringify({ ids })}::jsonb)`
}

type UseIn = (ids: readonly number[]) => SQL

/** How budgets name records, beside the tables of their elements. */
const budgetUses: Record<string, UseIn | undefined> = {
  location: (ids) => inArray(budgets.locationId, ids.map(locationIdOf)),
  inflation: (ids) => path(budgets.head, '$.inflationId ? (@ == $ids[*])', ids),
  staffAssumptions: (ids) => path(budgets.head, '$.staffAssumptionsId ? (@ == $ids[*])', ids),
  contractType: (ids) => path(budgets.head, '$.contractTypeIds[*] ? (@ == $ids[*])', ids),
} satisfies Partial<Record<ResourceName, UseIn>>

/** The condition for budgets that name a record. */
export function budgetUse(resource: AnyResource, ids: readonly number[]): SQL | undefined {
  const kinds = elementNames.filter((kind) => elementKinds[kind].of === resource.name)
  if (!kinds.length) return budgetUses[resource.name]?.(ids)
  const wanted = kinds.map((kind) => `@.key == "${kind}"`).join(' || ')
  return path(budgets.head, `$.elements.keyvalue() ? (${wanted}).value[*].adminTableId ? (@ == $ids[*])`, ids)
}

/** Where the log has what a field of a contract names. */
const ends: Record<NamingField['kind'], string> = { reference: '', references: '[*]', shares: '[*].fundCodeId', point: '.id' }

/** How contracts name records: the places of a resource, as their declaration has them. */
function contractPaths(resource: string): string[] {
  return namingFields(staffContract.fields)
    .filter(({ field }) => field.to === resource)
    .map(({ name, part, field }) => `$.${keptName(name)}${part ? `[*].${part}` : ''}${ends[field.kind]}`)
}

/** The condition for contracts that name a record. */
export function contractUse(resource: AnyResource, ids: readonly number[]): SQL | undefined {
  const conditions = contractPaths(resource.name).map((place) => path(staffContracts.contract, `${place} ? (@ == $ids[*])`, ids))
  return conditions.length ? sql`(${sql.join(conditions, sql` or `)})` : undefined
}

const itemPaths: Record<string, string | undefined> = {
  budgetCode: '$.budgetCodeId ? (@ == $ids[*])',
  costCentre: '$.costCentreId ? (@ == $ids[*])',
  fundCode: '$.fundCodes[*].fundCodeId ? (@ == $ids[*])',
  analysisTag: '$.analysisTags[*] ? (@ == $ids[*])',
  profileTemplate: '$.profileTemplateId ? (@ == $ids[*])',
  adminTable: '$.versionId ? (@ == $ids[*])',
} satisfies Partial<Record<ResourceName, string>>

/** The condition for entries, calculations and predictions that name a record. */
export function itemUse(resource: AnyResource, ids: readonly number[]): SQL | undefined {
  const expression = itemPaths[resource.name]
  return expression ? path(budgetItems.item, expression, ids) : undefined
}
