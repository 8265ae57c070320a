import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { presets } from '../../../domain/integrations/files/presets.ts'
import { integrationState, integrationType } from '../../../domain/lookups/lookupIds.ts'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { parseOpenedNetworks } from '../../../server/core/outside/addresses.ts'
import { startSftpServer, startWebService } from '../../support/outside/otherSystems.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import { atEnd } from '../../support/product/endings.ts'
import {
  type Body,
  browserAsk,
  browserCall,
  type Caller,
  findTrustIds,
  inviteAndSignIn,
  type Reply,
  signInAs,
  type TrustIds,
} from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { openOutsideCheckTrigger, until } from '../../support/running/worker.ts'

let product: Product
let lookOutside: () => void
let finance: Caller
let meadow: Caller
let administrator: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
let theirs: { OrganisationId: OrganisationId }
let layoutId: number
let filter: string
let codeId: number

const path = '/api/integrations/connections'
const secret = 'a-key-that-stands-nowhere'

/** The installation’s folder for exchanged files. */
const exchangeDir = mkdtempSync(join(tmpdir(), 'bursar-exchange-'))
atEnd(async () => rmSync(exchangeDir, { recursive: true, force: true }))

beforeAll(async () => {
  product = await startProduct({ worker: true, outboundNetworks: parseOpenedNetworks('127.0.0.1/32'), exchangeDir })
  lookOutside = await openOutsideCheckTrigger(product)
  finance = await signInAs(product, 'finance@harbour.example')
  meadow = await signInAs(product, 'finance@meadow.example')
  administrator = await signInAs(product, 'admin@bursar.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
  theirs = { OrganisationId: (await findTrustIds(meadow)).organisationId }
  const layout = { ...presets[0]!.layout, levyAccount: '7100' }
  layoutId = (await finance.call('POST', '/api/integrations/layouts', { name: 'Of the connection', layout }, own)).body.id
  const code = await finance.call('POST', '/api/BudgetCodes', { code: 'CON1', type: 2, description: 'Fetched', locations: [] }, own)
  await finance.call('POST', '/api/CostCentres', { code: 'CC', description: 'Fetched centre', locations: [] }, own)
  codeId = code.body.id
  const { body } = await finance.call('POST', '/api/MyLocations/list', { pageNumber: 1, pageSize: 5000 }, own)
  filter = body.rows.find((row: Body) => row.alias === 'Northgate').budgetCodeFilter
}, 300_000)

let number = 0
/** Creates a credential for one of the test’s own systems. @returns its id */
async function credential(type: number, values: Record<string, string>, by = finance, where = own): Promise<number> {
  const { body } = await by.call('POST', '/api/integrations/credentials', { description: `Stub ${++number}`, integrationType: type }, where)
  const rows = Object.entries(values).map(([name, value]) => ({ credentialId: body.id, name, value }))
  expect((await by.call('PUT', '/api/integrations/credentials/parameters', rows, where)).status).toBe(200)
  return body.id
}
const never = { every: 'never', at: '02:30', day: 1 }
const daily = { ...never, every: 'day' }
const journal = () => ({
  layoutId,
  yearName: '2026/27',
  locationIds: [places.locations.Northgate!],
  from: 1,
  to: 2,
})
const add = (credentialId: number, more: object = {}, by = finance, where = own): Promise<Reply> =>
  by.call(
    'POST',
    path,
    {
      name: `Connection ${++number}`,
      kind: 'budgetJournal',
      credentialId,
      path: '/journals',
      format: 'csv',
      schedule: never,
      file: journal(),
      ...more,
    },
    where,
  )
const made = async (credentialId: number, more: object = {}): Promise<Body> => {
  const { status, body } = await add(credentialId, more)
  expect([status, body.problem]).toEqual([201, null])
  return body
}
const act = (id: number, what: string, by = finance, where = own): Promise<Reply> =>
  by.call('POST', `${path}/${id}/${what}`, undefined, where)
const runs = async (id: number): Promise<Body[]> => (await finance.call('GET', `${path}/${id}/runs`, undefined, own)).body
const read = async (id: number): Promise<Body> => (await finance.call('GET', `${path}/${id}`, undefined, own)).body
/** Starts a run and waits until it has ended. @returns the results of all runs, newest first */
async function ended(id: number, what: 'run' | 'try' = 'run'): Promise<Body[]> {
  expect((await act(id, what)).body.isUnderWay).toBe(true)
  await until('the run has ended', async () => !(await read(id)).isUnderWay)
  return runs(id)
}
const owner = () => connectAsOwner(product.config.databaseUrl)
/** Makes the schedule due and waits for the run. @returns the results of all runs, newest first */
async function scheduled(id: number): Promise<Body[]> {
  await owner()`update connections set due_at = now() where id = ${id}`
  lookOutside()
  await until('the schedule has run', async () => {
    const [row] = await owner()`select due_at > now() as later, claimed_until from connections where id = ${id}`
    return row!.later && row!.claimed_until === null
  })
  return runs(id)
}

interface Received {
  method: string
  url: string
  headers: IncomingMessage['headers']
  text: string
}

/** A ledger that records what it is sent and replies as the test says. */
async function ledger(answer: (response: ServerResponse, request: Received, count: number) => void = (response) => response.end()) {
  const received: Received[] = []
  const service = await startWebService((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const one = { method: request.method!, url: request.url!, headers: request.headers, text: Buffer.concat(parts).toString() }
      // Requests that only test the credential are not recorded.
      if (one.url === '/') return void response.end()
      received.push(one)
      answer(response, one, received.length)
    })
  })
  return { address: service.address, received }
}
const webCredential = (address: string) =>
  credential(integrationType.webService, { address: `${address}/`, signIn: 'apiKey', keyHeader: 'X-Api-Key', apiKey: secret })

const line = (value: number | string, more: Record<string, string> = {}) => ({
  Type: 'Actual',
  BudgetCodeFilter: filter,
  Value: String(value),
  BudgetCode: 'CON1',
  CostCentre: 'CC',
  ...more,
})
const csvOf = (rows: Record<string, string>[]): string =>
  [Object.keys(rows[0]!), ...rows.map((row) => Object.values(row))].map((cells) => cells.join(',')).join('\r\n')
/** The stored amounts of the code in a month. */
const standing = async (month: number, year = 2026): Promise<number[]> => {
  const { body } = await finance.call(
    'POST',
    `/api/monitoring/actuals-commitments/list/${year}/${month}`,
    { pageNumber: 1, pageSize: 5000 },
    own,
  )
  return body.rows.filter((row: Body) => row.budgetCode === codeId).map((row: Body) => row.value)
}

