import { existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'drizzle-orm'
import { displayCount, displayDateTime } from '../../domain/values/format.ts'
import { must, onlyRow } from '../../domain/values/must.ts'
import { messageOf } from '../../domain/words/errors.ts'
import { brokenLogs } from '../audit/verify/selfCheck.ts'
import { verifyStore } from '../audit/verify/verifyAll.ts'
import { outsideIssuer } from '../auth/outside/issuer.ts'
import { readRules } from '../auth/outside/people.ts'
import { passkeySite } from '../auth/passkeys/site.ts'
import { databaseReadUrlOf, originOf, readConfig, takeSecretFiles } from '../core/config.ts'
import { type OrganisationTx, openStore, type Store } from '../core/database/database.ts'
import { replicaRemedies } from '../core/database/replica.ts'
import { remedies, troubleOf } from '../core/database/trouble.ts'
import { outsideSettingsOf } from '../core/outsideSettings.ts'
import { env } from '../core/settings.ts'
import { type ReadAnchors, readAnchors } from '../core/stream/anchorFiles.ts'
import { writeToDisk } from '../core/watch/readiness.ts'
import { keptRules } from '../features/users/groupRules/queries.ts'
import { hasPublishedPasswords, isMigrated, refuseOtherData, refuseOtherDataKey } from '../launch/databaseChecks.ts'
import { dataFolderOf, withDatabase } from '../launch/toolDatabase.ts'

/** `npm run doctor [-- --verify]`: how an installation is, in words. Exit code 0: well. 1: something needs doing. */
const { values } = parseArgs({ options: { verify: { type: 'boolean', default: false } } })

/** Minutes that work may wait for a worker before somebody should look whether one runs. */
const longestWait = 10
/** Seconds that a replica may be behind before somebody should look: reports are read from the first database meanwhile. */
const longestLag = 60
/** Share of a disk, and of the connections of the database, that should stay free. */
const spare = { disk: 0.1, connections: 0.2 }

interface Found {
  /** What whoever runs the product does about it; left out where all is well. */
  remedy?: string
  words: string
}

const isDeployed = Boolean(env.DATABASE_URL || env.DATABASE_URL_FILE)
let ill = 0

/** @returns whether it could be told at all */
async function look(what: string, check: () => Promise<Found> | Found): Promise<boolean> {
  let found: Found
  let isTold = true
  try {
    found = await check()
  } catch (error) {
    const trouble = troubleOf(error)
    isTold = false
    found = { words: 'cannot be told', remedy: trouble ? remedies[trouble.code] : messageOf(error) }
  }
  if (found.remedy) ill++
  console.log(`${found.remedy ? 'LOOK' : 'well'}  ${what.padEnd(22)} ${found.words}`)
  if (found.remedy) console.log(`${' '.repeat(29)}${found.remedy}`)
  return isTold
}

function node(): Found {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  // What runs is held to it by the tests; that nobody mends Node 20 any more is for whoever runs the product to know.
  const words = `Node ${process.versions.node}${major === 20 ? ', which gets no more security fixes: 22 and 24 do' : ''}`
  return major > 20 || (major === 20 && minor >= 19) ? { words } : { words, remedy: 'Install Node 20.19 or newer.' }
}

function settings(): Found {
  takeSecretFiles()
  if (!isDeployed) return { words: 'those of npm start, on an address of this machine' }
  const config = readConfig()
  const words = `${config.origin}, ${config.redisUrl ? 'queue on Redis' : 'queue on PostgreSQL'}, ${config.mail ? 'mail is sent' : 'links are handed over by hand'}`
  if (config.production && config.origin.startsWith('http://') && !config.origin.startsWith('http://localhost'))
    return {
      words,
      remedy: 'People sign in over plain HTTP. Put a proxy with a certificate in front, and set PUBLIC_URL to its https address.',
    }
  return { words }
}

function disk(): Found {
  const folder = dataFolderOf()
  if (!existsSync(folder)) return { words: 'no data folder on this machine' }
  const { bavail, blocks, bsize } = statfsSync(folder)
  const words = `${Math.round((bavail * bsize) / 1e9)} GB free for ${folder}`
  return bavail / blocks > spare.disk ? { words } : { words, remedy: 'Free some space: a database that cannot write refuses every change.' }
}

async function database({ client }: Store): Promise<Found> {
  await refuseOtherData(client)
  const row = onlyRow(
    await client`
    select current_setting('server_version') as version, pg_database_size(current_database())::float8 as size,
      (select count(*) from pg_stat_activity)::integer as used, current_setting('max_connections')::integer as most`,
  )
  const { version, size, used, most } = row
  const words = `PostgreSQL ${version}, ${Math.round(size / 1e6)} MB, ${used} of ${most} connections used`
  return used < most * (1 - spare.connections)
    ? { words }
    : { words, remedy: 'Let the database take more connections (max_connections), or run fewer servers and workers.' }
}

async function room(store: Store): Promise<Found> {
  await writeToDisk(store)
  return { words: 'the database has some to write' }
}

/** The database that follows this one, where one is named. */
async function replica(databaseUrl: string, databaseReadUrl: string): Promise<Found> {
  const both = openStore({ databaseUrl, databaseReadUrl, dataKey: null }, 1)
  try {
    const { notUsed, lagBytes, lagSeconds } = await must(both.replica).standing()
    if (notUsed) return { words: 'not used', remedy: replicaRemedies[notUsed] }
    const lacks = lagBytes ? `, ${displayCount(lagBytes, 'byte')} and ${Math.ceil(lagSeconds ?? 0)} s behind` : ', with all that is saved'
    const words = `reports are read from ${new URL(databaseReadUrl).host}${lacks}`
    return (lagSeconds ?? 0) > longestLag ? { words, remedy: replicaRemedies.behind } : { words }
  } finally {
    await both.close()
  }
}

async function version(store: Store): Promise<Found> {
  return (await isMigrated(store))
    ? { words: 'the data is that of this version' }
    : { words: 'the data is that of an older version', remedy: 'Run the migrations: npm start does it, a deployment its migrate service.' }
}

async function keys(store: Store): Promise<Found> {
  await refuseOtherDataKey(store)
  return { words: 'DATA_KEY opens what is sealed' }
}

async function people(store: Store): Promise<Found> {
  const row = onlyRow(
    await store.asPlatform((tx) =>
      tx.execute<{ administrators: number; people: number }>(
        sql`select count(*) filter (where is_administrator)::integer as administrators, count(*)::integer as people from users where active`,
      ),
    ),
  )
  const words = `${displayCount(row.people, 'person', 'people')} can sign in, ${displayCount(row.administrators, 'administrator')} among them`
  if (!row.administrators) return { words, remedy: 'Make one: npm run admin -- link.' }
  if (isDeployed && env.DEMO !== '1' && (await hasPublishedPasswords(store)))
    return { words, remedy: 'The demo people still have their published passwords. Switch them off: npm run admin -- end-demo.' }
  return { words }
}

/** No fault, for a password does; whoever misses passkeys reads here why there are none. */
const noPasskeys = ', without passkeys: browsers make none for an IP address or over plain HTTP (PUBLIC_URL)'

/** Where people sign in elsewhere: whether that answers, and whether the rules for user groups name what there is. */
async function signIn(store: Store): Promise<Found> {
  const outside = outsideSettingsOf(env)
  if (!outside) return { words: `with a password of the product${passkeySite(originOf(env)) ? '' : noPasskeys}` }
  const { rules } = outside.groups
  const { unknown, kept } = await store.asPlatform(async (tx) => ({ ...(await readRules(tx, rules)), kept: await keptRules(tx) }))
  const words = `at ${outside.issuer}, ${displayCount(rules.length + kept.length, 'rule')} for user groups`
  const [wrong] = unknown
  if (wrong)
    return {
      words,
      remedy: `OIDC_GROUPS names the user group ${wrong.userGroup} of ${wrong.organisation}, but one of the two does not exist.`,
    }
  try {
    await outsideIssuer({ origin: originOf(env) }, outside).reach()
    return { words }
  } catch {
    return { words, remedy: 'No such issuer answers there. Compare OIDC_ISSUER letter by letter with what the issuer calls itself.' }
  }
}

async function work(tx: OrganisationTx): Promise<Found> {
  const row = onlyRow(
    await tx.execute<{ running: number; old: number; held: number }>(sql`
    select (select count(*)::integer from recalculations where finished_at is null) as running,
      (select count(*)::integer from recalculations where finished_at is null and started_at < now() - make_interval(mins => ${longestWait}))
        + (select count(*)::integer from webhook_deliveries where state = 'waiting' and due_at < now() - make_interval(mins => ${longestWait})) as old,
      (select count(*)::integer from webhook_deliveries where state = 'waiting' and due_at is not null) as held`),
  )
  const { running, old, held } = row
  const words = `${displayCount(running, 'recalculation')} and ${displayCount(held, 'message')} to other systems under way`
  return old
    ? {
        words,
        remedy: `${displayCount(old, 'piece of work', 'pieces of work')} waited longer than ${longestWait} minutes. See whether a worker runs, and read its log.`,
      }
    : { words }
}

function anchors(): Found {
  const folder = join(dataFolderOf(), 'anchors')
  if (!existsSync(folder)) return { words: 'none are kept on this machine' }
  const { anchors: kept, problems } = readAnchors(folder, null)
  const last = kept.at(-1)
  if (problems.length) return { words: problems.join(' '), remedy: 'Run npm run audit -- verify, and ask who has written to that folder.' }
  if (!last) return { words: 'none were written yet' }
  const words = `last written ${displayDateTime(last.at)}`
  const isOld = Date.now() - Date.parse(last.at) > 3 * 24 * 3600 * 1000
  return isOld && isDeployed ? { words, remedy: 'A worker with DATA_DIR writes them once a day. Check that one is running.' } : { words }
}

/** What the workers found when they last checked the logs by themselves: the same that raises the alert of those who watch. */
async function dailyCheck(tx: OrganisationTx): Promise<Found> {
  const [first, ...others] = await brokenLogs(tx)
  if (!first) return { words: 'found every log whole' }
  const more = others.length ? ` ${displayCount(others.length, 'other log', 'other logs')} as well.` : ''
  return {
    words: `found a broken log of ${first.organisation ?? 'the platform'}: ${first.finding}${more}`,
    remedy: 'Run npm run audit -- verify to see all of it. The alert ends when the next daily check finds it whole.',
  }
}

async function logs(store: Store): Promise<Found> {
  const folder = join(dataFolderOf(), 'anchors')
  const readOutside = (): ReadAnchors => (existsSync(folder) ? readAnchors(folder, null) : { anchors: [], problems: [] })
  const { budgets, events, findings } = await verifyStore(store, {}, readOutside)
  const words = `${displayCount(events, 'event')} of ${displayCount(budgets, 'budget')} checked, ${displayCount(findings.length, 'finding')}`
  return findings.length ? { words, remedy: 'Run npm run audit -- verify to see them.' } : { words }
}

await look('Node', node)
await look('Settings', settings)
await look('Disk', disk)
try {
  await withDatabase('npm run doctor', async (store, databaseUrl) => {
    // Without it nothing else can be told, and the same words six times help nobody.
    if (!(await look('Database', () => database(store)))) return
    await look('Room', () => room(store))
    const readUrl = databaseReadUrlOf(env)
    if (readUrl) await look('Replica', () => replica(databaseUrl, readUrl))
    await look('Version', () => version(store))
    await look('Keys', () => keys(store))
    await look('People', () => people(store))
    await look('Sign-in', () => signIn(store))
    await look('Work', () => store.asPlatform(work))
    await look('Anchors', anchors)
    await look('Daily check', () => store.asPlatform(dailyCheck))
    if (values.verify) await look('Logs', () => logs(store))
  })
} catch (error) {
  await look('Database', () => ({ words: messageOf(error), remedy: 'Nothing else can be looked at until the database answers.' }))
}
console.log(ill ? `${displayCount(ill, 'thing')} to look at.` : 'All is well.')
process.exitCode = ill ? 1 : 0
