import { getTableColumns, getTableName, is, sql } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import * as accessTables from '../../drizzle/accessTables.ts'
import * as consoleTables from '../../drizzle/consoleTables.ts'
import * as costTables from '../../drizzle/costTables.ts'
import * as monitoringTables from '../../drizzle/monitoringTables.ts'
import * as payrollTables from '../../drizzle/payrollTables.ts'
import * as schema from '../../drizzle/schema.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import type { Finding } from './verify.ts'

/** The columns that the database works out of others by itself, as `table.column`. */
function declaredColumns(): string[] {
  return [accessTables, consoleTables, costTables, monitoringTables, payrollTables, schema].flatMap((tables) =>
    Object.values(tables).flatMap((table) =>
      is(table, PgTable)
        ? Object.values(getTableColumns(table)).flatMap((column) => (column.generated ? [`${getTableName(table)}.${column.name}`] : []))
        : [],
    ),
  )
}

/** Whether sums and what lists search by are still worked out by the database: nobody can write them as long as they are. */
export async function verifyWorkedOut(tx: OrganisationTx): Promise<Finding[]> {
  const rows = await tx.execute<{ name: string }>(sql`
    select attrelid::regclass || '.' || attname as name from pg_attribute
    join pg_class on pg_class.oid = attrelid and relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    where attgenerated = 's' and not attisdropped`)
  const generated = new Set(rows.map((row) => row.name))
  return declaredColumns().flatMap((name) =>
    generated.has(name)
      ? []
      : [{ budgetId: null, version: null, problem: `The database no longer works out ${name} by itself: it can hold anything now.` }],
  )
}
