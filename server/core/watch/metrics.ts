import { timingSafeEqual } from 'node:crypto'
import { existsSync, statfsSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { dirname } from 'node:path'
import { sql } from 'drizzle-orm'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { assertDefined, requireSingleRow } from '../../../domain/values/assertDefined.ts'
import type { Config } from '../config.ts'
import type { Store } from '../database/database.ts'
import { log } from '../log.ts'
import type { Queues } from '../queue/queues.ts'
import { sha256 } from '../stream/hash.ts'
import { readCertificate } from './certificate.ts'
import { metricsRegistry } from './counters.ts'
import type { Heartbeat } from './heartbeat.ts'
import { findDiskWriteProblem } from './readiness.ts'

export interface MetricSources {
  config: Config
  store: Store
  queues: Queues
  heartbeat: Heartbeat
  /** Live connections of this server; workers omit it. */
  liveConnections?: () => number
}

/** Milliseconds after which a service that does not answer counts as unavailable. */
const scrapeTimeoutMs = 3000

/**
 * Answers Prometheus on a separate port that no proxy exposes: to this machine only, or to callers with the token.
 * @returns null if metrics are off
 * @throws Error if the port is taken
 */
export async function openMetrics(watched: MetricSources): Promise<{ close(): Promise<void> } | null> {
  const { metrics } = watched.config
  if (!metrics) return null
  const { port, token } = metrics
  const processRegistry = new Registry()
  collectDefaultMetrics({ register: processRegistry })
  const look = registerGauges(processRegistry, watched)
  const all = Registry.merge([metricsRegistry, processRegistry])
  const server = createServer((req, res) => {
    if (req.url?.split('?')[0] !== '/metrics') return void res.writeHead(404).end()
    if (token && !hasToken(req, token)) return void res.writeHead(401, { 'WWW-Authenticate': 'Bearer' }).end()
    look()
      .then(() => all.metrics())
      .then(
        (text) => void res.writeHead(200, { 'Content-Type': all.contentType }).end(text),
        (error) => {
          log.warn({ err: error }, 'the metrics could not be read')
          res.writeHead(500).end()
        },
      )
  })
  await new Promise<void>((done, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      failed(error.code === 'EADDRINUSE' ? new Error(`METRICS_PORT ${port} is taken. Set it to another.`) : error),
    )
    server.listen(port, token ? undefined : '127.0.0.1', done)
  })
  return {
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const [given, known] = [headers.authorization ?? '', `Bearer ${token}`].map((text) => Buffer.from(sha256(text)))
  return timingSafeEqual(assertDefined(given), assertDefined(known))
}

/** Sets a gauge without labels, or removes its value if it is unknown. The gauge would otherwise report 0. */
function setIfKnown(gauge: Gauge, value: number | null): void {
  if (value === null) gauge.remove()
  else gauge.set(value)
}

/** The free part of a folder's disk; null if the folder does not exist. */
function readFreeDisk(folder: string): number | null {
  if (!existsSync(folder)) return null
  const { bavail, blocks } = statfsSync(folder)
  return bavail / blocks
}

/** How often the certificate is read. */
const certificateEveryMs = 600_000

/**
 * Reads the certificate of a site every ten minutes, in the background.
 * @returns a function that returns when the certificate expires, in epoch milliseconds; null if there is none or it was not read
 */
function createCertificateReader(origin: string): () => number | null {
  let until: number | null = null
  let readAt = Number.NEGATIVE_INFINITY
  return () => {
    if (origin.startsWith('https:') && performance.now() - readAt > certificateEveryMs) {
      readAt = performance.now()
      readCertificate(origin).then(
        ({ certificate }) => {
          until = Date.parse(certificate.valid_to) || null
        },
        () => undefined,
      )
    }
    return until
  }
}

/**
 * Registers metrics whose values are read at each scrape.
 * @returns a function that reads them
 */
function registerGauges(register: Registry, { config, store, queues, heartbeat, liveConnections }: MetricSources): () => Promise<void> {
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name: `bursar_${name}`, help, labelNames, registers: [register] })
  const up = gauge('up', 'Whether a component responds', 'part')
  const waiting = gauge('queue_jobs', 'Jobs of all workers, by queue and state', 'queue', 'state')
  const age = gauge('queue_oldest_seconds', 'Age of the oldest waiting job of a queue', 'queue')
  const links = gauge('log_links', 'Links in the chains of all organisations; the growth is the write rate of the logs')
  const verified = gauge('log_verified_links', 'Links of all chains that were intact at their last check: how much of the logs is verified')
  const broken = gauge('logs_broken', 'Chains that were broken at their last check: someone changed a log outside Bursar')
  const unchecked = gauge('logs_unchecked_seconds', 'Time since the least recently checked chain was checked')
  const unfinished = gauge('recalculations_unfinished', 'Recalculations that are running or waiting')
  const pool = gauge('pool_transactions', 'Transactions of this process that are running, and that are waiting for a connection', 'state')
  const poolSize = gauge('pool_connections', 'Connections that this process can open')
  const sessions = gauge('database_connections', 'Database connections of all processes together', 'state')
  const lockWaits = gauge('lock_wait_seconds', 'The longest that anything is waiting for a lock, of a whole table or of rows', 'lock')
  const lagBytes = gauge('replica_lag_bytes', 'Bytes of the primary database’s log that the replica has not replayed')
  const lagSeconds = gauge('replica_lag_seconds', 'Age of the last change replayed by the replica, while it is behind')
  const connectionLimit = gauge('database_connection_limit', 'Connections that the database accepts from servers and workers')
  const backupAge = gauge('backup_age_seconds', 'Time since the last backup was made; absent if none is known')
  const rehearsalAge = gauge('rehearsal_age_seconds', 'Time since the restore of a backup was last rehearsed with success; absent if never')
  const rehearsalFailed = gauge('rehearsal_failed', 'Whether the last rehearsal of a restore failed')
  const redisMemory = gauge('redis_memory_bytes', 'Memory that Redis uses, and the most that it may use', 'kind')
  const freeDisk = gauge('disk_free_ratio', 'Free fraction of the disk that holds DATA_DIR; absent without that setting')
  const certificate = gauge('certificate_seconds', 'Seconds until the certificate of PUBLIC_URL expires; absent if it cannot be read')
  const readCertificateEnd = createCertificateReader(config.origin)
  const clock = gauge('clock_ahead_seconds', 'How far the clock of this machine is ahead of the database’s; negative if it is behind')
  const live = liveConnections && gauge('live_connections', 'Live connections that this server holds')

  const ask = async (part: string, reset: readonly Gauge[], work: () => Promise<void>): Promise<void> => {
    for (const one of reset) one.reset()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_done, failed) => {
      timer = setTimeout(() => failed(new Error(`${part} did not answer`)), scrapeTimeoutMs)
    })
    await Promise.race([work(), late]).then(
      () => up.set({ part }, 1),
      () => up.set({ part }, 0),
    )
    clearTimeout(timer)
  }
  const lookAt = async (replica: NonNullable<Store['replica']>): Promise<void> => {
    const { notUsed, lagBytes: bytes, lagSeconds: seconds } = await replica.readState()
    if (notUsed) throw new Error(`the replica is ${notUsed}`)
    lagBytes.set(bytes ?? 0)
    lagSeconds.set(seconds ?? 0)
  }
  return async () => {
    const { replica } = store
    const load = store.load()
    pool.set({ state: 'running' }, load.running)
    pool.set({ state: 'waiting' }, load.waiting)
    poolSize.set(load.most)
    clock.set(heartbeat.clockSeconds())
    setIfKnown(freeDisk, config.anchors && readFreeDisk(dirname(config.anchors.folder)))
    const validUntil = readCertificateEnd()
    setIfKnown(certificate, validUntil && (validUntil - Date.now()) / 1000)
    live?.set(liveConnections?.() ?? 0)
    await Promise.all([
      ask('saving', [], async () => {
        await heartbeat.beat()
        const problem = await findDiskWriteProblem(store)
        if (problem) throw new Error(problem)
      }),
      ask('queue', [waiting, age, redisMemory], async () => {
        // Ask Redis for nothing else while it is unavailable: the requests would pile up.
        const problem = await queues.findProblem()
        if (problem) throw new Error(problem)
        const memory = await queues.redisMemory().catch(() => null)
        if (memory) for (const kind of ['used', 'limit'] as const) redisMemory.set({ kind }, memory[kind])
        for (const { queue, counts, oldestSeconds } of await queues.state()) {
          for (const [state, count] of Object.entries(counts)) waiting.set({ queue, state }, count)
          age.set({ queue }, oldestSeconds)
        }
      }),
      ...(replica ? [ask('replica', [lagBytes, lagSeconds], () => lookAt(replica))] : []),
      ask('database', [links, verified, broken, unchecked, unfinished, sessions, lockWaits], () =>
        store.asPlatform(async (tx) => {
          // Read the locks first, because the rows read below may be locked.
          const locks = await tx.execute<{ lock: string; seconds: number }>(sql`
            select kinds.lock, coalesce(extract(epoch from clock_timestamp() - min(waiting.waitstart)), 0)::float8 as seconds
            from (values ('table'), ('row')) kinds (lock) left join pg_locks waiting on not waiting.granted
              and (waiting.database is null or waiting.database = (select oid from pg_database where datname = current_database()))
              and case waiting.locktype when 'relation' then 'table' when 'transactionid' then 'row' when 'tuple' then 'row' end = kinds.lock
            group by 1`)
          for (const { lock, seconds } of locks) lockWaits.set({ lock }, seconds)
          const row = requireSingleRow(
            await tx.execute<{
              links: number
              verified: number
              broken: number
              unchecked: number | null
              unfinished: number
              backup: number | null
              rehearsal: number | null
              rehearsalFailed: boolean | null
              limit: number
            }>(sql`
            select (select coalesce(sum((select max(sequence) from log_chain where organisation_id = chain.id)), 0)::float8
                from (select 0 as id union all select id from organisations) chain) as links,
              (select coalesce(sum(sequence), 0)::float8 from log_checks) as verified,
              (select count(*)::integer from log_checks where finding is not null) as broken,
              (select extract(epoch from now() - min(checked_at))::float8 from log_checks) as unchecked,
              (select count(*)::integer from recalculations where finished_at is null) as unfinished,
              (select extract(epoch from now() - max(made_at))::float8 from backups) as backup,
              (select extract(epoch from now() - max(made_at))::float8 from restore_rehearsals where problem is null) as rehearsal,
              (select problem is not null from restore_rehearsals order by made_at desc limit 1) as "rehearsalFailed",
              current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer as limit`),
          )
          links.set(row.links)
          verified.set(row.verified)
          broken.set(row.broken)
          if (row.unchecked !== null) unchecked.set(row.unchecked)
          unfinished.set(row.unfinished)
          setIfKnown(backupAge, row.backup)
          setIfKnown(rehearsalAge, row.rehearsal)
          rehearsalFailed.set(Number(row.rehearsalFailed ?? false))
          connectionLimit.set(row.limit)
          const states = await tx.execute<{ state: string; count: number }>(sql`
            select coalesce(state, 'unknown') as state, count(*)::integer as count from pg_stat_activity where datname = current_database() group by 1`)
          for (const { state, count } of states) sessions.set({ state }, count)
        }),
      ),
    ])
  }
}
