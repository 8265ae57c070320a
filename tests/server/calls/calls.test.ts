import { connect } from 'node:net'
import { type SQL, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { requireSingleRow } from '../../../domain/values/assertDefined.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { deleteExpiredSignInState } from '../../../server/auth/adapter.ts'
import { openRateLimits } from '../../../server/core/calls/limits.ts'
import { executePipelined, openSeparateStore, openStore } from '../../../server/core/database/database.ts'
import { serve } from '../../../server/serve.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import { asClient, type Caller, findTrustIds, signInAs, signInByPassword, type TrustIds } from '../../support/product/http.ts'
import { configOf, type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'

let product: Product
let finance: Caller
let auditor: Caller
let places: TrustIds
let of: { OrganisationId: OrganisationId }

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  auditor = await signInAs(product, 'auditor@harbour.example')
  places = await findTrustIds(finance)
  of = { OrganisationId: places.organisationId }
})

/** Sends a call with any text as its body. */
function send(path: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(product.origin + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ApiVersion: '2', ...headers },
    body,
  })
}
const as = (caller: Caller) => ({ Authorization: `Bearer ${caller.token}`, OrganisationId: String(places.organisationId) })
const nul = '\\u0000'

/** Tries to sign in with a wrong password and a header that claims an origin. @returns the status */
async function attempt(origin: string, email: string, from: string): Promise<number> {
  const question = new URLSearchParams({
    client_id: 'bursar',
    redirect_uri: `${product.origin}/auth/callback`,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    state: 's',
  })
  const headers = { 'X-Forwarded-For': from }
  const begun = await fetch(`${origin}/oidc/auth?${question}`, { redirect: 'manual', headers })
  const page = new URL(new URL(begun.headers.get('location')!, origin).pathname, origin)
  const Cookie = begun.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
  const body = new URLSearchParams({ email, password: 'wrong' })
  return (await fetch(page, { method: 'POST', headers: { ...headers, Cookie }, body, redirect: 'manual' })).status
}

describe('an unknown field', () => {
  /** Makes a call as the browser does, with any input. @returns its status and reply */
  const fromBrowser = async (path: string, input: object, isChange = false): Promise<[number, string]> => {
    const body = JSON.stringify({ json: input })
    const reply = isChange
      ? await send(`/trpc/${path}`, body, as(finance))
      : await fetch(`${product.origin}/trpc/${path}?input=${encodeURIComponent(body)}`, { headers: as(finance) })
    const answer = (await reply.json()) as { error?: { json: { message: string } }; result?: { data: { json: { total: number } } } }
    return [reply.status, answer.error?.json.message ?? 'taken']
  }
  const misspelt = { descripton: 'Of nobody' }
  const filters = [{ filter: 'code', filterType: 'text', type: 'contains', valu: 'no such code' }]

  it('is refused from the browser with the same sentence as from other systems, instead of showing every row', async () => {
    const first = { pageNumber: 1, pageSize: 10 }
    expect(await fromBrowser('resources.costCentre.list', first)).toEqual([200, 'taken'])
    const sentence = 'There is no field filters.valu. Use value, or leave it out.'
    expect(await fromBrowser('resources.costCentre.list', { ...first, filters })).toEqual([400, sentence])
    const other = await send('/api/CostCentres/list', JSON.stringify({ ...first, filters }), as(finance))
    expect([other.status, await other.text()]).toEqual([400, sentence])
    expect(await fromBrowser('reports.lines', { budgetCodeId: [1], row: '' })).toEqual([
      400,
      'There is no field budgetCodeId. Use budgetCodeIds, or leave it out.',
    ])
  })
  it('is refused in a change from the browser, which then changes nothing, while fields that were read may be sent back', async () => {
    const api = proceduresOf(product, finance, of)
    const [before] = (await api.resources.costCentre!.list.query({ pageNumber: 1, pageSize: 1 })).rows
    expect(await fromBrowser('resources.costCentre.update', { ...before, ...misspelt }, true)).toEqual([
      400,
      'There is no field descripton. Use description, or leave it out.',
    ])
    expect(await api.resources.costCentre!.get.query({ id: before!.id })).toMatchObject({ version: before!.version })
    expect(await fromBrowser('resources.costCentre.update', { ...before }, true)).toEqual([200, 'taken'])
  })
})

