import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { type FilterItem, refuseUnknownColumns } from '../../domain/lists/lists.ts'
import { lookups } from '../../domain/lookups/lookups.ts'
import { getResource } from '../../domain/resources/all.ts'
import type { AnyResource } from '../../domain/resources/resource.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { toSnakeCase } from '../../drizzle/resourceTable.ts'
import { buildColumnCondition, buildSearchCondition, createUnusableFilterError, type StoredColumn } from './listConditions.ts'

type Columns = Record<string, AnyColumn>

/** The kind of list column for each database type, and the filters that it allows. Other types can only be filtered as text. */
const kinds: [type: RegExp, kind: StoredColumn['kind'], filters: FilterItem['filterType'][]][] = [
  [/^boolean$/, 'flag', ['boolean', 'text']],
  [/^date$/, 'date', ['date', 'text']],
  [/^timestamp/, 'moment', ['date', 'text']],
  [/^(integer|smallint|bigint)$/, 'number', ['number', 'set', 'text']],
  [/^(numeric|double|real)/, 'number', ['number', 'text']],
  [/^integer\[\]$/, 'ids', ['set', 'text']],
  [/^text\[\]$/, 'names', ['set', 'text']],
  [/^/, 'text', ['text']],
]

/** The columns of a declared resource, for a list that joins its table. */
export function listDeclaredColumns(columns: Columns): Record<string, StoredColumn> {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, { value: sql`${column}`, kind: heldIn(column)[0] }]))
}

function heldIn(column: AnyColumn): [kind: StoredColumn['kind'], filters: FilterItem['filterType'][]] {
  const [, kind, filters] = assertDefined(kinds.find(([type]) => type.test(column.getSQLType())))
  return [kind, filters]
}

/**
 * One filter as an SQL condition (behaviours B-079 to B-085).
 * @throws DomainError for a field or option that the list does not have
 */
export function buildFilterCondition(resource: AnyResource, columns: Columns, item: FilterItem): SQL | undefined {
  refuseUnknownColumns({ filters: [item] }, [...Object.keys(resource.fields), 'id', 'created', 'version', 'organisationId'])
  const column = Object.hasOwn(columns, item.filter) ? columns[item.filter] : undefined
  if (!column) throw createUnusableFilterError(item)
  const [kind, filters] = heldIn(column)
  if (!filters.includes(item.filterType)) throw createUnusableFilterError(item)
  const field = resource.fields[item.filter]
  const value = sql`${column}`
  if (field?.kind === 'flags' && item.filterType === 'set') return buildColumnCondition({ value, kind: 'bits' }, item)
  if (field?.kind !== 'choices' || !item.values) return buildColumnCondition({ value, kind }, item)
  const names = lookups[field.lookup]
    .filter(({ id, name }) => item.values?.some((one) => one === id || one === name))
    .map((one) => one.name)
  return buildColumnCondition({ value, kind }, { ...item, values: names })
}

/** The name of the record that a column refers to. */
export function selectReferencedName(resource: string, column: AnyColumn): SQL {
  const target = getResource(resource)
  return sql`(select ${sql.identifier(toSnakeCase(target.naming[0]))} from ${sql.identifier(target.table)} t where t.id = ${column})`
}

/**
 * Rows in which any visible text column contains the text (behaviour B-086). A list without text columns is searched by the names of the
 * records that its rows refer to.
 */
export function buildRecordSearchCondition(resource: AnyResource, columns: Columns, search: string | null | undefined): SQL | undefined {
  const shown = [...new Set([...resource.grid, ...resource.naming])].filter((name) =>
    ['text', 'longText'].includes(assertDefined(resource.fields[name]).kind),
  )
  return buildSearchCondition(
    shown.length ? shown.map((name) => sql`${assertDefined(columns[name])}`) : selectReferencedNames(resource, columns),
    search,
  )
}

/** The names of the records that rows refer to. In a list without text columns, users recognise a row by these. */
function selectReferencedNames(resource: AnyResource, columns: Columns): SQL[] {
  return resource.grid.flatMap((name) => {
    const field = assertDefined(resource.fields[name])
    return field.kind === 'reference' ? [selectReferencedName(field.to, assertDefined(columns[name]))] : []
  })
}
