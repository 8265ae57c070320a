import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { parse } from 'yaml'
import { checkDueChain } from '../../server/audit/verify/selfCheck.ts'
import { openStore, type Store } from '../../server/core/database/database.ts'
import { readAnchors } from '../../server/core/stream/anchorFiles.ts'
import { findFreePort } from '../../server/launch/postgres.ts'
import { runWorker } from '../../worker/runWorker.ts'
import { connectAsOwner } from '../support/product/database.ts'
import { type Body, type Caller, findTrustIds, type Selection, signInAs } from '../support/product/http.ts'
import { type Product, startProduct } from '../support/product/product.ts'
import { proceduresOf } from '../support/product/trpc.ts'
import { until } from '../support/running/worker.ts'

// A week of checks takes time on a shared machine.
vi.setConfig({ testTimeout: 120_000 })

let product: Product
let store: Store
let finance: Caller
let administrator: Caller
let northgate: Required<Selection>
let day = 0

beforeAll(async () => {
  product = await startProduct()
  store = openStore(product.config, 2)
  finance = await signInAs(product, 'finance@harbour.example')
  administrator = await signInAs(product, 'admin@bursar.example')
  northgate = (await findTrustIds(finance)).at('Northgate')
})
afterAll(() => store?.close())

/** The days of these tests begin after those that the worker below reaches. */
const afterTheWorker = Date.now() + 10 * 86_400_000
const dayNow = (): Date => new Date(afterTheWorker + day * 86_400_000)

/** Runs every check that is due on the next day. */
async function nextDay(): Promise<string[]> {
  day++
  const now = dayNow()
  const results: string[] = []
  const isDone = async (): Promise<boolean> => {
    for (let result = await checkDueChain(store, now); result !== 'none'; result = await checkDueChain(store, now)) results.push(result)
    // A chain that another check holds is skipped until the next call.
    const due = await connectAsOwner(
      product.config.databaseUrl,
    )`select 1 from log_checks where checked_at is distinct from ${now.toISOString()}`
    return due.length === 0
  }
  await until('every chain was checked', isDone)
  return results
}

const told = async (caller: Caller): Promise<Body[]> =>
  (await proceduresOf(product, caller, northgate).communications.now.query()).brokenLogs
const save = async (description: string): Promise<void> => {
  const codes = await finance.call('POST', '/api/CostCentres/list', { pageSize: 1 }, northgate)
  const { status } = await finance.call('PUT', '/api/CostCentres', { ...codes.body.rows[0], description }, northgate)
  expect(status).toBe(200)
}

/** Changes rows as the owner of the database, without triggers. */
async function pastTheProduct(statement: string): Promise<void> {
  const sql = connectAsOwner(product.config.databaseUrl)
  await sql.begin(async (tx) => {
    await tx`select set_config('app.organisation_id', '*', true)`
    await tx.unsafe('set local session_replication_role = replica')
    const { count } = await tx.unsafe(statement)
    expect(count).toBeGreaterThan(0)
  })
}

/** Overwrites the request id of the organisation’s latest change, or restores it. */
const overwrite = (requestId: string): Promise<void> => {
  const ofTrust = `organisation_id = ${northgate.OrganisationId}`
  return pastTheProduct(
    `update reference_changes set request_id = ${requestId} where ${ofTrust} and id = (select max(id) from reference_changes where ${ofTrust})`,
  )
}

