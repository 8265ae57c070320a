import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { assertDefined, requireSingleRow } from '../../domain/values/assertDefined.ts'
import { displayCount, displayDateTime } from '../../domain/values/format.ts'
import { getErrorMessage } from '../../domain/words/errors.ts'
import { listBrokenLogs } from '../audit/verify/selfCheck.ts'
import { verifyOrganisations } from '../audit/verify/verifyAll.ts'
import { createOutsideIssuer } from '../auth/outside/issuer.ts'
import { resolveGroupRules } from '../auth/outside/people.ts'
import { derivePasskeySite } from '../auth/passkeys/site.ts'
import { loadSecretFiles, readConfig, readOrigin, readRedisSentinels, readRedisUrl, readServerRoleUrl } from '../core/config.ts'
import { type OrganisationTx, openStore, type Store } from '../core/database/database.ts'
import { databaseRemedies, findDatabaseProblem } from '../core/database/problems.ts'
import { replicaRemedies } from '../core/database/replica.ts'
import { readIssuerSettings } from '../core/outsideSettings.ts'
import { env } from '../core/settings.ts'
import { type AnchorReadResult, readAnchors } from '../core/stream/anchorFiles.ts'
import { findDiskWriteProblem } from '../core/watch/readiness.ts'
import { listGroupRules } from '../features/users/groupRules/queries.ts'
import { assertDataKey, assertDataVersion, hasAllMigrations, hasPublishedPasswords } from '../launch/databaseChecks.ts'
import { findDataFolder, withDatabase } from '../launch/toolDatabase.ts'
import {
  type CheckResult,
  checkAgeOfVerification,
  checkBackups,
  checkCertificate,
  checkClocks,
  checkDatabaseDisk,
  checkFreeDisk,
  checkLocks,
  checkProcesses,
  checkRedis,
  checkRehearsals,
  checkVersions,
  readProcesses,
} from './operatingChecks.ts'

/**
 * `npm run doctor [-- --verify] [--json]`: reports on the health of an installation. Exit code 0: all is well; 1: something is wrong; 2:
 * there are only warnings.
 */
const { values } = parseArgs({ options: { verify: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } } })

/** If work has waited for more minutes than this, the doctor suggests that no worker runs. */
const maxWaitMinutes = 10
/** If a replica lags by more seconds than this, reports are read from the primary. */
const maxLagSeconds = 60
/** The fraction of the database's connections that should be free. */
const minFreeConnections = 0.2
/** Milliseconds that a check may take; only the check of all logs may take longer. */
const checkMs = 15_000
const maxVerificationMs = 12 * 3_600_000

const isDeployed = Boolean(env.DATABASE_URL || env.DATABASE_URL_FILE)
/** Whether people work with this installation, rather than try it on their own machine. */
const isInUse = isDeployed || env.DEMO === '0'

type Check = CheckResult & { name: string; state: 'well' | 'warning' | 'wrong' }
const checks: Check[] = []

const lateMessage = `did not finish within ${checkMs / 1000} seconds`

/** Runs and prints one check. @returns false if the check itself failed */
async function runCheck(name: string, check: () => Promise<CheckResult> | CheckResult, limitMs = checkMs): Promise<boolean> {
  let result: CheckResult
  let isChecked = true
  const late = new Promise<never>((_done, failed) => setTimeout(() => failed(new Error(lateMessage)), limitMs).unref())
  try {
    result = await Promise.race([check(), late])
  } catch (error) {
    const trouble = findDatabaseProblem(error)
    isChecked = false
    result = { words: 'could not be checked', remedy: trouble ? databaseRemedies[trouble.code] : getErrorMessage(error) }
  }
  const state = !result.remedy ? 'well' : result.isWarning ? 'warning' : 'wrong'
  checks.push({ name, state, words: result.words, ...(result.remedy && { remedy: result.remedy }) })
  if (values.json) return isChecked
  const mark = { well: 'well', warning: 'warn', wrong: 'LOOK' }[state]
  console.log(`${mark}  ${name.padEnd(22)} ${result.words}`)
  if (result.remedy) console.log(`${' '.repeat(29)}${result.remedy}`)
  return isChecked
}

