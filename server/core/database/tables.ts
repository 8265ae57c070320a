import { getTableColumns, getTableName, inArray, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
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
  // The columns are built from the declaration of R, as their types are.
  return columns as ColumnsOf<R>
}

/** The table of a resource, and its columns by field name. */
export function getTable<R extends AnyResource>(resource: R): { table: PgTable; columns: ColumnsOf<R> } {
  const table = tables.get(resource.table)
  if (!table) throw new Error(`${resource.table} is not in the schema`)
  return { table, columns: columnsIn<R>(table) }
}

/**
 * Rows read from the table of a resource, typed by its declaration. Drizzle does not know the types because the table
 * stands for any. Columns and types come from the same declaration, so this one cast is safe.
 */
export function typeRows<R extends AnyResource>(_resource: R, rows: Record<string, unknown>[]): RecordOf<R>[] {
  // The cast described above.
  return rows as RecordOf<R>[]
}

/** The current records of a resource, all or those whose column has one of the ids, ordered by id. */
export async function readResourceRecords<R extends AnyResource>(
  tx: OrganisationTx,
  resource: R,
  { column, ids }: { column?: string; ids?: readonly number[] } = {},
): Promise<RecordOf<R>[]> {
  const { table, columns } = getTable(resource)
  if (ids && !ids.length) return []
  const query = tx.select().from(table)
  return typeRows(
    resource,
    await (column ? query.where(inArray(assertDefined(columns[column]), [...assertDefined(ids)])) : query).orderBy(columns.id),
  )
}
