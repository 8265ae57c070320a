import { type SQL, sql } from 'drizzle-orm'
import { type BulkSelection, type ListRequest, refuseUnknownColumns } from '../../domain/lists/lists.ts'
import { assertDefined, requireSingleRow } from '../../domain/values/assertDefined.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import {
  buildColumnCondition,
  buildListOrder,
  buildSearchCondition,
  buildTextArray,
  type ListColumn,
  type StoredColumn,
} from './listConditions.ts'

/** A list whose rows the database filters, searches, sorts and pages. */
export interface ListSource {
  /** A table, or several joined tables. */
  from: SQL
  /** The rows that the caller may see. */
  where: SQL
  /** The expression for a row's id. */
  id: SQL
  /** The columns to filter and sort by. */
  columns: Record<string, ListColumn>
  /** The rows that match a search; undefined without a search. */
  search: (search: string | null | undefined) => SQL | undefined
  defaultSort: string
  /** Orders rows that are equal in the sorted column. */
  ties: SQL
}

/** Builds a list's `search` from the texts to search in. */
export const createTextSearch =
  (texts: readonly SQL[]): ListSource['search'] =>
  (search) =>
    buildSearchCondition(texts, search)

type Selection = Pick<ListRequest, 'search' | 'filters'>
type Sorting = Pick<ListRequest, 'sort' | 'sortDirection'>

/**
 * The SQL condition and order of the rows that a request selects; `isWhole` if it selects all.
 * @throws DomainError 400 for a column that the list does not have
 */
export function buildListQuery(list: ListSource, request: Selection & Sorting): { where: SQL; order: SQL; isWhole: boolean } {
  const { columns } = list
  refuseUnknownColumns(request, Object.keys(columns))
  const narrowed = [
    ...[list.search(request.search) ?? []].flat(),
    ...(request.filters ?? []).flatMap((item) => buildColumnCondition(assertDefined(columns[item.filter]), item) ?? []),
  ]
  return {
    where: sql.join([list.where, ...narrowed], sql` and `),
    order: buildListOrder(assertDefined(columns[request.sort || list.defaultSort]), request.sortDirection, list.ties),
    isWhole: !narrowed.length,
  }
}

/** The row ids of one page of a list, and the total number of rows. */
export async function readListPage<Id extends number | string>(
  tx: OrganisationTx,
  list: ListSource,
  request: ListRequest,
): Promise<{ ids: Id[]; total: number }> {
  const { where, order, isWhole } = buildListQuery(list, request)
  const before = (request.pageNumber - 1) * request.pageSize
  // Counting and reading an unfiltered list use different indexes, so two queries are fastest. A searched or filtered list is read once and
  // counted on the way.
  const rows = await tx.execute<{ id: Id; total: number }>(sql`
    select ${list.id} as id, ${isWhole ? sql`0` : sql`(count(*) over ())::integer`} as total from ${list.from} where ${where}
    order by ${order} limit ${request.pageSize} offset ${before}`)
  // A page that is not full is the last one.
  const counted = rows.length && rows.length < request.pageSize ? before + rows.length : rows[0]?.total
  return { ids: rows.map((row) => row.id), total: counted || (before || isWhole ? await countRows(tx, list, where) : 0) }
}

async function countRows(tx: OrganisationTx, { from }: ListSource, where: SQL): Promise<number> {
  return requireSingleRow(await tx.execute<{ total: number }>(sql`select count(*)::integer as total from ${from} where ${where}`)).total
}

/** The ids of every row that a request selects, in order. */
export async function readListIds<Id extends number | string>(
  tx: OrganisationTx,
  list: ListSource,
  request: Selection & Sorting,
): Promise<Id[]> {
  const { where, order } = buildListQuery(list, request)
  const rows = await tx.execute<{ id: Id }>(sql`select ${list.id} as id from ${list.from} where ${where} order by ${order}`)
  return rows.map((row) => row.id)
}

/**
 * The row ids that a bulk action applies to (behaviour B-094).
 * @returns null if a selected row is not in the list
 */
export async function resolveSelectedIds<Id extends number | string>(
  tx: OrganisationTx,
  list: ListSource,
  { state, ...selection }: BulkSelection,
): Promise<Id[] | null> {
  const toggled = new Set(state.toggledNodes.map(String))
  const isToggled = sql`${list.id}::text = any(${buildTextArray([...toggled])})`
  const where = state.selectAll ? sql`${buildListQuery(list, selection).where} and not (${isToggled})` : sql`${list.where} and ${isToggled}`
  const rows = await tx.execute<{ id: Id }>(sql`select ${list.id} as id from ${list.from} where ${where} order by ${list.ties}`)
  return !state.selectAll && rows.length < toggled.size ? null : rows.map((row) => row.id)
}

/** Rows in the order of their ids, without those that no longer exist. */
export function orderByIds<Id, Row>(ids: readonly Id[], rows: readonly Row[], idOf: (row: Row) => Id): Row[] {
  const known = new Map(rows.map((row) => [idOf(row), row]))
  return ids.flatMap((id) => known.get(id) ?? [])
}

/** The day in London of a timestamp. */
export function buildLondonDayColumn(moment: SQL): StoredColumn {
  return { value: sql`to_char(${moment} at time zone 'Europe/London', 'YYYY-MM-DD')`, kind: 'date' }
}

/** A column of values that the server calculated for some rows, by id. Rows without a value have null. */
export function buildCalculatedColumn(
  id: SQL,
  values: Iterable<readonly [id: string, value: string | number | boolean | null]>,
  kind: 'text' | 'number' | 'flag',
): StoredColumn {
  const types = { text: sql`text`, number: sql`numeric`, flag: sql`boolean` }
  // A subselect, so that the database parses the JSON once for all rows.
  return { value: sql`((select ${JSON.stringify(Object.fromEntries(values))}::jsonb) ->> ${id})::${types[kind]}`, kind }
}
