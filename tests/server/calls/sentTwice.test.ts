import { randomUUID } from 'node:crypto'
import { createTRPCClient, httpBatchLink } from '@trpc/client'
import superjson from 'superjson'
import { beforeAll, describe, expect, it } from 'vitest'
import { deleteOldAnswers } from '../../../server/core/calls/answers.ts'
import { openStore } from '../../../server/core/database/database.ts'
import type { AppRouter } from '../../../server/features/appRouter.ts'
import { connectAsOwner, lockLines } from '../../support/product/database.ts'
import {
  asClient,
  type Body,
  type Caller,
  findTrustIds,
  inviteAndSignIn,
  type Reply,
  type Selection,
  signInAs,
  type TrustIds,
} from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { type Ids, idsFor, teacherContract } from '../../support/samples/contract.ts'

let product: Product
let finance: Caller
let administrator: Caller
let payroll: Caller
let places: TrustIds
let northgate: Required<Selection>
let ids: Ids
let codeId: number
let owner: ReturnType<typeof connectAsOwner>

const everything = { pageNumber: 1, pageSize: 5000 }

beforeAll(async () => {
  product = await startProduct()
  owner = connectAsOwner(product.config.databaseUrl)
  finance = await signInAs(product, 'finance@harbour.example')
  administrator = await signInAs(product, 'admin@bursar.example')
  payroll = await asClient(product, 'harbour')
  places = await findTrustIds(finance)
  northgate = places.at('Northgate')
  ids = await idsFor(finance, northgate)
  const codes = await finance.call('POST', '/api/BudgetCodes/list', everything, northgate)
  codeId = codes.body.rows.find((row: Body) => row.code === '4300').id
})

const send = (method: string, path: string, body: Body, key?: string, who = finance, more: Record<string, string> = {}) =>
  who.call(method, path, body, { ...northgate, ...(key ? { 'Idempotency-Key': key } : {}), ...more })
const entry = (description: string, amount = 100): Body => ({ description, budgetCodeId: codeId, amount, budgetYearName: '2026/27' })
const saveEntry = (body: Body, key?: string, who = finance, more?: Record<string, string>) =>
  send('PUT', '/api/BudgetEntry/save', body, key, who, more)
const entriesNamed = async (search: string): Promise<Body[]> =>
  (await send('POST', '/api/BudgetEntry/paginated', { ...everything, search })).body.rows
const budgetCode = (code: string): Body => ({ code, type: 2, description: `Code ${code}` })
const answer = ({ status, body }: Reply) => ({ status, body })

