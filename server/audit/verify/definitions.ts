import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { requireSingleRow } from '../../../domain/values/assertDefined.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { root } from '../../core/root.ts'
import { sha256 } from '../../core/stream/hash.ts'
import { hasExactMigrations } from '../../launch/databaseChecks.ts'
import type { AuditFinding } from './verify.ts'

/**
 * Digests of the database objects that this version's migrations create, by name. A test regenerates the file (CONTRIBUTING.md,
 * "Migrations").
 */
const expectedDefinitions: Record<string, string> = JSON.parse(readFileSync(join(root, 'drizzle/definitions.json'), 'utf8'))

/**
 * SQL that lists the definitions in the schema as PostgreSQL prints them: tables with row-level security, columns with defaults and
 * expressions, constraints, unique indexes, views, functions, policies, triggers and rules. PostgreSQL 16 to 18 print them identically, also
 * after a dump and restore. Objects of extensions are left out.
 */
const currentDefinitions = sql`
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

export async function readDatabaseDefinitions(tx: OrganisationTx): Promise<Map<string, string>> {
  const { path } = requireSingleRow(await tx.execute<{ path: string }>(sql`select current_setting('search_path') as path`))
  // PostgreSQL omits the schema name of objects in the first schema of the search path.
  await tx.execute(sql`select set_config('search_path', 'public, pg_temp', true)`)
  const rows = await tx.execute<{ name: string; text: string }>(currentDefinitions)
  await tx.execute(sql`select set_config('search_path', ${path}, true)`)
  return new Map(rows.map(({ name, text }) => [name, sha256(text.replace(/\s+/g, ' ')).slice(0, 16)]))
}

/**
 * Compares the database definitions with this version's migrations. Without this check, the database owner could change a view, and so
 * every figure, without altering a row.
 * @returns `compared`: the number of definitions; 0 if the data is from another version, whose definitions are unknown here
 */
export async function verifyDatabaseDefinitions(tx: OrganisationTx): Promise<{ compared: number; findings: AuditFinding[] }> {
  if (!(await hasExactMigrations(tx))) return { compared: 0, findings: [] }
  const now = await readDatabaseDefinitions(tx)
  const hidden = await tx.execute<{ name: string }>(sql`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
      and to_regclass(quote_ident(relname)) is distinct from oid order by relname`)
  const problems = [
    ...Object.entries(expectedDefinitions).flatMap(([name, digest]) => {
      const known = now.get(name)
      if (known === undefined) return [`The ${name} is missing from the database: someone removed it.`]
      return known === digest ? [] : [`The definition of the ${name} differs from this version of Bursar: someone changed it.`]
    }),
    ...[...now.keys()].flatMap((name) =>
      !(name in expectedDefinitions) && isIntrusive(name)
        ? [`The ${name} does not belong to this version of Bursar: someone added it.`]
        : [],
    ),
    ...hidden.map(({ name }) => `Another ${name} comes before Bursar’s in the search path of its database role and is read instead.`),
  ]
  return {
    compared: Object.keys(expectedDefinitions).length,
    findings: problems.map((problem) => ({ budgetId: null, version: null, problem })),
  }
}

/** Function names without arguments, to detect overloads. */
const functionNames = new Set(Object.keys(expectedDefinitions).map((name) => name.replace(/\(.*/, '')))

/** Whether an unknown object could change how this version's tables, views and functions behave. Unrelated tables cannot. */
function isIntrusive(name: string): boolean {
  if (name.startsWith('function ')) return functionNames.has(name.replace(/\(.*/, ''))
  const on = / of (\S+)$/.exec(name)?.[1] ?? /^column (.+)\./.exec(name)?.[1]
  return `table ${on}` in expectedDefinitions || `view ${on}` in expectedDefinitions
}
