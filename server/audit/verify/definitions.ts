import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { onlyRow } from '../../../domain/values/must.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { root } from '../../core/root.ts'
import { sha256 } from '../../core/stream/hash.ts'
import { isOfThisVersion } from '../../launch/databaseChecks.ts'
import type { Finding } from './verify.ts'

/** The digests of what the migrations of this version define, by name; a test makes the file again (CONTRIBUTING.md, "Migrations"). */
const made: Record<string, string> = JSON.parse(readFileSync(join(root, 'drizzle/definitions.json'), 'utf8'))

/**
 * What is defined in the schema, as the database words it: tables with their row-level security, columns with what they are worked out from,
 * constraints, unique indexes, views, functions, policies, triggers and rules. PostgreSQL 16, 17 and 18 word each of ours alike, and one that
 * was dumped and restored like one that the migrations made. What an extension brought is not ours.
 */
const worded = sql`
  with ours as (
    select oid, relname, relkind, relrowsecurity, relforcerowsecurity, reloptions
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
  )
  select case when relkind in ('v', 'm') then 'view ' else 'table ' end || relname as name, concat_ws(' ', relkind, relrowsecurity,
    relforcerowsecurity, reloptions, case when relkind in ('v', 'm') then pg_get_viewdef(oid) end) as text from ours
  union all
  select 'column ' || relname || '.' || attname, concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, attgenerated, attidentity,
    pg_get_expr(adbin, adrelid))
  from pg_attribute join ours on ours.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attnum > 0 and not attisdropped and relkind <> 'v'
  union all
  select 'constraint ' || conname || ' of ' || relname, concat_ws(' ', pg_get_constraintdef(con.oid), convalidated,
    (select string_agg(distinct tgenabled::text, '') from pg_trigger where tgconstraint = con.oid))
  from pg_constraint con join ours on ours.oid = conrelid where contype not in ('n', 't')
  union all
  select 'index ' || index.relname || ' of ' || ours.relname, concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid)
  from pg_index join ours on ours.oid = indrelid join pg_class index on index.oid = indexrelid
  where indisunique and not exists (select from pg_constraint where conindid = indexrelid)
  union all
  select 'function ' || proname || '(' || pg_get_function_identity_arguments(proc.oid) || ')', concat_ws(' ', lanname, prokind, prosecdef,
    provolatile, proisstrict, proconfig, pg_get_function_result(proc.oid), prosrc, pg_get_function_sqlbody(proc.oid))
  from pg_proc proc join pg_language on pg_language.oid = prolang where pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = proc.oid and deptype = 'e')
  union all
  select 'policy ' || polname || ' of ' || relname, concat_ws(' ', polcmd, polpermissive,
    (select string_agg(coalesce(rolname, 'public'), ',' order by rolname) from unnest(polroles) held left join pg_roles on pg_roles.oid = held),
    pg_get_expr(polqual, polrelid), '|', pg_get_expr(polwithcheck, polrelid))
  from pg_policy join ours on ours.oid = polrelid
  union all
  select 'trigger ' || tgname || ' of ' || relname, concat_ws(' ', pg_get_triggerdef(pg_trigger.oid), tgenabled)
  from pg_trigger join ours on ours.oid = tgrelid where not tgisinternal
  union all
  select 'rule ' || rulename || ' of ' || relname, concat_ws(' ', pg_get_ruledef(pg_rewrite.oid), ev_enabled)
  from pg_rewrite join ours on ours.oid = ev_class where rulename <> '_RETURN'
  order by 1`

/** The digests of what is defined in the schema now, by name. */
export async function definitionsNow(tx: OrganisationTx): Promise<Map<string, string>> {
  const { path } = onlyRow(await tx.execute<{ path: string }>(sql`select current_setting('search_path') as path`))
  // What the search path finds first is worded without its schema.
  await tx.execute(sql`select set_config('search_path', 'public, pg_temp', true)`)
  const rows = await tx.execute<{ name: string; text: string }>(worded)
  await tx.execute(sql`select set_config('search_path', ${path}, true)`)
  return new Map(rows.map(({ name, text }) => [name, sha256(text.replace(/\s+/g, ' ')).slice(0, 16)]))
}

/**
 * Whether views, functions, policies, triggers, constraints and the rest are what the migrations of this version make: whoever owns the database
 * could have figures read from another view without a single row being changed.
 * @returns how many were compared: none of data that is of another version, whose definitions this one does not know
 */
export async function verifyDefinitions(tx: OrganisationTx): Promise<{ compared: number; findings: Finding[] }> {
  if (!(await isOfThisVersion(tx))) return { compared: 0, findings: [] }
  const now = await definitionsNow(tx)
  const hidden = await tx.execute<{ name: string }>(sql`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
      and to_regclass(quote_ident(relname)) is distinct from oid order by relname`)
  const problems = [
    ...Object.entries(made).flatMap(([name, digest]) => {
      const known = now.get(name)
      if (known === undefined) return [`The ${name} is missing in the database: somebody has taken it away.`]
      return known === digest ? [] : [`The ${name} is not defined as this version of Bursar makes it: somebody has changed it.`]
    }),
    ...[...now.keys()].flatMap((name) =>
      !(name in made) && isInTheWay(name) ? [`The ${name} is not of this version of Bursar: somebody has put it in.`] : [],
    ),
    ...hidden.map(
      ({ name }) => `Another ${name} stands before that of Bursar in the search path of its database role, and is read in its place.`,
    ),
  ]
  return { compared: Object.keys(made).length, findings: problems.map((problem) => ({ budgetId: null, version: null, problem })) }
}

/** The names of functions without what they take, so that one with other arguments is known. */
const functions = new Set(Object.keys(made).map((name) => name.replace(/\(.*/, '')))

/** Whether something that this version does not make changes what its own tables, views and functions do. Tables of somebody else do not. */
function isInTheWay(name: string): boolean {
  if (name.startsWith('function ')) return functions.has(name.replace(/\(.*/, ''))
  const on = / of (\S+)$/.exec(name)?.[1] ?? /^column (.+)\./.exec(name)?.[1]
  return `table ${on}` in made || `view ${on}` in made
}