function checkNode(): CheckResult {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  // Node 20 still works but no longer receives security fixes, so the operator is told.
  const words = `Node ${process.versions.node}${major === 20 ? ', which gets no more security fixes: 22 and 24 do' : ''}`
  return major > 20 || (major === 20 && minor >= 19) ? { words } : { words, remedy: 'Install Node 20.19 or newer.' }
}

function checkSettings(): CheckResult {
  loadSecretFiles()
  if (!isDeployed) return { words: 'those of npm start, on this machine' }
  const config = readConfig()
  const words = `${config.origin}, ${config.redisUrl ? 'queue on Redis' : 'queue on PostgreSQL'}, ${config.mail ? 'mail is sent' : 'links are passed on by hand'}`
  if (config.production && config.origin.startsWith('http://') && !config.origin.startsWith('http://localhost'))
    return {
      words,
      remedy: 'People sign in over plain HTTP. Put a proxy with a certificate in front, and set PUBLIC_URL to its https address.',
    }
  return { words }
}

function checkDisk(): CheckResult {
  const folder = findDataFolder()
  return existsSync(folder) ? checkFreeDisk(folder) : { words: 'no data folder on this machine' }
}

async function checkConnections({ client }: Store): Promise<CheckResult> {
  await assertDataVersion(client)
  const row = requireSingleRow(
    await client`
    select current_setting('server_version') as version, pg_database_size(current_database())::float8 as size,
      (select count(*) from pg_stat_activity)::integer as used, current_setting('max_connections')::integer as most`,
  )
  const { version, size, used, most } = row
  const words = `PostgreSQL ${version}, ${Math.round(size / 1e6)} MB, ${used} of ${most} connections used`
  return used < most * (1 - minFreeConnections)
    ? { words }
    : { words, remedy: 'Allow more database connections (max_connections), or run fewer servers and workers.' }
}

async function checkWritable(store: Store): Promise<CheckResult> {
  const problem = await findDiskWriteProblem(store)
  return problem ? { words: 'the database cannot write', remedy: problem } : { words: 'the database can write to its disk' }
}

async function checkReplica(databaseUrl: string, databaseReadUrl: string): Promise<CheckResult> {
  const both = openStore({ databaseUrl, databaseReadUrl, dataKey: null }, 1)
  try {
    const { notUsed, lagBytes, lagSeconds } = await assertDefined(both.replica).readState()
    if (notUsed) return { words: 'not used', remedy: replicaRemedies[notUsed] }
    const lacks = lagBytes ? `, ${displayCount(lagBytes, 'byte')} and ${Math.ceil(lagSeconds ?? 0)} s behind` : ', up to date'
    const words = `reports are read from ${new URL(databaseReadUrl).host}${lacks}`
    return (lagSeconds ?? 0) > maxLagSeconds ? { words, remedy: replicaRemedies.behind } : { words }
  } finally {
    await both.close()
  }
}

async function checkVersion(store: Store): Promise<CheckResult> {
  return (await hasAllMigrations(store))
    ? { words: 'the data matches this version' }
    : {
        words: 'the data is from an older version',
        remedy: 'Run the migrations: npm start does so, as does the migrate service of a deployment.',
      }
}

async function checkKeys(store: Store): Promise<CheckResult> {
  await assertDataKey(store)
  return { words: 'DATA_KEY opens the sealed keys' }
}

async function checkUsers(store: Store): Promise<CheckResult> {
  const row = requireSingleRow(
    await store.asPlatform((tx) =>
      tx.execute<{ administrators: number; people: number }>(
        sql`select count(*) filter (where is_administrator)::integer as administrators, count(*)::integer as people from users where active`,
      ),
    ),
  )
  const words = `${displayCount(row.people, 'person', 'people')} can sign in, ${displayCount(row.administrators, 'administrator')} among them`
  if (!row.administrators) return { words, remedy: 'Create one: npm run admin -- link.' }
  if (isDeployed && env.DEMO !== '1' && (await hasPublishedPasswords(store)))
    return { words, remedy: 'The demo people still have their published passwords. Switch them off: npm run admin -- end-demo.' }
  return { words }
}

