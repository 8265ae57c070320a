import { mkdirSync } from 'node:fs'
import { loadSigningKeys } from '../../../server/auth/keys.ts'
import { openStore } from '../../../server/core/database/database.ts'
import { loadDemo } from '../../../server/demo/load.ts'
import { migrateDatabase } from '../../../server/launch/migrate.ts'
import { startPostgres } from '../../../server/launch/postgres.ts'
import { requirePlatformKey, withOwnerConnection } from '../../../server/launch/sealKeys.ts'
import { ensureSecret, storeSecret } from '../../../server/launch/secrets.ts'
import { testDataKey } from './dataKey.ts'

/** Makes the data folder that tests copy: the demo trusts, and the key that signs tokens. */
const [folder = ''] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
storeSecret(folder, 'dataKey', testDataKey)
const database = await startPostgres(folder, ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'])
try {
  await migrateDatabase(database.url, ensureSecret(folder, 'databaseServer'))
  const store = openStore({ databaseUrl: database.url, dataKey: testDataKey }, 2)
  await loadSigningKeys(store)
  await withOwnerConnection(database.url, (owner) => requirePlatformKey(owner, testDataKey, { from: 'now' }))
  await loadDemo(store)
  await store.close()
} finally {
  await database.stop()
}