describe('a request body', () => {
  it('from a caller who is not signed in is not read at all', async () => {
    for (const path of ['/api/CostCentres/list', '/api/CostCentres/import', '/trpc/resources.costCentre.create'])
      for (const body of ['not json', '['.repeat(100_000), `{"a":"${'x'.repeat(3_000_000)}"}`])
        expect((await send(path, body)).status, path).toBe(401)
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(1000)]), 'x.png')
    expect((await fetch(`${product.origin}/api/Images`, { method: 'POST', body: form })).status).toBe(401)
  })
  it('cannot be nested deeply', async () => {
    const deep = `{"search":${'['.repeat(50)}${']'.repeat(50)}}`
    for (const body of [deep, '['.repeat(1_000_000), '{"a":'.repeat(100_000)]) {
      const reply = await send('/api/CostCentres/list', body, as(finance))
      expect(reply.status).toBe(400)
      expect(await reply.text()).toBe('Lists and objects can be nested at most 40 deep.')
      const browser = await send('/trpc/resources.costCentre.create', body, as(finance))
      expect(browser.status).toBe(400)
      expect(await browser.text()).toContain('Lists and objects can be nested at most 40 deep.')
    }
    const asked = `/trpc/resources.costCentre.list?input=${encodeURIComponent(`{"json":${'['.repeat(1000)}${']'.repeat(1000)}}`)}`
    expect((await fetch(product.origin + asked, { headers: as(finance) })).status).toBe(400)
  })
  it('cannot be larger than its call allows, compressed or not', async () => {
    const large = (bytes: number) => `{"search":"${'x'.repeat(bytes)}"}`
    expect((await send('/api/CostCentres/list', large(2_100_000), as(finance))).status).toBe(413)
    expect((await send('/api/CostCentres/import', large(10_100_000), as(finance))).status).toBe(413)
    const browser = await send('/trpc/resources.costCentre.create', large(2_100_000), as(finance))
    expect(browser.status).toBe(413)
    expect(await browser.text()).toContain('too large')
    const { gzipSync } = await import('node:zlib')
    const headers = { ...as(finance), 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
    const packed = await fetch(`${product.origin}/api/CostCentres/list`, { method: 'POST', headers, body: gzipSync(large(50_000_000)) })
    expect(packed.status).toBe(413)
    const small = await fetch(`${product.origin}/api/CostCentres/list`, { method: 'POST', headers, body: gzipSync('{"pageSize":1}') })
    expect(((await small.json()) as { rows: unknown[] }).rows).toHaveLength(1)
  })
  it('of another type, or with an unknown compression, is refused with a sentence and never ignored', async () => {
    const ask = async (headers: Record<string, string>, body = '{"pageNumber":2,"pageSize":1}'): Promise<[number, string]> => {
      const reply = await fetch(`${product.origin}/api/CostCentres/list`, { method: 'POST', headers: { ...as(finance), ...headers }, body })
      return [reply.status, await reply.text()]
    }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/vnd.api+json'])
      expect(await ask({ 'Content-Type': type })).toEqual([415, 'The request body must be JSON, with the Content-Type application/json.'])
    for (const encoding of ['constructor', '__proto__', 'zstd'])
      expect(await ask({ 'Content-Type': 'application/json', 'Content-Encoding': encoding })).toEqual([
        415,
        `The encoding ${encoding} is not supported.`,
      ])
    expect((await ask({ 'Content-Type': 'application/json; charset=utf-8' }))[0]).toBe(200)
    expect((await ask({ 'Content-Type': 'text/plain' }, ''))[0]).toBe(200)
  })
  it('to an unknown path gets a sentence, as for any other', async () => {
    for (const path of ['/api', '/api/docs', '//api/CostCentres/list']) {
      const reply = await fetch(product.origin + path, { method: 'POST', headers: as(finance) })
      expect([reply.status, reply.headers.get('content-type'), await reply.text()], path).toEqual([
        404,
        'text/plain; charset=utf-8',
        'There is nothing at this address.',
      ])
    }
  })
  it('that is large and valid is read to its last row, and a truncated one is refused', async () => {
    const rows = Array.from({ length: 3000 }, (_unused, index) => ({
      Code: `L${index}`,
      Description: `Ünïcode ${index} "quoted" ${'x'.repeat(40)}`,
    }))
    expect((await finance.call('POST', '/api/CostCentres/import', rows, of)).body).toMatchObject({ imported: 3000, created: 3000 })
    const { body } = await finance.call('POST', '/api/CostCentres/list', { search: 'L2999', pageSize: 5 }, of)
    expect(body.rows[0].description).toBe(rows[2999]!.Description)
    for (const broken of [JSON.stringify(rows).slice(0, -1), `${JSON.stringify(rows)}]`, `${JSON.stringify(rows)}x`])
      expect((await send('/api/CostCentres/import', broken, as(finance))).status).toBe(400)
  })
  it('and a URL cannot contain U+0000', async () => {
    const sentence = 'Text cannot contain the character U+0000. Leave it out.'
    const replies = [
      await send('/api/CostCentres/list', `{"search":"a${nul}b"}`, as(finance)),
      await fetch(`${product.origin}/api/Budget/name%00`, { headers: as(finance) }),
      await fetch(`${product.origin}/trpc/resources.costCentre.list?input=${encodeURIComponent(`{"json":{"search":"${nul}"}}`)}`),
    ]
    for (const reply of replies) {
      expect(reply.status).toBe(400)
      expect(await reply.text()).toContain(sentence)
    }
    // An escaped backslash is ordinary text.
    expect((await send('/api/CostCentres/list', '{"search":"\\\\u0000"}', as(finance))).status).toBe(200)
  })
})

