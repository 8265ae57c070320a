import { setTimeout as wait } from 'node:timers/promises'
import type postgres from 'postgres'
import { advisoryLocks } from '../core/database/advisoryLocks.ts'
import type { Store } from '../core/database/database.ts'
import { databaseRefusal, mayTryAgain } from '../core/database/errors.ts'
import {
  type ClearChange,
  makeUserKeys,
  personalNames,
  sealClearChanges,
  sealedAfterwards,
  sealedKinds,
} from '../core/database/userSeal.ts'
import { asOwner } from './sealKeys.ts'

/** This many changes stand in one entry of the log that says that they were sealed. */
const atOnce = 1000
const tries = 30
const betweenTriesMs = 1000

/**
 * Makes a key for each user who has none, and seals what a version of before wrote of users into the change log in clear text. The chain of the
 * platform stays as it is: its links say what the changes were, and a new entry says of each what it was and what it is now. Calls that write to
 * the log wait meanwhile, three seconds at most for each try.
 * @param ownerUrl as the owner of the tables: nobody else may change what stands in the log
 * @returns how many changes were sealed
 */
export async function sealUsers(store: Store, ownerUrl: string): Promise<number> {
  await store.asPlatform((tx) => makeUserKeys(tx))
  return asOwner(ownerUrl, async (owner) => {
    await owner`select set_config('app.organisation_id', '*', false), set_config('lock_timeout', '3s', false)`
    if (!(await clearChanges(owner)).length) return 0
    for (let left = tries; ; left--)
      try {
        const count = await owner.begin((tx) => sealAll(store, tx))
        // What stood there before is written over as soon as the space is used again.
        await owner`vacuum reference_changes`
        return count
      } catch (error) {
        // 55P03 is `lock_not_available`, or two stood in each other's way.
        if (left <= 1 || !(databaseRefusal(error)?.code === '55P03' || mayTryAgain(error))) throw error
        await wait(betweenTriesMs)
      }
  })
}

function clearChanges(owner: postgres.Sql | postgres.TransactionSql): Promise<ClearChange[]> {
  return owner<ClearChange[]>`
    select id::text as id, resource, record_id as "recordId", before, after from reference_changes
    where resource = any(${sealedKinds}) and (jsonb_exists_any(before, ${personalNames}) or jsonb_exists_any(after, ${personalNames}))
    order by reference_changes.id`
}

async function sealAll(store: Store, owner: postgres.TransactionSql): Promise<number> {
  await owner`select pg_advisory_xact_lock(${advisoryLocks.keys})`
  // It takes a lock that nobody who writes to the log gets beside it.
  await owner`alter table reference_changes disable trigger append_only`
  const clear = await clearChanges(owner)
  const entries: Entry[][] = []
  for (let start = 0; start < clear.length; start += atOnce)
    entries.push(await sealSome(owner, await store.asPlatform((tx) => sealClearChanges(tx, clear.slice(start, start + atOnce)))))
  await owner`alter table reference_changes enable trigger append_only`
  for (const changes of entries)
    await owner`
      insert into reference_changes (resource, record_id, version, action, after, request_id)
      values (${sealedAfterwards}, ${changes[0]?.id ?? ''}, 1, 'created', ${owner.json({ changes: changes.map((change) => ({ ...change })) })}, 'upgrade')`
  return clear.length
}

/** What the chain knows of a change, and the hash of what it says now. */
interface Entry {
  id: string
  was: string
  is: string
}

async function sealSome(owner: postgres.TransactionSql, changes: readonly ClearChange[]): Promise<Entry[]> {
  return owner<Entry[]>`
    with wanted as (select * from json_to_recordset(${JSON.stringify(changes)}::text::json) as wanted (id bigint, before jsonb, after jsonb)),
      stood as (
        select log.id, encode(sha256(convert_to(reference_change_text(log), 'UTF8')), 'hex') as was
        from reference_changes log join wanted on wanted.id = log.id),
      changed as (
        update reference_changes log set before = nullif(wanted.before, 'null'), after = nullif(wanted.after, 'null') from wanted
        where wanted.id = log.id returning log.id, encode(sha256(convert_to(reference_change_text(log), 'UTF8')), 'hex') as is)
    select stood.id::text as id, stood.was, changed.is from stood join changed on changed.id = stood.id order by stood.id`
}
