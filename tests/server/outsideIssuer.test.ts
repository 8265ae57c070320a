import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serve } from '../../server/serve.ts'
import { ownDatabase } from '../support/database.ts'
import { configOf } from '../support/product.ts'

let issuer: Server
let origin: string
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
  const config = { ...(await configOf(await ownDatabase())), oidc: { issuer: base, clientId: 'bursar-at-work', audience: 'bursar-api' } }
  origin = config.origin
  const server = await serve(config)
  afterAll(async () => {
    await server.close()
    issuer.close()
  })
  sign = (claims, audience = 'bursar-api') =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(base)
      .setAudience(audience)
      .setExpirationTime('5m')
      .setSubject('outside-7')
      .sign(privateKey)
})

const who = async (token: string) => {
  const reply = await fetch(`${origin}/api/Authorisation`, { headers: { ApiVersion: '2', Authorization: `Bearer ${token}` } })
  return reply.ok ? ((await reply.json()) as { user: { name: string } }).user.name : reply.status
}

it('people of an outside issuer are known by their address, with the keys its description names', async () => {
  expect(await who(await sign({ email: 'Finance@Harbour.example' }))).toBe('Ruth Mensah')
})
it('an address that is not verified, nobody’s, or missing opens nothing', async () => {
  expect(await who(await sign({ email: 'finance@harbour.example', email_verified: false }))).toBe(401)
  expect(await who(await sign({ email: 'stranger@elsewhere.example' }))).toBe(401)
  expect(await who(await sign({}))).toBe(401)
})
it('a token for another audience opens nothing', async () => {
  expect(await who(await sign({ email: 'finance@harbour.example' }, 'something-else'))).toBe(401)
})