describe('an impossible request', () => {
  it('is refused with 400 or 404 and a sentence, never with 500', async () => {
    const list = (body: unknown) => finance.call('POST', '/api/CostCentres/list', body, of)
    const filters = [
      { filter: 'description', filterType: 'set', values: [1] },
      { filter: 'id', filterType: 'date', dateFrom: '2026-01-01' },
      { filter: 'created', filterType: 'date', dateFrom: '2026-99-99' },
      { filter: 'description', filterType: 'boolean', value: 'yes' },
      { filter: 'description', filterType: 'number', value: 1 },
      { filter: '__proto__', filterType: 'text', value: 'x' },
      { filter: 'constructor', filterType: 'set', values: [1] },
      { filter: 'id', filterType: 'number', value: 1e300 },
    ]
    for (const filter of filters) {
      const reply = await list({ filters: [filter] })
      expect(reply.status, JSON.stringify(filter)).toBe(400)
      expect(reply.body).toMatch(/\.$/)
    }
    const ofNoRow = await list({ filters: [{ filter: 'id', filterType: 'set', values: [99_999_999_999] }] })
    expect([ofNoRow.status, ofNoRow.body.rows]).toEqual([200, []])
    for (const sort of ['__proto__', 'constructor', 'toString']) expect((await list({ sort })).status).toBe(400)
    const northgate = places.at('Northgate')
    for (const path of ['/api/BudgetEntry/paginated', '/api/StaffContract/paginated'])
      for (const name of ['__proto__', 'constructor', 'toString']) {
        expect((await finance.call('POST', path, { sort: name }, northgate)).status, `${path} ${name}`).toBe(400)
        const filters = [{ filter: name, filterType: 'text', value: 'x' }]
        expect((await finance.call('POST', path, { filters }, northgate)).status, `${path} ${name}`).toBe(400)
      }
    for (const node of ['x', '', 1e12, 1.5]) {
      const reply = await finance.call('POST', '/api/CostCentres/delete', { state: { selectAll: false, toggledNodes: [node] } }, of)
      expect([400, 404], String(node)).toContain(reply.status)
    }
  })
  it('has an unreadable URL, or asks for a missing file', async () => {
    for (const path of ['/api/%E0%A4%A', '/%E0%A4%A', '/trpc/%E0%A4%A', '/assets/%E0%A4%A'])
      expect((await fetch(product.origin + path)).status, path).toBe(400)
    expect((await fetch(`${product.origin}/assets/none.js`)).status).toBe(404)
  })
  it('has a method that the path does not offer', async () => {
    const { request } = await import('node:http')
    for (const path of ['/trpc/startup.version', '/api/CostCentres/list', '/']) {
      const status = await new Promise((done) => {
        request(product.origin + path, { method: 'TRACE' }, (reply) => {
          done(reply.statusCode)
          reply.resume()
        }).end()
      })
      expect(status, path).toBe(400)
    }
  })
  it('has an input that the browser never sends', async () => {
    for (const meta of ['{"values":["bigint"]}', '{"values":["regexp"]}', '{"values":[["custom","x"]]}']) {
      const reply = await send('/trpc/resources.costCentre.create', `{"json":"9","meta":${meta}}`, as(finance))
      expect(reply.status).toBe(400)
    }
    for (const body of ['{}', '[]', '{"json":{}}'])
      expect((await send('/trpc/resources.costCentre.create', body, as(finance))).status).toBe(400)
    expect((await send('/trpc/no.such.call', '{"json":{}}', as(finance))).status).toBe(404)
  })
})

