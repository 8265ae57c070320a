import { beforeAll, describe, expect, it } from 'vitest'
import { secretPlaceholder } from '../../../domain/integrations/credentials.ts'
import { integrationState, integrationType } from '../../../domain/lookups/lookupIds.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { createGuardedLookup, isAddressAllowed, OutsideError, parseOpenedNetworks } from '../../../server/core/outside/addresses.ts'
import { sendRequest } from '../../../server/core/outside/request.ts'
import { startSftpServer, startWebService } from '../../support/outside/otherSystems.ts'
import { connectAsOwner } from '../../support/product/database.ts'
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
import { until } from '../../support/running/worker.ts'

let product: Product
let finance: Caller
let meadow: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
let theirs: { OrganisationId: OrganisationId }

beforeAll(async () => {
  product = await startProduct({ worker: true, outboundNetworks: parseOpenedNetworks('127.0.0.1/32') })
  finance = await signInAs(product, 'finance@harbour.example')
  meadow = await signInAs(product, 'finance@meadow.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
  theirs = { OrganisationId: (await findTrustIds(meadow)).organisationId }
})

let number = 0
const made = async (type: number = integrationType.webService): Promise<Body> => {
  const { status, body } = await finance.call(
    'POST',
    '/api/integrations/credentials',
    { description: `Ledger ${++number}`, integrationType: type },
    own,
  )
  expect(status).toBe(201)
  return body
}
const parametersOf = async (id: number): Promise<Body[]> =>
  (await finance.call('GET', `/api/integrations/credentials/${id}/parameters`, undefined, own)).body
const save = (credentialId: number, values: Record<string, string>, by = finance, where = own): Promise<Reply> =>
  by.call(
    'PUT',
    '/api/integrations/credentials/parameters',
    Object.entries(values).map(([name, value]) => ({ credentialId, name, value })),
    where,
  )
/** Tests a credential. @returns its status */
const tried = async (credentialId: number): Promise<Body> => {
  let found: Body
  await until('the connection is tried', async () => {
    const { body } = await finance.call('GET', '/api/integrations/clientstatus', undefined, own)
    found = body.find((one: Body) => one.credentialId === credentialId)
    return found.checkedAt !== null
  })
  return found
}

describe('a credential for another system', () => {
  it('B-246 has a description and a type; its settings are loaded and saved separately', async () => {
    const credential = await made()
    expect(credential).toMatchObject({ integrationType: integrationType.webService, state: integrationState.notSetUp, version: 1 })
    const rows = await parametersOf(credential.id)
    expect(rows.filter(({ actionUrl }) => !actionUrl).map(({ name }) => name)).toEqual([
      'address',
      'signIn',
      'keyHeader',
      'apiKey',
      'tokenAddress',
      'clientId',
      'clientSecret',
      'tokenScope',
    ])
    const listed = await finance.call('GET', '/api/integrations/organisation/credentials', undefined, own)
    expect(listed.body.map((one: Body) => one.id)).toContain(credential.id)
    expect((await finance.call('GET', `/integrations/credentials/${credential.id}`, undefined, own)).body).toEqual(credential)
    const twice = await finance.call(
      'POST',
      '/api/integrations/credentials',
      { description: credential.description.toUpperCase(), integrationType: 0 },
      own,
    )
    expect([twice.status, twice.body]).toEqual([409, 'Description is already used.'])
  })
  it('B-249 never returns a secret: not in replies, the history, the log or unencrypted in the database', async () => {
    const secret = 'a-secret-nobody-may-read'
    const { id } = await made()
    const saved = await save(id, { address: 'https://ledger.example', signIn: 'apiKey', apiKey: secret })
    expect(saved.status).toBe(200)
    expect(saved.body.find(({ name }: Body) => name === 'apiKey')).toMatchObject({ value: secretPlaceholder, secret: true })
    const said = [
      saved.body,
      await parametersOf(id),
      (await finance.call('GET', '/api/integrations/organisation/credentials', undefined, own)).body,
    ]
    const sql = connectAsOwner(product.config.databaseUrl)
    const kept = [
      await sql`select * from integration_parameters where credential_id = ${id}`,
      await sql`select * from reference_changes where resource = 'integrationCredential'`,
    ]
    for (const found of [...said, ...kept]) expect(JSON.stringify(found)).not.toContain(secret)
    // Dots sent back leave the secret unchanged.
    const again = await save(id, { address: 'https://ledger.example/status', apiKey: secretPlaceholder })
    expect(again.status).toBe(200)
    const [before, after] = [kept[0], await sql`select * from integration_parameters where credential_id = ${id}`].map(
      (rows) => rows!.find(({ name }) => name === 'apiKey')!.value,
    )
    expect(after).toBe(before)
  })
  it('cannot be pointed elsewhere with a secret that the user did not type', async () => {
    const { id } = await made()
    await save(id, { address: 'https://ledger.example', signIn: 'apiKey', apiKey: 'of the ledger' })
    const stolen = await save(id, { address: 'https://other.example' })
    expect([stolen.status, stolen.body]).toEqual([400, 'API key is only sent to the address it was entered for: enter it again.'])
    expect((await save(id, { address: 'https://other.example', apiKey: 'of the other' })).status).toBe(200)
  })
  it('with an error says at each setting what is wrong, and which credential it belongs to', async () => {
    const { id } = await made()
    const wrong = await save(id, { address: 'ledger', signIn: 'apiKey' })
    expect([wrong.status, wrong.body]).toEqual([400, 'Enter the address as https://name/path.\nAPI key is required.'])
    expect((await save(id, { colour: 'red' })).body).toBe('colour is not a parameter of this credential.')
    const row = (await parametersOf(id)).find(({ name }) => name === 'address')!
    expect((await save(id, { address: 'https://ledger.example' })).status).toBe(200)
    const late = await finance.call('PUT', '/api/integrations/credentials/parameters', [{ ...row, value: 'https://late.example' }], own)
    expect(late.status).toBe(409)
  })
  it('B-247 is tested by a POST to the URL that the server gives, and its status shows the result', async () => {
    const service = await startWebService((request, response) =>
      response.writeHead(request.headers['x-api-key'] === 'good' ? 200 : 401).end('{}'),
    )
    const { id } = await made()
    const [action] = (await parametersOf(id)).filter(({ actionUrl }) => actionUrl)
    expect(action).toMatchObject({ label: 'Test connection', actionUrl: `/api/integrations/credentials/${id}/actions/test` })
    const early = await finance.call('POST', action!.actionUrl, undefined, own)
    expect([early.status, early.body]).toEqual([409, 'Address is required.'])
    await save(id, { address: `${service.address}/status`, signIn: 'apiKey', keyHeader: 'X-Api-Key', apiKey: 'bad' })
    expect(await tried(id)).toMatchObject({
      state: integrationState.failing,
      message: '127.0.0.1 rejected the sign-in: it responded with 401.',
    })
    await save(id, { apiKey: 'good' })
    expect(await tried(id)).toMatchObject({ state: integrationState.connected, message: '127.0.0.1 answered.' })
    const { status, body } = await finance.call('POST', action!.actionUrl, undefined, own)
    expect([status, body]).toEqual([200, { ok: true, message: 'The connection is being tested.' }])
    await until('it is asked again', () => service.asked.length === 3)
    expect(service.asked.map(({ url }) => url)).toEqual(['/status', '/status', '/status'])
    expect((await finance.call('POST', `/api/integrations/credentials/${id}/actions/other`, undefined, own)).status).toBe(404)
  })
  it('gets a token by client credentials first if the service requires one', async () => {
    const service = await startWebService((request, response) => {
      const { url, headers } = request
      if (url === '/token') {
        const isKnown = headers.authorization === `Basic ${Buffer.from('trust%201:secret%3A2').toString('base64')}`
        return response.writeHead(isKnown ? 200 : 400).end(JSON.stringify({ access_token: 'token-of-the-ledger', token_type: 'Bearer' }))
      }
      return response.writeHead(headers.authorization === 'Bearer token-of-the-ledger' ? 200 : 401).end('{}')
    })
    const { id } = await made()
    await save(id, {
      address: `${service.address}/status`,
      signIn: 'oauth2',
      tokenAddress: `${service.address}/token`,
      clientId: 'trust 1',
      clientSecret: 'secret:2',
    })
    expect(await tried(id)).toMatchObject({ state: integrationState.connected })
  })
  it('reaches an SFTP server with the named key, and no other', async () => {
    const server = await startSftpServer({ user: 'bursar', password: 'word', folder: '/in' })
    const { id } = await made(integrationType.fileExchange)
    const place = { host: '127.0.0.1', port: String(server.port), user: 'bursar', password: 'word', folder: '/in' }
    await save(id, { ...place, fingerprint: server.fingerprint })
    expect(await tried(id)).toMatchObject({ state: integrationState.connected, message: '127.0.0.1 was reached, and the folder exists.' })
    await save(id, { folder: '/out' })
    expect(await tried(id)).toMatchObject({ state: integrationState.failing, message: 'The folder was not found on 127.0.0.1.' })
    await save(id, { password: 'other', folder: '/in' })
    expect((await tried(id)).message).toBe('127.0.0.1 did not accept the user with this password or key.')
    await save(id, { password: 'word', fingerprint: `SHA256:${'A'.repeat(43)}` })
    expect((await tried(id)).message).toMatch(/does not match the fingerprint/)
  })
  it('is deleted with its secrets, and its history stays', async () => {
    const { id, description } = await made()
    await save(id, { address: 'https://ledger.example', signIn: 'apiKey', apiKey: 'gone' })
    const { body: read } = await finance.call('GET', `/api/integrations/credentials/${id}`, undefined, own)
    const change = (more: object): Promise<Body> =>
      browserCall(product, finance, 'integrations.update', { id, version: read.version, description, settings: [], ...more }, own)
    const renamed = await change({ description: `${description} of Harbour` })
    expect(renamed.description).toBe(`${description} of Harbour`)
    // A secret is sent only to the address that was shown to the person who typed it.
    await expect(change({ settings: [{ name: 'apiKey', value: 'typed at an older version' }] })).rejects.toThrow(
      'Someone else has changed this',
    )
    expect((await browserAsk(product, finance, 'integrations.history', { id }, own)).data.map((entry: Body) => entry.action)).toEqual([
      'updated',
      'updated',
      'created',
    ])
    await browserCall(product, finance, 'integrations.delete', { id }, own)
    const sql = connectAsOwner(product.config.databaseUrl)
    expect(await sql`select 1 from integration_parameters where credential_id = ${id}`).toHaveLength(0)
    expect((await finance.call('GET', `/api/integrations/credentials/${id}`, undefined, own)).status).toBe(404)
    const [logged] =
      await sql`select action from reference_changes where resource = 'integrationCredential' and record_id = ${String(id)} order by id desc`
    expect(logged).toEqual({ action: 'deleted' })
  })
})

describe('access to credentials', () => {
  it('is refused to another trust, which sees and changes none', async () => {
    const { id } = await made()
    expect((await meadow.call('GET', `/api/integrations/credentials/${id}`, undefined, theirs)).status).toBe(404)
    expect((await meadow.call('GET', `/api/integrations/credentials/${id}/parameters`, undefined, theirs)).status).toBe(404)
    expect((await save(id, { address: 'https://ledger.example' }, meadow, theirs)).status).toBe(404)
    expect((await meadow.call('POST', `/api/integrations/credentials/${id}/actions/test`, undefined, theirs)).status).toBe(404)
    expect((await meadow.call('GET', '/api/integrations/clientstatus', undefined, theirs)).body).toEqual([])
    expect((await meadow.call('GET', '/api/integrations/clientstatus', undefined, own)).status).toBe(403)
  })
  it('with the Read permission shows that they exist, but neither their settings nor a way to change them', async () => {
    const { id } = await made()
    const governor = await signInAs(product, 'governor@harbour.example')
    expect((await governor.call('GET', '/api/integrations/organisation/credentials', undefined, own)).status).toBe(200)
    expect((await governor.call('GET', `/api/integrations/credentials/${id}/parameters`, undefined, own)).status).toBe(403)
    expect((await save(id, { address: 'https://ledger.example' }, governor)).status).toBe(403)
    expect((await governor.call('POST', '/api/integrations/credentials', { description: 'Mine', integrationType: 0 }, own)).status).toBe(
      403,
    )
  })
  it('is not given to a user of one school, because they serve all schools', async () => {
    const administrator = await signInAs(product, 'admin@bursar.example')
    const [school] = Object.values(places.locations)
    const head = await inviteAndSignIn(
      product,
      administrator,
      'one.school@harbour.example',
      ['ConsoleOrganisationsReadUpdate'],
      places.organisationId,
      [school!],
    )
    const { status, body } = await head.call('POST', '/api/integrations/credentials', { description: 'Mine', integrationType: 2 }, own)
    expect([status, body]).toEqual([403, 'A link to another system applies to all locations. Ask someone who can see all of them.'])
  })
})

describe('an outgoing network connection', () => {
  const opened = parseOpenedNetworks('127.0.0.1/32')
  it.each([
    ['127.0.0.1', false],
    ['10.1.2.3', false],
    ['172.16.0.1', false],
    ['192.168.1.1', false],
    ['169.254.169.254', false],
    ['100.64.0.1', false],
    ['0.0.0.0', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['::1', false],
    ['::', false],
    ['fe80::1', false],
    ['fc00::1', false],
    ['::ffff:10.0.0.1', false],
    ['::ffff:169.254.169.254', false],
    ['64:ff9b::a00:1', false],
    ['::7f00:1', false],
    ['2606:4700:4700::1111', true],
    ['2002:a00:1::', false],
    ['8.8.8.8', true],
    ['2606:4700:4700::1111', true],
  ])('to %s: %s', (address, may) => {
    expect(isAddressAllowed(address, [])).toBe(may)
  })
  it('goes into a private network only if the installation allows it, and over HTTP only there', async () => {
    const service = await startWebService((_request, response) => response.end('{}'))
    const call = { method: 'GET' as const, url: service.address }
    await expect(sendRequest(call, [])).rejects.toThrow('enter an https address')
    await expect(sendRequest({ ...call, url: service.address.replace('http:', 'https:') }, [])).rejects.toThrow('is on a private network')
    await expect(sendRequest({ ...call, url: 'http://8.8.8.8/' }, opened)).rejects.toThrow('is on a private network')
    expect((await sendRequest(call, opened)).status).toBe(200)
    for (const url of ['http://127.1/', 'http://2130706433/', 'http://0x7f.1/', 'http://[::ffff:127.0.0.1]/'])
      await expect(sendRequest({ method: 'GET', url: url.replace('http:', 'https:') }, [])).rejects.toThrow(OutsideError)
    expect(() => parseOpenedNetworks('the office')).toThrow('OUTBOUND_NETWORKS contains the office')
  })
  it('goes to the very address that was checked, and nowhere if one of them is private', async () => {
    let asked = 0
    const answers = [[{ address: '8.8.8.8', family: 4 }], [{ address: '10.0.0.1', family: 4 }]]
    const lookup = createGuardedLookup((address) => isAddressAllowed(address, []), ((
      _name: string,
      _options: object,
      done: (error: null, found: object) => void,
    ) => done(null, answers[asked++]!)) as never)
    const found = (): Promise<unknown> =>
      new Promise((resolve) => lookup('ledger.example', { all: false }, (error, address) => resolve(error ?? address)))
    expect(await found()).toBe('8.8.8.8')
    expect(await found()).toBeInstanceOf(OutsideError)
  })
  it('cannot be redirected, held up or flooded', async () => {
    const service = await startWebService((request, response) => {
      if (request.url === '/elsewhere') return response.writeHead(302, { Location: 'http://10.0.0.1/' }).end()
      if (request.url === '/endless') {
        const part = Buffer.alloc(64_000, 'x')
        const more = (): void => void (response.destroyed || (response.write(part) ? setImmediate(more) : response.once('drain', more)))
        return more()
      }
      if (request.url === '/drip') return void response.write('x')
      if (request.url === '/protocol')
        return void response.socket!.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')
      if (request.url === '/gone') return void response.socket!.destroy()
    })
    const to = (path: string, timeoutMs = 2000): Promise<unknown> =>
      sendRequest({ method: 'GET', url: service.address + path, timeoutMs }, opened)
    await expect(to('/elsewhere')).rejects.toThrow('redirects to another address')
    await expect(to('/endless', 10_000)).rejects.toThrow('more than a megabyte')
    await expect(to('/protocol')).rejects.toThrow('responded in a protocol that is not HTTP')
    await expect(to('/gone')).rejects.toThrow('closed the connection')
    await expect(to('/drip')).rejects.toThrow('did not respond within 2 seconds')
    await expect(to('/silent')).rejects.toThrow('did not respond within 2 seconds')
  })
})
