import { connect as connectTcp } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openStore } from '../../server/core/database/database.ts'
import { loadScaleTrust } from '../../server/demo/load.ts'
import { connectAsOwner } from '../support/product/database.ts'
import { browserAsk, browserCall, type Caller, findTrustIds, signInAs, type TrustIds } from '../support/product/http.ts'
import { connect } from '../support/product/hub.ts'
import { type ServerProcess, startServerProcess } from '../support/running/serverProcess.ts'
import { until } from '../support/running/worker.ts'

let product: ServerProcess
let governor: Caller
let finance: Caller
let places: TrustIds

beforeAll(async () => {
  // Without the tests’ checking of replies, which takes time: these tests measure the server as users have it.
  product = await startServerProcess({ env: { CHECK_REPLIES: '0' } })
  governor = await signInAs(product, 'governor@harbour.example')
  // Signed in once for all tests: more than ten sign-ins a minute are refused.
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
})

/** Sends raw bytes and resets the connection, as a telephone does when it loses its network. */
function reset(bytes: string, afterMs = 0): Promise<void> {
  return new Promise((done) => {
    const socket = connectTcp(product.config.port, 'localhost')
    socket.on('error', () => undefined)
    socket.on('close', () => done())
    socket.on('connect', () => socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), afterMs)))
  })
}

const upgradeTo = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`

describe('nobody outside can crash the server', () => {
  it('by resetting a live connection before it is open, signed in or not', async () => {
    const own = `/OrganisationHub?organisationId=${places.organisationId}&access_token=${governor.token}`
    for (const path of ['/organisationhub?organisationId=1', '/x', own, '//', '/%'])
      for (const afterMs of [0, 0, 2, 10]) await reset(upgradeTo(path), afterMs)
    expect(await product.isAlive()).toBe(true)
  })
  it('by a message of the wrong shape: that connection is closed with the reason', async () => {
    const shapes = [
      '{"type":1,"target":5}',
      '{"type":1,"target":"SendMessage","arguments":null}',
      '{"type":1,"target":{"a":1},"arguments":[]}',
      '{"type":8}',
      '{"type":9,"sequenceId":"x"}',
      'null',
      '[]',
      '7',
      '{"type":',
      `${'['.repeat(20_000)}`,
    ]
    for (const shape of shapes) {
      const said = await new Promise<string>((done) => {
        const ws = new WebSocket(
          `${product.origin.replace('http', 'ws')}/OrganisationHub?organisationId=${places.organisationId}&access_token=${governor.token}`,
        )
        let heard = ''
        ws.on('open', () => ws.send('{"protocol":"json","version":1}\u001e', () => ws.send(`${shape}\u001e`)))
        ws.on('message', (data) => (heard += data))
        ws.on('close', () => done(heard))
      })
      expect(said, shape).toContain('The message is not valid.')
    }
    expect(await product.isAlive()).toBe(true)
  })
  it('by bytes that are not HTTP', async () => {
    for (const bytes of ['\u0000\u0001\u0002', 'GET', 'GET / HTTP/9.9\r\n\r\n', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n\r\n`])
      await reset(bytes, 5)
    expect(await product.isAlive()).toBe(true)
  })
})

describe('a killed database connection', () => {
  it('costs at most the calls that were using it, and never the server', async () => {
    const sql = connectAsOwner(product.config.databaseUrl)
    let stop = false
    const statuses: number[] = []
    const callers = Array.from({ length: 8 }, async () => {
      while (!stop) statuses.push((await governor.call('GET', '/api/Authorisation')).status)
    })
    for (let round = 0; round < 12; round++) {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
      await new Promise((done) => setTimeout(done, 60))
    }
    stop = true
    await Promise.all(callers)
    expect(await product.isAlive()).toBe(true)
    expect([...new Set(statuses)].filter((status) => ![200, 429, 503].includes(status))).toEqual([])
    // Every connection of the pool still works: these are more simultaneous calls than it has connections.
    const auditor = await signInAs(product, 'auditor@harbour.example')
    const after = await Promise.all(Array.from({ length: 30 }, () => auditor.call('GET', '/api/Authorisation')))
    expect(after.map(({ status }) => status)).toEqual(after.map(() => 200))
  })
})