describe('a call that is sent again with its Idempotency-Key', () => {
  const group = { name: 'Sent twice', description: null, items: [] }
  const makes: Record<string, () => [method: string, path: string, body: Body, who?: Caller]> = {
    'an entry': () => ['PUT', '/api/BudgetEntry/save', entry('Entry once')],
    'a staff contract': () => ['PUT', '/api/StaffContract', teacherContract(ids, { contractName: 'Contract once' })],
    'a budget code': () => ['POST', '/api/BudgetCodes', budgetCode('ONCE1')],
    'a budget group': () => ['POST', '/api/BudgetGroup/create', group],
    'a person': () => ['POST', '/api/Staff', { employeeNumber: 'ONCE-1', forename: 'Ada', surname: 'Once', locations: [], archive: false }],
    'an opening balance': () => ['PUT', '/api/OpeningBalance', { description: 'Once', type: 1, value: 5 }],
    'an import': () => ['POST', '/api/BudgetCodes/import', [{ Code: 'ONCE2', Type: 'Expenditure', Description: 'Imported once' }]],
    'a copy of a budget': () => ['POST', `/api/Budget/duplicate/${northgate.BudgetId}`, { name: 'Copied once' }],
    'a user': () => [
      'POST',
      '/api/Users',
      { email: 'once@harbour.example', forename: 'Ada', surname: 'Once', active: true, organisationIds: [places.organisationId] },
      administrator,
    ],
  }
  it.each(Object.keys(makes))('makes %s once and returns the first reply again', async (name) => {
    const [method, path, body, who] = makes[name]!()
    const key = randomUUID()
    const first = await send(method, path, body, key, who)
    expect([200, 201]).toContain(first.status)
    const again = await send(method, path, body, key, who)
    expect(answer(again)).toEqual(answer(first))
  })
  it('leaves its record there once', async () => {
    expect(await entriesNamed('Entry once')).toHaveLength(1)
    expect((await send('POST', '/api/StaffContract/paginated', { search: 'Contract once' })).body.total).toBe(1)
    expect((await send('POST', '/api/BudgetCodes/list', { ...everything, search: 'ONCE' })).body.total).toBe(2)
    expect((await send('POST', '/api/Budget/paginated', { ...everything, search: 'Copied once' })).body.rows).toHaveLength(1)
  })
  it('deletes once: a record, an entry, a whole budget', async () => {
    const code = (await send('POST', '/api/BudgetCodes', budgetCode('ONCE3'))).body
    const bulk = (await saveEntry(entry('To be deleted'))).body
    const [copy] = (await send('POST', '/api/Budget/paginated', { ...everything, search: 'Copied once' })).body.rows
    const deletions: [string, string, Body?][] = [
      ['DELETE', `/api/BudgetCodes/${code.id}`],
      ['POST', '/api/BudgetEntry/bulkDelete', { state: { selectAll: false, toggledNodes: [bulk.id] } }],
      ['DELETE', `/api/Budget/${copy.mongoId}`],
    ]
    for (const [method, path, body] of deletions) {
      const key = randomUUID()
      const first = await send(method, path, body, key)
      expect([200, 204]).toContain(first.status)
      expect(answer(await send(method, path, body, key))).toEqual(answer(first))
      expect((await send(method, path, body)).status, path).toBeGreaterThanOrEqual(400)
    }
  })
  it('is refused with one sentence if the key was used for another call or body, and nothing is lost silently', async () => {
    const key = randomUUID()
    await saveEntry(entry('First body'), key)
    const other = await saveEntry(entry('Second body'), key)
    expect(answer(other)).toEqual({
      status: 422,
      body: 'This Idempotency-Key was used for another call. Send a new key with a new call.',
    })
    expect((await send('POST', '/api/BudgetCodes', budgetCode('ONCE4'), key)).status).toBe(422)
    expect((await saveEntry(entry('First body'), key, finance, { BudgetId: places.at('Riverside').BudgetId })).status).toBeGreaterThan(400)
    expect(await entriesNamed('Second body')).toHaveLength(0)
  })
  it('is a new call if another user sends the same key', async () => {
    const key = randomUUID()
    const mine = await saveEntry(entry('Mine'), key)
    const theirs = await saveEntry(entry('Theirs'), key, payroll)
    expect([mine.body.description, theirs.status, theirs.body.description]).toEqual(['Mine', 200, 'Theirs'])
  })
  it('is refused once the caller has lost access to the location, whatever the first reply was', async () => {
    const key = randomUUID()
    const mover = await inviteAndSignIn(
      product,
      administrator,
      'mover@harbour.example',
      ['BudgetingNonStaffingReadUpdate'],
      places.organisationId,
      [places.locations.Northgate!],
    )
    const body = entry('Before the move')
    expect((await saveEntry(body, key, mover)).status).toBe(200)
    expect((await saveEntry(body, key, mover)).status).toBe(200)
    const user = (await administrator.call('POST', '/api/Users/list', { search: 'mover@harbour.example' })).body.rows[0]
    const [membership] = user.memberships
    const memberships = [{ ...membership, locationIds: [places.locations.Riverside] }]
    expect((await administrator.call('PUT', '/api/Users', { ...user, memberships })).status).toBe(200)
    expect((await saveEntry(body, key, mover)).status).toBe(403)
  })
  it('ignores how the body was formatted', async () => {
    const key = randomUUID()
    const first = await saveEntry({ description: 'Any order', budgetCodeId: codeId, amount: 1, budgetYearName: '2026/27' }, key)
    const again = await saveEntry({ budgetYearName: '2026/27', amount: 1.0, budgetCodeId: codeId, description: 'Any order' }, key)
    expect(again.body.id).toBe(first.body.id)
  })
  it('is told to wait while the first is still running, and then gets its reply', async () => {
    const key = randomUUID()
    const release = await lockLines(owner)
    const first = saveEntry(entry('Slow'), key)
    // Whichever starts first waits for the lines; the other finds its idempotency key in use.
    const second = saveEntry(entry('Slow'), key)
    try {
      expect(answer(await Promise.race([first, second]))).toEqual({
        status: 409,
        body: 'This call is still running. Send it again in a moment to get its response.',
      })
    } finally {
      await release()
    }
    const both = await Promise.all([first, second])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const done = both.find(({ status }) => status === 200)!
    expect(answer(await saveEntry(entry('Slow'), key))).toEqual(answer(done))
    expect(await entriesNamed('Slow')).toHaveLength(1)
  })
  it('is decided again if the first was refused: a refusal changes nothing and is not stored', async () => {
    const key = randomUUID()
    expect((await saveEntry({ ...entry('Refused'), budgetCodeId: 999_999 }, key)).status).toBe(400)
    expect((await saveEntry(entry('Refused'), key)).status).toBe(200)
  })
  it('must have a valid key', async () => {
    const long = await saveEntry(entry('Long key'), 'k'.repeat(201))
    expect(answer(long)).toEqual({
      status: 400,
      body: 'An Idempotency-Key must have 1 to 200 letters, digits and symbols, without spaces or commas.',
    })
    expect(await entriesNamed('Long key')).toHaveLength(0)
  })
  it('is answered without unencrypted personal data in the database', async () => {
    const key = randomUUID()
    await send(
      'POST',
      '/api/Staff',
      { employeeNumber: 'ONCE-2', forename: 'Grace', surname: 'Unreadable', locations: [], archive: false },
      key,
    )
    const rows = await owner`select * from answered_calls`
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toMatch(/Unreadable|ONCE-2/)
    expect(JSON.stringify(rows)).not.toContain(key)
  })
  it('can be answered again for a week, then the reply is deleted', async () => {
    const key = randomUUID()
    const first = await saveEntry(entry('Forgotten'), key)
    const store = openStore(product.config, 1)
    const inDays = (days: number) => store.asPlatform((tx) => deleteOldAnswers(tx, new Date(Date.now() + days * 86_400_000)))
    await inDays(6)
    expect((await saveEntry(entry('Forgotten'), key)).body.id).toBe(first.body.id)
    await inDays(8)
    expect(await owner`select * from answered_calls`).toHaveLength(0)
    await store.close()
  })
})

