import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import type { OrganisationId } from '../../domain/values/ids.ts'
import { maximumImportRows } from '../../domain/words/notices.ts'
import { loadScaleTrust } from '../../server/demo/load.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { type Caller, findTrustIds, signInAs } from '../support/product/http.ts'
import { withDemo } from './withDemo.ts'

const root = join(import.meta.dirname, '../..')
/**
 * How often each of the neighbour's calls is measured: first with no other load, then alongside each heavy workload.
 */
const rounds = 20
/** How much longer the median may be than without other load, and the longest that the 95th percentile may take. */
const [mostTimes, mostMs] = [2, 1000]

/** The calls of the neighbour, a trust with ordinary use. */
type Calls = Record<'list' | 'save' | 'export', () => Promise<number>>
type Times = Record<keyof Calls, number[]>

/**
 * `npm run bench -- neighbours`: how long a trust waits for a list, a save and an export while another trust runs heavy workloads, compared
 * with no other load.
 * @param schools of the trust whose budgets are recalculated
 * @returns whether the median at most doubles and 19 of 20 calls take less than a second
 */
export function neighbours(schools = 200): Promise<boolean> {
  return withDemo('neighbours', async ({ store, ownerUrl, config }) => {
    const large = await loadScaleTrust(store, schools, schools * 10)
    const children: ChildProcess[] = []
    const start = async (script: string, env: Record<string, string>, ...words: string[]): Promise<void> => {
      const child = fork(join(root, script), words, { cwd: root, execArgv: ['--import', 'tsx'], env: { ...process.env, ...env } })
      children.push(child)
      await new Promise((ready) => child.once('message', ready))
    }
    // Rate limits by caller are not the subject: here one caller stands for all of a trust.
    const clearRateLimits = setInterval(() => void store.client`delete from rate_limits`.catch(() => undefined), 200)
    const owner = postgres(ownerUrl, { max: 2, onnotice: () => undefined })
    try {
      await start('tests/bench/productServer.ts', {}, JSON.stringify(config))
      await start('worker/main.ts', {
        DATABASE_URL: config.databaseUrl,
        DATA_KEY: testDataKey,
        QUEUE_PREFIX: config.queuePrefix,
        LOG_LEVEL: 'silent',
        DEMO: '1',
      })
      const product = { config, origin: config.origin }
      const [worst, neighbour] = [await signInAs(product, 'finance@harbour.example'), await signInAs(product, 'finance@meadow.example')]
      const { organisationId } = await findTrustIds(neighbour)
      const calls = callsOf(neighbour, organisationId)
      await measured(calls)
      const quiet = await measured(calls)
      console.log(`A trust's list, save and file: the middle one of ${rounds} beside quiet, and 19 of 20`)
      console.log(shown('nobody else', quiet, quiet))
      let isKept = true
      for (const [what, begin] of await listHeavyWorkloads({
        caller: worst,
        origin: config.origin,
        owner,
        largeId: large.organisationId,
      })) {
        const ending = new AbortController()
        const ended = begin(ending.signal)
        await wait(1000)
        const times = await measured(calls)
        ending.abort()
        console.log(shown(what, times, quiet))
        isKept &&= isWithin(times, quiet)
        await ended
      }
      if (!isKept) console.log(`A middle one took more than ${mostTimes} times as long, or one of 20 more than ${mostMs} ms.`)
      return isKept
    } finally {
      clearInterval(clearRateLimits)
      for (const child of children) child.kill('SIGKILL')
      await owner.end({ timeout: 1 })
    }
  })
}

function callsOf(caller: Caller, organisationId: OrganisationId): Calls {
  const of = { OrganisationId: organisationId }
  const timed = (path: string, body: () => object) => async () => {
    const began = performance.now()
    const reply = await caller.call('POST', path, body(), of)
    if (reply.status >= 400) throw new Error(`${path} was answered ${reply.status}: ${JSON.stringify(reply.body)}`)
    return performance.now() - began
  }
  let saves = 0
  return {
    list: timed('/api/BudgetCodes/list', () => ({ pageNumber: 1, pageSize: 50 })),
    save: timed('/api/CostCentres', () => ({ code: `N${saves++}-${Date.now()}`, description: 'Saved beside others' })),
    export: timed('/api/BudgetCodes/export', () => ({})),
  }
}

