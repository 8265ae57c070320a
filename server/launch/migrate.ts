import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { allResources } from '../../domain/resources/all.ts'

/** The tables of national reference data: one version for all tenants. */
const nationalTables = allResources.filter((resource) => resource.scope === 'global').map((resource) => resource.table)

/** Brings a database to the newest migration, as its owner; servers that start together wait for each other. */
export async function migrateDatabase(url: string): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    await client`select pg_advisory_lock(7342003)`
    await migrate(drizzle(client), { migrationsFolder: join(import.meta.dirname, '../../drizzle/migrations') })
    await client`select secure_tables(${nationalTables})`
  } finally {
    await client.end({ timeout: 5 })
  }
}