describe('a server that is asked to stop', () => {
  it('answers the calls it has started, and lets live clients reconnect to another server', async () => {
    const second = await startServerProcess({ beside: product })
    const clients = await Promise.all([
      connect(second, governor, places.organisationId, true),
      connect(second, governor, places.organisationId, false),
    ])
    let [lost, back] = [0, 0]
    for (const { connection } of clients) {
      connection.onreconnecting(() => void lost++)
      connection.onclose(() => void back++)
    }
    const sql = connectAsOwner(product.config.databaseUrl)
    const call = await sql.begin(async (tx) => {
      // A call waits for a lock when the signal comes.
      await tx`lock table locations in access exclusive mode`
      const waiting = fetch(`${second.origin}/api/Locations/list`, {
        method: 'POST',
        headers: {
          ApiVersion: '2',
          Authorization: `Bearer ${governor.token}`,
          'Content-Type': 'application/json',
          OrganisationId: String(places.organisationId),
        },
        body: '{}',
      })
      await new Promise((done) => setTimeout(done, 500))
      const ended = second.stop('SIGTERM')
      await new Promise((done) => setTimeout(done, 500))
      return { waiting, ended }
    })
    expect((await call.waiting).status).toBe(200)
    expect(await call.ended).toBe(0)
    // Both clients reconnected: they were not told to stay away.
    expect(lost).toBe(2)
    await until('both have given up on the server that is gone', () => back === 2)
  })
})

describe('a live client that resumes its connection', () => {
  it('at a server that does not know it starts a new one at once, instead of listening in vain', async () => {
    const [first, second] = [await startServerProcess({ beside: product }), await startServerProcess({ beside: product })]
    const { connection } = await connect(first, governor, places.organisationId, true)
    let begunAnew = 0
    connection.onreconnected(() => void begunAnew++)
    // The client reaches another server at the same address, as behind a proxy with several servers.
    const http = connection as unknown as {
      connection: { transport: { _webSocket: WebSocket; connect: (url: string, as: number) => Promise<void> } }
    }
    const { transport } = http.connection
    const own = transport.connect.bind(transport)
    let tries = 0
    transport.connect = (url, as) => {
      tries++
      return own(url.replace(`:${first.config.port}`, `:${second.config.port}`), as)
    }
    transport._webSocket.close()
    await until('it has begun anew', () => begunAnew === 1, 10_000)
    expect(tries).toBeLessThan(5)
    expect(await connection.invoke('SendMessage', { message: 'here again' })).toEqual(expect.any(String))
    await connection.stop()
  })
})

describe('the log', () => {
  it('contains no value of a failed statement', async () => {
    const reply = await fetch(`${product.origin}/interaction/none`, {
      method: 'POST',
      body: new URLSearchParams({ email: 'secret.person@harbour.example', password: 'x' }),
      redirect: 'manual',
    })
    expect(reply.status).toBeLessThan(500)
    // A statement with personal data that fails unexpectedly.
    const sql = connectAsOwner(product.config.databaseUrl)
    await sql`create function broken() returns trigger language plpgsql as $$ begin raise exception 'broken on purpose'; end $$`
    await sql`create trigger broken before insert on staff_members for each row execute function broken()`
    const person = { employeeNumber: 'SECRETNUMBER', forename: 'Secretforename', surname: 'Secretsurname', locations: [], archive: false }
    const { status } = await finance.call('POST', '/api/Staff', person, places.at('Northgate'))
    await sql`drop trigger broken on staff_members`
    expect(status).toBe(500)
    await until('the failure stands in the log', () => product.log().includes('broken on purpose'))
    expect(product.log()).not.toMatch(/params:|@harbour\.example|eyJ[\w-]{10}|secret(number|forename|surname)/i)
  })
})

/** The status and the text of a reply. */
interface Answered {
  status: number
  text: string
}