async function measured(calls: Calls): Promise<Times> {
  const times: Times = { list: [], save: [], export: [] }
  for (let round = 0; round < rounds; round++) for (const name of ['list', 'save', 'export'] as const) times[name].push(await calls[name]())
  return times
}

const at = (times: readonly number[], share: number): number => times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1]!
const names = ['list', 'save', 'export'] as const

function shown(what: string, times: Times, quiet: Times): string {
  const parts = names.map((name) => {
    const ratio = at(times[name], 0.5) / at(quiet[name], 0.5)
    return `${name} ${ratio.toFixed(2).padStart(6)} × ${at(times[name], 0.95).toFixed(0).padStart(6)} ms`
  })
  return `${what.padEnd(34)} ${parts.join('   ')}`
}

function isWithin(times: Times, quiet: Times): boolean {
  return names.every((name) => at(times[name], 0.5) <= mostTimes * at(quiet[name], 0.5) && at(times[name], 0.95) <= mostMs)
}

type Begin = (ending: AbortSignal) => Promise<unknown>

/** The heaviest workloads that a trust can cause; each runs until it is aborted. */
async function listHeavyWorkloads({
  caller,
  origin,
  owner,
  largeId,
}: {
  caller: Caller
  origin: string
  owner: postgres.Sql
  largeId: OrganisationId
}): Promise<[string, Begin][]> {
  const { organisationId } = await findTrustIds(caller)
  const of = { OrganisationId: organisationId }
  const budgets = await owner<{ id: string; name: string }[]>`
    select id, name from budgets where organisation_id = ${organisationId} and not coalesce((head ->> 'locked')::boolean, false) order by id limit 2`
  const [first, second] = [budgets[0]!, budgets[1]!]
  const { groupId } = await findTrustIds(caller, largeId)
  /** Keeps a number of calls in flight: each is repeated as soon as it is answered. */
  const keep =
    (many: number, ask: (ending: AbortSignal, index: number) => Promise<unknown>): Begin =>
    (ending) =>
      Promise.all(
        Array.from({ length: many }, async (_unused, index) => {
          while (!ending.aborted) await ask(ending, index).catch(() => undefined)
        }),
      )
  const trpc = (path: string, method: 'GET' | 'POST', input: object, signal: AbortSignal) => {
    const json = JSON.stringify({ json: input })
    const headers = {
      ApiVersion: '2',
      Authorization: `Bearer ${caller.token}`,
      OrganisationId: String(organisationId),
      'Content-Type': 'application/json',
    }
    const address = `/trpc/${path}${method === 'GET' ? `?input=${encodeURIComponent(json)}` : ''}`
    return fetch(origin + address, { method, headers, signal, ...(method === 'POST' ? { body: json } : {}) }).then((reply) => reply.text())
  }
  const rename = (ending: AbortSignal, index: number) =>
    trpc('budgets.rename', 'POST', { id: first.id, name: `${first.name} ${index % 2}` }, ending)
  const file = (index: number) =>
    Array.from({ length: maximumImportRows }, (_unused, row) => ({
      Type: 'Expenditure',
      Code: `W${index}-${row}`,
      Description: `Worst ${row} ${performance.now()}`,
      Category: 'Non-staffing',
    }))
  return [
    ['24 renames of one budget', keep(24, rename)],
    [
      '40 comparisons',
      keep(40, (ending) => trpc('moments.compare', 'GET', { a: { budgetId: first.id }, b: { budgetId: second.id } }, ending)),
    ],
    [
      `5 imports of ${maximumImportRows.toLocaleString('en-GB')} rows`,
      keep(5, (_ending, index) => caller.call('POST', '/api/BudgetCodes/import', file(index), of)),
    ],
    [
      'a recalculation of many budgets',
      async () => {
        const path = `/api/BudgetGroup/recalculate/staff-contracts/${groupId}`
        const { status, body } = await caller.call('POST', path, undefined, { OrganisationId: largeId })
        if (status !== 202) throw new Error(`The recalculation was refused: ${body}`)
      },
    ],
    [
      'a budget that is held for 30 s',
      async (ending) => {
        const renames = keep(24, rename)(ending)
        await owner.begin(async (sql) => {
          await sql`select from budgets where id = ${first.id} for update`
          await wait(30_000, undefined, { signal: ending }).catch(() => undefined)
        })
        await renames
      },
    ],
  ]
}
