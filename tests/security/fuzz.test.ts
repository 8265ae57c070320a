import { connect as connectTcp } from 'node:net'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { entryFile } from '../../domain/budget/items/entryFile.ts'
import { allResources } from '../../domain/resources/all.ts'
import { staffContract } from '../../domain/resources/entities/budget/staffContract.ts'
import { allProcedures, restRoutes } from '../../server/rest/routes.ts'
import { connectAsOwner } from '../support/product/database.ts'
import { type Caller, findTrustIds, signInAs, type TrustIds } from '../support/product/http.ts'
import { type ServerProcess, startServerProcess } from '../support/running/serverProcess.ts'
import { arbitraryInputs, arbitraryRows, encodeForUrl, oddText, oddValue } from '../support/samples/oddShapes.ts'

/**
 * How long to send random input, in milliseconds. `FUZZ_SECONDS` makes it longer; `FUZZ_SEED` chooses other input. The same seed repeats
 * the same input, which tells a new fault from an old one.
 */
const throwMs = Number(process.env.FUZZ_SECONDS ?? 18) * 1000
const seed = Number(process.env.FUZZ_SEED ?? 20_261_122)
const atOnce = 16
const fewestRounds = 25
/** Without `account.endSignIns`: it would sign the test’s user out, and nothing would pass the gate any more. */
const thrown = Object.keys(allProcedures).filter((name) => name !== 'account.endSignIns')

/** One input that is sent to the server. */
type Shot =
  | { kind: 'call' | 'batch'; method: string; path: string; headers: Record<string, string>; body: string | null; signedIn: boolean }
  | { kind: 'bytes'; bytes: string }
  | { kind: 'live'; records: string[] }

let product: ServerProcess
let finance: Caller
let places: TrustIds
let shots: fc.Arbitrary<Shot>

beforeAll(async () => {
  product = await startServerProcess({ env: { REDIS_URL: '', LOG_LEVEL: 'error' } })
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  shots = shotsAt()
})

const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>, weight = 12): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd })

/** Characters that a header may contain. */
const headerText = fc.oneof(
  fc.constantFrom('-1', '0', '2', 'abc', '1e9', '99999999999', '1, 2', '%00', 'ffffffffffffffffffffffff', 'ÿ', 'x'.repeat(300)),
  fc.string({ maxLength: 20 }).map((text) => text.trim()),
)

