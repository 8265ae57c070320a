import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../server/core/config.ts'
import { openStore, type Store } from '../../server/core/database/database.ts'
import { loadDemo } from '../../server/demo/load.ts'
import { migrateDatabase } from '../../server/launch/migrate.ts'
import { findFreePort, startPostgres } from '../../server/launch/postgres.ts'
import { removeDataFolders } from '../../server/launch/removeData.ts'
import { testDataKey } from '../support/product/dataKey.ts'

/** A database with the demo trusts, and the settings for running the product on it. */
interface Place {
  store: Store
  /** Connects as the owner of the tables. */
  ownerUrl: string
  config: Config
}

/** Runs some work on a new database, which is removed afterwards. */
export async function withDemo<T>(name: string, work: (place: Place) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-'))
  const database = await startPostgres(folder)
  try {
    const databaseUrl = await migrateDatabase(database.url)
    const store = openStore({ databaseUrl, dataKey: testDataKey }, 4)
    try {
      await loadDemo(store)
      const port = await findFreePort()
      const config: Config = {
        port,
        workerPort: null,
        origin: `http://localhost:${port}`,
        databaseUrl,
        databaseDirectUrl: null,
        databaseReadUrl: null,
        dataKey: testDataKey,
        redisUrl: null,
        redisSentinels: null,
        queuePrefix: `${name}-${port}`,
        anchors: null,
        metrics: null,
        trustProxy: false,
        oidc: null,
        mail: null,
        outboundNetworks: [],
        exchangeDir: null,
        logLevel: 'silent',
        production: false,
        demo: true,
      }
      return await work({ store, ownerUrl: database.url, config })
    } finally {
      await store.close()
    }
  } finally {
    await database.stop()
    removeDataFolders(folder)
  }
}
