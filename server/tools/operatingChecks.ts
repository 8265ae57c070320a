import { existsSync, statfsSync } from 'node:fs'
import { Redis } from 'ioredis'
import type postgres from 'postgres'
import { requireSingleRow } from '../../domain/values/assertDefined.ts'
import { displayCount, displayDateTime } from '../../domain/values/format.ts'
import { productVersion } from '../core/config.ts'
import { parseRedisMemory } from '../core/queue/queues.ts'
import { type RedisSettings, readRedisOptions } from '../core/redisOptions.ts'
import { getThrownDetails } from '../core/thrownDetails.ts'
import { readCertificate } from '../core/watch/certificate.ts'
import { calculateClockLead, maxClockSeconds, maxSilenceSeconds } from '../core/watch/heartbeat.ts'
import { findClockProblem } from '../core/watch/readiness.ts'

/** What a check found. */
export interface CheckResult {
  words: string
  /** What to do; absent if all is well. */
  remedy?: string
  /** Whether this needs attention soon, rather than now. */
  isWarning?: boolean
}

/** The fraction of a disk that should be free. */
const minFreeDisk = 0.1
/** Milliseconds for Redis to answer. */
const answerMs = 3000
/** The fraction of its memory that Redis may use. */
const maxRedisMemory = 0.8
/** The longest that anyone should wait for a lock or hold a whole table, in seconds. */
const maxLockSeconds = 5
/** A backup should be made every night. */
const maxBackupDays = 2
/** A restore should be rehearsed every week; one may be missed. */
const maxRehearsalDays = 15
const dayMs = 24 * 3600 * 1000

/** Whether enough of the disk with a folder is free. */
export function checkFreeDisk(folder: string): CheckResult {
  const { bavail, blocks, bsize } = statfsSync(folder)
  const words = `${Math.round((bavail * bsize) / 1e9)} GB free for ${folder}`
  return bavail / blocks > minFreeDisk
    ? { words }
    : { words, remedy: 'Free some space: a database that cannot write refuses every change.' }
}

/** The disk of the database, if it is on this machine. */
export async function checkDatabaseDisk(owner: postgres.Sql, databaseUrl: string): Promise<CheckResult> {
  const { hostname } = new URL(databaseUrl)
  const isHere = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
  // Only an owner who may read all settings sees this setting.
  const [row] = await owner<{ folder: string }[]>`select setting as folder from pg_settings where name = 'data_directory'`
  if (isHere && row && existsSync(row.folder)) return checkFreeDisk(row.folder)
  return { words: 'on another machine: watch its free space there' }
}

/** Whether Redis answers, stores data and has memory left. */
export async function checkRedis(url: string, sentinels: RedisSettings['redisSentinels']): Promise<CheckResult> {
  const { host } = new URL(url)
  const redis = new Redis({
    ...readRedisOptions(url, sentinels),
    lazyConnect: true,
    connectTimeout: answerMs,
    commandTimeout: answerMs,
    maxRetriesPerRequest: 0,
    enableReadyCheck: false,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
  })
  let last: unknown
  redis.on('error', (error) => {
    last = error
  })
  try {
    await redis.connect()
    const info = await redis.info()
    const read = (name: string): string => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? ''
    const { used, limit } = parseRedisMemory(info)
    const words = `Redis ${read('redis_version')} at ${host}, ${Math.round(used / 1e6)} MB used`
    if (read('maxmemory_policy') !== 'noeviction')
      return { words, remedy: 'Redis may drop queued work when its memory is full. Set maxmemory-policy to noeviction.', isWarning: true }
    if (limit && used > maxRedisMemory * limit)
      return { words, remedy: 'The memory of Redis is nearly full. Give it more, or find out why jobs are piling up.', isWarning: true }
    return { words }
  } catch (error) {
    const { code, message } = getThrownDetails(last ?? error)
    return {
      words: `Redis at ${host} does not respond (${code ?? message})`,
      remedy:
        'Changes are saved, but recalculations, files and live updates wait. Start Redis (if it hangs, restart it), and check REDIS_URL and REDIS_PASSWORD.',
    }
  } finally {
    redis.disconnect()
  }
}

