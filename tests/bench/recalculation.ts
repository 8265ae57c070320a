import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import postgres from 'postgres'
import { costContracts } from '../../domain/calculation/staffing/frozen.ts'
import type { OrganisationId } from '../../domain/values/ids.ts'
import { budgets, recalculations } from '../../drizzle/schema.ts'
import type { Config } from '../../server/core/config.ts'
import type { Store } from '../../server/core/database/database.ts'
import { loadScaleTrust } from '../../server/demo/load.ts'
import { chooseWorkerCount } from '../../server/launch/workerCount.ts'
import { serve } from '../../server/serve.ts'
import { storeCosts } from '../../server/shared/costing/costs/commands.ts'
import { readStoredInputs } from '../../server/shared/costing/inputs/queries.ts'
import { loadContracts } from '../../server/streams/budget/queries.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { signInAs } from '../support/product/http.ts'
import { connect } from '../support/product/hub.ts'
import { readProcessorSeconds } from './processor.ts'
import { withDemo } from './withDemo.ts'

const root = join(import.meta.dirname, '../..')
const line = (what: string, ms: number): void => console.log(`${what.padEnd(66)} ${(ms / 1000).toFixed(2).padStart(7)} s`)

/**
 * Recalculates a trust of 100 schools and 10,000 contracts over five years, measured from the request until the figures are stored and the
 * hub is notified: with one server, the embedded database and as many workers as `npm start` runs here, then with one worker, compared with
 * only inserting the same lines. Then the same work step by step, without a queue.
 */
export function recalculation(schools = 100, contracts = 10_000): Promise<void> {
  return withDemo('recalculation', async ({ store, ownerUrl, config }) => {
    const owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined })
    try {
      const trust = await loadScaleTrust(store, schools, contracts)
      await owner`analyze`
      console.log(
        `Recalculating ${trust.contracts} contracts of ${schools} schools over five years (${trust.contracts * 60} contract-months)`,
      )
      for (const workers of new Set([1, chooseWorkerCount(undefined)])) await wholeRuns({ config, owner, workers }, trust.organisationId)
      await parts(store, trust.organisationId)
      await sums(store, trust.organisationId)
    } finally {
      await owner.end()
    }
  })
}

/** The state of the figures before the recalculation starts. */
const situations: Record<string, (owner: postgres.TransactionSql, organisationId: OrganisationId) => Promise<unknown>> = {
  'again, every figure stays': async () => undefined,
  'the first time, nothing stands': async (owner, organisationId) => {
    for (const table of ['staff_costs', 'budget_pay']) await owner`delete from ${owner(table)} where organisation_id = ${organisationId}`
    await owner`delete from posted_lines where organisation_id = ${organisationId} and source_kind in ('contract', 'levy')`
  },
  'again after that': async () => undefined,
  'after an award that changes every figure': (owner) => owner`update staff_inflation_rates set rate = rate + 0.5`,
}

