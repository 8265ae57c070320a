import { runMigrations } from 'bullmq'
import { Client } from 'pg'
import postgres from 'postgres'
import { requireSingleRow } from '../../domain/values/assertDefined.ts'
import { recalculationQueue } from '../core/queue/queues.ts'

const serverRole = 'bursar_app'

export function toServerUrl(ownerUrl: string, password: string): string {
  const url = new URL(ownerUrl)
  url.username = serverRole
  url.password = encodeURIComponent(password)
  return url.href
}

async function canSignIn(url: string): Promise<boolean> {
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
 * Ensures that the role of servers and workers exists and has this password. Every start checks that, because a role belongs to the
 * PostgreSQL server, not to a database, and so is not part of a restored dump.
 * @param password null leaves the role as it is, for a temporary database beside one that is in use
 * @returns the address with which servers and workers sign in; that of the owner if the role is left as it is
 * @throws Error with one sentence if the owner may not create roles
 */
export async function prepareServerRole(owner: postgres.Sql, ownerUrl: string, password: string | null): Promise<string> {
  if (password === null) return ownerUrl
  const url = toServerUrl(ownerUrl, password)
  const [role] = await owner`select rolcanlogin, rolinherit from pg_roles where rolname = ${serverRole}`
  if (!role?.rolcanlogin || role.rolinherit || !(await canSignIn(url))) {
    const attributes = requireSingleRow(await owner`select format('login noinherit password %L', ${password}::text) as text`)
    const attributesOfNewRole = 'nosuperuser nocreatedb nocreaterole noreplication nobypassrls'
    const statement = role
      ? `alter role ${serverRole} ${attributes.text}`
      : `do $do$ begin create role ${serverRole} ${attributesOfNewRole}; exception when duplicate_object or unique_violation then null; end $do$; alter role ${serverRole} ${attributes.text}`
    await owner.unsafe(statement).catch((error: { code?: string }) => {
      // Another process was setting the same password at the same time, for another database of this PostgreSQL server.
      if (error.code === 'XX000') return
      throw error.code === '42501'
        ? new Error(
            `DATABASE_URL signs in as a role that may not create the role ${serverRole}. Give it CREATEROLE, or create ${serverRole} yourself (login, noinherit) with the password in DATABASE_APP_PASSWORD.`,
          )
        : error
    })
  }
  const member = requireSingleRow(await owner`select pg_has_role(current_user, ${serverRole}, 'member') as is`)
  if (!member.is) await owner.unsafe(`grant ${serverRole} to current_user`)
  return url
}

/**
 * Grants the role its rights if they are missing, as in a restored database. On tables with the append-only trigger, such as event logs,
 * the role may only select and insert.
 */
export async function restoreServerRights(owner: postgres.Sql): Promise<void> {
  const selectRight = requireSingleRow(await owner`select has_table_privilege(${serverRole}, 'public.organisations', 'select') as is`)
  if (selectRight.is) return
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

export async function prepareQueue(ownerUrl: string): Promise<void> {
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await runMigrations(client, 'bullmq')
    // The queue would create this sequence with its first job, but servers may not create sequences.
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
