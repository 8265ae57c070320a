import postgres from 'postgres'
import { sealSigningKeys } from '../auth/keys.ts'
import type { Store } from '../core/database/database.ts'
import { sealVaultKeys } from '../core/database/vault.ts'
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
    await tx.execute(`select pg_advisory_xact_lock(7342001)`)
    return (await sealVaultKeys(tx)) + (await sealSigningKeys(tx))
  })
  if (!sealed) return
  const owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined })
  try {
    await owner`vacuum full vault_keys`
    await owner`vacuum full signing_keys`
  } finally {
    await owner.end({ timeout: 5 })
  }
}
