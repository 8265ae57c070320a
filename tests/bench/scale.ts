import { type ChildProcess, fork } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import { assertDefined, requireSingleRow } from '../../domain/values/assertDefined.ts'
import type { OrganisationId } from '../../domain/values/ids.ts'
import type { Config } from '../../server/core/config.ts'
import { getThrownDetails } from '../../server/core/thrownDetails.ts'
import { loadScaleTrust } from '../../server/demo/load.ts'
import { findFreePort } from '../../server/launch/postgres.ts'
import { listCommonCalls } from '../support/product/commonCalls.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { type Caller, findTrustIds, signInAs, type TrustIds } from '../support/product/http.ts'
import { withDemo } from './withDemo.ts'

const root = join(import.meta.dirname, '../..')
const contractsEach = 30
const users = [16, 64, 256]
const installations = [
  { servers: 1, workers: 1 },
  { servers: 2, workers: 4 },
]
/** A fast user: little more than a second between two calls. */
const pauseMs = (): number => 600 + Math.random() * 1200
const warmMs = 4000
const measuredMs = 15_000

/** Servers and workers, each a process of its own, on one database. */
interface Installation {
  origins: string[]
  servers: ChildProcess[]
  workers: ChildProcess[]
}

/**
 * `npm run bench -- scale` or `scale 1000`: how long 16, 64 and 256 simultaneous users wait in a trust with this number of schools, first
 * with one server and one worker, then with two servers and four workers; database and users share the machine. Then how long the whole
 * trust takes to recalculate. Each result shows how many processors each part used and what a call cost it, which does not depend on the
 * load of the machine.
 */
export function scale(schools = 100): Promise<void> {
  return withDemo('scale', async ({ store, ownerUrl, config }) => {
    const owner = postgres(ownerUrl, { max: 2, onnotice: () => undefined })
    // Rate limits would stop the calls that are measured here.
    const clearRateLimits = setInterval(() => void owner`delete from rate_limits`.catch(() => undefined), 200)
    try {
      const began = performance.now()
      const trust = await loadScaleTrust(store, schools, schools * contractsEach)
      await owner`analyze`
      console.log(`${schools} schools, ${trust.contracts} contracts, made in ${((performance.now() - began) / 1000).toFixed(0)} s`)
      for (const counts of installations) {
        const installation = await start(config, counts)
        try {
          await measure({ config, installation, owner, organisationId: trust.organisationId })
        } finally {
          for (const one of [...installation.servers, ...installation.workers]) one.kill('SIGKILL')
          // Their claims on queued jobs expire before the next installation starts.
          await wait(1000)
        }
      }
    } finally {
      clearInterval(clearRateLimits)
      await owner.end()
    }
  })
}

async function start(config: Config, counts: { servers: number; workers: number }): Promise<Installation> {
  const installation: Installation = { origins: [], servers: [], workers: [] }
  const ready = (child: ChildProcess): Promise<unknown> => new Promise((done) => child.once('message', done))
  for (let one = 0; one < counts.servers; one++) {
    const port = one ? await findFreePort() : config.port
    const settings = JSON.stringify({ ...config, port })
    const server = fork(join(import.meta.dirname, 'productServer.ts'), [settings], { execArgv: ['--import', 'tsx'] })
    installation.origins.push(`http://localhost:${port}`)
    installation.servers.push(server)
    await ready(server)
  }
  const { databaseUrl, queuePrefix } = config
  for (let one = 0; one < counts.workers; one++) {
    const env = {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATA_KEY: testDataKey,
      QUEUE_PREFIX: queuePrefix,
      LOG_LEVEL: 'silent',
      DEMO: '1',
    }
    const worker = fork(join(root, 'worker/main.ts'), { cwd: root, execArgv: ['--import', 'tsx', '--max-semi-space-size=64'], env })
    installation.workers.push(worker)
    await ready(worker)
  }
  return installation
}

interface Measured {
  config: Config
  installation: Installation
  owner: postgres.Sql
  organisationId: OrganisationId
}

async function measure({ config, installation, owner, organisationId }: Measured): Promise<void> {
  const { origins, servers, workers } = installation
  const finance = await signInAs({ config, origin: assertDefined(origins[0]) }, 'finance@harbour.example')
  const places = await findTrustIds(finance, organisationId)
  const parts = await processesOf(installation, owner)
  console.log(`\n${servers.length} server${servers.length > 1 ? 's' : ''}, ${workers.length} worker${workers.length > 1 ? 's' : ''}`)
  for (const count of users) {
    const people = await peopleOf(count, config, origins, finance, places)
    await work(people, warmMs)
    const before = timesOf(parts)
    const { waitedMs, failures, seconds } = await work(people, measuredMs)
    const sorted = waitedMs.sort((a, b) => a - b)
    const at = (share: number): string => `${(sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0)} ms`
    console.log(
      `${String(count).padStart(4)} people  ${(sorted.length / seconds).toFixed(0).padStart(4)} calls a second  half within ${at(0.5).padStart(7)}  19 of 20 within ${at(0.95).padStart(7)}  ${failures.length} failed   ${sharesOf(parts, before, seconds, sorted.length)}`,
    )
    for (const why of new Set(failures)) console.log(`     failed: ${why}`)
  }
  const before = timesOf(parts)
  const seconds = await recalculated(finance, places, owner)
  console.log(`whole trust recalculated after an award, nobody else there: ${seconds.toFixed(1)} s   ${sharesOf(parts, before, seconds)}`)
}

