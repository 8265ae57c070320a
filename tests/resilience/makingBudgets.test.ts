import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OrganisationId, toBudgetId } from '../../domain/values/ids.ts'
import { connectAsOwner, ownerUrl } from '../support/product/database.ts'
import { type Body, type Caller, findTrustIds, signInAs, type TrustIds } from '../support/product/http.ts'
import { type Product, startProduct } from '../support/product/product.ts'
import { proceduresOf } from '../support/product/trpc.ts'
import { findProgram } from '../support/running/programs.ts'
import { until, Workers } from '../support/running/worker.ts'

/** Workers fill many budgets: with PostgreSQL’s queue, and again with Redis if `REDIS_URL` is set. */
let product: Product
let finance: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
let sources: string[]
const workers = new Workers()

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
  sources = (await finance.call('GET', `/api/BudgetGroup/edit/id/${places.groupId}`, undefined, own)).body.items.map(
    (item: Body) => item.budgetId,
  )
})
afterAll(() => workers.killAll())

const budget = async (id: string): Promise<Body> => (await finance.call('GET', `/api/Budget/id/${id}`, undefined, own)).body
/** Counted in the database: a client that asked for six budgets ten times a second would meet the rate limit. */
const filled = async (ids: string[]): Promise<number> => {
  const owner = connectAsOwner(product.config.databaseUrl)
  const [row] = await owner`select count(*)::int as count from budget_job_items where done_at is not null and budget_id in ${owner(ids)}`
  return row!.count
}
const yearsOf = async (id: string) => {
  const { locationId } = await budget(id)
  const where = { ...own, LocationId: locationId, BudgetId: toBudgetId(id) }
  return (await proceduresOf(product, finance, where).overview.summary.query()).years
}

function audit(...words: string[]): Promise<string> {
  return new Promise((done) => {
    execFile(
      process.execPath,
      [findProgram('audit'), ...words],
      { cwd: join(import.meta.dirname, '../..'), env: { ...process.env, DATABASE_URL: ownerUrl(product.config.databaseUrl) } },
      (_error, out, problem) => done(out + problem),
    )
  })
}

describe('making many budgets from others', () => {
  let made: string[]
  it('returns at once, with budgets that are listed but cannot be changed until they are filled', async () => {
    const { status, body } = await finance.call(
      'POST',
      '/api/Budget/duplicate',
      { state: { selectAll: false, toggledNodes: sources }, name: 'Copied' },
      own,
    )
    expect(status).toBe(201)
    made = body.map((one: Body) => one.mongoId)
    expect(made).toHaveLength(6)
    expect(body.every((one: Body) => one.isBeingMade)).toBe(true)
    const { mongoId, locationId } = body[0]
    const where = { ...own, LocationId: locationId, BudgetId: mongoId }
    const sentence = 'This budget is still being created. Try again in a moment.'
    for (const [method, path, input] of [
      ['PUT', '/api/OpeningBalance', { description: 'Any', type: 1, value: 1 }],
      ['POST', `/api/Budget/fix/${mongoId}`, undefined],
      ['DELETE', `/api/Budget/${mongoId}`, undefined],
      ['POST', `/api/Budget/duplicate/${mongoId}`, {}],
      ['POST', '/api/Budget/rollforward', { ids: [mongoId] }],
    ] as const) {
      const reply = await finance.call(method, path, input, where)
      expect([path, reply.status, reply.body]).toEqual([path, 409, sentence])
    }
  })
  it('survives killed workers: every budget is filled once, to the penny, and replays', async () => {
    const killed = await workers.start(product)
    await until('some are filled', async () => (await filled(made)) > 0)
    killed.kill('SIGKILL')
    await workers.start(product)
    await until('all are filled', async () => (await filled(made)) === made.length, 90_000)
    for (const id of made) expect(await yearsOf(id)).toEqual(await yearsOf((await budget(id)).sourceBudgetId))
    const times = await connectAsOwner(
      product.config.databaseUrl,
    )`select budget_id, count(*)::int as times from budget_events where type = 'StaffContractsRecalculated' and request_id like 'fill-%' group by 1`
    expect(times.map((row) => row.times)).toEqual(made.map(() => 1))
    expect(await audit('verify')).toContain('every chain is intact')
    expect(await audit('replay', '--budget', made[0]!)).toContain('The tables match the log')
  }, 150_000)
  it('rolls six forward, each opening with its source’s closing balances, and replays', async () => {
    const { body } = await finance.call('POST', '/api/Budget/rollforward', { ids: sources }, own)
    const next = body.map((one: Body) => one.mongoId)
    await until('all are filled', async () => (await filled(next)) === next.length, 90_000)
    for (const id of next) {
      const source = await yearsOf((await budget(id)).sourceBudgetId)
      expect((await yearsOf(id))[0]!.opening).toBe(source[0]!.closing)
    }
    expect(await audit('replay', '--budget', next[0]!)).toContain('The tables match the log')
    expect(await audit('replay', '--budget', next.at(-1)!)).toContain('The tables match the log')
  }, 120_000)
  it('uses no record that was deleted before the budget was filled, says what is missing, and is filled once it is restored', async () => {
    await workers.killAll()
    const { locationId } = await budget(sources[0]!)
    const where = { ...own, LocationId: locationId, BudgetId: toBudgetId(sources[0]!) }
    const calls = proceduresOf(product, finance, where)
    const codes = (await finance.call('POST', '/api/BudgetCodes/list', { pageSize: 5000 }, own)).body.rows
    const { id: _id, version: _version, created: _created, ...same } = codes.find((row: Body) => row.code === '4300')
    const code = (await finance.call('POST', '/api/BudgetCodes', { ...same, code: '4391', description: 'Soon gone' }, own)).body
    const entry = { description: 'Taken over', budgetCodeId: code.id, costCentreId: null, amount: 120 }
    const { ids } = await calls.entries.change.mutate({ changes: [{ id: null, changes: entry }] })
    const chosen = { state: { selectAll: false, toggledNodes: sources }, name: 'Late' }
    const late = (await finance.call('POST', '/api/Budget/duplicate', chosen, own)).body.map((one: Body) => one.mongoId)
    await calls.entries.delete.mutate({ ids })
    expect((await finance.call('DELETE', `/api/BudgetCodes/${code.id}`, undefined, own)).status).toBe(204)

    await workers.start(product)
    await until('the others are filled', async () => (await filled(late)) === late.length - 1, 90_000)
    const found = async (): Promise<Body[]> => Promise.all(late.map(budget))
    const failed = async () => (await found()).filter((one) => one.notMade)
    await until('one is given up', async () => (await failed()).length === 1, 90_000)
    const [{ mongoId, notMade }] = (await failed()) as [Body]
    expect(notMade).toBe('It could not be created: it needs budget code 4391 Soon gone, which has since been deleted. Restore that first.')

    await proceduresOf(product, finance, own).bin.restore.mutate({ records: [{ kind: 'budgetCode', id: code.id }] })
    await finance.call('POST', `/api/Budget/fill/${mongoId}`, undefined, own)
    await until('all are filled', async () => (await filled(late)) === late.length, 90_000)
    const copy = proceduresOf(product, finance, { ...where, BudgetId: mongoId })
    expect((await copy.entries.list.query({ search: 'Taken over' })).rows).toMatchObject([{ budgetCodeId: code.id }])
  }, 200_000)
})