interface Process {
  kind: 'server' | 'worker'
  version: string
  clock: number
}

/** The servers and workers that have written their row in the last few seconds. */
export function readProcesses(client: postgres.Sql): Promise<Process[]> {
  return client<Process[]>`
    select kind, version, clock_seconds as clock from processes where seen_at > now() - make_interval(secs => ${maxSilenceSeconds}) order by kind`
}

/** @param isExpected whether servers and workers should be running */
export function checkProcesses(running: readonly Process[], isExpected: boolean): CheckResult {
  const count = (kind: Process['kind']): number => running.filter((one) => one.kind === kind).length
  const words = `${displayCount(count('server'), 'server')} and ${displayCount(count('worker'), 'worker')} running`
  if (!isExpected) return { words }
  if (!count('worker'))
    return {
      words,
      remedy:
        'No worker is running, so nothing is recalculated, imported or sent. Start one, such as docker compose up -d worker, and read its log.',
    }
  return count('server')
    ? { words }
    : { words, remedy: 'No server is running. Start one, such as docker compose up -d server, and read its log.' }
}

export function checkVersions(running: readonly Process[]): CheckResult {
  const versions = [...new Set([productVersion, ...running.map(({ version }) => version)])]
  if (versions.length === 1) return { words: `everything runs version ${productVersion}` }
  return {
    words: `versions ${versions.join(' and ')} are running`,
    remedy: 'This is normal during an upgrade. Afterwards, restart whatever still runs the old version.',
    isWarning: true,
  }
}

/** Compares the clocks of this machine and of all processes with the database's. */
export async function checkClocks(client: postgres.Sql, running: readonly Process[]): Promise<CheckResult> {
  const sentMs = Date.now()
  const { at } = requireSingleRow(await client<{ at: number }[]>`select extract(epoch from clock_timestamp())::float8 * 1000 as at`)
  const clockDifference = calculateClockLead(at, { sentMs, answeredMs: Date.now() })
  const here = findClockProblem(clockDifference)
  if (here) return { words: 'the clock of this machine is wrong', remedy: here }
  const wrong = running.find(({ clock }) => Math.abs(clock) > maxClockSeconds)
  if (!wrong) return { words: 'every clock agrees with the database’s' }
  return {
    words: `the clock of one ${wrong.kind} differs by ${Math.round(Math.abs(wrong.clock))} seconds from the database’s`,
    remedy:
      'Sign-ins may be refused. Synchronise the clocks of all machines with NTP. /readyz of each server and worker shows which clock is wrong.',
  }
}

/** Whether anyone waits for a lock, or holds a whole table, for longer than a call should. */
export async function checkLocks(owner: postgres.Sql): Promise<CheckResult> {
  const [held] = await owner<{ name: string; pid: number; seconds: number }[]>`
    with waiting as (
      select coalesce(l.relation::regclass::text, 'rows') as name, (pg_blocking_pids(l.pid))[1] as pid,
        extract(epoch from clock_timestamp() - l.waitstart)::float8 as seconds
      from pg_locks l
      where not l.granted and (l.database is null or l.database = (select oid from pg_database where datname = current_database()))
    ), whole as (
      select l.relation::regclass::text as name, l.pid, extract(epoch from clock_timestamp() - a.xact_start)::float8 as seconds
      from pg_locks l join pg_stat_activity a on a.pid = l.pid join pg_class c on c.oid = l.relation
      where l.granted and l.locktype = 'relation' and l.mode in ('AccessExclusiveLock', 'ExclusiveLock') and c.relkind = 'r' and a.datname = current_database()
    )
    select * from (select * from waiting union all select * from whole) found
    where pid is not null and seconds > ${maxLockSeconds} order by seconds desc limit 1`
  if (!held) return { words: 'nobody is waiting for a lock' }
  return {
    words: `${held.name} has been locked for ${Math.round(held.seconds)} seconds by the database’s process ${held.pid}`,
    remedy: `Calls that need it are waiting. Find out what it is doing (select * from pg_stat_activity where pid = ${held.pid}), or end it: select pg_terminate_backend(${held.pid}).`,
  }
}

