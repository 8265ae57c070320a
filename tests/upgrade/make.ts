import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeDatabaseBackup } from '../../server/backup/dump.ts'
import { openStore } from '../../server/core/database/database.ts'
import { writeOutsideAnchor } from '../../server/core/stream/anchors.ts'
import { loadDemo } from '../../server/demo/load.ts'
import { migrateDatabase } from '../../server/launch/migrate.ts'
import { startPostgres } from '../../server/launch/postgres.ts'
import { removeDataFolders } from '../../server/launch/removeData.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { readFigures } from './figures.ts'
import { storeBuild } from './keptBuild.ts'

/**
 * `node --import tsx tests/upgrade/make.ts 2026-11-25`: stores an installation of this version as its own backup, with the totals of its
 * budgets, and its build, which keeps replying while later migrations are tested. Run it when a version is released, and add the version to
 * `upgrade.test.ts`. Never make the files again. `… 2026-11-26 build` stores only a build.
 */
const [, , day, only] = process.argv
if (!day || !/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new Error('Say the day of the version, as 2026-11-25.')
await storeBuild(join(import.meta.dirname, `${day}.build`))
if (only === 'build') process.exit()

const folder = mkdtempSync(join(tmpdir(), 'bursar-upgrade-'))
const postgres = await startPostgres(folder, ['-c', 'fsync=off'])
try {
  await migrateDatabase(postgres.url)
  const store = openStore({ databaseUrl: postgres.url, dataKey: testDataKey }, 2)
  await loadDemo(store)
  const anchors = join(folder, 'anchors')
  await writeOutsideAnchor(store, { config: { mail: null }, to: { folder: anchors, mailTo: null }, reason: 'command', now: new Date() })
  const file = join(import.meta.dirname, `${day}.backup`)
  await writeDatabaseBackup(file, { databaseUrl: postgres.url, dataKey: testDataKey, anchors }, {})
  writeFileSync(file.replace('.backup', '.json'), `${JSON.stringify(await store.asPlatform(readFigures), null, 2)}\n`)
  await store.close()
} finally {
  await postgres.stop()
  removeDataFolders(folder)
  rmSync(folder, { recursive: true, force: true })
}
