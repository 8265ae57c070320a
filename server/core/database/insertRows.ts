import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { OrganisationTx } from './database.ts'

const rowsPerStatement = 1000

/**
 * Inserts many rows, in their order. They are sent as one parameter for each statement: thousands of placeholders would cost more than the
 * insert.
 * @param rows a field that only some rows have is null in the other rows; fields without a column are left out, because logs contain fields
 * that tables do not have
 * @param ending what follows the rows in the statement: `on conflict` or `returning`
 * @returns what the statements return
 */
export async function insertRows<Table extends PgTable>(
  tx: OrganisationTx,
  table: Table,
  { rows, ending = sql`` }: { rows: readonly Table['$inferInsert'][]; ending?: SQL },
): Promise<Record<string, unknown>[]> {
  const columns = getTableColumns<PgTable>(table)
  const named = rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([field, value]) => {
        const column = columns[field]
        return column ? [[column.name, value]] : []
      }),
    ),
  )
  const used = new Set(named.flatMap((row) => Object.keys(row)))
  const names = sql.join(
    [...used].map((name) => sql.identifier(name)),
    sql`, `,
  )
  const returned: Record<string, unknown>[] = []
  for (let start = 0; start < named.length; start += rowsPerStatement)
    returned.push(
      ...(await tx.execute(sql`
        insert into ${table} (${names}) select ${names}
        from json_populate_recordset(null::${table}, ${JSON.stringify(named.slice(start, start + rowsPerStatement))}::json) ${ending}`)),
    )
  return returned
}