/** @param isExpected whether backups should be made */
export async function checkBackups(client: postgres.Sql, isExpected: boolean): Promise<CheckResult> {
  const { last } = requireSingleRow(
    await client<{ last: number | null }[]>`select extract(epoch from max(made_at))::float8 * 1000 as last from backups`,
  )
  const words = last ? `last made ${displayDateTime(new Date(last).toISOString())}` : 'none is known'
  if (!isExpected || (last && Date.now() - last < maxBackupDays * dayMs)) return { words }
  return {
    words,
    remedy:
      'Make a backup every night: npm run backup -- FILE. If you back up by other means, run npm run backup -- --done after each backup.',
    isWarning: true,
  }
}

/** @param isExpected whether the restore of a backup should be rehearsed */
export async function checkRehearsals(client: postgres.Sql, isExpected: boolean): Promise<CheckResult> {
  const [last] = await client<{ at: number; problem: string | null }[]>`
    select extract(epoch from made_at)::float8 * 1000 as at, problem from restore_rehearsals order by made_at desc limit 1`
  const when = last && displayDateTime(new Date(last.at).toISOString())
  if (last?.problem)
    return {
      words: `failed ${when}: ${last.problem}`,
      remedy: 'The last backup may be worthless. Correct the cause, then run npm run backup -- --nightly and npm run backup -- --rehearse.',
    }
  const words = when ? `a restore last succeeded ${when}` : 'no restore has been rehearsed'
  if (!isExpected || (last && Date.now() - last.at < maxRehearsalDays * dayMs)) return { words }
  return {
    words,
    remedy:
      'Rehearse a restore: npm run backup -- --rehearse restores the newest scheduled backup into a temporary database. If you rehearse by other means, run npm run backup -- --rehearsed after each rehearsal.',
    isWarning: true,
  }
}

/** @param days since a check of the log that was checked longest ago; null if no log has been checked */
export function checkAgeOfVerification(days: number | null): CheckResult {
  if (days === null || days < 2) return { words: 'found every log intact' }
  return {
    words: `has not checked a log for ${displayCount(Math.floor(days), 'day')}`,
    remedy: 'Check that a worker is running, and what its log says about chains.',
    isWarning: true,
  }
}

/** Whether the certificate of the site is valid, and not about to expire. */
export async function checkCertificate(origin: string): Promise<CheckResult> {
  try {
    const { certificate, error } = await readCertificate(origin)
    const [from, until] = [Date.parse(certificate.valid_from), Date.parse(certificate.valid_to)]
    const words = `of ${origin}, valid until ${displayDateTime(new Date(until).toISOString())}`
    if (error)
      return {
        words: `${words}, is not trusted (${error})`,
        remedy: 'Browsers refuse it. Renew it, or read the log of the proxy: docker compose logs proxy.',
      }
    // Proxies renew a certificate when a third of its time is left.
    return until - Date.now() > Math.min(14 * dayMs, (until - from) / 4)
      ? { words }
      : { words, remedy: 'It was not renewed in time. Read the log of the proxy: docker compose logs proxy.', isWarning: true }
  } catch (error) {
    return {
      words: `of ${origin} could not be read (${getThrownDetails(error).code ?? getThrownDetails(error).message})`,
      remedy: 'Check that the proxy is running, and that this machine can reach that address.',
      isWarning: true,
    }
  }
}