describe('replies', () => {
  it('that may contain personal data cannot be cached on the way', async () => {
    for (const path of ['/api/Authorisation', '/api/NoSuchThing', '/trpc/startup.version'])
      expect((await fetch(product.origin + path, { headers: as(finance) })).headers.get('cache-control'), path).toBe('no-store')
  })
})

describe('an unusual input', () => {
  it('with an unknown method is answered, and the server keeps running', async () => {
    const { port } = new URL(product.origin)
    const said = (head: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connect(Number(port), 'localhost', () => socket.write(`${head}\r\nHost: localhost\r\n\r\n`))
        let text = ''
        socket.on('data', (chunk) => {
          text += chunk
        })
        socket.on('end', () => resolve(text))
        socket.on('error', reject)
      })
    expect(await said('FROBNICATE /api/Version HTTP/1.1')).toMatch(/^HTTP\/1.1 501 Not Implemented\r\n/)
    expect(await said('CONNECT example.org:443 HTTP/1.1')).toMatch(/^HTTP\/1.1 405 Method Not Allowed\r\n/)
    expect((await fetch(`${product.origin}/healthz`)).status).toBe(200)
  })
  it('with a field name that has a meaning only in JavaScript has no such field', async () => {
    const own = { OrganisationId: places.organisationId }
    const caller = await signInAs(product, 'finance@harbour.example')
    const [row] = (await caller.call('POST', '/api/CostCentres/list', {}, own)).body.rows
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      const patch = [{ op: 'replace', path: `/${name}`, value: 1 }]
      const state = { selectAll: false, toggledNodes: [row.id] }
      const { status, body } = await caller.call('PATCH', '/api/CostCentres/edit', { state, patch }, own)
      expect([status, body]).toEqual([400, `${name} is not a field that can be changed.`])
      const ids = { state: { selectAll: false, toggledNodes: [places.budgets.Northgate] }, patch }
      expect((await caller.call('POST', '/api/Budget/bulkedit', ids, own)).status).toBe(400)
    }
  })
  it('as an image has no more pixels than a browser can unpack', async () => {
    const caller = await signInAs(product, 'finance@harbour.example')
    const png = (width: number, height: number): Blob => {
      const head = Buffer.from('89504e470d0a1a0a0000000d4948445200000000000000000802000000', 'hex')
      head.writeUInt32BE(width, 16)
      head.writeUInt32BE(height, 20)
      return new Blob([Buffer.concat([head, Buffer.alloc(64)])], { type: 'image/png' })
    }
    const sent = async (picture: Blob) => {
      const body = new FormData()
      body.set('file', picture, 'logo.png')
      const headers = { Authorization: `Bearer ${caller.token}`, OrganisationId: String(places.organisationId) }
      const reply = await fetch(`${product.origin}/api/Images`, { method: 'POST', headers, body })
      return [reply.status, await reply.text()]
    }
    const refusal = [400, 'A picture can have at most 8,000 pixels on each side. Make it smaller.']
    expect(await sent(png(0x80000000, 0x80000000))).toEqual(refusal)
    expect(await sent(png(8001, 10))).toEqual(refusal)
    expect((await sent(png(800, 600)))[0]).toBe(201)
  })
})

