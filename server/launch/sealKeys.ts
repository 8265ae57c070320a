import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { requireSingleRow } from '../../domain/values/assertDefined.ts'
import { resealSigningKeys, sealSigningKeys } from '../auth/keys.ts'
import { resealSecondSteps } from '../auth/secondStep.ts'
import { SettingError, splitDataKeys } from '../core/config.ts'
import { advisoryLocks } from '../core/database/advisoryLocks.ts'
import type { Store } from '../core/database/database.ts'
import { isLockTimeout, isTransactionConflict } from '../core/database/errors.ts'
import { createKeySeal } from '../core/database/keySeal.ts'
import { hashPlatformScope } from '../core/database/platformScope.ts'
import { resealVaultKeys, sealVaultKeys } from '../core/database/vault.ts'
import type { Env } from '../core/settings.ts'
import { assertDataKey } from './databaseChecks.ts'

const rewriteLockMs = 900
const rewriteTries = 60
const rewritePauseMs = 1000

/**
 * Seals (encrypts) keys that an earlier version stored unencrypted, then rewrites the tables so that no copies remain in dead rows.
 * @param ownerUrl address with the role that owns the tables
 * @throws SettingError if existing keys were sealed with another secret; then nothing is changed
 */
export async function sealKeys(store: Store, ownerUrl: string): Promise<void> {
  await assertDataKey(store)
  const sealed = await store.asPlatform(async (tx) => {
    await tx.execute(`select pg_advisory_xact_lock(${advisoryLocks.keys})`)
    return (await sealVaultKeys(tx)) + (await sealSigningKeys(tx))
  })
  if (!sealed) return
  await withOwnerConnection(ownerUrl, rewriteKeyTables)
}

export async function withOwnerConnection<T>(ownerUrl: string, work: (owner: postgres.Sql) => Promise<T>): Promise<T> {
  const owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined })
  try {
    return await work(owner)
  } finally {
    await owner.end({ timeout: 5 })
  }
}

async function allowPlatformKey(owner: postgres.Sql, dataKey: string): Promise<void> {
  await owner.begin(async (tx) => {
    await tx`select set_config('app.organisation_id', '*', true)`
    await tx`insert into platform_keys (digest, required_from) values (${hashPlatformScope(dataKey)}, now()) on conflict do nothing`
  })
}

/**
 * Makes this the only secret with which servers may see the rows of all organisations. With `tomorrow`, it takes effect after a day, in
 * which to replace servers of an earlier version, which send no secret. If the secret is already stored, its date does not change.
 */
export async function requirePlatformKey(owner: postgres.Sql, dataKey: string, { from }: { from: 'now' | 'tomorrow' }): Promise<void> {
  const digest = hashPlatformScope(dataKey)
  await owner.begin(async (tx) => {
    await tx`select set_config('app.organisation_id', '*', true)`
    // While the key is being changed, both keys are in use.
    const inUse = splitDataKeys(dataKey).map((key) => hashPlatformScope(key).toString('hex'))
    await tx`delete from platform_keys where encode(digest, 'hex') not in ${tx(inUse)}`
    await tx`insert into platform_keys (digest, required_from)
      values (${digest}, now() + ${from === 'now' ? '0' : '1 day'}::interval) on conflict do nothing`
  })
}

/** Rewriting a table needs a lock. Calls that use the table queue behind the wait for the lock, so each wait is short and repeated. */
async function rewriteKeyTables(owner: postgres.Sql): Promise<void> {
  await owner`select set_config('lock_timeout', ${`${rewriteLockMs}ms`}, false)`
  for (const table of ['vault_keys', 'signing_keys', 'second_steps'])
    for (let triesLeft = rewriteTries; ; triesLeft--)
      try {
        await owner.unsafe(`vacuum full ${table}`)
        break
      } catch (error) {
        if (triesLeft <= 1 || !(isLockTimeout(error) || isTransactionConflict(error))) throw error
        await wait(rewritePauseMs)
      }
}

/** Reads the new secret for `change-key`. @throws SettingError if it is missing, too short, or already in use */
export function readNewDataKey(env: Env, currentKey: string | null): string {
  const { NEW_DATA_KEY: next } = env
  if (!next || next.length < 32 || splitDataKeys(next).length > 1)
    throw new SettingError('Set NEW_DATA_KEY to the new secret, 32 characters or more (openssl rand -hex 32).')
  if (next === currentKey) throw new SettingError('NEW_DATA_KEY is the secret in use. Choose another one.')
  return next
}

/**
 * Seals all keys in the database with a new secret, in one transaction, then rewrites the tables so that no key remains that the old secret
 * decrypts.
 * @param store opened with the current secret
 * @param ownerUrl address with the role that owns the tables
 * @returns the number of keys
 * @throws SettingError if the current secret is wrong; Error with one sentence while servers or workers are connected
 */
export async function changeDataKey(store: Store, ownerUrl: string, next: string): Promise<number> {
  return withOwnerConnection(ownerUrl, async (owner) => {
    const count = await resealAll(store, owner, {
      next,
      async beforehand() {
        const connected = requireSingleRow(
          await owner<{ count: number }[]>`select count(*)::int as count from pg_stat_activity
          where datname = current_database() and usename = 'bursar_app'`,
        )
        if (connected.count)
          throw new Error(
            'Servers or workers are connected to this database, and would continue with the old key. Stop them all, then try again.',
          )
      },
    })
    await requirePlatformKey(owner, next, { from: 'now' })
    await rewriteKeyTables(owner)
    return count
  })
}

/**
 * Seals all keys in the database with the first secret of `DATA_KEY`, while servers and workers run with the same secrets. If `DATA_KEY`
 * has only one secret left, the previous secret stops giving access.
 * @param store opened with these secrets
 * @returns the number of keys, and whether the previous secret has stopped giving access
 * @throws SettingError if a key was sealed with none of them
 */
export async function resealKeysWithFirstSecret(
  store: Store,
  ownerUrl: string,
  dataKey: string,
): Promise<{ count: number; hasEnded: boolean }> {
  const [next = dataKey, ...others] = splitDataKeys(dataKey)
  const hasEnded = others.length === 0
  return withOwnerConnection(ownerUrl, async (owner) => {
    const count = await resealAll(store, owner, { next })
    if (hasEnded) await requirePlatformKey(owner, next, { from: 'now' })
    await rewriteKeyTables(owner)
    return { count, hasEnded }
  })
}

async function resealAll(
  store: Store,
  owner: postgres.Sql,
  { next, beforehand }: { next: string; beforehand?: () => Promise<void> },
): Promise<number> {
  const [ownership] = await owner<{ isOwner: boolean }[]>`select pg_has_role(session_user, relowner, 'usage') as "isOwner" from pg_class
    where oid = 'vault_keys'::regclass`
  if (!ownership?.isOwner) throw new Error('Only the owner of the tables can change the key. Set DATABASE_URL as for migrate.')
  const seal = createKeySeal(next)
  // Allow the new key before sealing with it, so that an interrupted change can be repeated.
  await allowPlatformKey(owner, next)
  return store.asPlatform(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.keys})`)
    // Nobody can add a key while this transaction holds the lock. A transaction that waits for it then finds keys sealed with the new
    // secret.
    await tx.execute(sql`lock table vault_keys, signing_keys, second_steps in share row exclusive mode`)
    await beforehand?.()
    return (await resealVaultKeys(tx, seal)) + (await resealSigningKeys(tx, seal)) + (await resealSecondSteps(tx, seal))
  })
}