describe('an outgoing file', () => {
  it('is posted as the file that is downloaded, with an idempotency key, signed in with the credential', async () => {
    const { address, received } = await ledger()
    const connection = await made(await webCredential(address))
    const [run] = await ended(connection.id)
    expect(run).toMatchObject({ outcome: 'done', file: 'Budget journal 2026-27 0001.csv' })
    const { body: file } = await finance.call('POST', '/api/integrations/files', { connection: 'budgetJournal', ...journal() }, own)
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({ method: 'POST', url: '/journals', text: file })
    expect(received[0]!.headers).toMatchObject({ 'x-api-key': secret, 'content-type': 'text/csv; charset=utf-8' })
    expect(run!.rows).toBe(String(file).trim().split('\r\n').length - 1)
    expect(run!.message).toMatch(/^Sent \d+ rows, debits £[\d,.]+, credits £[\d,.]+\.$/)
    expect(String(received[0]!.headers['idempotency-key'])).toMatch(/^bursar-/)
  })
  it('is sent on schedule only if it has changed, and by hand in any case', async () => {
    const { address, received } = await ledger()
    const { id, nextRun } = await made(await webCredential(address), { schedule: daily })
    expect(nextRun).not.toBeNull()
    expect((await scheduled(id))[0]).toMatchObject({ outcome: 'done', askedById: null })
    for (let times = 0; times < 2; times++) expect((await scheduled(id)).map(({ outcome }) => outcome)).toEqual(['nothing', 'done'])
    expect(received).toHaveLength(1)
    expect((await ended(id))[0]).toMatchObject({ outcome: 'done' })
    expect(received).toHaveLength(2)
    expect(received[1]!.headers['idempotency-key']).not.toBe(received[0]!.headers['idempotency-key'])
  })
  it('is JSON with the headings as names if the service expects that', async () => {
    const { address, received } = await ledger()
    const { id } = await made(await webCredential(address), { format: 'json' })
    const [run] = await ended(id)
    const sent = JSON.parse(received[0]!.text)
    expect(sent).toMatchObject({ title: 'Budget journal', year: '2026/27' })
    expect(sent.rows).toHaveLength(run!.rows)
    expect(Object.keys(sent.rows[0])).toEqual(['Date', 'Account', 'Cost centre', 'Fund', 'Location', 'Description', 'Debit', 'Credit'])
  })
  it('can be tested: the test says what would be sent, and sends nothing', async () => {
    const { address, received } = await ledger()
    const { id } = await made(await webCredential(address))
    const [tried] = await ended(id, 'try')
    expect(tried).toMatchObject({ outcome: 'tried', message: expect.stringMatching(/^It would send \d+ rows/) })
    expect(received).toEqual([])
    await ended(id)
    expect((await ended(id, 'try'))[0]!.message).toMatch(/so the schedule would not send it/)
    expect(received).toHaveLength(1)
  })
  it('is written whole to the folder of an SFTP server', async () => {
    const server = await startSftpServer({ user: 'bursar', password: secret, folder: '/in' })
    const place = { host: '127.0.0.1', port: String(server.port), user: 'bursar', password: secret, folder: '/in' }
    const { id } = await made(await credential(integrationType.fileExchange, { ...place, fingerprint: server.fingerprint }), { path: '' })
    const [run] = await ended(id)
    expect(run).toMatchObject({ outcome: 'done' })
    expect([...server.files.keys()]).toEqual(['/in/Budget journal 2026-27 0001.csv'])
    expect([...server.files.values()][0]!.toString()).toMatch(/^Date,Account/)
  })
  it.each([
    ['fails', (response: ServerResponse) => void response.writeHead(500).end(secret), '127.0.0.1 responded with 500.'],
    [
      'points elsewhere',
      (response: ServerResponse) => void response.writeHead(307, { Location: 'http://127.0.0.1:1/' }).end(),
      '127.0.0.1 redirects to another address; enter that one.',
    ],
    ['breaks off', (response: ServerResponse) => void response.destroy(), '127.0.0.1 closed the connection.'],
    [
      'does not know who asks',
      (response: ServerResponse) => void response.writeHead(401).end(),
      '127.0.0.1 rejected the sign-in: it responded with 401.',
    ],
  ])('to a ledger that %s is soon sent again with the same key, and the users who manage it are notified', async (_how, fail, message) => {
    const { address, received } = await ledger((response, _request, count) => (count === 1 ? fail(response) : response.end()))
    const { id, name } = await made(await webCredential(address), { schedule: daily })
    expect((await scheduled(id))[0]).toMatchObject({ outcome: 'failed', message })
    const failing = await read(id)
    expect(failing.problem).toBe(message)
    expect(Date.parse(failing.nextRun) - Date.now()).toBeLessThanOrEqual(15 * 60_000)
    const notices = async (by: Caller): Promise<Body[]> =>
      (await browserAsk(product, by, 'communications.now', undefined, own)).data.failingConnections
    expect(await notices(finance)).toContainEqual({ id, name, reason: message })
    expect(await notices(await signInAs(product, 'governor@harbour.example'))).toEqual([])
    expect((await scheduled(id))[0]).toMatchObject({ outcome: 'done' })
    expect(received[1]!.headers['idempotency-key']).toBe(received[0]!.headers['idempotency-key'])
    expect((await notices(finance)).map((one) => one.id)).not.toContain(id)
  })
  it('is not sent after its credential leads elsewhere, until a user who may see it saves the connection again', async () => {
    const [first, other] = [await ledger(), await ledger()]
    const credentialId = await webCredential(first.address)
    const connection = await made(credentialId)
    const rows = [
      { credentialId, name: 'address', value: `${other.address}/` },
      { credentialId, name: 'apiKey', value: 'typed again' },
    ]
    expect((await finance.call('PUT', '/api/integrations/credentials/parameters', rows, own)).status).toBe(200)
    expect((await ended(connection.id))[0]).toMatchObject({ outcome: 'failed', message: expect.stringMatching(/address has changed/) })
    expect([first.received, other.received]).toEqual([[], []])
    const { id, version, name, kind, path: place, format, schedule, file } = await read(connection.id)
    const saved = await finance.call('PUT', path, { id, version, name, kind, credentialId, path: place, format, schedule, file }, own)
    expect([saved.status, saved.body.destination]).toEqual([200, other.address])
    expect((await ended(id))[0]).toMatchObject({ outcome: 'done' })
    expect(other.received).toHaveLength(1)
  })
})

