import { getTableColumns } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { AnyResource } from '../../domain/resources/resource.ts'
import * as access from '../../drizzle/accessTables.ts'
import * as schema from '../../drizzle/schema.ts'

const tables = new Map<string, PgTable>()
for (const table of [...Object.values(schema), ...Object.values(access)]) {
  const name = (table as unknown as Record<symbol, string | undefined>)[Symbol.for('drizzle:Name')]
  if (name) tables.set(name, table as unknown as PgTable)
}

/** The table of a resource, and its columns by field name. */
export function tableFor(resource: AnyResource): { table: PgTable; columns: Record<string, AnyPgColumn> } {
  const table = tables.get(resource.table)
  if (!table) throw new Error(`${resource.table} is not in the schema`)
  return { table, columns: getTableColumns(table) as Record<string, AnyPgColumn> }
}
