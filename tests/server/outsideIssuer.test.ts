import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Sql } from 'postgres'
import { beforeAll, expect, it } from 'vitest'
import { serve } from '../../server/serve.ts'
import { asOwner, ownDatabase } from '../support/database.ts'
import { atEnd } from '../support/endings.ts'
import { configOf } from '../support/product.ts'

let issuer: Server
let origin: string
let owner: Sql
let sign: (claims: Record<string, unknown>, audience?: string) => Promise<string>

beforeAll(async () => {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  issuer = createServer((req, res) => {
    res.setHeader('Content-Type', 'application/json')
    res.end(JSON.stringify(req.url?.includes('well-known') ? { issuer: base, jwks_uri: `${base}/some/keys` } : { keys: [key] }))
  })
  await new Promise<void>((done) => issuer.listen(0, done))
  const base = `http://localhost:${(issuer.address() as AddressInfo).port}`
  const databaseUrl = await ownDatabase()
  owner = asOwner(databaseUrl)
  const config = { ...(await configOf(databaseUrl)), oidc: { issuer: base, clientId: 'bursar-at-work', audience: 'bursar-api' } }
  origin = config.origin
  const server = await serve(config)
  atEnd(async () => {
    await server.close()
    issuer.close()
  })
  sign = (claims, audience = 'bursar-api') =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(base)
      .setAudience(audience)
      .setExpirationTime('5m')
      .setSubject((claims.sub as string | undefined) ?? 'outside-7')
      .sign(privateKey)
})

const who = async (token: string) => {
  const reply = await fetch(`${origin}/api/Authorisation`, { headers: { ApiVersion: '2', Authorization: `Bearer ${token}` } })
  return reply.ok ? ((await reply.json()) as { user: { name: string } }).user.name : reply.status
}

it('people of an outside issuer are known by the address it has verified, with the keys its description names', async () => {
  expect(await who(await sign({ email: 'Finance@Harbour.example', email_verified: true }))).toBe('Ruth Mensah')
})
it('an address that is not verified, nobody’s, or missing opens nothing', async () => {
  for (const claims of [
    { email: 'auditor@harbour.example' },
    { email: 'auditor@harbour.example', email_verified: false },
    { email: 'auditor@harbour.example', email_verified: 'true' },
    { email: 'stranger@elsewhere.example', email_verified: true },
    {},
  ])
    expect(await who(await sign({ ...claims, sub: 'somebody new' }))).toBe(401)
})
it('who signed in once stays the same person, whatever address the issuer or an administrator gives them later', async () => {
  const first = { sub: 'governor-1', email: 'governor@harbour.example', email_verified: true }
  expect(await who(await sign(first))).toBe('Grace Hall')
  expect(await who(await sign({ ...first, email: 'auditor@harbour.example' }))).toBe('Grace Hall')
  expect(await who(await sign({ sub: 'governor-1' }))).toBe('Grace Hall')
  await owner`update users set email = 'grace@harbour.example' where email = 'governor@harbour.example'`
  expect(await who(await sign(first))).toBe('Grace Hall')
})
it('an address that is given to somebody else does not open what its first holder may do', async () => {
  expect(await who(await sign({ sub: 'northgate-1', email: 'northgate@harbour.example', email_verified: true }))).toBe('Sam Turner')
  expect(await who(await sign({ sub: 'northgate-2', email: 'northgate@harbour.example', email_verified: true }))).toBe(401)
})
it('who is not active here stays out, and that a person was bound is written down', async () => {
  await owner`update users set active = false where email = 'northgate@harbour.example'`
  // Changed past the product: it counts once the seconds are over for which a caller is remembered.
  const token = await sign({ sub: 'northgate-1', email: 'northgate@harbour.example', email_verified: true })
  await expect.poll(() => who(token), { timeout: 15_000 }).toBe(401)
  const log = await owner`select after ->> 'outsideSubject' as subject from reference_changes where resource = 'userSignIn' order by id`
  expect(log.map((row) => row.subject)).toEqual(['outside-7', 'governor-1', 'northgate-1'])
})
it('there are no API clients and no passwords of ours beside an outside issuer', async () => {
  expect(await who(await sign({ sub: 'harbour-payroll', client_id: 'harbour-payroll' }))).toBe(401)
  expect(await who(await sign({ client_id: 'harbour-payroll', sub: '' }))).toBe(401)
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'harbour-payroll',
    client_secret: 'harbour-payroll-demo-secret',
  })
  expect((await fetch(`${origin}/oidc/token`, { method: 'POST', body })).status).toBe(404)
  expect((await fetch(`${origin}/invitation/anything`, { method: 'POST', body: new URLSearchParams({ password: 'x' }) })).status).toBe(404)
})
it('a token for another audience opens nothing', async () => {
  expect(await who(await sign({ email: 'finance@harbour.example', email_verified: true }, 'something-else'))).toBe(401)
})
