import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { onlyRow } from '../../domain/values/assertDefined.ts'
import { resealSigningKeys, sealSigningKeys } from '../auth/keys.ts'
import { resealSecondSteps } from '../auth/secondStep.ts'
import { SettingError } from '../core/config.ts'
import { advisoryLocks } from '../core/database/advisoryLocks.ts'
import type { Store } from '../core/database/database.ts'
import { keySealOf } from '../core/database/keySeal.ts'
import { platformDigestOf } from '../core/database/platformScope.ts'
import { resealVaultKeys, sealVaultKeys } from '../core/database/vault.ts'
import type { Env } from '../core/settings.ts'
import { refuseOtherDataKey } from './databaseChecks.ts'

/**
 * Seals the keys that data of an earlier version holds as they are, and writes their tables anew, so that they are not left in the pages of
 * rows that are gone.
 * @param ownerUrl as the owner of the tables
 * @throws SettingError where other keys were sealed with another secret: nothing is sealed then
 */
export async function sealKeys(store: Store, ownerUrl: string): Promise<void> {
  await refuseOtherDataKey(store)
  const sealed = await store.asPlatform(async (tx) => {
    await tx.execute(`select pg_advisory_xact_lock(${advisoryLocks.keys})`)
    return (await sealVaultKeys(tx)) + (await sealSigningKeys(tx))
  })
  if (!sealed) return
  await asOwner(ownerUrl, writeAnew)
}

/** Works as the owner of the tables. */
export async function asOwner<T>(ownerUrl: string, work: (owner: postgres.Sql) => Promise<T>): Promise<T> {
  const owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined })
  try {
    return await work(owner)
  } finally {
    await owner.end({ timeout: 5 })
  }
}

/** Adds this secret to those with which servers see the rows of all organisations. */
async function allowPlatformKey(owner: postgres.Sql, dataKey: string): Promise<void> {
  await owner.begin(async (tx) => {
    await tx`select set_config('app.organisation_id', '*', true)`
    await tx`insert into platform_keys (digest, required_from) values (${platformDigestOf(dataKey)}, now()) on conflict do nothing`
  })
}

/**
 * Makes this the only secret with which servers see the rows of all organisations: from now on, or from tomorrow, so that servers of an earlier
 * version, which name no secret, can go on until they are replaced. A day that was set before stays.
 */
export async function requirePlatformKey(owner: postgres.Sql, dataKey: string, { from }: { from: 'now' | 'tomorrow' }): Promise<void> {
  const digest = platformDigestOf(dataKey)
  await owner.begin(async (tx) => {
    await tx`select set_config('app.organisation_id', '*', true)`
    await tx`delete from platform_keys where digest <> ${digest}`
    await tx`insert into platform_keys (digest, required_from)
      values (${digest}, now() + ${from === 'now' ? '0' : '1 day'}::interval) on conflict do nothing`
  })
}

async function writeAnew(owner: postgres.Sql): Promise<void> {
  await owner`vacuum full vault_keys`
  await owner`vacuum full signing_keys`
  await owner`vacuum full second_steps`
}

/** The new secret, for `change-key`. @throws SettingError when there is none, it could be guessed, or it is the one in use */
export function newDataKeyOf(env: Env, now: string | null): string {
  const { NEW_DATA_KEY: next } = env
  if (!next || next.length < 32) throw new SettingError('Set NEW_DATA_KEY to the new secret, 32 characters or more (openssl rand -hex 32).')
  if (next === now) throw new SettingError('NEW_DATA_KEY is the secret in use. Choose another one.')
  return next
}

/**
 * Seals every key of the database with another secret, all in one transaction, and writes their tables anew, so that nothing is left that
 * the secret before would open.
 * @param store opened with the secret in use
 * @param ownerUrl as the owner of the tables
 * @returns how many keys
 * @throws SettingError where the secret in use is another; Error with one sentence while servers or workers, who know that one, are connected
 */
export async function changeDataKey(store: Store, ownerUrl: string, next: string): Promise<number> {
  return asOwner(ownerUrl, async (owner) => {
    const [own] = await owner<{ isOwner: boolean }[]>`select pg_has_role(session_user, relowner, 'usage') as "isOwner" from pg_class
      where oid = 'vault_keys'::regclass`
    if (!own?.isOwner) throw new Error('Only the owner of the tables can change the key. Set DATABASE_URL as for migrate.')
    const seal = keySealOf(next)
    // Allowed before the keys are sealed with it, so that the change can be run again if it is interrupted.
    await allowPlatformKey(owner, next)
    const count = await store.asPlatform(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.keys})`)
      // Nobody adds a key meanwhile, and who comes after finds the keys sealed with the new secret.
      await tx.execute(sql`lock table vault_keys, signing_keys, second_steps in share row exclusive mode`)
      const others = onlyRow(
        await owner<{ count: number }[]>`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and usename = 'bursar_app'`,
      )
      if (others.count)
        throw new Error(
          'Servers or workers are connected to this database, and go on with the key they know. Stop them all, then change it.',
        )
      return (await resealVaultKeys(tx, seal)) + (await resealSigningKeys(tx, seal)) + (await resealSecondSteps(tx, seal))
    })
    await requirePlatformKey(owner, next, { from: 'now' })
    await writeAnew(owner)
    return count
  })
}