/** Explains why passkeys are not offered. It is not a problem, because users can sign in with a password. */
const noPasskeys = ', without passkeys: browsers do not support them at an IP address or over plain HTTP (PUBLIC_URL)'

/** Checks sign-in. With an outside issuer, it checks whether the issuer answers and whether the group rules name existing groups. */
async function checkSignIn(store: Store): Promise<CheckResult> {
  const outside = readIssuerSettings(env)
  if (!outside) return { words: `with a Bursar password${derivePasskeySite(readOrigin(env)) ? '' : noPasskeys}` }
  const { rules } = outside.groups
  const { unknown, storedRules } = await store.asPlatform(async (tx) => ({
    ...(await resolveGroupRules(tx, rules)),
    storedRules: await listGroupRules(tx),
  }))
  const words = `at ${outside.issuer}, ${displayCount(rules.length + storedRules.length, 'rule')} for user groups`
  const [wrong] = unknown
  if (wrong)
    return {
      words,
      remedy: `OIDC_GROUPS names the user group ${wrong.userGroup} of ${wrong.organisation}, but one of the two does not exist.`,
    }
  try {
    await createOutsideIssuer({ origin: readOrigin(env) }, outside).loadMetadata()
    return { words }
  } catch {
    return {
      words,
      remedy: 'No issuer with this name responds there. Compare OIDC_ISSUER letter by letter with the name that the issuer publishes.',
    }
  }
}

async function checkWaitingWork(tx: OrganisationTx): Promise<CheckResult> {
  const row = requireSingleRow(
    await tx.execute<{ running: number; old: number; held: number }>(sql`
    select (select count(*)::integer from recalculations where finished_at is null) as running,
      (select count(*)::integer from recalculations where finished_at is null and started_at < now() - make_interval(mins => ${maxWaitMinutes}))
        + (select count(*)::integer from webhook_deliveries where state = 'waiting' and due_at < now() - make_interval(mins => ${maxWaitMinutes})) as old,
      (select count(*)::integer from webhook_deliveries where state = 'waiting' and due_at is not null) as held`),
  )
  const { running, old, held } = row
  const words = `${displayCount(running, 'recalculation')} and ${displayCount(held, 'message')} to other systems under way`
  return old
    ? {
        words,
        remedy: `${displayCount(old, 'piece of work', 'pieces of work')} waited longer than ${maxWaitMinutes} minutes. Check that a worker is running, and read its log.`,
      }
    : { words }
}

function checkAnchors(): CheckResult {
  const folder = join(findDataFolder(), 'anchors')
  if (!existsSync(folder)) return { words: 'none on this machine' }
  const { anchors, problems } = readAnchors(folder, null)
  const last = anchors.at(-1)
  if (problems.length) return { words: problems.join(' '), remedy: 'Run npm run audit -- verify, and find out who wrote to that folder.' }
  if (!last) return { words: 'none have been written yet' }
  const words = `last written ${displayDateTime(last.at)}`
  const isOld = Date.now() - Date.parse(last.at) > 3 * 24 * 3600 * 1000
  return isOld && isDeployed ? { words, remedy: 'A worker with DATA_DIR writes them once a day. Check that one is running.' } : { words }
}

async function checkDailyVerification(tx: OrganisationTx): Promise<CheckResult> {
  const [first, ...others] = await listBrokenLogs(tx)
  if (!first) {
    const { days } = requireSingleRow(
      await tx.execute<{ days: number | null }>(
        sql`select extract(epoch from now() - min(checked_at))::float8 / 86400 as days from log_checks`,
      ),
    )
    return isInUse ? checkAgeOfVerification(days) : { words: 'found every log intact' }
  }
  const more = others.length ? ` ${displayCount(others.length, 'other log', 'other logs')} as well.` : ''
  return {
    words: `found a broken log of ${first.organisation ?? 'the platform'}: ${first.finding}${more}`,
    remedy: 'Run npm run audit -- verify to see every problem. The alert ends when the next daily check finds the log intact.',
  }
}

