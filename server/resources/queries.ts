import { and, asc, desc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import { QueryBuilder } from 'drizzle-orm/pg-core'
import { type BulkSelection, type ExportRequest, type ListRequest, type Paged, refuseUnknownColumns } from '../../domain/lists/lists.ts'
import type { AnyRecord, AnyResource, RecordOf } from '../../domain/resources/resource.ts'
import { assertDefined, requireSingleRow } from '../../domain/values/assertDefined.ts'
import { dayInLondon } from '../../domain/values/format.ts'
import { type OrganisationId, toOrganisationId } from '../../domain/values/ids.ts'
import { numberOrNull, requireNumber, requireText } from '../../domain/values/unknownValues.ts'
import { conflict, forbidden, invalid, notFound } from '../../domain/words/errors.ts'
import { defaultTerms } from '../../domain/words/terms.ts'
import { createCache } from '../core/cache.ts'
import type { Call } from '../core/calls/call.ts'
import type { RowScope } from '../core/calls/scope.ts'
import { type BuiltStatement, buildStatement, buildTenantCondition, runStatement, type Store } from '../core/database/database.ts'
import { castRows, getResourceTable } from '../core/database/tables.ts'
import { buildFilterCondition, buildRecordSearchCondition, selectReferencedName } from './filters.ts'
import { buildLikePattern } from './listConditions.ts'
import { buildCallerRowsCondition } from './rowRules.ts'

function toOwner(value: unknown): OrganisationId | null {
  const id = numberOrNull(value)
  return id === null ? null : toOrganisationId(id)
}

/** Converts a table row to a record. The owner of a national record is null. */
export function toRecord<Row extends AnyRecord>(row: Row): Row
export function toRecord(row: Record<string, unknown>): AnyRecord
export function toRecord(row: Record<string, unknown>): AnyRecord {
  return {
    ...row,
    id: requireNumber(row.id),
    version: requireNumber(row.version),
    created: dayInLondon(requireText(row.created)),
    organisationId: toOwner(row.organisationId),
  }
}

function selectedBy(
  resource: AnyResource,
  {
    scope,
    search,
    filters,
    requestType,
  }: { scope: RowScope; search?: string | null; filters?: ListRequest['filters']; requestType?: number | null },
): SQL | undefined {
  const { columns } = getResourceTable(resource)
  return and(
    ...buildCallerRowsCondition(resource, { columns, scope, requestType }),
    buildRecordSearchCondition(resource, columns, search),
    ...(filters ?? []).map((item) => buildFilterCondition(resource, columns, item)),
  )
}

/** Sorts by any visible column over all rows. A reference sorts by the name of its record; the id breaks ties. */
function buildOrder(resource: AnyResource, request: Pick<ListRequest, 'sort' | 'sortDirection'>): SQL[] {
  const { columns } = getResourceTable(resource)
  refuseUnknownColumns({ sort: request.sort }, Object.keys(columns))
  const name = request.sort || resource.defaultSort
  const direction = request.sortDirection === 'desc' ? desc : asc
  const field = resource.fields[name]
  if (field?.kind === 'reference') return [direction(selectReferencedName(field.to, assertDefined(columns[name]))), asc(columns.id)]
  return [direction(assertDefined(columns[name])), asc(columns.id)]
}

/** A prepared query for a page. */
interface PageQuery extends BuiltStatement {
  /** Turns a row into a record: the columns of the table come first, the total number of rows last. */
  read(row: readonly unknown[]): AnyRecord
}

/** Whether the same query is likely to be run again. Queries with a search or filters are not. */
export function isRepeatedQuery({ search, filters }: Pick<ListRequest, 'search' | 'filters'>): boolean {
  return !search?.trim() && !filters?.length
}

/** Cached because building a statement takes longer than running it. */
const builtPages = createCache<string, PageQuery>(1000)

/**
 * Builds the query for a page.
 * @param alone the organisation to set as the tenant, if the statement runs without a transaction that has set it
 */
function buildPageQuery(
  resource: AnyResource,
  { scope, request, alone }: { scope: RowScope; request: ListRequest; alone?: string },
): PageQuery {
  if (!isRepeatedQuery(request)) return builtPage(resource, { scope, request })
  const { pageNumber, pageSize, sort, sortDirection, requestType } = request
  const key = JSON.stringify([resource.key, scope, pageNumber, pageSize, sort, sortDirection, requestType, alone])
  const before = builtPages.get(key)
  const page = before ?? builtPage(resource, { scope, request, seen: alone === undefined ? undefined : buildTenantCondition(alone) })
  builtPages.put(key, page)
  return page
}

function builtPage(resource: AnyResource, { scope, request, seen }: { scope: RowScope; request: ListRequest; seen?: SQL }): PageQuery {
  const { table } = getResourceTable(resource)
  const columns = getTableColumns(table)
  const where = selectedBy(resource, { scope, ...request, requestType: request.requestType })
  const { sql: text, params: values } = new QueryBuilder()
    .select({ ...columns, total: sql`(select count(*)::integer from ${table} where ${where ?? sql`true`})` })
    .from(table)
    .where(and(seen, where))
    .orderBy(...buildOrder(resource, request))
    .limit(request.pageSize)
    .offset((request.pageNumber - 1) * request.pageSize)
    .toSQL()
  const fields = Object.entries(columns)
  const read = (row: readonly unknown[]): AnyRecord => {
    const record: Record<string, unknown> = {}
    let at = 0
    for (const [name, column] of fields) {
      const value = row[at++]
      record[name] = value === null ? null : column.mapFromDriverValue(value)
    }
    return toRecord(record)
  }
  return { text, values, read }
}

function readPage({ read }: PageQuery, rows: readonly unknown[][]): Paged<AnyRecord> | null {
  return rows.length ? { rows: rows.map(read), total: Number(assertDefined(rows[0]).at(-1)) } : null
}

/** The filter that leaves archived records out of pickers. */
export function buildUnarchivedFilter(resource: AnyResource): { filter: string; filterType: 'boolean'; value: string }[] {
  if (resource.archivedBy) return [{ filter: resource.archivedBy, filterType: 'boolean', value: 'No' }]
  return getResourceTable(resource).columns.active ? [{ filter: 'active', filterType: 'boolean', value: 'Yes' }] : []
}

/** Stands for the pattern in statements that are built for any search. No call may contain this character. */
const anySearch = '\0'
/** Cached because building a statement for many lists takes longer than running it. */
const builtSearches = createCache<string, BuiltStatement>(200)

function buildNameSearch(lists: readonly AnyResource[], { scope, most }: { scope: RowScope; most: number }): BuiltStatement {
  const parts = lists.map((resource, index) => {
    const { table, columns } = getResourceTable(resource)
    const [name, detail] = resource.naming.map((field) => sql`${assertDefined(columns[field])}::text`)
    const where = selectedBy(resource, { scope, search: anySearch, filters: buildUnarchivedFilter(resource) })
    const order = sql.join(buildOrder(resource, {}), sql`, `)
    return sql`(select ${sql.raw(String(index))}, ${columns.id}, ${name}, ${detail ?? sql`null`} from ${table} where ${where} order by ${order} limit ${sql.raw(String(most))})`
  })
  return buildStatement(sql.join(parts, sql` union all `))
}

/** A record with the values of its naming fields. */
export interface NamedRecord {
  list: AnyResource
  id: number
  name: string
  detail: string
}

/**
 * Searches several lists at once, as each list does by itself.
 * @param most how many records of each list to return, in its order
 */
export async function searchRecordNames(
  { tx, scope }: Call<'scope'>,
  lists: readonly AnyResource[],
  { search, most }: { search: string; most: number },
): Promise<NamedRecord[]> {
  if (!lists.length) return []
  const key = JSON.stringify([scope, most, lists.map((list) => list.key)])
  const built = builtSearches.get(key) ?? buildNameSearch(lists, { scope, most })
  builtSearches.put(key, built)
  const [written, pattern] = [anySearch, search].map((text) => `%${buildLikePattern(text)}%`)
  const values = built.values.map((value) => (value === written ? pattern : value))
  // The searched text does not affect the plan: no list has an index for parts of names.
  const rows = await runStatement(tx, { text: built.text, values, isPrepared: true })
  return rows.map(([listIndex, id, name, detail]) => ({
    list: assertDefined(lists[requireNumber(listIndex)]),
    id: requireNumber(id),
    name: String(name),
    detail: String(detail ?? ''),
  }))
}

/** One page of a list, and the total number of matching rows. */
export async function listRecords({ tx, scope }: Call<'scope'>, resource: AnyResource, request: ListRequest): Promise<Paged<AnyRecord>> {
  const page = buildPageQuery(resource, { scope, request })
  const found = readPage(page, await runStatement(tx, page))
  if (found) return found
  // A page beyond the last has no row, so the total must be counted separately.
  const isFirst = request.pageNumber === 1
  const where = selectedBy(resource, { scope, ...request, requestType: request.requestType })
  return { rows: [], total: isFirst ? 0 : await tx.$count(getResourceTable(resource).table, where) }
}

/**
 * Reads the first page, the most frequent request, in one statement without a transaction.
 * @param of the organisation whose rows are visible; null for the platform
 * @returns null for an empty page; the caller then uses `listRecords`, which also gives the total
 */
export async function listFirstPage(
  { runStandalone, scopeOf }: Store,
  { of, resource, scope, request }: { of: OrganisationId | null; resource: AnyResource; scope: RowScope; request: ListRequest },
): Promise<Paged<AnyRecord> | null> {
  const page = buildPageQuery(resource, { scope, request, alone: scopeOf(of) })
  return readPage(page, await runStandalone(page))
}

/** Every row that matches the search and filters, in order, for an export. */
export async function listAllRecords({ tx, scope }: Call<'scope'>, resource: AnyResource, request: ExportRequest): Promise<AnyRecord[]> {
  const { table } = getResourceTable(resource)
  const rows = await tx
    .select()
    .from(table)
    .where(selectedBy(resource, { scope, ...request, requestType: request.requestType }))
    .orderBy(...buildOrder(resource, request))
  return rows.map(toRecord)
}

/** How to lock a record: `toChange` against other changes, `toDelete` also against new references to it. */
export type LockPurpose = 'toChange' | 'toDelete'

/**
 * Reads a record and locks it if requested.
 * @param lock row-level security lets only administrators lock a national record
 * @throws DomainError 404, also for a record of another organisation (behaviour B-004); 403 for a national record that the caller may only
 * read
 */
export async function readRecord<R extends AnyResource>(
  { tx, scope }: Call<'scope'>,
  resource: R,
  { id, lock }: { id: number; lock?: LockPurpose },
): Promise<RecordOf<R> & AnyRecord> {
  const { table, columns } = getResourceTable<AnyResource>(resource)
  const condition = and(eq(columns.id, id), ...buildCallerRowsCondition(resource, { columns, scope }))
  const query = tx.select().from(table).where(condition)
  const [row] = await (lock ? query.for(lock === 'toDelete' ? 'update' : 'no key update') : query)
  if (row) return toRecord(requireSingleRow(castRows(resource, [row])))
  if (lock && (await tx.select({ id: columns.id }).from(table).where(condition)).length) throw forbidden()
  throw notFound(defaultTerms[resource.key].singular)
}

/** Reads and locks many records, in the order of their ids. @throws DomainError as `readRecord` for any of them */
export async function lockRecords(
  call: Call<'scope'>,
  resource: AnyResource,
  { ids, lock = 'toChange' }: { ids: readonly number[]; lock?: LockPurpose },
): Promise<AnyRecord[]> {
  const { tx, scope } = call
  if (!ids.length) return []
  const { table, columns } = getResourceTable(resource)
  const rows = await tx
    .select()
    .from(table)
    .where(and(sql`${columns.id} = any(${`{${ids.join()}}`}::integer[])`, ...buildCallerRowsCondition(resource, { columns, scope })))
    .orderBy(columns.id)
    .for(lock === 'toDelete' ? 'update' : 'no key update')
  const found = new Set(rows.map((row) => row.id))
  for (const id of ids) if (!found.has(id)) await readRecord(call, resource, { id, lock })
  return rows.map(toRecord)
}

/** The ids of the records that a bulk action applies to (behaviour B-094). */
export async function resolveRecordIds(
  { tx, scope }: Call<'scope'>,
  resource: AnyResource,
  { state, search, filters, requestType }: BulkSelection,
): Promise<number[]> {
  const { table, columns } = getResourceTable(resource)
  const toggled = state.toggledNodes.map(Number)
  if (toggled.some((id) => !Number.isInteger(id) || Math.abs(id) >= 2 ** 31))
    throw invalid([{ field: 'toggledNodes', message: 'toggledNodes must contain the ids of records.' }])
  if (!state.selectAll && !toggled.length) return []
  const where = state.selectAll
    ? and(
        selectedBy(resource, { scope, search, filters, requestType }),
        toggled.length ? sql`not (${columns.id} = any(${sql.param(`{${toggled.join(',')}}`)}::int[]))` : undefined,
      )
    : and(...buildCallerRowsCondition(resource, { columns, scope }), inArray(columns.id, toggled))
  const rows = await tx.select({ id: columns.id }).from(table).where(where).orderBy(asc(columns.id))
  const ids = rows.map((row) => row.id)
  if (!state.selectAll && ids.length < new Set(toggled).size) throw notFound(defaultTerms[resource.key].singular)
  if (ids.length > 20_000) throw conflict('tooMany', 'More than 20,000 rows are selected. Select fewer.')
  return ids
}