describe('an incoming file', () => {
  const actuals = { kind: 'actuals', file: null }
  it('is fetched from a web service, imported once, and can be tested without being stored', async () => {
    const rows = [line('100.10'), line(20, { Type: 'Commitment' })]
    const { address, received } = await ledger(
      (response) => void response.end(JSON.stringify(rows.map((row) => ({ ...row, Value: Number(row.Value) })))),
    )
    const { id } = await made(await webCredential(address), { ...actuals, path: '/actuals/2026-10.json', format: 'json' })
    expect((await ended(id, 'try'))[0]).toMatchObject({
      outcome: 'tried',
      message: 'It would import 2 lines for October 2026, 1 location, £120.10.',
    })
    expect(await standing(10)).toEqual([])
    const [run] = await ended(id)
    expect(run).toMatchObject({ outcome: 'done', rows: 2, message: 'Imported 2 lines for October 2026, 1 location, £120.10.' })
    expect((await standing(10)).sort((a, b) => a - b)).toEqual([20, 100.1])
    expect((await ended(id))[0]).toMatchObject({ outcome: 'nothing', message: 'This file has already been imported.' })
    expect(received[0]).toMatchObject({ method: 'GET', url: '/actuals/2026-10.json' })
    expect(received[0]!.headers['x-api-key']).toBe(secret)
  })
  it('in a folder is imported once and moved away; one with problems is reported with its problems beside it', async () => {
    const server = await startSftpServer({ user: 'bursar', password: secret, folder: '/out' })
    const place = { host: '127.0.0.1', port: String(server.port), user: 'bursar', password: secret, folder: '/out' }
    const credentialId = await credential(integrationType.fileExchange, { ...place, fingerprint: server.fingerprint })
    const { id } = await made(credentialId, { ...actuals, path: '', schedule: { ...daily, every: 'hour' } })
    const good = csvOf([line(7), line(8)])
    server.files.set('/out/a 2026-11.csv', Buffer.from(good))
    server.files.set('/out/b 2026-12.csv', Buffer.from(csvOf([line('a lot'), line(1, { BudgetCode: 'NOPE' })])))
    server.files.set('/out/c.csv', Buffer.from(good))
    server.files.set('/out/notes.txt', Buffer.from('left alone'))
    const before = [...server.files.keys()].sort()
    const tried = await ended(id, 'try')
    expect(tried.map(({ outcome }) => outcome).sort()).toEqual(['tried', 'tryFailed', 'tryFailed'])
    expect([...server.files.keys()].sort()).toEqual(before)
    expect(await standing(11)).toEqual([])
    const found = (await scheduled(id)).slice(0, 3)
    expect(found.map(({ file, outcome }) => [file, outcome]).sort()).toEqual([
      ['a 2026-11.csv', 'done'],
      ['b 2026-12.csv', 'failed'],
      ['c.csv', 'failed'],
    ])
    expect([...server.files.keys()].sort()).toEqual([
      '/out/notes.txt',
      '/out/refused/b 2026-12.csv',
      '/out/refused/b 2026-12.csv.problems.txt',
      '/out/refused/c.csv',
      '/out/refused/c.csv.problems.txt',
      '/out/taken/a 2026-11.csv',
    ])
    expect(String(server.files.get('/out/refused/b 2026-12.csv.problems.txt'))).toMatch(
      /2 of 2 rows have problems[\s\S]*Row 1 · Value · a lot/,
    )
    expect((await standing(11)).sort()).toEqual([7, 8])
    expect(await standing(12)).toEqual([])
    const told = (await read(id)).problem
    expect(told).toMatch(/^b 2026-12\.csv: 2 of 2 rows have problems\. Nothing was imported\. Row 1, Value: /)
    // The same file again is moved away and changes nothing.
    server.files.set('/out/a 2026-11.csv', Buffer.from(good))
    expect((await scheduled(id))[0]).toMatchObject({ outcome: 'nothing', message: 'This file has already been imported.' })
    expect(server.files.has('/out/taken/a 2026-11 (2).csv')).toBe(true)
    expect((await standing(11)).sort()).toEqual([7, 8])
    expect((await scheduled(id))[0]).toMatchObject({ outcome: 'nothing' })
    // A refused file is not tried again: the problem is shown until a file is imported.
    expect((await read(id)).problem).toBe(told)
    server.files.set('/out/d 2026-12.csv', Buffer.from(csvOf([line(9)])))
    expect((await scheduled(id))[0]).toMatchObject({ outcome: 'done' })
    expect((await read(id)).problem).toBeNull()
  })
  it('is read like on the screen, and refused with the row in which it breaks off', async () => {
    const server = await startSftpServer({ user: 'bursar', password: secret, folder: '/out' })
    const place = { host: '127.0.0.1', port: String(server.port), user: 'bursar', password: secret, folder: '/out' }
    const credentialId = await credential(integrationType.fileExchange, { ...place, fingerprint: server.fingerprint })
    const { id } = await made(credentialId, { ...actuals, path: '' })
    const head = 'Type,BudgetCodeFilter,Value,BudgetCode,CostCentre,Description'
    const windows = `${head}\r\nActual,${filter},"\xa31,234.50-",CON1,CC,Caf\xe9\r\n`
    server.files.set('/out/a 2028-04.csv', Buffer.from(windows, 'latin1'))
    server.files.set('/out/b 2028-05.csv', Buffer.from(`${head}\r\nActual,${filter},1,234.50,CON1,CC,Energy\r\n`))
    server.files.set(
      '/out/c 2028-06.csv',
      Buffer.from(`${head}\r\nActual,${filter},5,CON1,CC,"5 reams\r\nActual,${filter},6,CON1,CC,Paper\r\n`),
    )
    server.files.set('/out/d 2028-07.csv', Buffer.from(`\uFEFF${head}\r\nActual,${filter},\u22125.00,CON1,CC,Paper\r\n`, 'utf16le'))
    const found = await ended(id)
    expect(found.map(({ file, outcome }) => [file, outcome]).sort()).toEqual([
      ['a 2028-04.csv', 'done'],
      ['b 2028-05.csv', 'failed'],
      ['c 2028-06.csv', 'failed'],
      ['d 2028-07.csv', 'done'],
    ])
    const { body } = await finance.call('POST', '/api/monitoring/actuals-commitments/list/2028/4', { pageNumber: 1, pageSize: 5000 }, own)
    expect(body.rows).toMatchObject([{ value: -1234.5, description: 'Café' }])
    expect(await standing(5, 2028)).toEqual([])
    expect(await standing(7, 2028)).toEqual([-5])
    expect(String(server.files.get('/out/refused/b 2028-05.csv.problems.txt'))).toMatch(/1 of 1 row has a problem[\s\S]*Row 1 · Actual,/)
    expect(String(server.files.get('/out/refused/c 2028-06.csv.problems.txt'))).toMatch(/^Row 2: a quotation mark/)
  })
  it('may be a provider’s payroll of a month', async () => {
    const { body } = await finance.call('POST', '/api/MyLocations/list', { pageNumber: 1, pageSize: 5000 }, own)
    const recId = body.rows.find((row: Body) => row.alias === 'Northgate').payrollRecId
    const people = (await finance.call('POST', '/api/Staff/list', { pageNumber: 1, pageSize: 1 }, places.at('Northgate'))).body.rows
    const somebody = people[0].employeeNumber
    const paid = (value: string) => [{ PayrollRecId: recId, EmployeeNumber: somebody, PayrollCode: '100', Actual: value }]
    let answer: object[] = paid('12.34')
    const { address, received } = await ledger((response) => void response.end(JSON.stringify(answer)))
    const { id } = await made(await webCredential(address), { kind: 'payroll', file: null, path: '/paid/2027-04', format: 'json' })
    expect((await ended(id, 'try'))[0]).toMatchObject({
      outcome: 'tried',
      message: expect.stringMatching(/^It would import 1 row for April 2027, £[\d,.]+\.$/),
    })
    expect((await ended(id))[0]).toMatchObject({
      outcome: 'done',
      message: expect.stringMatching(/^Imported 1 row for April 2027, £[\d,.]+\.$/),
    })
    const kept = async (): Promise<number[]> => {
      const rows = await owner()`select value from payroll_lines where year = 2027 and month = 4`
      return rows.map((row) => Number(row.value))
    }
    expect(await kept()).toEqual([1234])
    // The provider corrects a mistake: the latest amount replaces the month’s, and an invalid one changes nothing.
    answer = paid('12.43')
    expect((await ended(id))[0]).toMatchObject({ outcome: 'done' })
    expect(await kept()).toEqual([1243])
    answer = paid('a lot')
    expect((await ended(id))[0]).toMatchObject({ outcome: 'failed', message: expect.stringContaining('Row 1, Actual') })
    expect(await kept()).toEqual([1243])
    expect(received.every(({ headers }) => headers['x-api-key'] === secret)).toBe(true)
  })
  it('may be an HR system’s staff, and nothing changes before a user applies it', async () => {
    const northgate = places.at('Northgate')
    const people = (await finance.call('POST', '/api/Staff/list', { pageNumber: 1, pageSize: 1 }, northgate)).body.rows
    const { employeeNumber, surname } = people[0]
    const rows = (name: string) => [{ Location: 'Northgate', 'Emp No': employeeNumber, Surname: name }]
    let answer: object[] = rows('Renamed')
    const { address } = await ledger((response) => void response.end(JSON.stringify(answer)))
    const { id } = await made(await webCredential(address), { kind: 'staff', file: null, path: '/people', format: 'json' })
    const found = async (): Promise<Body> => (await finance.call('GET', '/api/integrations/staff/changes', undefined, northgate)).body
    expect((await ended(id, 'try'))[0]).toMatchObject({
      outcome: 'tried',
      message: expect.stringMatching(/^It would import 1 row for Northgate Primary School, as at /),
    })
    expect(await found()).toBeNull()
    expect((await ended(id))[0]).toMatchObject({ outcome: 'done', rows: 1 })
    const renamed = async (): Promise<Body> => (await found()).changes.find((one: Body) => one.kind === 'person')
    expect((await renamed()).changes).toEqual([{ field: 'Surname', before: surname, after: 'Renamed' }])
    expect((await found()).file.takenBy).toBe('Ruth Mensah')
    expect((await ended(id))[0]).toMatchObject({ outcome: 'nothing' })
    // The former value comes back, and counts as a change.
    answer = rows(surname)
    expect((await ended(id))[0]).toMatchObject({ outcome: 'done' })
    expect(await renamed()).toBeUndefined()
    answer = rows('Renamed')
    expect((await ended(id))[0]).toMatchObject({ outcome: 'done' })
    expect(await renamed()).toBeTruthy()
    answer = [{ Location: 'Nowhere', 'Emp No': employeeNumber }]
    expect((await ended(id))[0]).toMatchObject({ outcome: 'failed', message: expect.stringContaining('This location was not found') })
    expect(await renamed()).toBeTruthy()
  })
  it('may have its date in its name, and is imported from a folder once', async () => {
    const server = await startSftpServer({ user: 'bursar', password: secret, folder: '/hr' })
    const place = { host: '127.0.0.1', port: String(server.port), user: 'bursar', password: secret, folder: '/hr' }
    const credentialId = await credential(integrationType.fileExchange, { ...place, fingerprint: server.fingerprint })
    const { id } = await made(credentialId, { kind: 'staff', file: null, path: '', schedule: daily })
    server.files.set('/hr/staff-2026-10-31.csv', Buffer.from(csvOf([{ Location: filter, EmployeeNumber: '1', Surname: 'Nobody' }])))
    expect((await scheduled(id))[0]).toMatchObject({ outcome: 'done', file: 'staff-2026-10-31.csv' })
    expect([...server.files.keys()]).toEqual(['/hr/taken/staff-2026-10-31.csv'])
    const { body } = await finance.call('GET', '/api/integrations/staff/changes', undefined, places.at('Northgate'))
    expect(body.file).toMatchObject({ name: 'staff-2026-10-31.csv', day: '2026-10-31', rows: 1 })
  })
  it('may be an MIS’s pupil numbers, which leave typed ones alone, in open budgets', async () => {
    const northgate = places.at('Northgate')
    const numbers = async (): Promise<Body> => (await finance.call('GET', '/api/PupilNumbers', undefined, northgate)).body
    const counts = async (): Promise<Body> => {
      const row = (await numbers()).rows.find((one: Body) => one.yearGroup === 2)
      return [row.before, ...row.years.slice(0, 2)]
    }
    const typed = async (years: (number | null)[]): Promise<void> => {
      const { id, version } = await numbers()
      const rows = [{ kind: 'Phase', yearGroup: 2, before: 30, years }]
      expect((await finance.call('POST', '/api/PupilNumbers', { id, version, rows }, northgate)).status).toBe(200)
    }
    await typed([28])
    const said = (yearGroup: string, october: number, pupils: unknown) => ({
      location: 'Northgate',
      'Year group': yearGroup,
      October: october,
      Pupils: pupils,
    })
    let answer = [said('R', 2026, 31), said('Reception', 2027, 33), said('N1', 2026, 5), said('N2', 2026, 6)]
    const { address } = await ledger((response) => void response.end(JSON.stringify(answer)))
    const { id } = await made(await webCredential(address), { kind: 'pupils', file: null, path: '/census', format: 'json' })
    const left =
      /Kept because someone entered the number, in Northgate[^:]*: Reception in October 2026 is 28, not 31\. No row for some year groups in Northgate[^:]*: Nursery\./
    const [tried] = await ended(id, 'try')
    expect(tried).toMatchObject({ outcome: 'tried', message: expect.stringMatching(/^It would import 1 count into 1 budget\. Kept/) })
    expect(tried!.message).toMatch(left)
    expect([await counts(), (await numbers()).said]).toEqual([[30, 28, null], []])
    const { lastVersion } = (
      await owner()`select max(version) as "lastVersion" from budget_events where budget_id = ${northgate.BudgetId}`
    )[0]!
    expect((await ended(id))[0]).toMatchObject({ outcome: 'done', rows: 4, message: expect.stringMatching(left) })
    expect([await counts(), (await numbers()).said]).toEqual([
      [30, 28, 33],
      [
        { yearGroup: 2, october: 2026, count: 31 },
        { yearGroup: 2, october: 2027, count: 33 },
      ],
    ])
    const events = await owner()`
      select type, request_id from budget_events where budget_id = ${northgate.BudgetId} and version > ${lastVersion} order by version`
    expect(events).toEqual([{ type: 'PupilNumbersSaved', request_id: expect.stringMatching(`^connection-${id}-`) }])
    // The same counts again change nothing. Imported counts are replaced by newer ones, typed ones are not.
    expect((await ended(id))[0]).toMatchObject({ outcome: 'nothing', message: expect.stringMatching(/^Imported nothing new\. Kept/) })
    answer = [said('R', 2026, 32), said('R', 2027, 34)]
    expect((await ended(id))[0]).toMatchObject({ outcome: 'done' })
    expect(await counts()).toEqual([30, 28, 34])
    // One invalid row prevents the whole import, and the message says where it is.
    answer = [said('R', 2027, 40), said('Class 3', 2026, 1), said('R', 2027, 41), said('1', 2026, 'many')]
    expect((await ended(id))[0]).toMatchObject({
      outcome: 'failed',
      message:
        '3 of 4 rows have problems. Nothing was imported. Row 2, YearGroup: This is not a year group. Enter Nursery, Reception, Year 1 to Year 13 or High needs places.',
    })
    expect(await counts()).toEqual([30, 28, 34])
    // A submitted or locked budget is not changed.
    answer = [said('R', 2027, 50)]
    const [kept] = await owner()`select head from budgets where id = ${northgate.BudgetId}`
    const head = async (change: object): Promise<void> =>
      void (await owner()`update budgets set head = head || ${owner().json(change as never)} where location_id = ${northgate.LocationId}`)
    for (const change of [{ approval: { ...kept!.head.approval, state: 'submitted' } }, { approval: kept!.head.approval, locked: true }]) {
      await head(change)
      expect((await ended(id))[0]).toMatchObject({
        outcome: 'nothing',
        message: expect.stringMatching(/^Imported nothing new\. No matching budget: Northgate/),
      })
    }
    await head({ approval: kept!.head.approval, locked: kept!.head.locked })
    expect(await counts()).toEqual([30, 28, 34])
    // A count that a user removed, by undo or by clearing it, is not written again but reported.
    const [last] = await owner()`
      select max(version)::int as version from budget_events where budget_id = ${northgate.BudgetId} and type = 'PupilNumbersSaved'`
    await browserCall(product, finance, 'budgets.undo', { versions: [last!.version] }, northgate)
    expect(await counts()).toEqual([30, 28, 33])
    answer = [said('R', 2026, 32), said('R', 2027, 34)]
    expect((await ended(id))[0]!.message).toMatch(/, Reception in October 2027 is 33, not 34\./)
    await typed([28, 34])
    await typed([28])
    answer = [said('R', 2027, 34), said('R', 2026, 28)]
    expect((await ended(id))[0]!.message).toMatch(
      /^Imported nothing new\. Not added again because someone undid the import, in Northgate[^:]*: Reception in October 2027 is not known, not 34\.$/,
    )
    expect(await counts()).toEqual([30, 28, null])
  })
  it('is mapped by the other system’s fields, which a test run lists for choosing', async () => {
    const records = [
      { ledger: { nominal: 'CON1', school: filter }, centre: 'CC', net: 41.5, lines: [{ a: 1 }] },
      { ledger: { nominal: 'CON1', school: filter }, centre: 'CC', net: 42, lines: [] },
    ]
    const { address } = await ledger((response) => void response.end(JSON.stringify({ data: { items: records, page: [{ next: null }] } })))
    const fetching = { ...actuals, path: '/actuals/2027-01.json', format: 'json' }
    const credentialId = await webCredential(address)
    const connection = await made(credentialId, fetching)
    const { id } = connection
    const sample = async (): Promise<Body> => (await browserAsk(product, finance, 'connections.sample', { id }, own)).data
    expect([connection.mapping, await sample()]).toEqual([null, null])
    expect((await ended(id, 'try'))[0]).toMatchObject({
      outcome: 'tryFailed',
      message: expect.stringMatching(/not with a list of records\.$/),
    })
    const found = (await sample()).lists
    expect(found.map((list: Body) => list.records)).toEqual(['data.items', 'data.page'])
    expect(found[0].fields).toEqual(['ledger.nominal', 'ledger.school', 'centre', 'net'])
    expect(found[0].rows[0]).toEqual({ 'ledger.nominal': 'CON1', 'ledger.school': filter, centre: 'CC', net: '41.5' })
    expect(found[0].suggested).toEqual([
      { column: 'BudgetCode', field: 'ledger.nominal', text: '' },
      { column: 'CostCentre', field: 'centre', text: '' },
    ])
    const columns = [
      { column: 'Type', field: '', text: 'Actual' },
      { column: 'BudgetCodeFilter', field: 'ledger.school', text: '' },
      { column: 'Value', field: 'net', text: '' },
      { column: 'BudgetCode', field: 'ledger.nominal', text: '' },
      { column: 'CostCentre', field: 'centre', text: '' },
    ]
    const save = async (mapping: unknown): Promise<Reply> => {
      const { version, name, kind, path: place, format, schedule, file } = await read(id)
      return finance.call('PUT', path, { id, version, name, kind, credentialId, path: place, format, schedule, file, mapping }, own)
    }
    expect((await save({ records: 'data.items', columns: columns.slice(1) })).body).toBe(
      'Type is required: choose the field that holds it.',
    )
    expect((await save({ records: '', columns: [...columns, { column: 'Sum', field: 'net', text: '' }] })).body).toBe(
      'Sum is not a column of this connection.',
    )
    const wrong = columns.map((one) => (one.column === 'Value' ? { ...one, field: 'lines' } : one))
    for (const [mapping, message] of [
      [{ records: 'data', columns }, /not with a list of records at data\.$/],
      [{ records: 'data.items', columns: wrong }, /^Row 1: lines, from which Value is read, is not a single value/],
      [
        { records: 'data.items', columns: columns.map((one) => ({ ...one, field: one.field && `${one.field}.x` })) },
        /has no ledger\.school\.x/,
      ],
    ] as const) {
      expect((await save(mapping)).status).toBe(200)
      expect((await ended(id))[0]).toMatchObject({ outcome: 'failed', message: expect.stringMatching(message) })
    }
    const mapping = { records: 'data.items', columns }
    expect((await save(mapping)).body.mapping).toEqual(mapping)
    expect((await ended(id))[0]).toMatchObject({ outcome: 'done', message: 'Imported 2 lines for January 2027, 1 location, £83.50.' })
    expect((await standing(1, 2027)).sort((a, b) => a - b)).toEqual([41.5, 42])
    expect((await ended(id))[0]).toMatchObject({ outcome: 'nothing' })
    // The sample is stored encrypted, is shown only to users who may import, and is removed by a changed path or an erasure.
    const [kept] = await owner()`select sample from connections where id = ${id}`
    expect(kept!.sample.includes('CON1')).toBe(false)
    expect((await browserAsk(product, meadow, 'connections.sample', { id }, theirs)).status).toBe(404)
    const keeper = await inviteAndSignIn(
      product,
      administrator,
      'connections.sampler@harbour.example',
      ['ConsoleOrganisationsReadUpdate'] as never,
      places.organisationId,
    )
    expect((await browserAsk(product, keeper, 'connections.sample', { id }, own)).data).toBeNull()
    const { version, ...others } = await read(id)
    const { name, kind, format, schedule, file } = others
    const moved = { id, version, name, kind, credentialId, path: '/actuals/2027-02.json', format, schedule, file, mapping }
    expect((await finance.call('PUT', path, moved, own)).status).toBe(200)
    expect(await sample()).toBeNull()
  })
  it('may have the headings of another system in a folder too', async () => {
    const server = await startSftpServer({ user: 'bursar', password: secret, folder: '/mapped' })
    const place = { host: '127.0.0.1', port: String(server.port), user: 'bursar', password: secret, folder: '/mapped' }
    const credentialId = await credential(integrationType.fileExchange, { ...place, fingerprint: server.fingerprint })
    const columns = [
      { column: 'Type', field: '', text: 'Actual' },
      { column: 'BudgetCodeFilter', field: 'School no.', text: '' },
      { column: 'Value', field: 'Net', text: '' },
      { column: 'BudgetCode', field: 'Nominal', text: '' },
      { column: 'CostCentre', field: 'Dept', text: '' },
    ]
    const { id } = await made(credentialId, { ...actuals, path: '', mapping: { records: '', columns } })
    server.files.set('/mapped/2027-02.csv', Buffer.from(`School no.,Nominal,Dept,Net,VAT,Memo\r\n${filter},CON1,CC,12.5,2.50,x`))
    server.files.set('/mapped/3 2027-03.csv', Buffer.from('School no.,Nominal,Net\r\nA,CON1,1'))
    const came = await ended(id)
    expect(came.map(({ outcome, message }) => [outcome, message]).sort()).toEqual([
      ['done', 'Imported 1 line for February 2027, 1 location, £12.50. Not imported: VAT, £2.50 in 1 row.'],
      ['failed', 'The file has no Dept, from which CostCentre is read. Choose the field that holds it.'],
    ])
    expect(await standing(2, 2027)).toEqual([12.5])
  })
  it.each([
    ['a page in place of a list', (response: ServerResponse) => void response.end('<html>'), /not with a list of records/],
    ['a list of lists', (response: ServerResponse) => void response.end('[["a"]]'), /not with a list of records/],
    ['records with records in them', (response: ServerResponse) => void response.end('[{"Type":{"a":1}}]'), /not with a list of records/],
    ['columns that nobody asked for', (response: ServerResponse) => void response.end('[{"Sum":1}]'), /columns are missing/],
    [
      'more than its head says',
      (response: ServerResponse) => void response.writeHead(200, { 'Content-Length': '3' }).end('[{"a":1}]'),
      /./,
    ],
    ['without end', endless, /responded with more than 10 megabytes/],
  ])('from a service that answers %s changes nothing', async (_how, answer, message) => {
    const { address } = await ledger((response) => answer(response))
    const { id } = await made(await webCredential(address), { ...actuals, path: '/actuals/2026-11.json', format: 'json' })
    const before = await standing(11)
    expect((await ended(id))[0]).toMatchObject({ outcome: 'failed', message: expect.stringMatching(message) })
    expect(await standing(11)).toEqual(before)
  })
})

