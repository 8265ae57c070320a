import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import type { RecordValues } from '../../domain/resources/schema.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { canonicalJson } from '../../domain/values/canonicalJson.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { getResourceTable } from '../core/database/tables.ts'
import { toRecord } from './queries.ts'

/** Converts a value to JSON from which the database makes the column's type. JSON columns are sent as they are. */
function toJsonValue(column: AnyPgColumn, value: unknown): unknown {
  return value === null || column.getSQLType() === 'jsonb' ? value : column.mapToDriverValue(value)
}

/** The most rows that one statement writes. */
const recordsPerStatement = 2000

/**
 * Writes the new values of many records, each with the next version, in batches, because one statement for each record would take a minute
 * instead of seconds. The caller must have checked the rules. If a constraint is violated, the error has the sentence of the rule.
 * @returns the records as stored now
 */
export async function updateRecords(
  tx: OrganisationTx,
  resource: AnyResource,
  changes: readonly { before: AnyRecord; values: RecordValues }[],
): Promise<AnyRecord[]> {
  const { table, columns } = getResourceTable(resource)
  const names = Object.keys(columns).filter((name) =>
    changes.some(({ before, values }) => name in values && canonicalJson(values[name] ?? null) !== canonicalJson(before[name] ?? null)),
  )
  const written: AnyRecord[] = []
  for (let start = 0; start < changes.length; start += recordsPerStatement) {
    const some = changes.slice(start, start + recordsPerStatement)
    const rows = some.map(({ before, values }) =>
      Object.fromEntries([
        ['id', before.id],
        ...names.map((name) => [assertDefined(columns[name]).name, toJsonValue(assertDefined(columns[name]), values[name] ?? null)]),
      ]),
    )
    // The ids are repeated as a condition beside the join, so that PostgreSQL always uses the index.
    const ids = `{${some.map(({ before }) => before.id).join()}}`
    const set: SQL[] = names.map(
      (name) => sql`${sql.identifier(assertDefined(columns[name]).name)} = wanted.${sql.identifier(assertDefined(columns[name]).name)}`,
    )
    await tx.execute(sql`
      update ${table} set ${sql.join([...set, sql`version = ${table}.version + 1`], sql`, `)}
      from json_populate_recordset(null::${table}, ${JSON.stringify(rows)}::json) as wanted
      where ${columns.id} = wanted.id and ${columns.id} = any(${ids}::integer[])`)
    const now = await tx.select().from(table).where(sql`${columns.id} = any(${ids}::integer[])`).orderBy(columns.id)
    written.push(...now.map(toRecord))
  }
  return written
}

/** Inserts records with the given ids and versions, in batches. */
export async function insertRecords(tx: OrganisationTx, resource: AnyResource, records: readonly RecordValues[]): Promise<void> {
  const { table, columns } = getResourceTable(resource)
  const names = Object.keys(columns)
  const list = sql.join(
    names.map((name) => sql.identifier(assertDefined(columns[name]).name)),
    sql`, `,
  )
  for (let start = 0; start < records.length; start += recordsPerStatement) {
    const rows = records
      .slice(start, start + recordsPerStatement)
      .map((record) =>
        Object.fromEntries(
          names.map((name) => [assertDefined(columns[name]).name, toJsonValue(assertDefined(columns[name]), record[name] ?? null)]),
        ),
      )
    await tx.execute(sql`
      insert into ${table} (${list}) overriding system value
      select ${list} from json_populate_recordset(null::${table}, ${JSON.stringify(rows)}::json)`)
  }
}

/**
 * Clears the unique values that changed records give up. Otherwise records that swap numbers, or all move up by one, would conflict with
 * records that are updated after them.
 * @param sets the unique sets in which a value may change
 */
export async function clearUniqueValues(
  tx: OrganisationTx,
  resource: AnyResource,
  { sets, drafts }: { sets: AnyResource['unique']; drafts: readonly { values: RecordValues; before: AnyRecord | null }[] },
): Promise<void> {
  const { table, columns } = getResourceTable(resource)
  for (const name of new Set(sets.flat())) {
    const { kind } = assertDefined(resource.fields[name])
    if (kind !== 'text' && kind !== 'integer') continue
    // Only values that change are moved out of the way, so that two records can swap theirs.
    const moving = drafts.flatMap(({ values, before }) => (before && (values[name] ?? null) !== (before[name] ?? null) ? [before.id] : []))
    if (moving.length < 2) continue
    const away = kind === 'text' ? sql`${assertDefined(columns[name])} || ' ' || ${columns.id}` : sql`-1 - ${assertDefined(columns[name])}`
    await tx
      .update(table)
      .set({ [name]: away })
      .where(sql`${columns.id} = any(${`{${moving.join()}}`}::integer[])`)
  }
}
