import { join } from 'node:path'
import { referenceChanges } from '../../drizzle/schema.ts'
import { openBackup } from '../backup/backupFile.ts'
import { writeDatabaseBackup } from '../backup/dump.ts'
import { DatabaseNotEmptyError, restoreBackup } from '../backup/restore.ts'
import type { Store } from '../core/database/database.ts'
import type { KeySeal } from '../core/database/keySeal.ts'
import { resealVaultKeys } from '../core/database/vault.ts'
import { root } from '../core/root.ts'
import { readNewestMigration } from '../launch/migrate.ts'
import { loadDemo } from './load.ts'

/**
 * A backup of the demo with its year of history, written by `writeDemoYearFile`. Restoring it takes two seconds, generating the year ten. Its
 * reference data is updated at the start like that of any installation.
 */
export const demoYearFile = join(root, 'drizzle/demo/year.backup')

/**
 * Leaves keys unencrypted; the first start of an installation seals them with its own secret. The file is public, so it must not contain
 * real data.
 */
const unsealedKeys: Pick<KeySeal, 'seal'> = { seal: (_subject, key) => Buffer.from(key) }

/**
 * Generates the demo's year in an empty database and writes it to a file.
 * @param databaseUrl address with the owner's role
 */
export async function writeDemoYearFile(store: Store, databaseUrl: string, file: string): Promise<void> {
  await loadDemo(store, { hasYear: true })
  await store.asPlatform((tx) => resealVaultKeys(tx, unsealedKeys))
  await writeDatabaseBackup(file, { databaseUrl, dataKey: null, anchors: null }, {})
}

/**
 * Restores the demo with its year into an unused installation. The caller must then seal its keys.
 * @param to address with the owner's role, and the password of the role used by servers and workers
 * @returns false if it was not restored, because the installation is in use, the clock is earlier than the backup, or the backup is older
 *   than the newest migration; the caller must then generate the year with `loadDemo`
 */
export async function restoreDemoYear(store: Store, to: { databaseUrl: string; serverPassword: string }): Promise<boolean> {
  const done = await store.asPlatform((tx) => tx.select({ id: referenceChanges.id }).from(referenceChanges).limit(1))
  if (done.length) return false
  const { head, reader } = await openBackup(demoYearFile, {})
  await reader.close()
  if (Date.parse(head.at) > Date.now() || head.migration !== readNewestMigration()) return false
  try {
    await restoreBackup(demoYearFile, { ...to, dataKey: null, folder: null, isUntouched: true }, {})
    return true
  } catch (error) {
    // Another server that starts at the same time has filled the database.
    if (error instanceof DatabaseNotEmptyError) return false
    throw error
  }
}