async function wholeRuns(
  { config, owner, workers: number }: { config: Config; owner: postgres.Sql; workers: number },
  organisationId: OrganisationId,
): Promise<void> {
  console.log(`\nWith ${number === 1 ? 'one worker' : `${number} workers`}`)
  const server = await serve(config)
  const workers = Array.from({ length: number }, () => beginWorker(config))
  await Promise.all(workers.map((worker) => new Promise((ready) => worker.once('message', ready))))
  const product = { config, origin: config.origin } as Parameters<typeof connect>[0]
  const finance = await signInAs(product, 'finance@harbour.example')
  const heard = await connect(product, finance, organisationId)
  const own = { OrganisationId: organisationId }
  const [group] = (await finance.call<{ id: string }[]>('GET', '/api/BudgetGroup/list', undefined, own)).body
  const press = async (): Promise<{ accepted: number; done: number }> => {
    const before = heard.messages.length
    const began = performance.now()
    const reply = await finance.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${group!.id}`, undefined, own)
    if (reply.status !== 202) throw new Error(`Refused: ${reply.status} ${reply.body}`)
    const accepted = performance.now() - began
    const end = () => heard.messages.slice(before).find((message) => message.target === 'BudgetsRecalculated')
    while (!end()) await new Promise((next) => setTimeout(next, 10))
    if ((end()!.argument as { failed: boolean }).failed) throw new Error('It failed')
    return { accepted, done: performance.now() - began }
  }
  await press()
  const processor = await readProcessorSeconds(
    owner,
    workers.map(({ pid }) => pid),
  )
  const same = await linesOf(owner, organisationId)
  for (const [situation, prepare] of Object.entries(situations)) {
    await owner.begin(async (tx) => {
      await tx`select set_config('app.organisation_id', '*', true)`
      await prepare(tx, organisationId)
    })
    const before = processor()
    const floor = await insertAlone(owner, same)
    const between = processor()
    const { accepted, done } = await press()
    const [ownSeconds, floorSeconds] = [processor() - between, between - before]
    line(`from the button to the notice, ${situation}`, done)
    line('  of it until the request was accepted (inputs frozen)', accepted)
    line('  beside it, inserting the same lines and nothing else', floor)
    console.log(
      `${'  times as long · times the processor'.padEnd(66)} ${(done / floor).toFixed(2).padStart(7)}   · ${(ownSeconds / floorSeconds).toFixed(2)}, of ${ownSeconds.toFixed(1)} s and ${floorSeconds.toFixed(1)} s`,
    )
  }
  for (const { pid } of workers) {
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    if (peak) console.log(`${'memory of a worker at its highest'.padEnd(66)} ${(Number(peak[1]) / 1024).toFixed(0).padStart(7)} MB`)
  }
  await heard.connection.stop()
  for (const worker of workers) worker.kill('SIGTERM')
  await Promise.all(workers.map((worker) => new Promise((ended) => worker.once('exit', ended))))
  await server.close()
}

function beginWorker(config: Config): ChildProcess {
  return fork(join(root, 'worker/main.ts'), {
    cwd: root,
    // The same flag as in `npm start` and the compose file.
    execArgv: ['--import', 'tsx', '--max-semi-space-size=64'],
    env: {
      ...process.env,
      DATABASE_URL: config.databaseUrl,
      DATA_KEY: testDataKey,
      QUEUE_PREFIX: config.queuePrefix,
      LOG_LEVEL: 'silent',
      DEMO: '1',
    },
  })
}

/** A trust’s lines as query parameters: one array per column for each budget. */
async function linesOf(owner: postgres.Sql, organisationId: OrganisationId): Promise<string[][]> {
  const columns = ['source_kind', 'source_id', 'component', 'year', 'budget_code_id', 'cost_centre_id', 'fund_code_id']
  const rows = await owner.begin(async (tx) => {
    await tx`select set_config('app.organisation_id', '*', true)`
    return tx.unsafe<Record<string, string>[]>(
      `select budget_id, array_agg(amounts::text)::text as amounts, ${columns.map((name) => `array_agg(${name})::text as ${name}`).join(', ')}
      from budget_lines where organisation_id = ${organisationId} group by 1`,
    )
  })
  return rows.map((row) => [row.budget_id!, ...columns.map((name) => row[name]!), row.amounts!])
}

/**
 * Inserts a row for each year of each line, one transaction per budget, in the fastest way. This storage format is out of date, but the
 * floor was measured with it. @returns milliseconds
 */
async function insertAlone(owner: postgres.Sql, budgets: readonly string[][]): Promise<number> {
  const months = Array.from({ length: 12 }, (_unused, month) => `amounts[${month + 1}]`)
  await owner.unsafe(`
    create table lines_alone (organisation_id integer not null, budget_id char(24) not null, source_kind text not null, source_id char(24) not null,
      component text not null, year smallint not null, budget_code_id integer, cost_centre_id integer, fund_code_id integer, amounts bigint[] not null,
      total bigint generated always as (${months.map((month) => `coalesce(${month}, 0)`).join(' + ')}) stored not null,
      missing smallint generated always as (num_nulls(${months.join(', ')})::smallint) stored not null);
    create index on lines_alone (organisation_id, budget_id, source_kind, source_id);
    create index on lines_alone (organisation_id, budget_id) where missing > 0`)
  const began = performance.now()
  for (const values of budgets)
    await owner.unsafe(
      `insert into lines_alone (organisation_id, budget_id, source_kind, source_id, component, year, budget_code_id, cost_centre_id, fund_code_id, amounts)
      select 1, $1, kind, source, component, year, code, centre, fund, months::bigint[]
      from unnest($2::text[], $3::char(24)[], $4::text[], $5::smallint[], $6::integer[], $7::integer[], $8::integer[], $9::text[])
        as line(kind, source, component, year, code, centre, fund, months)`,
      values,
      { prepare: true },
    )
  const ms = performance.now() - began
  await owner`drop table lines_alone`
  return ms
}

/** The same work without a queue, one step after the other. Its writes are rolled back. */
async function parts(store: Store, organisationId: OrganisationId): Promise<void> {
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
        const contracts = await timed('read', () => loadContracts({ tx, organisationId, budgetId: row.id }))
        const { frozen, shared } = await timed('read', () => readStoredInputs({ tx, organisationId, budgetId: row.id }, run!.inputs))
        const costs = await timed('cost', () => costContracts(contracts, frozen, shared))
        const actor = { userId: null, requestId: `bench-${row.id}`, now: new Date() }
        await timed('write', () =>
          storeCosts({ tx, actor }, row, {
            contracts,
            costing: { costs, shared, inputs: run!.inputs, cause: 'group', levyShareRule: 'kept' },
          }),
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

/** The cost in the database of a report over the whole trust. */
async function sums(store: Store, organisationId: OrganisationId): Promise<void> {
  await store.inOrganisation(organisationId, async (tx) => {
    for (const [what, query] of [
      [
        'sum of all lines by budget code and year',
        sql`select budget_code_id, year, sum(total) from budget_lines where organisation_id = ${organisationId} group by 1, 2`,
      ],
      [
        'the same for each of twelve months',
        sql`select budget_code_id, year, ${sql.raw(Array.from({ length: 12 }, (_unused, month) => `sum(month_${month + 1})`).join(', '))} from budget_lines where organisation_id = ${organisationId} group by 1, 2`,
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
    for (const [what, table] of [
      ['years of lines', 'budget_lines'],
      ['rows that hold them', 'posted_lines'],
    ] as const) {
      const [count] = await tx.execute<{ n: number }>(
        sql`select count(*)::int as n from ${sql.identifier(table)} where organisation_id = ${organisationId}`,
      )
      console.log(`${what.padEnd(66)} ${String(count!.n).padStart(7)}`)
    }
  })
}
