import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { canonicalJson } from '../../domain/canonicalJson.ts'
import { must } from '../../domain/must.ts'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import type { Values } from '../../domain/resources/schema.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { tableFor } from '../core/database/tables.ts'
import { asRecord } from './queries.ts'

/** A value as JSON that the database reads as one of the column: what it keeps as JSON goes as it is. */
function sent(column: AnyPgColumn, value: unknown): unknown {
  return value === null || column.getSQLType() === 'jsonb' ? value : column.mapToDriverValue(value)
}

/** This many records go in one statement. */
const atOnce = 2000

/**
 * Writes the new values of many records, each as one version more, in statements for many: one for each record would take a minute for what
 * takes seconds so. What the rules ask is checked before; what the database refuses is said in the words of the rule that it broke.
 * @returns the records as they stand now
 */
export async function writeAll(
  tx: OrganisationTx,
  resource: AnyResource,
  changes: readonly { before: AnyRecord; values: Values }[],
): Promise<AnyRecord[]> {
  const { table, columns } = tableFor(resource)
  const names = Object.keys(columns).filter((name) =>
    changes.some(({ before, values }) => name in values && canonicalJson(values[name] ?? null) !== canonicalJson(before[name] ?? null)),
  )
  const written: AnyRecord[] = []
  for (let start = 0; start < changes.length; start += atOnce) {
    const some = changes.slice(start, start + atOnce)
    const rows = some.map(({ before, values }) =>
      Object.fromEntries([
        ['id', before.id],
        ...names.map((name) => [must(columns[name]).name, sent(must(columns[name]), values[name] ?? null)]),
      ]),
    )
    const set: SQL[] = names.map(
      (name) => sql`${sql.identifier(must(columns[name]).name)} = wanted.${sql.identifier(must(columns[name]).name)}`,
    )
    await tx.execute(sql`
      update ${table} set ${sql.join([...set, sql`version = ${table}.version + 1`], sql`, `)}
      from json_populate_recordset(null::${table}, ${JSON.stringify(rows)}::json) as wanted
      where ${columns.id} = wanted.id`)
    const ids = `{${some.map(({ before }) => before.id).join()}}`
    const now = await tx.select().from(table).where(sql`${columns.id} = any(${ids}::integer[])`).orderBy(columns.id)
    written.push(...now.map(asRecord))
  }
  return written
}