/** Users, each working in one school and spread over the servers as a proxy would spread them. */
async function peopleOf(
  count: number,
  config: Config,
  origins: readonly string[],
  finance: Caller,
  places: TrustIds,
): Promise<(() => Promise<unknown>)[]> {
  const schools = Object.keys(places.budgets).filter((alias) => places.budgets[alias])
  const prepared = new Map<string, Awaited<ReturnType<typeof listCommonCalls>>>()
  const people: (() => Promise<unknown>)[] = []
  for (let one = 0; one < count; one++) {
    const [origin, alias] = [assertDefined(origins[one % origins.length]), assertDefined(schools[one % schools.length])]
    const key = `${origin} ${alias}`
    const calls = prepared.get(key) ?? (await listCommonCalls({ config, origin }, finance, places, alias))
    prepared.set(key, calls)
    let turn = one
    people.push(() => assertDefined(calls[turn++ % calls.length]).make())
  }
  return people
}

async function work(
  people: readonly (() => Promise<unknown>)[],
  ms: number,
): Promise<{ waitedMs: number[]; failures: string[]; seconds: number }> {
  const waitedMs: number[] = []
  const failures: string[] = []
  const began = performance.now()
  await Promise.all(
    people.map(async (call) => {
      await wait(Math.random() * pauseMs())
      while (performance.now() - began < ms) {
        const asked = performance.now()
        await call().then(
          () => waitedMs.push(performance.now() - asked),
          (error) => failures.push(getThrownDetails(error).message ?? String(error)),
        )
        await wait(pauseMs())
      }
    }),
  )
  return { waitedMs, failures, seconds: (performance.now() - began) / 1000 }
}

async function recalculated(finance: Caller, places: TrustIds, owner: postgres.Sql): Promise<number> {
  const own = { OrganisationId: places.organisationId }
  await owner`update staff_inflation_rates set rate = rate + 0.5 where organisation_id = ${places.organisationId}`
  const began = performance.now()
  const { status, body } = await finance.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${places.groupId}`, undefined, own)
  if (status !== 202) throw new Error(`The recalculation was refused: ${body}`)
  const isLocked = async (): Promise<boolean> =>
    (await finance.call('GET', '/api/Application/staffcontracts/recalculation/locked', undefined, own)).body.locked
  while (await isLocked()) await wait(100)
  return (performance.now() - began) / 1000
}

type Parts = Record<string, () => number[]>

/** The process ids of each part. Those of the database change, so each list is read when needed. */
async function processesOf({ servers, workers }: Installation, owner: postgres.Sql): Promise<Parts> {
  const { pid } = requireSingleRow(await owner<{ pid: number }[]>`select pg_backend_pid() as pid`)
  const postmaster = parentOf(pid)
  const numbers = (children: readonly ChildProcess[]) => () => children.map((child) => assertDefined(child.pid))
  return {
    servers: numbers(servers),
    workers: numbers(workers),
    database: () =>
      readdirSync('/proc')
        .map(Number)
        .filter((one) => one && parentOf(one) === postmaster),
    'who asks': () => [process.pid],
  }
}

/** The fields of /proc/PID/stat after the process name, which may contain spaces. */
function fieldsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return []
  }
}

const parentOf = (pid: number): number => Number(fieldsOf(pid)[1])
/** Seconds of processor time that a process has used; Linux counts hundredths. */
const secondsOf = (pid: number): number => (Number(fieldsOf(pid)[11] ?? 0) + Number(fieldsOf(pid)[12] ?? 0)) / 100

/** Seconds of processor time that the whole machine has used. */
function busySeconds(): number {
  const [user = 0, nice = 0, system = 0, , , ...interrupts] = assertDefined(readFileSync('/proc/stat', 'utf8').split('\n')[0])
    .split(/ +/)
    .slice(1, 8)
    .map(Number)
  return [user, nice, system, ...interrupts].reduce((sum, one) => sum + one, 0) / 100
}

interface Times {
  busy: number
  parts: Map<string, Map<number, number>>
}

function timesOf(parts: Parts): Times {
  const own = Object.entries(parts).map(([name, pids]): [string, Map<number, number>] => [
    name,
    new Map(pids().map((pid) => [pid, secondsOf(pid)])),
  ])
  return { busy: busySeconds(), parts: new Map(own) }
}

/**
 * Returns how many processors each part used, and how many all other processes on this machine used. If others used any, the measured waits
 * are not caused by the product alone.
 * @param calls the number of calls answered, to show the cost per call
 */
function sharesOf(parts: Parts, before: Times, seconds: number, calls?: number): string {
  const now = timesOf(parts)
  const spent = [...now.parts].map(([name, times]): [string, number] => [
    name,
    [...times].reduce((sum, [pid, time]) => sum + time - (before.parts.get(name)?.get(pid) ?? 0), 0),
  ])
  const others = Math.max(0, now.busy - before.busy - spent.reduce((sum, [, one]) => sum + one, 0))
  const each = ([name, one]: readonly [string, number]): string =>
    `${name} ${(one / seconds).toFixed(2)}${calls && name !== 'others' ? ` (${((one * 1000) / calls).toFixed(1)} ms a call)` : ''}`
  return [...spent, ['others', others] as const].map(each).join(', ')
}
