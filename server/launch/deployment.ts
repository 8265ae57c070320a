import { loadSecretFiles, readDataKey, readDeployedDatabaseUrl, readOrigin } from '../core/config.ts'
import type { Env } from '../core/settings.ts'
import { awaitDatabase } from './awaitDatabase.ts'
import { migrateDatabase } from './migrate.ts'
import { prepareData } from './prepareData.ts'

/**
 * Prepares a deployment's database with the owner's role: migrations, the role of servers and workers, national reference data, the demo if
 * `DEMO=1`, and a link for the first administrator if there is none. Waits for a database that is still starting.
 * @returns lines for the console
 * @throws Error with one sentence that says which setting is missing or wrong
 */
export async function prepareDeployment(env: Env): Promise<string[]> {
  loadSecretFiles(env)
  const databaseUrl = readDeployedDatabaseUrl(env)
  const dataKey = readDataKey(env)
  if (!env.DATABASE_APP_PASSWORD)
    throw new Error('DATABASE_APP_PASSWORD is not set. Choose the password with which servers and workers sign in to the database.')
  await awaitDatabase(databaseUrl)
  await migrateDatabase(databaseUrl, env.DATABASE_APP_PASSWORD)
  const { hasNewDemo, link } = await prepareData({
    databaseUrl,
    dataKey,
    serverPassword: env.DATABASE_APP_PASSWORD,
    demo: env.DEMO === '1',
    hasYear: true,
    production: env.NODE_ENV === 'production',
    origin: readOrigin(env),
  })
  const ready = hasNewDemo ? 'The database is ready, with the demo.' : 'The database is up to date.'
  return link ? [ready, link] : [ready]
}
