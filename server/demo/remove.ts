import { inArray, sql } from 'drizzle-orm'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import type { UserId } from '../../domain/values/ids.ts'
import { users } from '../../drizzle/accessTables.ts'
import type { Actor } from '../core/calls/actor.ts'
import { SettingError } from '../core/config.ts'
import { advisoryLocks } from '../core/database/advisoryLocks.ts'
import type { OrganisationTx, Store } from '../core/database/database.ts'
import { logUsers, removeUserUnchecked } from '../features/users/commands.ts'
import { logRecordChanges, removedOrganisationLog } from '../resources/referenceLog.ts'
import { readUserRecords } from '../shared/users/queries.ts'
import { demoUsers } from './access.ts'

export interface DemoTrust {
  id: number
  name: string
  budgets: number
  events: number
  staff: number
  clients: number
}

export interface InstalledDemo {
  trusts: DemoTrust[]
  /** The demo's users. Those who changed records that remain are kept without a password, because the history refers to them. */
  people: { id: UserId; email: string; isKept: boolean }[]
  others: number
}

/**
 * Finds the trusts that loading the demo created, by the request ids in the change log, so that a real organisation of the same name is not
 * found.
 */
async function findDemoTrusts(tx: OrganisationTx): Promise<DemoTrust[]> {
  const rows = await tx.execute<DemoTrust & Record<string, unknown>>(sql`
    select o.id, o.name, (select count(*)::integer from budgets where organisation_id = o.id) as budgets,
      (select count(*)::integer from budget_events where organisation_id = o.id) as events,
      (select count(*)::integer from staff_members where organisation_id = o.id) as staff,
      (select count(*)::integer from api_clients where organisation_id = o.id) as clients
    from organisations o
    where exists (select from reference_changes c where c.organisation_id = o.id and c.resource = 'organisation' and c.record_id = o.id::text
      and c.action = 'created' and c.actor_id is null and c.request_id ~ '^(demo-harbour|demo-meadow|scale-[0-9]+)$')
    order by o.id`)
  return [...rows]
}

export async function findDemo(tx: OrganisationTx): Promise<InstalledDemo> {
  const trusts = await findDemoTrusts(tx)
  const ids = idList(trusts)
  const addresses = demoUsers.map((user) => user.email)
  const people = await tx.select({ id: users.id, email: users.email }).from(users).where(inArray(users.email, addresses)).orderBy(users.id)
  const referenced = await tx.execute<{ id: UserId }>(sql`
    select id from users where exists (select from reference_changes where actor_id = users.id and coalesce(organisation_id, 0) <> all(${ids}))
      or exists (select from budget_events where actor_id = users.id and organisation_id <> all(${ids}))
      or exists (select from monitoring_events where actor_id = users.id and organisation_id <> all(${ids}))
      or exists (select from payroll_events where actor_id = users.id and organisation_id <> all(${ids}))`)
  const referencedIds = new Set(referenced.map(({ id }) => id))
  const [count] = await tx.execute<{ others: number }>(sql`select count(*)::integer as others from organisations where id <> all(${ids})`)
  return { trusts, people: people.map((one) => ({ ...one, isKept: referencedIds.has(one.id) })), others: assertDefined(count).others }
}

const idList = (trusts: readonly { id: number }[]) => sql`${sql.param(`{${trusts.map(({ id }) => id).join(',')}}`)}::integer[]`

/**
 * Removes the demo trusts, their users and API clients in one transaction; national data and other organisations are not affected. Event
 * logs are append-only, and only the table owner can suspend that. Each removal is recorded first in the platform's chain, with the trust's
 * name and last link, so that nobody can remove an organisation without trace once that chain is anchored.
 * @param store opened with the database owner's role
 * @returns what was removed
 */
export function removeDemo(store: Store, now: Date): Promise<InstalledDemo> {
  const actor: Actor = { userId: null, requestId: 'remove-demo', now }
  return store.asPlatform(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.filling})`)
    const demo = await findDemo(tx)
    if (demo.trusts.length) {
      const ends = await tx.execute<{ id: number; sequence: number; hash: string }>(sql`
        select distinct on (organisation_id) organisation_id as id, sequence::integer, hash from log_chain
        where organisation_id = any(${idList(demo.trusts)}) order by organisation_id, sequence desc`)
      const endOf = new Map(ends.map((end) => [end.id, end]))
      const members = await tx.execute<{ id: UserId }>(
        sql`select distinct user_id as id from memberships where organisation_id = any(${idList(demo.trusts)})`,
      )
      await deleteOrganisations(tx, demo.trusts)
      await logRecordChanges(
        { tx, actor },
        removedOrganisationLog,
        demo.trusts.map((trust) => {
          const { sequence, hash } = assertDefined(endOf.get(trust.id))
          return { action: 'deleted', before: { ...trust, version: 1, organisationId: null, sequence, hash }, after: null }
        }),
      )
      const demoUserIds = new Set(demo.people.map(({ id }) => id))
      const others = members.map(({ id }) => id).filter((id) => !demoUserIds.has(id))
      if (others.length) await logUsers({ tx, actor }, others, 'updated')
    }
    for (const user of await readUserRecords(
      tx,
      demo.people.map(({ id }) => id),
    ))
      await removeUserUnchecked({ tx, actor }, user, assertDefined(demo.people.find(({ id }) => id === user.id)).isKept)
    return demo
  })
}

/**
 * Deletes all rows of some organisations in one statement, so that the order of foreign keys does not matter. User triggers are disabled
 * meanwhile: those that make logs append-only, and those that would count the deletions or add them to the chain.
 */
async function deleteOrganisations(tx: OrganisationTx, trusts: readonly DemoTrust[]): Promise<void> {
  const tables = await tx.execute<{ name: string }>(sql`
    select quote_ident(c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'organisation_id' and not a.attisdropped
    where c.relkind = 'r' order by 1`)
  const names = [...tables.map(({ name }) => name), 'organisations']
  const [ownership] = await tx.execute<{ isOwner: boolean }>(
    sql`select pg_has_role(session_user, relowner, 'usage') as "isOwner" from pg_class where oid = 'budget_events'::regclass`,
  )
  if (!ownership?.isOwner) throw new SettingError('Only the owner of the database can remove the demo: use that role in DATABASE_URL.')
  // Only these statements need the owner's rights.
  await tx.execute(sql`set local role none`)
  for (const name of names) await tx.execute(sql.raw(`alter table ${name} disable trigger user`))
  const ids = trusts.map(({ id }) => id).join(',')
  const owned = names.slice(0, -1).map((name, index) => `t${index} as (delete from ${name} where organisation_id in (${ids}))`)
  await tx.execute(sql.raw(`with ${owned.join(', ')} delete from organisations where id in (${ids})`))
  for (const name of names) await tx.execute(sql.raw(`alter table ${name} enable trigger user`))
  await tx.execute(sql`set local role bursar_app`)
}