describe('a value that does not decide', () => {
  it('is X-Request-Id: two different saves with one are two saves', async () => {
    const trace = { 'X-Request-Id': 'gateway-trace-0001' }
    const first = await saveEntry(entry('Trace one'), undefined, finance, trace)
    const second = await saveEntry(entry('Trace two'), undefined, finance, trace)
    const third = await saveEntry(entry('Trace two'), undefined, finance, trace)
    expect([first, second, third].map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set([first.body.id, second.body.id, third.body.id]).size).toBe(3)
    expect(await entriesNamed('Trace')).toHaveLength(3)
    const contracts = await Promise.all(
      ['A', 'B'].map((name) =>
        send('PUT', '/api/StaffContract', teacherContract(ids, { contractName: `Trace ${name}` }), undefined, finance, trace),
      ),
    )
    expect(contracts.map(({ body }) => body.contractName)).toEqual(['Trace A', 'Trace B'])
  })
  it('is X-Request-Id: a caller’s value is never taken for a job or a recalculation of the product', async () => {
    for (const said of ['fill-00000000-0000-4000-8000-000000000000', 'recalculation-1234567890', 'demo-harbour', 'first-administrator']) {
      const trace = { 'X-Request-Id': said }
      const saved = await saveEntry(entry(`Said ${said}`), undefined, finance, trace)
      const contract = await send('PUT', '/api/StaffContract', teacherContract(ids, { contractName: said }), undefined, finance, trace)
      const code = await send('POST', '/api/CostCentres', { code: said.slice(0, 12), description: said }, undefined, finance, trace)
      expect([saved.status, contract.status, code.status]).toEqual([200, 200, 201])
      expect([saved, contract, code].map(({ headers }) => headers.get('x-request-id'))).toEqual([said, said, said])
    }
    const kept = await owner`select request_id from budget_events where request_id ~ '^(fill|recalculation)-(0000|1234)'
      union all select request_id from reference_changes where request_id in ('demo-harbour', 'first-administrator') and actor_id is not null`
    expect(kept).toEqual([])
    const traced = await owner`select distinct request_id from budget_events where request_id like 'call-recalculation-%'`
    expect(traced).toEqual([{ request_id: 'call-recalculation-1234567890' }])
  })
})