function shotsAt(): fc.Arbitrary<Shot> {
  const at = places.at('Northgate')
  const known = fc.constantFrom(
    at.BudgetId,
    places.groupId,
    ...Object.values(places.budgets),
    ...['2026-09-01', '2027-03-31', '2026/27', 'GEN', 'E19', '1', '12.5', 'Yes', 'Main M6', 'Teacher', 'text', 'desc', 'Northgate'],
  )
  const usual = Object.fromEntries(Object.entries(at).map(([name, value]) => [name, String(value)]))
  const strange = fc.dictionary(
    fc.constantFrom(
      ...['OrganisationId', 'LocationId', 'BudgetId', 'ApiVersion', 'Content-Type', 'Content-Encoding', 'Idempotency-Key', 'Range'],
      ...['If-None-Match', 'Accept', 'X-Request-Id', 'X-Forwarded-For', 'Cookie', 'Origin', 'trpc-accept'],
    ),
    headerText,
    { maxKeys: 3 },
  )
  const headers = mostly(fc.constant({ ...usual, ApiVersion: '2', 'Content-Type': 'application/json' }), strange, 8).map((given) => ({
    ApiVersion: '2',
    'Content-Type': 'application/json',
    ...usual,
    ...given,
  }))
  const signedIn = mostly(fc.constant(true), fc.constant(false), 6)
  const written = (value: unknown): string => JSON.stringify(value) ?? ''
  const bodyOf = (values: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
    mostly(
      values.map(written),
      fc.tuple(values, fc.nat(40)).map(([value, cut]) => written(value).slice(0, -cut)),
      30,
    )

  const rest = fc.constantFrom(...restRoutes).chain(({ path, procedure, meta }) => {
    const values = [...path.matchAll(/\{(\w+)(?::(\w+))?\}/g)].map(([, , kind]) =>
      mostly<string>(kind?.toLowerCase() === 'integer' ? fc.integer({ min: 0, max: 60 }).map(String) : known, oddText, 6),
    )
    const inPlace = fc.tuple(...values).map((found) => {
      let index = 0
      return path.replace(/\{[^}]+\}/g, () => encodeForUrl(found[index++] ?? ''))
    })
    const asks = meta.rest.method === 'GET' || meta.rest.method === 'DELETE'
    const inputs = arbitraryInputs(procedure, known)
    const query = inputs.map(
      (input) =>
        new URLSearchParams(
          Object.entries(Object(input)).map(([name, value]) => [name, typeof value === 'object' ? written(value) : `${value}`]),
        ),
    )
    return fc.record({
      kind: fc.constant('call' as const),
      method: mostly(
        fc.constant(meta.rest.method as string),
        fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
        20,
      ),
      path: asks ? fc.tuple(inPlace, query).map(([place, asked]) => `${place}?${asked}`) : inPlace,
      headers,
      body: asks ? fc.constant(null) : bodyOf(inputs),
      signedIn,
    })
  })

  const files = fc
    .constantFrom(
      ...[staffContract, staffContract, staffContract].map((file) => ({ file, method: 'PUT', path: '/api/StaffContract/Import' })),
      ...[entryFile, entryFile, entryFile].map((file) => ({ file, method: 'PUT', path: '/api/BudgetEntry/Import' })),
      ...allResources.map((file) => ({ file, method: 'POST', path: `/api/${file.path}/import` })),
    )
    .chain(({ file, method, path }) =>
      fc.record({
        kind: fc.constant('call' as const),
        method: fc.constant(method),
        path: fc.constant(path),
        headers,
        body: bodyOf(arbitraryRows(file as (typeof allResources)[number], known)),
        signedIn,
      }),
    )

  const one = (procedure: string) => fc.record({ procedure: fc.constant(procedure), input: arbitraryInputs(procedure, known) })
  const notes = mostly<unknown>(
    fc.constant(undefined),
    fc.oneof(oddValue, fc.constantFrom({ values: { a: ['Date'] } }, { values: ['Date'] })),
    15,
  )
  const batchOf = (type: 'query' | 'mutation') =>
    fc
      .array(fc.constantFrom(...thrown.filter((name) => allProcedures[name]!._def.type === type)).chain(one), {
        minLength: 1,
        maxLength: 5,
      })
      .chain((calls) => {
        const names = calls.map(({ procedure }) => procedure).join(',')
        const inputs = fc
          .tuple(...calls.map(() => notes))
          .map((all) =>
            Object.fromEntries(
              calls.map(({ input }, index) => [index, { json: input ?? null, ...(all[index] === undefined ? {} : { meta: all[index] }) }]),
            ),
          )
        const body = mostly<unknown>(inputs, oddValue, 25).map(written)
        return fc.record({
          kind: fc.constant('batch' as const),
          method: fc.constant(type === 'query' ? 'GET' : 'POST'),
          path:
            type === 'query'
              ? body.map((asked) => `/trpc/${names}?batch=1&input=${encodeForUrl(asked.slice(0, 6000))}`)
              : fc.constant(`/trpc/${names}?batch=1`),
          headers,
          body: type === 'query' ? fc.constant(null) : body,
          signedIn,
        })
      })

  const roots = fc.constantFrom(
    '/',
    '//',
    '/api/',
    '/trpc/',
    '/oidc/',
    '/oidc/auth?',
    '/oidc/token',
    '/interaction/x',
    '/assets/',
    '/password/',
    '/%',
  )
  const address = fc.tuple(roots, fc.oneof(oddText, fc.constant(''))).map(([root, rest]) => root + rest)
  const lines = fc.record({
    method: mostly(fc.constantFrom('GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'TRACE'), oddText, 10),
    address: mostly(
      address.map((text) => encodeURI(text.replace(/[\ud800-\udfff]/g, '?'))),
      address,
      2,
    ),
    given: fc.array(
      fc.tuple(
        mostly(
          fc.constantFrom('Cookie', 'Content-Type', 'Authorization', 'Accept', 'X-Request-Id'),
          fc.oneof(fc.constantFrom('Content-Length', 'Transfer-Encoding', 'Host', 'Expect'), oddText),
          8,
        ),
        headerText,
      ),
      { maxLength: 2 },
    ),
    body: oddText,
  })
  const request = lines.map(
    ({ method, address: to, given, body }) =>
      `${method} ${to} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${given.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  )
  const upgrade = fc
    .tuple(mostly(fc.constant('/OrganisationHub'), address, 4), oddText, oddText, headerText)
    .map(
      ([path, id, organisation, key]) =>
        `GET ${path}?id=${encodeForUrl(id)}&organisationId=${encodeForUrl(organisation)}&access_token=${finance.token} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    )
  const bytes = fc
    .oneof(
      { weight: 4, arbitrary: request },
      { weight: 2, arbitrary: upgrade },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
    )
    .map((text): Shot => ({ kind: 'bytes', bytes: text }))

  const record = fc.record(
    {
      type: mostly<unknown>(fc.integer({ min: 1, max: 9 }), oddValue, 6),
      target: mostly<unknown>(fc.constant('SendMessage'), oddValue, 4),
      arguments: mostly<unknown>(fc.array(oddValue, { maxLength: 3 }), oddValue, 4),
      invocationId: mostly<unknown>(fc.constant('1'), oddValue, 4),
      sequenceId: mostly<unknown>(fc.nat(5), oddValue, 4),
    },
    { requiredKeys: ['type'] },
  )
  const live = fc
    .array(
      mostly(
        record.map((value) => `${written(value)}\u001e`),
        oddText,
        8,
      ),
      { minLength: 1, maxLength: 6 },
    )
    .map((records): Shot => ({ kind: 'live', records }))

  return fc.oneof(
    { weight: 10, arbitrary: rest },
    { weight: 5, arbitrary: fc.oneof(batchOf('query'), batchOf('mutation')) },
    { weight: 4, arbitrary: files },
    { weight: 3, arbitrary: bytes },
    { weight: 1, arbitrary: live },
  )
}

interface Heard {
  status: number
  text: string
}

async function call(shot: Extract<Shot, { method: string }>): Promise<Heard> {
  const headers = { ...shot.headers, ...(shot.signedIn && { Authorization: `Bearer ${finance.token}` }) }
  const body = ['GET', 'HEAD'].includes(shot.method) ? null : shot.body
  const reply = await fetch(product.origin + shot.path, { method: shot.method, headers, body, redirect: 'manual' })
  return { status: reply.status, text: await reply.text() }
}

/** Sends bytes and collects the reply until the server closes the connection or a moment has passed. */
function raw(bytes: string): Promise<Heard> {
  return new Promise((done) => {
    const socket = connectTcp(product.config.port, 'localhost')
    let text = ''
    socket.setTimeout(1500, () => socket.destroy())
    socket.on('error', () => undefined)
    socket.on('data', (data) => (text += data.toString('latin1')))
    socket.on('close', () => done({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text }))
    socket.write(bytes)
  })
}

/** Sends these messages on a live connection after a valid handshake. */
function say(records: string[]): Promise<Heard> {
  return new Promise((done) => {
    const ws = new WebSocket(
      `${product.origin.replace('http', 'ws')}/OrganisationHub?organisationId=${places.organisationId}&access_token=${finance.token}`,
    )
    let text = ''
    const enough = setTimeout(() => ws.terminate(), 1500)
    ws.on('error', () => undefined)
    ws.on('open', () => ws.send('{"protocol":"json","version":1}\u001e'))
    ws.on('message', (data) => {
      if (!text) {
        for (const record of records) ws.send(record)
        setTimeout(() => ws.close(), 100)
      }
      text += data
    })
    ws.on('close', () => {
      clearTimeout(enough)
      done({ status: text.startsWith('{}') ? 200 : 0, text })
    })
  })
}

function fire(shot: Shot): Promise<Heard> {
  if (shot.kind === 'bytes') return raw(shot.bytes)
  return shot.kind === 'live' ? say(shot.records) : call(shot)
}

/** Whether a reply is a fault of the server: 500, or none at all to a complete call. */
function isFault(shot: Shot, { status, text }: Heard): boolean {
  const hasFailed = status === 500 || /Something went wrong\. Reference|"httpStatus":500/.test(text)
  return hasFailed || (status === 0 && (shot.kind === 'call' || shot.kind === 'batch'))
}

describe('whatever input the server gets', () => {
  it('it keeps running, replies afterwards, and never returns an unexpected error', { timeout: throwMs + 90_000 }, async () => {
    const sql = connectAsOwner(product.config.databaseUrl)
    const faults: string[] = []
    const behind = { call: 0, batch: 0, bytes: 0, live: 0 }
    let signedIn = 0
    const until = Date.now() + throwMs
    // On a slow machine this takes longer rather than sending too little.
    for (let round = 0; Date.now() < until || round < fewestRounds; round++) {
      // Rate limits would refuse most of the input.
      await sql`delete from rate_limits`
      const some = fc.sample(shots, { seed: seed + round, numRuns: atOnce })
      await Promise.all(
        some.map(async (shot) => {
          const heard = await fire(shot).catch((error): Heard => ({ status: 0, text: String(error.cause ?? error) }))
          const isSigned = 'signedIn' in shot ? shot.signedIn : true
          if ('signedIn' in shot && isSigned) signedIn++
          // Raw bytes have no user, so any reply counts as having passed.
          if (isSigned && ![0, 429, ...(shot.kind === 'bytes' ? [] : [401, 403])].includes(heard.status)) behind[shot.kind]++
          if (isFault(shot, heard)) faults.push(`${JSON.stringify(shot).slice(0, 3000)}\n  ${heard.status} ${heard.text.slice(0, 300)}`)
        }),
      )
    }
    const said = `FUZZ_SEED=${seed}\n${faults.join('\n')}\n${product.log().slice(-8000)}`
    expect(await product.isAlive(), said).toBe(true)
    expect((await finance.call('GET', '/api/Authorisation')).status, said).toBe(200)
    expect(faults, said).toEqual([])
    // Most input must pass the gate; otherwise the test shows nothing.
    expect(behind.call + behind.batch, said).toBeGreaterThan(signedIn / 2)
    expect(behind.call, said).toBeGreaterThan(80)
    expect(behind.batch, said).toBeGreaterThan(20)
    expect(behind.bytes, said).toBeGreaterThan(8)
    expect(behind.live, said).toBeGreaterThan(3)
  })
})
