import { inArray, sql } from 'drizzle-orm'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import type { UserId } from '../../domain/values/ids.ts'
import { users } from '../../drizzle/accessTables.ts'
import type { Actor } from '../core/calls/actor.ts'
import { SettingError } from '../core/config.ts'
import { advisoryLocks } from '../core/database/advisoryLocks.ts'
import type { OrganisationTx, Store } from '../core/database/database.ts'
import { logUsers, removeUser } from '../features/users/commands.ts'
import { allUsers } from '../features/users/queries.ts'
import { recordChanges, removedOrganisation } from '../resources/referenceLog.ts'
import { demoUsers } from './access.ts'

/** A trust of the demo, and what goes away with it. */
export interface DemoTrust {
  id: number
  name: string
  budgets: number
  events: number
  staff: number
  clients: number
}

/** What of the demo stands in an installation. */
export interface Demo {
  trusts: DemoTrust[]
  /** Addresses of its people; those who changed what stays are kept, without a password, since the history names them. */
  people: { id: UserId; email: string; isKept: boolean }[]
  /** How many organisations stay. */
  others: number
}

/**
 * The trusts that a load of the demo made, by the change log: made by nobody's hand, under the marks of those loads. An organisation that
 * somebody called the same is none.
 */
async function trustsOf(tx: OrganisationTx): Promise<DemoTrust[]> {
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

/** What of the demo stands here, and so what would be removed. */
export async function demoIn(tx: OrganisationTx): Promise<Demo> {
  const trusts = await trustsOf(tx)
  const ids = idList(trusts)
  const addresses = demoUsers.map((user) => user.email)
  const known = await tx.select({ id: users.id, email: users.email }).from(users).where(inArray(users.email, addresses)).orderBy(users.id)
  const named = await tx.execute<{ id: UserId }>(sql`
    select id from users where exists (select from reference_changes where actor_id = users.id and coalesce(organisation_id, 0) <> all(${ids}))
      or exists (select from budget_events where actor_id = users.id and organisation_id <> all(${ids}))
      or exists (select from monitoring_events where actor_id = users.id and organisation_id <> all(${ids}))
      or exists (select from payroll_events where actor_id = users.id and organisation_id <> all(${ids}))`)
  const kept = new Set(named.map(({ id }) => id))
  const [count] = await tx.execute<{ others: number }>(sql`select count(*)::integer as others from organisations where id <> all(${ids})`)
  return { trusts, people: known.map((one) => ({ ...one, isKept: kept.has(one.id) })), others: assertDefined(count).others }
}

const idList = (trusts: readonly { id: number }[]) => sql`${sql.param(`{${trusts.map(({ id }) => id).join(',')}}`)}::integer[]`

/**
 * Takes the trusts of the demo, their people and their API clients away, all or nothing; national data and other organisations stay as they
 * are. The logs are append-only for everybody and stay so: only the owner of the tables may suspend that, which this does within its one
 * transaction, and what was there is written into the chain of the platform first, by name, with the last link of each chain that goes. So
 * nobody can take an organisation away without its being said for ever where the same owner cannot unsay it once it is anchored.
 * @param store as the owner of the database
 * @returns what went
 */
export function removeDemo(store: Store, now: Date): Promise<Demo> {
  const actor: Actor = { userId: null, requestId: 'remove-demo', now }
  return store.asPlatform(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.filling})`)
    const demo = await demoIn(tx)
    if (demo.trusts.length) {
      const ends = await tx.execute<{ id: number; sequence: number; hash: string }>(sql`
        select distinct on (organisation_id) organisation_id as id, sequence::integer, hash from log_chain
        where organisation_id = any(${idList(demo.trusts)}) order by organisation_id, sequence desc`)
      const endOf = new Map(ends.map((end) => [end.id, end]))
      const members = await tx.execute<{ id: UserId }>(
        sql`select distinct user_id as id from memberships where organisation_id = any(${idList(demo.trusts)})`,
      )
      await deleteAll(tx, demo.trusts)
      await recordChanges(
        { tx, actor },
        removedOrganisation,
        demo.trusts.map((trust) => {
          const { sequence, hash } = assertDefined(endOf.get(trust.id))
          return { action: 'deleted', before: { ...trust, version: 1, organisationId: null, sequence, hash }, after: null }
        }),
      )
      const gone = new Set(demo.people.map(({ id }) => id))
      const others = members.map(({ id }) => id).filter((id) => !gone.has(id))
      if (others.length) await logUsers({ tx, actor }, others, 'updated')
    }
    for (const user of await allUsers(
      tx,
      demo.people.map(({ id }) => id),
    ))
      await removeUser({ tx, actor }, user, assertDefined(demo.people.find(({ id }) => id === user.id)).isKept)
    return demo
  })
}

/**
 * Deletes every row of some organisations, of whatever table there is: in one statement, so that no order of foreign keys counts. Triggers of
 * ours rest meanwhile: those that keep the logs, and those that would count and link what goes away.
 */
async function deleteAll(tx: OrganisationTx, trusts: readonly DemoTrust[]): Promise<void> {
  const tables = await tx.execute<{ name: string }>(sql`
    select quote_ident(c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'organisation_id' and not a.attisdropped
    where c.relkind = 'r' order by 1`)
  const names = [...tables.map(({ name }) => name), 'organisations']
  const [own] = await tx.execute<{ isOwner: boolean }>(
    sql`select pg_has_role(session_user, relowner, 'usage') as "isOwner" from pg_class where oid = 'budget_events'::regclass`,
  )
  if (!own?.isOwner) throw new SettingError('Only the owner of the database may remove the demo: name that role in DATABASE_URL.')
  // For these statements alone as the owner, whom all else is done without.
  await tx.execute(sql`set local role none`)
  for (const name of names) await tx.execute(sql.raw(`alter table ${name} disable trigger user`))
  const ids = trusts.map(({ id }) => id).join(',')
  const owned = names.slice(0, -1).map((name, place) => `t${place} as (delete from ${name} where organisation_id in (${ids}))`)
  await tx.execute(sql.raw(`with ${owned.join(', ')} delete from organisations where id in (${ids})`))
  for (const name of names) await tx.execute(sql.raw(`alter table ${name} enable trigger user`))
  await tx.execute(sql`set local role bursar_app`)
}
