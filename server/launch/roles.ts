import { runMigrations } from 'bullmq'
import { Client } from 'pg'
import postgres from 'postgres'
import { onlyRow } from '../../domain/values/assertDefined.ts'
import { recalculationQueue } from '../core/queue/queues.ts'

/** As whom servers and workers sign in to the database: a role that owns nothing, belongs to no other and can become none. */
const serverRole = 'bursar_app'

/** The same database as servers and workers sign in to it. */
export function serverUrlOf(ownerUrl: string, password: string): string {
  const url = new URL(ownerUrl)
  url.username = serverRole
  url.password = encodeURIComponent(password)
  return url.href
}

async function signsIn(url: string): Promise<boolean> {
  const client = postgres(url, { max: 1, connect_timeout: 10, onnotice: () => undefined })
  try {
    await client`select 1`
    return true
  } catch {
    return false
  } finally {
    await client.end({ timeout: 5 })
  }
}

/**
 * Makes sure that the role of servers and workers is there and signs in with this password. It belongs to the whole PostgreSQL and is not
 * part of a dump of one database, so every start looks, not only the first.
 * @returns the address with which servers and workers sign in
 * @throws Error with one sentence when the owner may not make roles
 */
export async function prepareServerRole(owner: postgres.Sql, ownerUrl: string, password: string): Promise<string> {
  const url = serverUrlOf(ownerUrl, password)
  const [role] = await owner`select rolcanlogin, rolinherit from pg_roles where rolname = ${serverRole}`
  if (!role?.rolcanlogin || role.rolinherit || !(await signsIn(url))) {
    const attributes = onlyRow(await owner`select format('login noinherit password %L', ${password}::text) as text`)
    const made = 'nosuperuser nocreatedb nocreaterole noreplication nobypassrls'
    const statement = role
      ? `alter role ${serverRole} ${attributes.text}`
      : `do $do$ begin create role ${serverRole} ${made}; exception when duplicate_object or unique_violation then null; end $do$; alter role ${serverRole} ${attributes.text}`
    await owner.unsafe(statement).catch((error: { code?: string }) => {
      // Another database of this PostgreSQL was being prepared in the same moment, with the same password.
      if (error.code === 'XX000') return
      throw error.code === '42501'
        ? new Error(
            `DATABASE_URL signs in as a role that may not create the role ${serverRole}. Give it CREATEROLE, or create ${serverRole} yourself (login, noinherit) with the password in DATABASE_APP_PASSWORD.`,
          )
        : error
    })
  }
  const member = onlyRow(await owner`select pg_has_role(current_user, ${serverRole}, 'member') as is`)
  if (!member.is) await owner.unsafe(`grant ${serverRole} to current_user`)
  return url
}

/**
 * Gives the role its rights where it has none: in a database that was restored without it. Logs, which are the tables with the trigger that
 * keeps them append only, it may only read and add to.
 */
export async function restoreRights(owner: postgres.Sql): Promise<void> {
  const held = onlyRow(await owner`select has_table_privilege(${serverRole}, 'public.organisations', 'select') as is`)
  if (held.is) return
  await owner.unsafe(`
    grant usage on schema public, drizzle to ${serverRole};
    grant select on all tables in schema drizzle to ${serverRole};
    do $do$ declare t record; begin
      for t in select c.oid::regclass as name, exists (select from pg_trigger where tgrelid = c.oid and tgname = 'append_only') as is_log
        from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
      loop
        execute format('grant select, insert%s on %s to ${serverRole}', case when t.is_log then '' else ', update, delete' end, t.name);
      end loop;
    end $do$;
    grant usage on all sequences in schema public to ${serverRole}`)
}

/** The queue keeps its tables in a schema of its own, which the owner makes and brings up to date and servers only use. */
export async function prepareQueue(ownerUrl: string): Promise<void> {
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await runMigrations(client, 'bullmq')
    // The queue would make the numbering of its jobs itself, at the first of them, which takes an owner.
    const { rows } = await client.query('select bullmq.job_id_seq_name($1) as name', [recalculationQueue])
    await client.query(`
      create sequence if not exists bullmq.${rows[0].name};
      grant usage on schema bullmq to ${serverRole};
      grant select, insert, update, delete on all tables in schema bullmq to ${serverRole};
      grant usage, select, update on all sequences in schema bullmq to ${serverRole}`)
  } finally {
    await client.end()
  }
}
