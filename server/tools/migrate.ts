import { loadDemo } from '../demo/load.ts'
import { migrateDatabase } from '../launch/migrate.ts'
import { openStore } from '../store/database.ts'

/** Prepares the database of a deployment: migrations, then national reference data and the demo trusts where there is nothing yet. */
const url = process.env.DATABASE_URL
if (!url) {
  console.error('DATABASE_URL is not set.')
  process.exit(2)
}
await migrateDatabase(url)
const store = openStore(url, 2)
const loaded = await loadDemo(store)
await store.close()
console.log(loaded ? `The database is ready: ${loaded.contracts} demo contracts of ${loaded.staff} people.` : 'The database is up to date.')