function endless(response: ServerResponse): void {
  const part = Buffer.alloc(64_000, 'x')
  const more = (): void => void (response.destroyed || (response.write(part) ? setImmediate(more) : response.once('drain', more)))
  more()
}

describe('the installation’s exchange folder', () => {
  const actuals = { kind: 'actuals', file: null, path: 'in' }
  const inFolder = (folder = '/') => credential(integrationType.fileExchange, { place: 'folder', folder })
  const home = (...parts: string[]): string => join(exchangeDir, String(places.organisationId), ...parts)
  const files = (): string[] =>
    readdirSync(home(), { recursive: true, withFileTypes: true })
      .filter((one) => !one.isDirectory())
      .map((one) => join(one.parentPath, one.name).slice(home().length))
      .sort()

  it('is read once, with refused files and their problems beside it, and is written to', async () => {
    const credentialId = await inFolder()
    const { id, destination } = await made(credentialId, { ...actuals, schedule: daily })
    expect(destination).toBe('Folder of this installation')
    expect((await ended(id))[0]).toMatchObject({ outcome: 'failed', message: 'The folder was not found on the server.' })
    mkdirSync(home('in'), { recursive: true })
    expect((await ended(id))[0]).toMatchObject({ outcome: 'nothing', message: 'There is no file in the folder.' })
    const good = csvOf([line(3)])
    writeFileSync(home('in', 'a 2027-04.csv'), good)
    writeFileSync(home('in', 'b 2027-05.csv'), csvOf([line('a lot')]))
    expect((await ended(id, 'try')).slice(0, 2).map(({ outcome }) => outcome)).toEqual(['tryFailed', 'tried'])
    expect(files()).toEqual(['/in/a 2027-04.csv', '/in/b 2027-05.csv'])
    await scheduled(id)
    expect(files()).toEqual(['/in/refused/b 2027-05.csv', '/in/refused/b 2027-05.csv.problems.txt', '/in/taken/a 2027-04.csv'])
    expect(readFileSync(home('in/refused/b 2027-05.csv.problems.txt'), 'utf8')).toMatch(/Row 1 · Value · a lot/)
    expect(await standing(4, 2027)).toEqual([3])
    writeFileSync(home('in', 'a 2027-04.csv'), good)
    expect((await ended(id))[0]).toMatchObject({ outcome: 'nothing', message: 'This file has already been imported.' })
    expect(existsSync(home('in/taken/a 2027-04 (2).csv'))).toBe(true)
    const out = await made(credentialId, { path: '' })
    expect((await ended(out.id))[0]).toMatchObject({ outcome: 'done' })
    expect(readFileSync(home('Budget journal 2026-27 0001.csv'), 'utf8')).toMatch(/^Date,Account/)
    expect(existsSync(home('Budget journal 2026-27 0001.csv.part'))).toBe(false)
  })
  it('cannot be left: not by dots, not by links, not to another trust’s files', async () => {
    const other = join(exchangeDir, String(theirs.OrganisationId))
    mkdirSync(join(other, 'in'), { recursive: true })
    writeFileSync(join(other, 'in', 'theirs 2027-06.csv'), csvOf([line(1)]))
    const out = 'The folder is outside the organisation’s folder.'
    const upwards = await made(await inFolder(`../${theirs.OrganisationId}`), actuals)
    expect((await ended(upwards.id))[0]).toMatchObject({ outcome: 'failed', message: out })
    // The message does not reveal whether something exists elsewhere.
    const nowhere = await made(await inFolder('../../../nowhere'), actuals)
    expect((await ended(nowhere.id))[0]).toMatchObject({ outcome: 'failed', message: out })
    mkdirSync(home('linked'), { recursive: true })
    symlinkSync(join(other, 'in'), home('link'))
    const linked = await made(await inFolder(), { ...actuals, path: 'link' })
    expect((await ended(linked.id))[0]).toMatchObject({ outcome: 'failed', message: out })
    // A symbolic link does not count as a file, and nothing is moved through one.
    symlinkSync(join(other, 'in', 'theirs 2027-06.csv'), home('linked', 'c 2027-06.csv'))
    const within = await made(await inFolder('linked'), { ...actuals, path: '' })
    expect((await ended(within.id))[0]).toMatchObject({ outcome: 'nothing', message: 'There is no file in the folder.' })
    symlinkSync(join(other, 'in'), home('linked', 'taken'))
    writeFileSync(home('linked', 'd 2027-06.csv'), csvOf([line(2)]))
    expect((await ended(within.id)).slice(0, 2)).toContainEqual(expect.objectContaining({ outcome: 'failed', message: out }))
    expect(readdirSync(join(other, 'in'))).toEqual(['theirs 2027-06.csv'])
  })
  it('can also be chosen for a credential from before it existed', async () => {
    const server = await startSftpServer({ user: 'bursar', password: secret, folder: '/old' })
    const place = { host: '127.0.0.1', port: String(server.port), user: 'bursar', password: secret, folder: '/old' }
    const id = await credential(integrationType.fileExchange, { ...place, fingerprint: server.fingerprint })
    await owner()`delete from integration_parameters where credential_id = ${id} and name = 'place'`
    const connection = await made(id, { ...actuals, path: '' })
    expect((await ended(connection.id))[0]).toMatchObject({ outcome: 'nothing', message: 'There is no file in the folder.' })
    const parameters = async (by = finance, where = own): Promise<Reply> =>
      by.call('GET', `/api/integrations/credentials/${id}/parameters`, undefined, where)
    const shown = async (): Promise<Body> => (await parameters()).body.find(({ name }: Body) => name === 'place')
    expect(await shown()).toMatchObject({ id: 0, label: 'Where the files are', value: 'sftp', version: 0 })
    const save = (value: string, more: object = {}, by = finance, where = own): Promise<Reply> =>
      by.call('PUT', '/api/integrations/credentials/parameters', [{ credentialId: id, name: 'place', value, ...more }], where)
    expect((await save('elsewhere', { version: 0 })).status).toBe(400)
    expect((await save('sftp', { version: 0 })).status).toBe(200)
    expect(await shown()).toMatchObject({ id: 0, value: 'sftp', version: 0 })
    const answers = await Promise.all([save('folder', { version: 0 }), save('folder', { version: 0 })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await shown()).toMatchObject({ id: expect.any(Number), value: 'folder', version: 1 })
    expect((await shown()).id).toBeGreaterThan(0)
    expect((await parameters(meadow, theirs)).status).toBe(404)
    expect((await save('sftp', {}, meadow, theirs)).status).toBe(404)
    // The credential now leads elsewhere, so a user must check the connection first.
    expect((await ended(connection.id))[0]!.message).toMatch(/^The credential’s address has changed/)
    expect((await save('sftp', { version: 1 })).status).toBe(200)
    expect((await ended(connection.id))[0]).toMatchObject({ outcome: 'nothing', message: 'There is no file in the folder.' })
  })
  it('cannot be chosen if the installation has none', async () => {
    const alone = await startProduct({})
    const by = await signInAs(alone, 'finance@harbour.example')
    const { body } = await by.call('POST', '/api/integrations/credentials', { description: 'Files', integrationType: 2 }, own)
    const parameters = (await by.call('GET', `/api/integrations/credentials/${body.id}/parameters`, undefined, own)).body
    expect(parameters.map(({ name }: Body) => name)).not.toContain('place')
    const rows = [{ credentialId: body.id, name: 'place', value: 'folder' }]
    expect((await by.call('PUT', '/api/integrations/credentials/parameters', rows, own)).body).toBe(
      'place is not a parameter of this credential.',
    )
  })
})

describe('a connection', () => {
  it('is paused and continued, does not run twice at once, and is deleted with its runs while its history stays', async () => {
    let release: () => void = () => undefined
    const { address, received } = await ledger((response) => {
      release = () => void response.end()
    })
    const { id, version } = await made(await webCredential(address), { schedule: daily })
    expect((await act(id, 'pause')).body).toMatchObject({ state: 'paused', nextRun: null })
    expect((await act(id, 'pause')).status).toBe(409)
    expect((await act(id, 'resume')).body).toMatchObject({ state: 'active', version: version + 2 })
    await act(id, 'run')
    await until('it is being sent', () => received.length === 1)
    expect([(await act(id, 'run')).status, (await act(id, 'try')).body]).toEqual([409, 'A run is in progress. Wait until it has finished.'])
    release()
    await until('it has ended', async () => !(await read(id)).isUnderWay)
    expect((await finance.call('DELETE', `${path}/${id}`, undefined, own)).status).toBe(204)
    const actions = await owner()`
      select action from reference_changes where resource = 'connection' and record_id = ${String(id)} order by id`
    expect(actions.map(({ action }) => action)).toEqual(['created', 'updated', 'updated', 'deleted'])
    expect(await owner()`select 1 from connection_runs where connection_id = ${id}`).toHaveLength(0)
  })
  it('to a system that stalls does not hold up another trust, however many such connections a trust has', async () => {
    const held: ServerResponse[] = []
    const slow = await ledger((response) => void held.push(response))
    const quick = await ledger((response) => void response.end('[]'))
    const credentialId = await webCredential(slow.address)
    const ids = await Promise.all([1, 2, 3, 4].map(async () => (await made(credentialId)).id))
    for (const id of ids) await act(id, 'run')
    await until('three of them are being sent', () => slow.received.length === 3)
    const place = { address: `${quick.address}/`, signIn: 'none' }
    const theirCredential = await credential(integrationType.webService, place, meadow, theirs)
    const fetching = { kind: 'actuals', file: null, path: '/actuals', format: 'json' }
    const { body } = await add(theirCredential, fetching, meadow, theirs)
    await act(body.id, 'run', meadow, theirs)
    await until('the other trust is served', async () => {
      const [run] = (await meadow.call('GET', `${path}/${body.id}/runs`, undefined, theirs)).body as Body[]
      return run?.outcome === 'nothing' && /^There is no data for/.test(run.message)
    })
    expect(slow.received).toHaveLength(3)
    for (const id of ids) await finance.call('DELETE', `${path}/${id}`, undefined, own)
    await meadow.call('DELETE', `${path}/${body.id}`, undefined, theirs)
    for (const response of held) response.destroy()
  })
  it('keeps its credential from being deleted, and its secret appears nowhere', async () => {
    const { address } = await ledger()
    const credentialId = await webCredential(address)
    const { id, name } = await made(credentialId)
    await ended(id)
    await expect(browserCall(product, finance, 'integrations.delete', { id: credentialId }, own)).rejects.toThrow(
      `The connection ${name} uses this credential. Delete the connection first.`,
    )
    await expect(
      browserAsk(product, finance, 'connections.history', { id }, own).then(({ data }) => JSON.stringify(data)),
    ).resolves.not.toContain(secret)
    const sql = owner()
    const kept = [
      await sql`select * from connections`,
      await sql`select * from connection_runs`,
      await sql`select * from reference_changes where resource in ('connection', 'integrationCredential')`,
      [await read(id), await runs(id)],
    ]
    for (const rows of kept) expect(JSON.stringify(rows)).not.toContain(secret)
  })
  it('that succeeds has its credential tested again, if that failed before', async () => {
    let isDown = true
    const { address } = await startWebService((_request, response) => void response.writeHead(isDown ? 503 : 200).end('[]'))
    const credentialId = await webCredential(address)
    const state = async (): Promise<number> =>
      (await finance.call('GET', '/api/integrations/organisation/credentials', undefined, own)).body.find(
        (one: Body) => one.id === credentialId,
      ).state
    await until('the credential was tried', async () => (await state()) === integrationState.failing)
    isDown = false
    const { id } = await made(credentialId, { kind: 'actuals', file: null, path: '/actuals', format: 'json' })
    expect((await ended(id))[0]).toMatchObject({ outcome: 'nothing' })
    await until('it works again', async () => (await state()) === integrationState.connected)
  })
  it('with an error is refused with a sentence at its field', async () => {
    const { address } = await ledger()
    const credentialId = await webCredential(address)
    const said = async (more: object): Promise<unknown> => (await add(credentialId, more)).body
    expect(await said({ path: '../up' })).toBe('A path cannot contain two dots (..).')
    expect(await said({ file: null })).toBe('Choose the file to send.')
    expect(await said({ schedule: { ...never, at: '25:00' } })).toBe('Enter a time such as 02:30.')
    expect(await said({ schedule: { every: 'week', at: '02:30', day: 9 } })).toBe('Choose a day from 1 to 7.')
    expect(await said({ file: { ...journal(), from: 3 } })).toBe('The last month is before the first.')
    expect((await add(credentialId, { file: { ...journal(), layoutId: 999_999 } })).status).toBe(404)
    expect((await add(999_999)).status).toBe(404)
    const { body } = await finance.call('POST', '/api/integrations/credentials', { description: 'Unset', integrationType: 2 }, own)
    expect((await add(body.id)).body).toBe('This credential is not set up yet. Set it up first, or choose another.')
    const { name } = await made(credentialId)
    expect((await add(credentialId, { name: name.toUpperCase() })).body).toBe('Name is already used.')
  })
})

describe('access to connections', () => {
  it('is refused to another trust, which sees, changes and runs none', async () => {
    const { address, received } = await ledger()
    const credentialId = await webCredential(address)
    const { id } = await made(credentialId)
    for (const [method, rest] of [
      ['GET', ''],
      ['GET', '/runs'],
      ['DELETE', ''],
      ['POST', '/run'],
      ['POST', '/try'],
      ['POST', '/pause'],
      ['POST', '/resume'],
    ] as const)
      expect([method, rest, (await meadow.call(method, `${path}/${id}${rest}`, undefined, theirs)).status]).toEqual([method, rest, 404])
    expect((await meadow.call('GET', path, undefined, theirs)).body).toEqual([])
    expect((await meadow.call('GET', path, undefined, own)).status).toBe(403)
    expect((await add(credentialId, {}, meadow, theirs)).status).toBe(404)
    expect(received).toEqual([])
  })
  it('gives nobody more than they may do themselves; a user of one school sets up nothing', async () => {
    const { address } = await ledger()
    const credentialId = await webCredential(address)
    const { id } = await made(credentialId)
    const organisation = places.organisationId
    const invited = (name: string, rights: string[], school?: LocationId[]) =>
      inviteAndSignIn(product, administrator, `connections.${name}@harbour.example`, rights as never, organisation, school)
    const keeper = await invited('keeper', ['ConsoleOrganisationsReadUpdate'])
    expect((await add(credentialId, {}, keeper)).status).toBe(403)
    expect((await add(credentialId, { kind: 'actuals', file: null }, keeper)).status).toBe(403)
    expect((await act(id, 'run', keeper)).status).toBe(403)
    expect((await act(id, 'try', keeper)).status).toBe(403)
    const reader = await invited('reader', ['ConsoleOrganisationsRead', 'BudgetingReportsRead'])
    expect((await reader.call('GET', `${path}/${id}`, undefined, own)).status).toBe(200)
    expect((await act(id, 'pause', reader)).status).toBe(403)
    const school = await invited('school', ['ConsoleOrganisationsReadUpdate', 'BudgetingReportsRead'], [places.locations.Northgate!])
    expect((await add(credentialId, {}, school)).status).toBe(403)
    expect((await school.call('GET', path, undefined, own)).body).toEqual([])
    const governor = await signInAs(product, 'governor@harbour.example')
    expect((await governor.call('GET', path, undefined, own)).status).toBe(403)
  })
})
