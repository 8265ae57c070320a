import { setTimeout as wait } from 'node:timers/promises'
import type postgres from 'postgres'
import { advisoryLocks } from '../core/database/advisoryLocks.ts'
import type { Store } from '../core/database/database.ts'
import { isTransactionConflict, toDatabaseRefusal } from '../core/database/errors.ts'
import {
  createUserKeys,
  laterSealingLogName,
  personalFieldNames,
  sealedChangeKinds,
  sealUnsealedChanges,
  type UnsealedChange,
} from '../core/database/userSeal.ts'
import { withOwnerConnection } from './sealKeys.ts'

const changesPerEntry = 1000
const maxTries = 30
const retryDelayMs = 1000

/**
 * Creates missing user keys and seals (encrypts) entries about users that earlier versions logged in clear text. The platform's chain is
 * not rewritten: new entries record the hash of each sealed entry before and after. Calls that write to the log wait meanwhile, at most
 * three seconds for each attempt.
 * @param ownerUrl address with the role that owns the tables, which alone may update the log
 * @returns the number of sealed entries
 */
export async function sealUserHistory(store: Store, ownerUrl: string): Promise<number> {
  await store.asPlatform((tx) => createUserKeys(tx))
  return withOwnerConnection(ownerUrl, async (owner) => {
    await owner`select set_config('app.organisation_id', '*', false), set_config('lock_timeout', '3s', false)`
    if (!(await listClearChanges(owner)).length) return 0
    for (let triesLeft = maxTries; ; triesLeft--)
      try {
        const count = await owner.begin((tx) => sealAllChanges(store, tx))
        // Free the space of the old rows, so that the clear text is soon overwritten.
        await owner`vacuum reference_changes`
        return count
      } catch (error) {
        // 55P03 is `lock_not_available`; deadlocks and similar conflicts can be retried too.
        if (triesLeft <= 1 || !(toDatabaseRefusal(error)?.code === '55P03' || isTransactionConflict(error))) throw error
        await wait(retryDelayMs)
      }
  })
}

function listClearChanges(owner: postgres.Sql | postgres.TransactionSql): Promise<UnsealedChange[]> {
  return owner<UnsealedChange[]>`
    select id::text as id, resource, record_id as "recordId", before, after from reference_changes
    where resource = any(${sealedChangeKinds}) and (jsonb_exists_any(before, ${personalFieldNames}) or jsonb_exists_any(after, ${personalFieldNames}))
    order by reference_changes.id`
}

async function sealAllChanges(store: Store, owner: postgres.TransactionSql): Promise<number> {
  await owner`select pg_advisory_xact_lock(${advisoryLocks.keys})`
  // This statement locks the table, so nobody else can write to the log until the end of the transaction.
  await owner`alter table reference_changes disable trigger append_only`
  const clear = await listClearChanges(owner)
  const entries: ChangeHashes[][] = []
  for (let start = 0; start < clear.length; start += changesPerEntry)
    entries.push(
      await sealChanges(owner, await store.asPlatform((tx) => sealUnsealedChanges(tx, clear.slice(start, start + changesPerEntry)))),
    )
  await owner`alter table reference_changes enable trigger append_only`
  for (const changes of entries)
    await owner`
      insert into reference_changes (resource, record_id, version, action, after, request_id)
      values (${laterSealingLogName}, ${changes[0]?.id ?? ''}, 1, 'created', ${owner.json({ changes: changes.map((change) => ({ ...change })) })}, 'upgrade')`
  return clear.length
}

interface ChangeHashes {
  id: string
  was: string
  is: string
}

async function sealChanges(owner: postgres.TransactionSql, changes: readonly UnsealedChange[]): Promise<ChangeHashes[]> {
  return owner<ChangeHashes[]>`
    with wanted as (select * from json_to_recordset(${JSON.stringify(changes)}::text::json) as wanted (id bigint, before jsonb, after jsonb)),
      stood as (
        select log.id, encode(sha256(convert_to(reference_change_text(log), 'UTF8')), 'hex') as was
        from reference_changes log join wanted on wanted.id = log.id),
      changed as (
        update reference_changes log set before = nullif(wanted.before, 'null'), after = nullif(wanted.after, 'null') from wanted
        where wanted.id = log.id returning log.id, encode(sha256(convert_to(reference_change_text(log), 'UTF8')), 'hex') as is)
    select stood.id::text as id, stood.was, changed.is from stood join changed on changed.id = stood.id order by stood.id`
}