describe('a batch as the browser sends it', () => {
  const batch = (headers: Record<string, string> = {}) =>
    createTRPCClient<AppRouter>({
      links: [
        httpBatchLink({
          url: `${product.origin}/trpc`,
          transformer: superjson,
          headers: {
            ApiVersion: '2',
            Authorization: `Bearer ${finance.token}`,
            ...Object.fromEntries(Object.entries(northgate).map(([name, value]) => [name, String(value)])),
            ...headers,
          },
        }),
      ],
    })

  it('carries out each of its calls and gives each its own reply', async () => {
    const client = batch()
    const [a, b] = await Promise.all([client.entries.save.mutate(entry('Batch A')), client.entries.save.mutate(entry('Batch B'))])
    expect([a.description, b.description]).toEqual(['Batch A', 'Batch B'])
    expect(await entriesNamed('Batch')).toHaveLength(2)
    const changed = await Promise.all(
      [a, b].map(({ id }, index) => client.entries.change.mutate({ changes: [{ id, changes: { amount: 10 + index } }] })),
    )
    expect(changed.map(({ ids }) => ids[0])).toEqual([a.id, b.id])
    expect((await entriesNamed('Batch')).map((row) => row.amount).sort()).toEqual([10, 11])
    const contracts = await Promise.all(
      ['A', 'B'].map((name) => client.contracts.save.mutate(teacherContract(ids, { contractName: `Batch ${name}` }))),
    )
    expect(contracts.map(({ contractName }) => contractName)).toEqual(['Batch A', 'Batch B'])
  })
  it('has a key for each call, and sent again returns each call’s first reply', async () => {
    const keys = [randomUUID(), randomUUID()]
    const both = () => {
      const client = batch({ 'Idempotency-Key': keys.join(', ') })
      return Promise.all([client.entries.save.mutate(entry('Keyed A')), client.entries.save.mutate(entry('Keyed B'))])
    }
    const first = await both()
    expect(await both()).toEqual(first)
    expect(await entriesNamed('Keyed')).toHaveLength(2)
    const alone = await batch({ 'Idempotency-Key': keys[1]! }).entries.save.mutate(entry('Keyed B'))
    expect(alone.id).toBe(first[1].id)
  })
  it('with a single key distinguishes its calls by their position', async () => {
    const key = randomUUID()
    const both = () => {
      const client = batch({ 'Idempotency-Key': key })
      return Promise.all([client.entries.save.mutate(entry('Placed')), client.entries.save.mutate(entry('Placed'))])
    }
    const first = await both()
    expect(first[0].id).not.toBe(first[1].id)
    expect(await both()).toEqual(first)
  })
})
