import { fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { costContracts } from '../../domain/calculation/frozen.ts'
import { budgets, recalculations } from '../../drizzle/schema.ts'
import { loadContracts } from '../../server/core/budget/queries.ts'
import { openStore, type Store } from '../../server/core/database/database.ts'
import { loadDemo, loadScale } from '../../server/demo/load.ts'
import { storeCosts } from '../../server/features/calculation/costs/commands.ts'
import { readInputs } from '../../server/features/calculation/inputs/queries.ts'
import { migrateDatabase } from '../../server/launch/migrate.ts'
import { freePort, startPostgres } from '../../server/launch/postgres.ts'
import { serve } from '../../server/serve.ts'
import { testDataKey } from '../support/dataKey.ts'
import { asUser } from '../support/http.ts'
import { connect } from '../support/hub.ts'

const root = join(import.meta.dirname, '../..')
const line = (what: string, ms: number): void => console.log(`${what.padEnd(58)} ${(ms / 1000).toFixed(2).padStart(7)} s`)

/**
 * A trust of 100 schools and 10,000 contracts over five years: from pressing the button to the figures stored and the notice of the hub, with
 * one server, one worker process and the embedded database on this machine; then the same work in its parts, one after the other.
 */
export async function recalculation(schools = 100, contracts = 10_000): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-'))
  const database = await startPostgres(folder)
  try {
    const serverUrl = await migrateDatabase(database.url)
    const store = openStore({ databaseUrl: database.url, dataKey: testDataKey }, 4)
    await loadDemo(store)
    const trust = await loadScale(store, schools, contracts)
    await store.asPlatform((tx) => tx.execute(sql`analyze`))
    console.log(
      `Recalculating ${trust.contracts} contracts of ${schools} schools over five years (${trust.contracts * 60} contract-months)`,
    )
    await wholeRun(serverUrl, trust.organisationId)
    await parts(store, trust.organisationId)
    await sums(store, trust.organisationId)
    await store.close()
  } finally {
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function wholeRun(databaseUrl: string, organisationId: number): Promise<void> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const queuePrefix = `bench-${port}`
  const config = { port, origin, databaseUrl, redisUrl: null, queuePrefix, oidc: null, mail: null, logLevel: 'silent', production: false }
  const server = await serve(config as Parameters<typeof serve>[0])
  const worker = fork(join(root, 'worker/main.ts'), {
    cwd: root,
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, DATABASE_URL: databaseUrl, DATA_KEY: testDataKey, QUEUE_PREFIX: queuePrefix, LOG_LEVEL: 'silent' },
  })
  await new Promise((ready) => worker.on('message', ready))
  const product = { config, origin } as Parameters<typeof asUser>[0]
  const finance = await asUser(product, 'finance@harbour.example')
  const heard = await connect(product, finance, organisationId)
  const own = { OrganisationId: organisationId }
  const [group] = (await finance.call<{ id: string }[]>('GET', '/api/BudgetGroup/list', undefined, own)).body
  for (const turn of ['the first time', 'again']) {
    const before = heard.messages.length
    const began = performance.now()
    const reply = await finance.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${group!.id}`, undefined, own)
    if (reply.status !== 202) throw new Error(`Refused: ${reply.status} ${reply.body}`)
    const accepted = performance.now() - began
    while (!heard.messages.slice(before).some((message) => message.target === 'BudgetsRecalculated'))
      await new Promise((next) => setTimeout(next, 10))
    line(`from the button to the notice, ${turn}`, performance.now() - began)
    line('  of it until the request was accepted (inputs frozen)', accepted)
  }
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${worker.pid}/status`, 'utf8'))
  if (peak) console.log(`${'memory of the worker at its highest'.padEnd(58)} ${(Number(peak[1]) / 1024).toFixed(0).padStart(7)} MB`)
  await heard.connection.stop()
  worker.kill('SIGTERM')
  await new Promise((ended) => worker.on('exit', ended))
  await server.close()
}

/** The same work without a queue, one part after the other; what it wrote is taken back. */
async function parts(store: Store, organisationId: number): Promise<void> {
  const times = { read: 0, cost: 0, write: 0 }
  const timed = async <T>(part: keyof typeof times, work: () => T | Promise<T>): Promise<T> => {
    const began = performance.now()
    const result = await work()
    times[part] += performance.now() - began
    return result
  }
  class Undo extends Error {}
  await store
    .inOrganisation(organisationId, async (tx) => {
      const rows = await tx.select().from(budgets).where(eq(budgets.organisationId, organisationId))
      const [run] = await tx.select().from(recalculations).where(eq(recalculations.organisationId, organisationId)).limit(1)
      for (const row of rows) {
        const contracts = await timed('read', () => loadContracts(tx, organisationId, row.id))
        const { frozen, shared } = await timed('read', () => readInputs(tx, organisationId, run!.inputs, row.id))
        const costs = await timed('cost', () => costContracts(contracts, frozen, shared))
        const actor = { userId: null, requestId: `bench-${row.id}`, now: new Date() }
        await timed('write', () =>
          storeCosts(tx, row, contracts, { costs, shared, inputs: run!.inputs, cause: 'group', share: 'kept' }, actor),
        )
      }
      throw new Undo()
    })
    .catch((error) => {
      if (!(error instanceof Undo)) throw error
    })
  line('in one process: read contracts and frozen inputs', times.read)
  line('in one process: cost them', times.cost)
  line('in one process: write event, costings and lines', times.write)
}

/** What a report over the whole trust costs the database. */
async function sums(store: Store, organisationId: number): Promise<void> {
  await store.inOrganisation(organisationId, async (tx) => {
    for (const [what, query] of [
      [
        'sum of all lines by budget code and year',
        sql`select budget_code_id, year, sum(total) from budget_lines where organisation_id = ${organisationId} group by 1, 2`,
      ],
      [
        'the same for each of twelve months',
        sql`select budget_code_id, year, ${sql.raw(Array.from({ length: 12 }, (_unused, month) => `sum(amounts[${month + 1}])`).join(', '))} from budget_lines where organisation_id = ${organisationId} group by 1, 2`,
      ],
      [
        'by school, cost centre and fund code',
        sql`select budget_id, cost_centre_id, fund_code_id, year, sum(total) from budget_lines where organisation_id = ${organisationId} group by 1, 2, 3, 4`,
      ],
    ] as const) {
      let best = Number.POSITIVE_INFINITY
      for (let turn = 0; turn < 3; turn++) {
        const began = performance.now()
        await tx.execute(query)
        best = Math.min(best, performance.now() - began)
      }
      line(what, best)
    }
    const [count] = await tx.execute<{ n: number }>(
      sql`select count(*)::int as n from budget_lines where organisation_id = ${organisationId}`,
    )
    console.log(`${'lines'.padEnd(58)} ${String(count!.n).padStart(7)}`)
  })
}