describe('rate limits', () => {
  it('count a batch as the number of its calls', async () => {
    const client = await asClient(product, 'harbour')
    const path = `/trpc/${Array.from({ length: 50 }, () => 'startup.version').join(',')}?batch=1&input=%7B%7D`
    const statuses = []
    for (let batch = 0; batch < 25; batch++)
      statuses.push((await fetch(product.origin + path, { headers: { ApiVersion: '2', Authorization: `Bearer ${client.token}` } })).status)
    expect(statuses.slice(0, 24)).toEqual(Array.from({ length: 24 }, () => 200))
    expect(statuses[24]).toBe(429)
  })
  it('count a batch as the number of its calls, however its URL is written', async () => {
    const { token } = await signInAs(product, 'finance@meadow.example')
    const path = `/trpc/x/../${Array.from({ length: 50 }, () => 'startup%2Eversion').join('%2C')}?batch=1&input=%7B%7D`
    const statuses = []
    for (let batch = 0; batch < 25; batch++)
      statuses.push((await fetch(product.origin + path, { headers: { ApiVersion: '2', Authorization: `Bearer ${token}` } })).status)
    expect(statuses.slice(0, 24)).toEqual(Array.from({ length: 24 }, () => 200))
    expect(statuses[24]).toBe(429)
  })
  it('are shared by all servers', async () => {
    const config = { ...(await configOf(product.config.databaseUrl)), origin: product.origin, queuePrefix: product.config.queuePrefix }
    const second = await serve(config)
    const client = await asClient(product, 'meadow')
    const path = `/trpc/${Array.from({ length: 50 }, () => 'startup.version').join(',')}?batch=1&input=%7B%7D`
    const statuses = []
    for (let batch = 0; batch < 26; batch++) {
      const origin = batch % 2 ? product.origin : `http://localhost:${config.port}`
      statuses.push((await fetch(origin + path, { headers: { ApiVersion: '2', Authorization: `Bearer ${client.token}` } })).status)
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(24)
    await second.close()
  })
  it('for invalid tokens do not shut out others at the same address: neither users who sign in nor a correct secret', async () => {
    const ask = (fields: Record<string, string>, path = '/oidc/token') =>
      fetch(product.origin + path, { method: 'POST', body: new URLSearchParams(fields) })
    const nonsense: number[] = []
    for (let count = 0; count < 70; count++)
      nonsense.push(
        (await ask({ grant_type: 'authorization_code', client_id: 'bursar', code: `no-${count}`, code_verifier: 'x'.repeat(43) })).status,
      )
    expect(nonsense.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 400))
    expect(nonsense.at(-1)).toBe(429)
    const wrong = { grant_type: 'client_credentials', client_id: 'harbour-payroll', client_secret: 'wrong', scope: 'api' }
    const refused = await ask(wrong)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect((await asClient(product, 'harbour')).token).toMatch(/^ey/)
    expect((await (await signInByPassword(product, 'governor@harbour.example')).call('GET', '/api/Version')).status).toBe(200)
    await connectAsOwner(product.config.databaseUrl)`delete from rate_limits`
  })
  it('for signing in are by email address and by place, whatever a header claims about the place', async () => {
    const one = []
    for (let count = 0; count < 12; count++) one.push(await attempt(product.origin, 'nobody@harbour.example', `10.0.0.${count}`))
    expect(one).toEqual([...Array.from({ length: 10 }, () => 400), 429, 429])
    const many = await Promise.all(
      Array.from({ length: 60 }, (_unused, count) => attempt(product.origin, `no${count}@harbour.example`, `10.0.1.${count}`)),
    )
    expect(many.filter((status) => status === 429).length).toBeGreaterThan(5)
    // Guesses of client secrets from the same place are limited too.
    const guess = await fetch(`${product.origin}/oidc/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'harbour-payroll', client_secret: 'wrong', scope: 'api' }),
    })
    expect(guess.status).toBe(429)
    expect(Number(guess.headers.get('retry-after'))).toBeGreaterThan(0)
    await connectAsOwner(product.config.databaseUrl)`delete from rate_limits`
  })
  it('for signing out without a session are by place, and no request can be pushed without a client', async () => {
    const owner = connectAsOwner(product.config.databaseUrl)
    const pushed = await fetch(`${product.origin}/oidc/request`, { method: 'POST', body: new URLSearchParams({ client_id: 'bursar' }) })
    expect(pushed.status).toBe(404)
    const statuses: number[] = []
    for (let round = 0; round < 13; round++) {
      const paths = ['/oidc/session/end', '/oidc/session/end/', '/oidc/session/%65nd']
      const all = Array.from({ length: 50 }, (_unused, at) => fetch(product.origin + paths[at % paths.length]))
      for (const reply of await Promise.all(all)) statuses.push(reply.status)
    }
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
    await owner`delete from rate_limits`
  })
  it('for failed sign-ins are by account too, from however many places a proxy names', async () => {
    const behind = { ...(await configOf(product.config.databaseUrl)), origin: product.origin, trustProxy: 1 }
    const proxied = await serve(behind)
    const tried: number[] = []
    for (let count = 0; count < 32; count++)
      tried.push(await attempt(`http://localhost:${behind.port}`, 'one@harbour.example', `10.0.2.${count}`))
    // One place would have been refused after ten. The proxy’s own entry counts, and entries before it are ignored.
    expect(tried).toEqual([...Array.from({ length: 30 }, () => 400), 429, 429])
    const forged = []
    for (let count = 0; count < 11; count++)
      forged.push(await attempt(`http://localhost:${behind.port}`, 'two@harbour.example', `10.9.9.${count}, 10.0.3.1`))
    expect(forged.at(-1)).toBe(429)
    await proxied.close()
    await connectAsOwner(product.config.databaseUrl)`delete from rate_limits`
  })
  it('shut nobody out after a clock was set back', async () => {
    const store = openStore(product.config, 1)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 })
    try {
      const ahead = openRateLimits(product.config, store)
      for (let count = 0; count < 10; count++) expect(await ahead.count('tries', 'clock')).toBe(0)
      expect(await ahead.count('tries', 'clock')).toBeGreaterThan(0)
      vi.useRealTimers()
      // One server that already knows of the limit, and one that does not.
      for (const limits of [ahead, openRateLimits(product.config, store)]) {
        await limits.count('tries', 'clock')
        expect(await limits.count('tries', 'clock')).toBe(0)
      }
      ahead.close()
    } finally {
      vi.useRealTimers()
      await store.close()
    }
  })
})