describe('nobody outside can block the server', () => {
  const rows = (count: number, row: (index: number) => Record<string, string>) =>
    Array.from({ length: count }, (_unused, index) => row(index))
  const deep = '['.repeat(9_600_000)
  const contract = (funds: string) => ({ EmployeeNumber: 'X', ContractName: 'Y', FundCodes: funds })
  const attacks: Record<string, (caller: Caller) => Promise<unknown>[]> = {
    'bodies of brackets before sign-in': () =>
      ['/trpc/contracts.save', '/api/CostCentres/import'].flatMap((path) => [1, 2].map(() => post(path, deep))),
    'bodies of brackets after it': (caller) => ['/trpc/contracts.save', '/api/CostCentres/import'].map((path) => post(path, deep, caller)),
    'fund codes of 29,000 spaces': (caller) => [
      put('/api/StaffContract/Import', JSON.stringify(rows(300, () => contract(`a${' '.repeat(29_000)}x`))), caller),
    ],
    'numbers of 29,000 digits': (caller) => [
      post('/api/CostCentres/import', JSON.stringify(rows(300, () => ({ Code: 'a', Description: `${'1'.repeat(29_000)}x` }))), caller),
      post('/api/ProfileTemplates/import', JSON.stringify(rows(300, () => ({ Name: 'a', Month1: `${'1'.repeat(29_000)}x` }))), caller),
    ],
    'a file of 20,000 rows': (caller) => [
      post(
        '/api/CostCentres/import',
        JSON.stringify(rows(20_000, (at) => ({ Code: `H${at}`, Description: `Held ${at} ${'x'.repeat(80)}` }))),
        caller,
      ),
    ],
    'fifty bridges and comparisons in one call': (caller) => {
      const { BudgetId: a } = places.at('Northgate')
      const { BudgetId: b } = places.at('Beacon')
      return [
        batch(caller, 50, (at) => [
          at % 2 ? 'moments.compare' : 'moments.bridge',
          { a: { budgetId: a, year: at % 4 }, b: { budgetId: b, year: 1 } },
        ]),
      ]
    },
    'a file of 10,000 contracts': (caller) => [
      put('/api/StaffContract/Import', JSON.stringify(rows(10_000, (at) => ({ ...contract('GEN'), ContractName: `Held ${at}` }))), caller),
    ],
  }

  const headersOf = (caller: Caller | undefined): Record<string, string> => ({
    'Content-Type': 'application/json',
    ApiVersion: '2',
    ...(caller && {
      Authorization: `Bearer ${caller.token}`,
      ...Object.fromEntries(Object.entries(places.at('Northgate')).map(([name, value]) => [name, String(value)])),
    }),
  })
  const sent = (method: string) => async (path: string, body: string, caller?: Caller) => {
    const reply = await fetch(product.origin + path, { method, headers: headersOf(caller), body })
    return { status: reply.status, text: await reply.text() }
  }
  const post = sent('POST')
  const get = async (path: string, caller: Caller) => {
    const reply = await fetch(product.origin + path, { headers: headersOf(caller) })
    return { status: reply.status, text: await reply.text() }
  }
  const put = sent('PUT')
  /** Queries that travel in one batch. */
  const batch = (caller: Caller, count: number, ask: (at: number) => [procedure: string, input?: unknown]) => {
    const asked = Array.from({ length: count }, (_unused, at) => ask(at))
    const input = Object.fromEntries(asked.flatMap(([, json], at) => (json === undefined ? [] : [[at, { json }]])))
    return get(`/trpc/${asked.map(([name]) => name).join(',')}?batch=1&input=${encodeURIComponent(JSON.stringify(input))}`, caller)
  }

  for (const [what, attack] of Object.entries(attacks))
    it(`over 100 ms with ${what}`, { timeout: 120_000 }, async () => {
      await expectNoHold(what, () => attack(finance))
    })

  /** A school with 20,000 entries, imported once by the first test that needs it. */
  let large: Promise<number> | undefined
  const largeSchool = (): Promise<number> => {
    const entries = rows(20_000, (at) => ({ Description: `Held ${at}`, BudgetCode: '4300', BudgetYearName: '2026/27', Amount: '1' }))
    large ??= (async () => {
      const [imported] = await expectNoHold('the import', () => [put('/api/BudgetEntry/Import', JSON.stringify(entries), finance)])
      expect(JSON.parse(imported!.text)).toMatchObject({ imported: 20_000 })
      const timeline = await get('/trpc/moments.timeline', finance)
      return JSON.parse(timeline.text).result.data.json.version
    })()
    return large
  }

  it('over 100 ms while a school imports 20,000 budget entries', { timeout: 120_000 }, async () => {
    expect(await largeSchool()).toBeGreaterThan(20_000)
  })

  it('over 100 ms while its 20,000 entries are read and copied', { timeout: 120_000 }, async () => {
    const version = await largeSchool()
    const { BudgetId } = places.at('Northgate')
    const reads: Record<string, () => Promise<Answered>[]> = {
      'a page of the list': () => [post('/api/BudgetEntry/paginated', JSON.stringify({ pageNumber: 1, pageSize: 100 }), finance)],
      'what calculations make': () => [batch(finance, 2, (at) => [at ? 'calculations.list' : 'funding.list', {}])],
      'the longest page of the list': () => [
        post('/api/BudgetEntry/paginated', JSON.stringify({ pageNumber: 1, pageSize: 5000 }), finance),
      ],
      'the first block of the sheet': () => [batch(finance, 1, () => ['entries.sheet', {}])],
      'the summary': () => [get('/trpc/overview.summary', finance)],
      'fifty summaries at once': () => [batch(finance, 50, () => ['overview.summary'])],
      'its history': () => [batch(finance, 1, () => ['budgets.history', {}])],
      'how it stood': () => [batch(finance, 1, () => ['moments.at', { version }])],
      'a copy': () => [post(`/api/Budget/duplicate/${BudgetId}`, JSON.stringify({}), finance)],
      'the next year': () => [post('/api/Budget/rollforward', JSON.stringify({ ids: [BudgetId] }), finance)],
    }
    for (const [what, read] of Object.entries(reads)) await expectNoHold(what, read)
  })

  it('over 100 ms while a month of the payroll of twelve hundred people is reconciled', { timeout: 300_000 }, async () => {
    const store = openStore(product.config, 2)
    const { organisationId, locations } = await loadScaleTrust(store, 1, 1200)
    await store.close()
    const [LocationId] = locations.values()
    const admin = await signInAs(product, 'admin@bursar.example')
    const own = { OrganisationId: organisationId, LocationId: LocationId! }
    const month = { year: 2027, month: 5 }
    const base = '/api/monitoring/PayrollRec'
    const places = (await admin.call('POST', '/api/MyLocations/list', { pageNumber: 1, pageSize: 10 }, own)).body.rows
    const answer = async (method: string, path: string, body?: object): Promise<Answered> => {
      const { status, body: text } = await admin.call(method, `${base}${path}`, body, own)
      return { status, text: JSON.stringify(text) }
    }
    const asked = { ...month, useInflation: true }
    const found = JSON.parse((await answer('POST', '', asked)).text)
    const rows = found.rows
      .filter((row: { payrollCode: string | null; calculated: number | null }) => row.payrollCode && row.calculated)
      .map((row: { employeeNumber: string; payrollCode: string; calculated: number }, at: number) => ({
        PayrollRecId: places[0].payrollRecId,
        EmployeeNumber: row.employeeNumber,
        PayrollCode: row.payrollCode,
        Actual: (row.calculated + (at % 50 ? 0 : 10)).toFixed(2),
      }))
    expect(rows.length).toBeGreaterThan(1200)
    const { EmployeeNumber, PayrollCode } = rows[0]
    const cell = `2027/5/${EmployeeNumber}`
    const work: Record<string, () => Promise<Answered>> = {
      'the import': () => answer('POST', '/console/actuals/import/2027/5', rows),
      'the month': () => answer('POST', '', asked),
      'why it differs': async () => {
        const { id } = await browserCall(product, admin, 'payroll.causes.begin', asked, own)
        const { status, text } = await browserAsk(product, admin, 'payroll.causes.found', { id }, own)
        return { status, text }
      },
      'its overview': () => answer('GET', '/actuals/overview/2027/5'),
      'a typed amount': () => answer('POST', `/actuals/${cell}/${PayrollCode}/${LocationId}/1234.56`),
      'a note': () => answer('POST', '/note/2027/5', { employeeNumber: EmployeeNumber, notes: 'Asked the provider' }),
      'an amount carried forward': () => answer('POST', `/carryforward/${cell}/12.34`),
      'its completion': async () => {
        await answer('POST', '/reopen/2027/5')
        return answer('POST', '/console/complete/2027/5', {})
      },
    }
    for (const [what, call] of Object.entries(work))
      for (const { status, text } of await expectNoHold(what, () => [call()])) expect(status, `${what}: ${text.slice(0, 300)}`).toBe(200)
  })

  /**
   * A busy machine holds everybody up now and then, but a call’s own hold occurs every time. So the shortest of several attempts counts.
   */
  async function expectNoHold(what: string, attack: () => Promise<unknown>[]): Promise<Answered[]> {
    const holds: number[] = []
    let replies: Answered[] = []
    for (let tries = 0; tries < 10 && (tries === 0 || Math.min(...holds) > 100); tries++) {
      await product.longestHoldMs()
      replies = (await Promise.all(attack())) as Answered[]
      holds.push(await product.longestHoldMs())
      expect(replies.filter(({ status }) => status >= 500)).toEqual([])
    }
    expect(Math.min(...holds), `${what}: ${holds}`).toBeLessThan(100)
    expect(await product.isAlive()).toBe(true)
    return replies
  }
})
