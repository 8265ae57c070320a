import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { displayCount } from '../../domain/values/format.ts'
import { getErrorMessage } from '../../domain/words/errors.ts'
import { loadSecretFiles } from '../core/config.ts'
import { loadScaleTrust } from '../demo/load.ts'
import { findDemo, type InstalledDemo, removeDemo } from '../demo/remove.ts'
import { demoYearFile, writeDemoYearFile } from '../demo/storedYear.ts'
import { migrateDatabase } from '../launch/migrate.ts'
import { startPostgres } from '../launch/postgres.ts'
import { removeDataFolders } from '../launch/removeData.ts'
import { generateSecret } from '../launch/secrets.ts'
import { withStore, withWholeDatabase } from '../launch/toolDatabase.ts'

/**
 * `npm run demo -- --schools 100 --contracts 10000` adds a large trust for scale tests. `--remove` removes the demo trusts with their users
 * and API clients. `--keep`, for developers of the demo, replays the demo's year in a temporary database and stores the result for first
 * starts.
 */
const { values } = parseArgs({
  options: {
    schools: { type: 'string' },
    contracts: { type: 'string' },
    remove: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    yes: { type: 'boolean', default: false },
  },
})

async function addScaleTrust(): Promise<void> {
  const schools = Number(values.schools)
  const contracts = Number(values.contracts)
  if (
    !Number.isInteger(schools) ||
    schools < 1 ||
    schools > 1000 ||
    !Number.isInteger(contracts) ||
    contracts < schools ||
    contracts > 100_000
  ) {
    console.error('--schools must be 1 to 1000, and --contracts at least one for each school and at most 100000.')
    process.exitCode = 2
    return
  }
  const began = performance.now()
  const trust = await withWholeDatabase('npm run demo', (store) => loadScaleTrust(store, schools, contracts))
  console.log(
    `${trust.contracts} contracts of ${trust.staff} people in ${schools} schools, in ${((performance.now() - began) / 1000).toFixed(1)} s. Sign in as finance@harbour.example and choose the new trust.`,
  )
}

function describeDemo({ trusts, people }: InstalledDemo): string[] {
  return [
    ...trusts.map(
      ({ name, budgets, events, staff, clients }) =>
        `  ${name}: ${displayCount(budgets, 'budget')} with ${displayCount(events, 'event')}, ${staff} staff, ${displayCount(clients, 'API client')}`,
    ),
    ...people.map(
      ({ email, isKept }) => `  ${email}${isKept ? ', kept without a password, because other history refers to this user' : ''}`,
    ),
  ]
}

async function removeDemoTrusts(): Promise<void> {
  await withWholeDatabase('npm run demo', async (store) => {
    const demo = await store.asPlatform(findDemo)
    if (!demo.trusts.length && !demo.people.length) return console.log('There is no demo to remove.')
    const others = `${displayCount(demo.others, 'other organisation stays as it is', 'other organisations stay as they are')}.`
    if (!values.yes) {
      console.log(['This would be removed permanently, with everything that was entered there:', ...describeDemo(demo), others].join('\n'))
      console.log('Make a backup first (npm run backup -- FILE), then run: npm run demo -- --remove --yes')
      process.exitCode = 1
      return
    }
    const removed = await removeDemo(store, new Date())
    console.log(['Removed:', ...describeDemo(removed), others].join('\n'))
    console.log('The platform’s log records what was removed and when, and npm run audit -- verify reports it each time.')
    console.log('Anyone signed in there is signed out within a minute. If no administrator is left, run: npm run admin -- link')
  })
}

async function storeDemoYear(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-demo-'))
  const database = await startPostgres(folder)
  try {
    await migrateDatabase(database.url)
    await withStore(database.url, generateSecret(), (store) => writeDemoYearFile(store, database.url, demoYearFile))
  } finally {
    await database.stop()
    removeDataFolders(folder)
  }
  console.log(`${demoYearFile} contains the demo that these sources produce.`)
}

function showUsage(): void {
  console.log(`npm run demo -- --schools 100 --contracts 10000   adds a large trust beside the demo
npm run demo -- --remove                          removes the demo trusts, after you have confirmed it
npm run demo -- --keep                            rebuilds the demo's year after its code has changed`)
  process.exitCode = 2
}

try {
  loadSecretFiles()
  await (values.keep
    ? storeDemoYear()
    : values.remove
      ? removeDemoTrusts()
      : values.schools && values.contracts
        ? addScaleTrust()
        : showUsage())
} catch (error) {
  console.error(getErrorMessage(error))
  process.exitCode = 1
}