describe('the sign-in', () => {
  it('uses its own URL, whatever host the request names', async () => {
    const { request } = await import('node:http')
    const said = await new Promise<string>((done) => {
      const headers = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' }
      request(`${product.origin}/oidc/.well-known/openid-configuration`, { headers }, (reply) => {
        let text = ''
        reply.on('data', (data) => (text += data))
        reply.on('end', () => done(text))
      }).end()
    })
    expect(said).not.toContain('evil.example')
    expect(JSON.parse(said).token_endpoint).toBe(`${product.origin}/oidc/token`)
  })
  it('stores nothing of sign-ins that are over', async () => {
    const sql = connectAsOwner(product.config.databaseUrl)
    await sql`update oidc_payloads set expires_at = now() - interval '1 minute' where model = 'Interaction'`
    const [before] = await sql`select count(*)::int as rows from oidc_payloads`
    const store = openStore(product.config, 1)
    await deleteExpiredSignInState(store)
    await store.close()
    const [after] = await sql`select count(*)::int as rows, count(*) filter (where expires_at < now())::int as expired from oidc_payloads`
    expect(after!.rows).toBeLessThan(before!.rows)
    expect(after!.expired).toBe(0)
    expect((await auditor.call('GET', '/api/Authorisation')).status).toBe(200)
  })
})