async function verifyLogs(store: Store): Promise<CheckResult> {
  const folder = join(findDataFolder(), 'anchors')
  const readOutside = (): AnchorReadResult => (existsSync(folder) ? readAnchors(folder, null) : { anchors: [], problems: [] })
  const { budgets, events, findings } = await verifyOrganisations(store, {}, readOutside)
  const words = `${displayCount(events, 'event')} of ${displayCount(budgets, 'budget')} checked, ${displayCount(findings.length, 'finding')}`
  return findings.length ? { words, remedy: 'Run npm run audit -- verify to see them.' } : { words }
}

/** The checks that look at the database as its owner, who can see what other connections do. */
async function checkAsOwner(databaseUrl: string): Promise<void> {
  const owner = postgres(databaseUrl, { max: 1, connect_timeout: 5, onnotice: () => undefined, connection: { statement_timeout: checkMs } })
  try {
    await runCheck('Locks', () => checkLocks(owner))
    await runCheck('Database disk', () => checkDatabaseDisk(owner, databaseUrl))
  } finally {
    await owner.end({ timeout: 1 })
  }
}

/** The checks of running servers and workers, and of backups and rehearsals. */
async function checkRunning({ client }: Store): Promise<void> {
  let running: Awaited<ReturnType<typeof readProcesses>> = []
  const isRead = await runCheck('Processes', async () => {
    running = await readProcesses(client)
    return checkProcesses(running, isInUse)
  })
  if (!isRead) return
  await runCheck('Versions', () => checkVersions(running))
  await runCheck('Clocks', () => checkClocks(client, running))
  await runCheck('Backup', () => checkBackups(client, isInUse))
  await runCheck('Rehearsal', () => checkRehearsals(client, isInUse))
}

await runCheck('Node', checkNode)
await runCheck('Settings', checkSettings)
await runCheck('Disk', checkDisk)
if (env.REDIS_URL) await runCheck('Redis', () => checkRedis(assertDefined(readRedisUrl(env)), readRedisSentinels(env)))
const { origin = '' } = URL.canParse(env.PUBLIC_URL ?? '') ? new URL(env.PUBLIC_URL ?? '') : {}
if (origin.startsWith('https:')) await runCheck('Certificate', () => checkCertificate(origin))
try {
  await withDatabase('npm run doctor', async (store, databaseUrl) => {
    // Without the database no other check works, and repeating its message would not help.
    if (!(await runCheck('Database', () => checkConnections(store)))) return
    await checkAsOwner(databaseUrl)
    await runCheck('Room', () => checkWritable(store))
    const readUrl = readServerRoleUrl(env, 'DATABASE_READ_URL')
    if (readUrl) await runCheck('Replica', () => checkReplica(databaseUrl, readUrl))
    await runCheck('Version', () => checkVersion(store))
    await checkRunning(store)
    await runCheck('Keys', () => checkKeys(store))
    await runCheck('People', () => checkUsers(store))
    await runCheck('Sign-in', () => checkSignIn(store))
    await runCheck('Work', () => store.asPlatform(checkWaitingWork))
    await runCheck('Anchors', checkAnchors)
    await runCheck('Daily check', () => store.asPlatform(checkDailyVerification))
    if (values.verify) await runCheck('Logs', () => verifyLogs(store), maxVerificationMs)
  })
} catch (error) {
  await runCheck('Database', () => ({ words: getErrorMessage(error), remedy: 'Nothing else can be checked until the database answers.' }))
}
const [wrong, warnings] = (['wrong', 'warning'] as const).map((state) => checks.filter((one) => one.state === state).length)
const results = [
  wrong && `${displayCount(wrong, 'thing needs', 'things need')} attention`,
  warnings && displayCount(warnings, 'warning'),
].filter(Boolean)
if (values.json) console.log(JSON.stringify({ state: wrong ? 'wrong' : warnings ? 'warning' : 'well', checks }, null, 2))
else console.log(results.length ? `${results.join(', ')}.` : 'All is well.')
// A check that did not finish may still hold a connection.
process.exit(wrong ? 1 : warnings ? 2 : 0)
