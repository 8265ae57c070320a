import { createHash } from 'node:crypto'
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { asClient, type Caller, findTrustIds, signInAs, signInByPassword } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'

let product: Product
let manager: Caller

beforeAll(async () => {
  product = await startProduct()
  manager = await signInByPassword(product, 'northgate@harbour.example')
})

const get = (path: string, headers: Record<string, string> = {}) => fetch(product.origin + path, { headers })

describe('health', () => {
  it('reports whether the process is alive and whether database, queue and migrations are ready, without sign-in', async () => {
    expect((await get('/healthz')).status).toBe(200)
    const ready = await get('/readyz')
    expect(ready.status).toBe(200)
    expect(await ready.json()).toMatchObject({ database: true, queue: true, migrations: true })
  })
})

describe('signing in', () => {
  it('gives a user a short-lived token for the code and the verifier', async () => {
    const claims = decodeJwt(manager.token)
    expect(claims.exp! - claims.iat!).toBeLessThanOrEqual(600)
    const who = await manager.call('GET', '/api/Authorisation')
    expect(who.body.user).toMatchObject({ name: 'Sam Turner', email: 'northgate@harbour.example' })
    expect(who.body.isAdministrator).toBe(false)
  })
  it('refuses a wrong email or password without saying which', async () => {
    const refused = await signInByPassword(product, 'northgate@harbour.example', 'wrong').catch((error: Error) => error.message)
    const unknown = await signInByPassword(product, 'nobody@harbour.example', 'wrong').catch((error: Error) => error.message)
    expect(refused).toContain('The email or password is wrong.')
    expect(unknown).toContain('The email or password is wrong.')
  })
  it('does not accept a code without its verifier', async () => {
    const reply = await fetch(`${product.origin}/oidc/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'bursar',
        code: 'made-up',
        redirect_uri: `${product.origin}/auth/callback`,
        code_verifier: createHash('sha256').digest('base64url'),
      }),
    })
    expect(reply.status).toBe(400)
  })
  it('B-002 gives an external system a token for its client id and secret, bound to one organisation', async () => {
    const client = await asClient(product, 'harbour')
    const organisations = await client.call('POST', '/api/Organisations/list', {})
    expect(organisations.body.rows.map((row: { name: string }) => row.name)).toEqual(['Harbour Learning Trust'])
  })
  it('refuses an external system with a wrong secret', async () => {
    const reply = await fetch(`${product.origin}/oidc/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'harbour-payroll', client_secret: 'wrong', scope: 'api' }),
    })
    expect(reply.status).toBe(401)
  })
})

describe('every call', () => {
  it('B-066 without a token returns 401 with one sentence', async () => {
    const reply = await get('/api/Authorisation', { ApiVersion: '2' })
    expect(reply.status).toBe(401)
    expect(await reply.text()).toBe('Sign in to continue.')
  })
  it('B-066 with a forged token returns 401', async () => {
    const [head, body] = manager.token.split('.')
    expect((await get('/api/Authorisation', { ApiVersion: '2', Authorization: `Bearer ${head}.${body}.c2lnbmF0dXJl` })).status).toBe(401)
  })
  it('B-063 with another ApiVersion returns 400 and says which one is served', async () => {
    const reply = await manager.call('GET', '/api/Authorisation', undefined, { ApiVersion: 1 } as never)
    expect(reply.status).toBe(400)
    expect(reply.body).toContain('2')
  })
  it('B-063 from the browser with another ApiVersion returns 400 too, and not as if nobody were signed in', async () => {
    const reply = await get('/trpc/startup.version?batch=1&input=%7B%7D', { ApiVersion: '1', Authorization: `Bearer ${manager.token}` })
    expect(reply.status).toBe(400)
    expect(await reply.text()).toContain('ApiVersion must be 2.')
  })
  it('B-282 more than 1,200 times a minute returns 429 and says when to retry', async () => {
    const auditor = await signInAs(product, 'auditor@harbour.example')
    // Each call of a batch counts, so that few requests reach the limit within the minute on any machine.
    const batch = `/trpc/${Array<string>(50).fill('startup.version').join()}?batch=1&input=%7B%7D`
    for (let count = 0; count < 24; count++) expect((await get(batch, { Authorization: `Bearer ${auditor.token}` })).status).toBe(200)
    const last = await auditor.call('GET', '/api/Version')
    expect(last.status).toBe(429)
    expect(last.body).toMatch(/^Too many requests. Try again in \d+ seconds.$/)
    expect(Number(last.headers.get('Retry-After'))).toBeGreaterThan(0)
  })
  it('B-064 to an unknown path returns 404 with a sentence, and paths ignore case', async () => {
    const unknown = await manager.call('GET', '/api/NoSuchThing')
    expect(unknown.status).toBe(404)
    expect(unknown.body).toBe('There is nothing at this address.')
    expect((await manager.call('GET', '/API/authorisation')).status).toBe(200)
  })
  it('B-279 to an operation without a path returns “Not Implemented”', async () => {
    const reply = await manager.call('POST', '/api/MyOrganisations', {})
    expect(reply.status).toBe(501)
    expect(JSON.stringify(reply.body)).toContain('Not Implemented')
  })
  it('to an impossible id returns 404, as for an unknown one', async () => {
    const finance = await signInAs(product, 'finance@harbour.example')
    const { organisationId } = await findTrustIds(finance)
    for (const id of ['999999999', '9999999999', '99999999999999999999'])
      expect((await finance.call('GET', `/api/CostCentres/${id}`, undefined, { OrganisationId: organisationId })).status).toBe(404)
  })
  it('B-281 never shows a stack trace, whatever is sent', async () => {
    const headers = { ApiVersion: '2', Authorization: `Bearer ${manager.token}`, 'Content-Type': 'application/json' }
    const reply = await fetch(`${product.origin}/api/CostCentres/list`, { method: 'POST', headers, body: '{"pageNumber":' })
    expect(reply.status).toBe(400)
    expect(await reply.text()).not.toMatch(/at .*\.ts|node_modules/)
  })
  it('is described by an OpenAPI 3.1 document with a page to read it', async () => {
    const document = (await (await get('/api/openapi.json')).json()) as { openapi: string; paths: Record<string, unknown> }
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths)).toContain('/api/StaffContract/paginated')
    const page = await get('/api/docs')
    expect(page.headers.get('content-type')).toContain('html')
    const [html, policy] = [await page.text(), page.headers.get('content-security-policy')!]
    expect([...html.matchAll(/(?:src|href)="([^"]*)"/g)].map((match) => match[1])).toEqual(['/api/docs/scalar.js'])
    const within = /<script>([\s\S]*?)<\/script>/.exec(html)![1]!
    expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(within).digest('base64')}' 'self'`)
    expect((await get('/api/docs/scalar.js')).headers.get('content-type')).toContain('javascript')
  })
})