it('a worker checks every chain once a day and anchors the heads; a broken chain raises the alert while servers stay ready', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-checked-'))
  const metrics = { port: await findFreePort(), token: null }
  const timers = vi.spyOn(globalThis, 'setInterval')
  const worker = await runWorker({ ...product.config, anchors: { folder, mailTo: null }, metrics })
  const everyMinute = timers.mock.calls.filter(([, ms]) => ms === 60_000 || ms === 5000)
  timers.mockRestore()
  onTestFinished(async () => {
    vi.useRealTimers()
    await worker.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const began = Date.now()
  /** Moves the worker’s clock by some days, fires its timers, and waits for a condition. */
  const after = async (days: number, what: string, condition: () => Promise<boolean>): Promise<void> => {
    vi.useFakeTimers({ toFake: ['Date'], now: began + days * 86_400_000 })
    for (const [elapsed] of everyMinute) (elapsed as () => void)()
    await until(what, condition)
    vi.useRealTimers()
  }
  const figures = async (): Promise<Record<string, number>> => {
    const text = await (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text()
    return Object.fromEntries([...text.matchAll(/^(bursar_logs?_\w+) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]))
  }
  const { groups } = parse(readFileSync(join(import.meta.dirname, '../../server/launch/alerts.yml'), 'utf8'))
  const { expr } = groups[0].rules.find((rule: { alert: string }) => rule.alert === 'BursarLogBroken')
  const isAlerted = async (): Promise<boolean> => {
    const [, name, most] = /^max\((\w+)\) > (\d+)$/.exec(expr)!
    const known = await figures()
    expect(Object.keys(known)).toContain(name)
    return known[name!]! > Number(most)
  }

  expect((await figures()).bursar_log_verified_links).toBe(0)
  await after(1, 'every link is verified and the heads are anchored', async () => {
    const { bursar_log_links: links, bursar_log_verified_links: verified } = await figures()
    const today = new Date().toISOString().slice(0, 10)
    return links! > 100 && links === verified && readAnchors(folder, null).anchors.some(({ at }) => at.startsWith(today))
  })
  expect(await isAlerted()).toBe(false)

  await save('A description of the day')
  await overwrite(`request_id || 'x'`)
  await after(2, 'the alert is raised', isAlerted)
  expect((await told(administrator)).map(({ organisation }) => organisation)).toEqual(['Harbour Learning Trust'])
  expect((await fetch(`${product.origin}/readyz`)).status).toBe(200)

  await overwrite('left(request_id, -1)')
  await after(3, 'the alert is over', async () => !(await isAlerted()))
  expect(await told(administrator)).toEqual([])
}, 90_000)

it('the checks of a day are spread over its hours, and each chain is checked once in it', async () => {
  const chains = (await nextDay()).length
  const hours: number[] = []
  for (let hour = 1; hour <= 24; hour++) {
    const now = new Date(dayNow().getTime() + hour * 3_600_000)
    let checked = 0
    while ((await checkDueChain(store, now)) !== 'none') checked++
    hours.push(checked)
  }
  day++
  expect(hours.reduce((sum, checked) => sum + checked)).toBe(chains)
  expect(hours.filter((checked) => checked > 0).length).toBeGreaterThan(1)
})

it('every chain is checked once a day, from the last link that was intact', async () => {
  const first = await nextDay()
  expect(first.length).toBeGreaterThan(1)
  expect(new Set(first)).toEqual(new Set(['whole']))
  expect(await nextDay()).toHaveLength(first.length)
  expect(await told(administrator)).toEqual([])
})

it('an overwritten change is found the next day, reported only to administrators, and no longer once it is restored', async () => {
  await save('A description of today')
  await overwrite(`request_id || 'x'`)
  expect(await nextDay()).toContain('broken')
  const [broken] = await told(administrator)
  expect(broken).toMatchObject({ organisation: 'Harbour Learning Trust', at: dayNow().toISOString() })
  expect(broken!.finding).toMatch(/^Change \d+ \(\w+ \w+\) of organisation \d+ was changed after it was written\.$/)
  expect(await told(finance)).toEqual([])
  expect((await fetch(`${product.origin}/readyz`)).status).toBe(200)
  await overwrite('left(request_id, -1)')
  expect(await nextDay()).not.toContain('broken')
  expect(await told(administrator)).toEqual([])
})

it('a changed log of a budget is found as soon as the budget gets a link', async () => {
  const codes = await finance.call('POST', '/api/BudgetCodes/list', { pageSize: 5000 }, northgate)
  const budgetCodeId = codes.body.rows.find((row: Body) => row.code === '4300').id
  const entry = { description: 'Of today', budgetCodeId, amount: 1, budgetYearName: '2026/27' }
  expect((await finance.call('PUT', '/api/BudgetEntry/save', entry, northgate)).status).toBe(200)
  const of = `budget_id = '${northgate.BudgetId}' and version = 2`
  await pastTheProduct(`update budget_events set request_id = request_id || 'x' where ${of}`)
  expect(await nextDay()).toContain('broken')
  expect((await told(administrator))[0]!.finding).toBe(
    `Budget ${northgate.BudgetId}, version 2: Its content does not match its hash: it was changed after it was written.`,
  )
  await pastTheProduct(`update budget_events set request_id = left(request_id, -1) where ${of}`)
  expect(await nextDay()).not.toContain('broken')
})

/** Changes one row of an organisation directly in the database. @returns the row’s new ctid */
async function changeRow(table: string, change: string, where: string): Promise<string> {
  const sql = connectAsOwner(product.config.databaseUrl)
  return sql.begin(async (tx) => {
    await tx`select set_config('app.organisation_id', '*', true)`
    await tx.unsafe('set local session_replication_role = replica')
    const [row] = await tx.unsafe<{ place: string }[]>(`update ${table} set ${change} where ${where} returning ctid::text as place`)
    return row!.place
  })
}

it.each([
  ['a posted line', 'posted_lines', 'amounts[1] = amounts[1] + 100', 'amounts[1] = amounts[1] - 100', 'The lines of '],
  ['a cost of a contract', 'staff_costs', 'has_pay = not has_pay', 'has_pay = not has_pay', 'The cost of contract '],
  ['a sum of pay', 'budget_pay', 'amounts[1] = amounts[1] + 1', 'amounts[1] = amounts[1] - 1', 'The pay totals of year '],
])(
  '%s changed where nobody works is found within a week, and is reported until it is restored',
  async (_what, table, change, back, problem) => {
    const { organisationId } = await findTrustIds(await signInAs(product, 'finance@meadow.example'))
    const ofMeadow = `organisation_id = ${organisationId}`
    const toldOfMeadow = async (): Promise<string | undefined> =>
      (await told(administrator)).find(({ organisation }) => organisation?.startsWith('Meadow'))?.finding
    const place = await changeRow(
      table,
      change,
      `${ofMeadow} and ctid = (select min(ctid) from ${table} where ${ofMeadow} and ${table === 'staff_costs' ? 'true' : 'amounts[1] is not null'})`,
    )
    if (table === 'posted_lines') for (let days = 0; days < 7 && !(await toldOfMeadow()); days++) await nextDay()
    else {
      // The checks of a week in which no worker ran are made up for.
      day += 6
      expect(await nextDay()).toContain('broken')
    }
    expect(await toldOfMeadow()).toContain(problem)
    await nextDay()
    expect(await toldOfMeadow()).toContain(problem)
    await changeRow(table, back, `${ofMeadow} and ctid = '${place}'`)
    await nextDay()
    expect(await toldOfMeadow()).toBeUndefined()
  },
)

it('a chain that was cut off is found though nothing of it is left', async () => {
  const sql = connectAsOwner(product.config.databaseUrl)
  await sql`update log_checks set checked_at = null, finding = null, found_at = null,
    (sequence, hash) = (select sequence, hash from log_chain chain where chain.organisation_id = log_checks.organisation_id order by sequence desc limit 1)`
  await pastTheProduct(
    `delete from log_chain where organisation_id = 0 and sequence = (select max(sequence) from log_chain where organisation_id = 0)`,
  )
  expect(await nextDay()).toContain('broken')
  const ofPlatform = (await told(administrator)).find((one) => one.organisation === null)
  expect(ofPlatform!.finding).toContain('is gone: the chain has since been cut.')
})
