import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { requireSingleRow } from '../../../domain/values/assertDefined.ts'
import type { OrganisationTx } from '../../core/database/database.ts'

/** How the live rows of a projection differ from those built from the log. */
export interface RowDifferences {
  /** The number of live rows before any replacement. */
  rows: number
  missing: number
  extra: number
  different: number
  /** The keys of the first few differing rows, without the organisation and the log. For a table without a key, all columns. */
  keys: string[]
}

const maximumKeys = 3

/**
 * Creates an empty temporary table with the name of each projection, then runs `build`, which uses the same projectors as every save. Their
 * statements name no schema, so with this search path they write to the temporary tables.
 * @throws Error if building wrote to a live table
 */
export async function buildShadowTables(tx: OrganisationTx, tables: readonly PgTable[], build: () => Promise<void>): Promise<void> {
  for (const table of tables)
    await tx.execute(sql`create temporary table ${nameOf(table)} (like public.${nameOf(table)} including all) on commit drop`)
  const before = await countLiveWrites(tx)
  // Set the path after creating the tables: PostgreSQL analyses prepared statements again when the path changes, not when a table appears.
  await tx.execute(sql`set local search_path = pg_temp, public`)
  await build()
  // PostgreSQL searches `pg_temp` first unless the path names it.
  await tx.execute(sql`set local search_path = public, pg_temp`)
  const writes = (await countLiveWrites(tx)) - before
  if (writes) throw new Error(`Building projections beside the live ones wrote ${writes} live rows.`)
}

async function countLiveWrites(tx: OrganisationTx): Promise<number> {
  const { writes } = requireSingleRow(
    await tx.execute<{ writes: number }>(sql`
      select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::integer as writes from pg_stat_xact_user_tables where schemaname = 'public'`),
  )
  return writes
}

const nameOf = (table: PgTable): SQL => sql`${sql.identifier(getTableName(table))}`

/**
 * Compares the live rows of one log in a projection with the rows in its temporary table. It ignores identity columns and generated
 * columns, which do not come from the log. Replacing a row whose last hash is right adds no link to the chain.
 * @param rowCondition selects the live rows of the log
 * @param replaces whether to replace the live rows that differ
 */
export async function compareAndReplaceRows(
  tx: OrganisationTx,
  { table, rowCondition, replaces }: { table: PgTable; rowCondition: SQL; replaces: boolean },
): Promise<RowDifferences> {
  const { columns, key } = await readShape(tx, table)
  const [live, shadow] = [sql`public.${nameOf(table)}`, sql`pg_temp.${nameOf(table)}`]
  const list = (names: readonly string[], of = sql``): SQL =>
    sql.join(
      names.map((name) => sql`${of}${sql.identifier(name)}`),
      sql`, `,
    )
  // Without a key, rows are matched by all their columns, and equal rows by a row number.
  const identity = key ? list(key) : sql`${list(columns)}, row_number() over (partition by ${list(columns)})`
  const rowsOf = (from: SQL, where: SQL): SQL =>
    sql`select ctid as at, jsonb_build_array(${identity}) as key, jsonb_build_array(${list(columns)}) as body from ${from} where ${where}`
  // A trigger adds a link to the chain whenever a statement sets this column, even to the same value.
  const hash = 'last_hash'
  const update = (name: string, { set, where = sql`true` }: { set: readonly string[]; where?: SQL }): SQL =>
    sql`${sql.identifier(name)} as (update ${live} as target set (${list(set)}) = row(${list(set, sql`made.`)})
      from differing join ${shadow} as made on made.ctid = differing.made_at where target.ctid = differing.live_at and ${where})`
  const updates = columns.includes(hash)
    ? sql`${update('changed', { set: columns.filter((name) => name !== hash), where: sql`target.last_hash = made.last_hash` })},
      ${update('moved', { set: columns, where: sql`target.last_hash <> made.last_hash` })}`
    : update('changed', { set: columns })
  const replacement = sql`,
    gone as (delete from ${live} where ctid in (select live_at from differing where made_at is null)),
    ${updates},
    added as (insert into ${live} (${list(columns)})
      select ${list(columns, sql`made.`)} from differing join ${shadow} as made on made.ctid = differing.made_at where differing.live_at is null)`
  // All parts of a single statement see the rows as they were before it.
  return requireSingleRow(
    await tx.execute<RowDifferences & Record<string, unknown>>(sql`
      with live as materialized (${rowsOf(live, rowCondition)}), made as materialized (${rowsOf(shadow, sql`true`)}),
      differing as materialized (
        select live.at as live_at, made.at as made_at, key from live full join made using (key)
        where live.at is null or made.at is null or live.body <> made.body
      )${replaces ? replacement : sql``}
      select (select count(*)::integer from live) as rows, count(*) filter (where live_at is null)::integer as missing,
        count(*) filter (where made_at is null)::integer as extra,
        count(*) filter (where live_at is not null and made_at is not null)::integer as different,
        array(select array_to_string(array(select value #>> '{}' from jsonb_array_elements(key - 0 - 0) where jsonb_typeof(value) <> 'array'), ' ')
          from differing order by key limit ${maximumKeys}) as keys
      from differing`),
  )
}

/** Reads the columns of a table that come from the log, and those of its primary or unique key. `key` is null without such a key. */
async function readShape(tx: OrganisationTx, table: PgTable): Promise<{ columns: string[]; key: string[] | null }> {
  return requireSingleRow(
    await tx.execute<{ columns: string[]; key: string[] | null }>(sql`
      select array_agg(attname::text order by attnum) filter (where attgenerated = '' and attidentity = '') as columns,
        (select array(select attname::text from unnest(indkey) with ordinality as part(number, place)
            join pg_attribute on attrelid = indrelid and attnum = number order by place)
          from pg_index where indrelid = relation and indisunique and indpred is null and indexprs is null
          order by indisprimary desc limit 1) as key
      from (select ${`public.${getTableName(table)}`}::regclass as relation) one join pg_attribute on attrelid = relation
      where attnum > 0 and not attisdropped group by relation`),
  )
}
