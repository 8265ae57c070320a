import { join } from 'node:path'
import { referenceChanges } from '../../drizzle/schema.ts'
import { openBackup } from '../backup/backupFile.ts'
import { backUp } from '../backup/dump.ts'
import { NotEmpty, restore } from '../backup/restore.ts'
import type { Store } from '../core/database/database.ts'
import type { KeySeal } from '../core/database/keySeal.ts'
import { resealVaultKeys } from '../core/database/vault.ts'
import { root } from '../core/root.ts'
import { newestMigration } from '../launch/migrate.ts'
import { loadDemo } from './load.ts'

/**
 * The demo with the year behind it as `keepYear` last wrote it. To do the work of a year takes ten seconds, to bring it back two: it is a backup
 * like any other, whose reference data are brought up to date as those of an installation are.
 */
export const yearFile = join(root, 'drizzle/demo/year.backup')

/** Keys as they are, for the first start to seal with its own: everybody can read them here, so that nothing real belongs into these trusts. */
const bare: KeySeal = { hasSecret: true, seal: (_subject, key) => Buffer.from(key), open: (_subject, key) => Buffer.from(key) }

/**
 * Does the work of the year in a database that was just made, and keeps it.
 * @param databaseUrl as its owner
 */
export async function keepYear(store: Store, databaseUrl: string, file: string): Promise<void> {
  await loadDemo(store, { hasYear: true })
  await store.asPlatform((tx) => resealVaultKeys(tx, bare))
  await backUp(file, { databaseUrl, dataKey: null, anchors: null }, {})
}

/**
 * Brings the demo with its year into an installation in which nothing was ever done. Its keys are still to be sealed.
 * @param to the database as its owner, and the password of the role of servers and workers
 * @returns whether it is there now; where not, because the clock of the machine is not there yet or a migration is newer, the work is to be
 * done (`loadDemo`)
 */
export async function restoreYear(store: Store, to: { databaseUrl: string; serverPassword: string }): Promise<boolean> {
  const done = await store.asPlatform((tx) => tx.select({ id: referenceChanges.id }).from(referenceChanges).limit(1))
  if (done.length) return false
  const { head, reader } = await openBackup(yearFile, {})
  await reader.close()
  if (Date.parse(head.at) > Date.now() || head.migration !== newestMigration()) return false
  try {
    await restore(yearFile, { ...to, dataKey: null, folder: null, isUntouched: true }, {})
    return true
  } catch (error) {
    // Another start has filled it meanwhile.
    if (error instanceof NotEmpty) return false
    throw error
  }
}