describe('a call that holds a database connection', () => {
  it('requests no second one, and forty at once wait no longer than their turn', async () => {
    const api = proceduresOf(product, finance, of)
    const { LocationId: locationId } = places.at('Northgate')
    // The step names the person who did it, and that name is looked up.
    await api.monitoring.monthEnd.tick.mutate({ year: 2026, month: 9, locationIds: [locationId], step: 'pack', isDone: true })
    const asked = Array.from({ length: 20 }, () => [
      api.monitoring.history.query({ locationId }),
      api.monitoring.monthEnd.list.query({ year: 2026, month: 9 }),
    ])
    for (const answer of await Promise.allSettled(asked.flat())) expect(answer.status).toBe('fulfilled')
  })

  it('is refused a second one in tests, because it would show in use only once all connections are held by such calls', async () => {
    const store = openStore(product.config, 2)
    try {
      const inner = () => store.asPlatform(async () => 'inner')
      await expect(store.inOrganisation(places.organisationId, inner)).rejects.toThrow('while another is held')
      expect(await store.inOrganisation(places.organisationId, () => openSeparateStore(store).asPlatform(async () => 'beside'))).toBe(
        'beside',
      )
      expect(await inner()).toBe('inner')
    } finally {
      await store.close()
    }
  })

  it('sends independent statements together, in order; if one fails, all are rolled back', async () => {
    const store = openStore(product.config, 1)
    const note = (letter: string) => sql`select set_config('app.noted', current_setting('app.noted', true) || ${letter}, true)`
    const noted = async (statements: SQL[]): Promise<unknown> =>
      store.inOrganisation(places.organisationId, async (tx) => {
        await tx.execute(sql`select set_config('app.noted', '', true)`)
        await executePipelined(tx, statements)
        return requireSingleRow(await tx.execute(sql`select current_setting('app.noted') as noted`)).noted
      })
    try {
      // The first execution is unprepared, and later ones are prepared.
      for (let time = 0; time < 3; time++) expect(await noted(['a', 'b', 'c', 'd'].map(note))).toBe('abcd')
      expect(await noted([])).toBe('')
      // The driver delays what follows a large message.
      const large = sql`select set_config('app.large', ${'x'.repeat(300_000)}, true)`
      expect(await noted([note('a'), large, note('b'), large, note('c')])).toBe('abc')
      await expect(noted([note('a'), sql`select 1 / 0`, note('b')])).rejects.toThrow('division by zero')
      expect(await noted([note('a')])).toBe('a')
    } finally {
      await store.close()
    }
  })
})
