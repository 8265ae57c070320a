import { and, eq, getTableColumns, getTableName, inArray, is, isNull, or, type SQL } from 'drizzle-orm'
import { type PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { AnyResource, RecordOf } from '../../../domain/resources/resource.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import * as access from '../../../drizzle/accessTables.ts'
import type { ColumnsOf } from '../../../drizzle/resourceTable.ts'
import * as schema from '../../../drizzle/schema.ts'
import type { OrganisationTx } from './database.ts'

const tables = new Map<string, PgTable>()
for (const table of [...Object.values(schema), ...Object.values(access)]) {
  if (is(table, PgTable)) tables.set(getTableName(table), table)
}

function columnsIn<R extends AnyResource>(table: PgTable): ColumnsOf<R> {
  const columns: object = getTableColumns(table)
  // The columns are built from the declaration of R, from which `ColumnsOf<R>` is derived too.
  return columns as ColumnsOf<R>
}

/** The table of a resource, and its columns by field name. */
export function getResourceTable<R extends AnyResource>(resource: R): { table: PgTable; columns: ColumnsOf<R> } {
  const table = tables.get(resource.table)
  if (!table) throw new Error(`${resource.table} is not in the schema`)
  return { table, columns: columnsIn<R>(table) }
}

/**
 * Rows read from the table of a resource, typed by its declaration. Drizzle does not know their types because the variable can hold any table. Columns and types come from the same declaration, so this one cast is safe.
 */
export function castRows<R extends AnyResource>(_resource: R, rows: Record<string, unknown>[]): RecordOf<R>[] {
  // The cast described above.
  return rows as RecordOf<R>[]
}

/** The current records of a resource, all or those whose column has one of the ids, ordered by id. */
export async function readResourceRecords<R extends AnyResource>(
  tx: OrganisationTx,
  resource: R,
  { column, ids }: { column?: string; ids?: readonly number[] } = {},
): Promise<RecordOf<R>[]> {
  const { table, columns } = getResourceTable(resource)
  if (ids && !ids.length) return []
  const wanted = column ? inArray(assertDefined(columns[column]), [...assertDefined(ids)]) : undefined
  const rows = await tx
    .select()
    .from(table)
    .where(and(buildVisibleCondition(tx, columns.organisationId), wanted))
    .orderBy(columns.id)
  return castRows(resource, rows)
}

/**
 * The condition for the rows of the transaction's organisation and the national ones; undefined if all rows are visible. Row-level security
 * hides all others, but only an explicit condition lets a statement use an index and so avoid reading the rows of other organisations.
 */
export function buildVisibleCondition({ organisationId }: OrganisationTx, column: PgColumn | undefined): SQL | undefined {
  if (!column || organisationId === null) return undefined
  return column.notNull ? eq(column, organisationId) : or(isNull(column), eq(column, organisationId))
}

/** The condition of `buildVisibleCondition` for a table that is known only at run time. */
export function buildVisibleRowsCondition(tx: OrganisationTx, table: PgTable): SQL | undefined {
  return buildVisibleCondition(tx, getTableColumns(table).organisationId)
}

/**
 * The condition for the rows that one organisation owns, or for the national rows; undefined for a table without an owner column. `is not
 * distinct from` would mean the same but cannot use an index.
 */
export function buildOwnerCondition(column: PgColumn | undefined, organisationId: number | null): SQL | undefined {
  if (!column) return undefined
  return organisationId === null ? isNull(column) : eq(column, organisationId)
}
