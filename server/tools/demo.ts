import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { errorMessage } from '../../domain/words/errors.ts'
import { takeSecretFiles } from '../core/config.ts'
import { keepYear, yearFile } from '../demo/keptYear.ts'
import { loadScale } from '../demo/load.ts'
import { type Demo, demoIn, removeDemo } from '../demo/remove.ts'
import { migrateDatabase } from '../launch/migrate.ts'
import { startPostgres } from '../launch/postgres.ts'
import { removeData } from '../launch/removeData.ts'
import { randomSecret } from '../launch/secrets.ts'
import { withStore, withWholeDatabase } from '../launch/toolDatabase.ts'

/**
 * `npm run demo -- --schools 100 --contracts 10000`: a large trust beside the demo, for scale work. `npm run demo -- --remove`: takes all trusts
 * of the demo away, with their people and API clients. `npm run demo -- --keep`: does the work of the demo's year anew in a database of its own
 * and keeps it for first starts; for whoever changes the demo.
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

async function add(): Promise<void> {
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
  const trust = await withWholeDatabase('npm run demo', (store) => loadScale(store, schools, contracts))
  console.log(
    `${trust.contracts} contracts of ${trust.staff} people in ${schools} schools, in ${((performance.now() - began) / 1000).toFixed(1)} s. Sign in as finance@harbour.example and choose the new trust.`,
  )
}

/** What goes, line by line. */
function linesOf({ trusts, people }: Demo): string[] {
  return [
    ...trusts.map(
      ({ name, budgets, events, staff, clients }) =>
        `  ${name}: ${budgets} budgets with ${events} events, ${staff} people of its staff, ${clients} API clients`,
    ),
    ...people.map(
      ({ email, isKept }) => `  ${email}${isKept ? ', kept without a password: the history of what stays names this user' : ''}`,
    ),
  ]
}

async function remove(): Promise<void> {
  await withWholeDatabase('npm run demo', async (store) => {
    const found = await store.asPlatform(demoIn)
    if (!found.trusts.length && !found.people.length) return console.log('There is nothing of the demo here.')
    const others = found.others === 1 ? 'One other organisation stays as it is.' : `${found.others} other organisations stay as they are.`
    if (!values.yes) {
      console.log(['This would be removed for good, with everything that was entered there:', ...linesOf(found), others].join('\n'))
      console.log('Make a backup first (npm run backup -- FILE), then say: npm run demo -- --remove --yes')
      process.exitCode = 1
      return
    }
    const gone = await removeDemo(store, new Date())
    console.log(['Removed:', ...linesOf(gone), others].join('\n'))
    console.log('The log of the platform says what was removed and when; npm run audit -- verify repeats it each time.')
    console.log('Whoever had signed in there is out within a minute. Where nobody is an administrator any more: npm run admin -- link')
  })
}

async function keep(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-demo-'))
  const database = await startPostgres(folder)
  try {
    await migrateDatabase(database.url)
    await withStore(database.url, randomSecret(), (store) => keepYear(store, database.url, yearFile))
  } finally {
    await database.stop()
    removeData(folder)
  }
  console.log(`${yearFile} holds the demo as these sources make it.`)
}

function showUsage(): void {
  console.log(`npm run demo -- --schools 100 --contracts 10000   adds a large trust beside the demo
npm run demo -- --remove                          removes the demo trusts, after you have confirmed it
npm run demo -- --keep                            makes the demo's year again, after its code has changed`)
  process.exitCode = 2
}

try {
  takeSecretFiles()
  await (values.keep ? keep() : values.remove ? remove() : values.schools && values.contracts ? add() : showUsage())
} catch (error) {
  console.error(errorMessage(error))
  process.exitCode = 1
}
