import { createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { openStore } from '../../../server/core/database/database.ts'
import { findAddressProblem, isAddressAllowed, parseOpenedNetworks } from '../../../server/core/outside/addresses.ts'
import { sendNextDelivery } from '../../../server/features/integrations/webhooks/sending/commands.ts'
import { startWebService } from '../../support/outside/otherSystems.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import { atEnd } from '../../support/product/endings.ts'
import {
  asClient,
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
import { openOutsideCheckTrigger, until, Workers } from '../../support/running/worker.ts'

let product: Product
let lookOutside: () => void
let finance: Caller
let meadow: Caller
let administrator: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
let theirs: { OrganisationId: OrganisationId }

beforeAll(async () => {
  product = await startProduct({ worker: true, outboundNetworks: parseOpenedNetworks('127.0.0.1/32') })
  lookOutside = await openOutsideCheckTrigger(product)
  finance = await signInAs(product, 'finance@harbour.example')
  meadow = await signInAs(product, 'finance@meadow.example')
  administrator = await signInAs(product, 'admin@bursar.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
  theirs = { OrganisationId: (await findTrustIds(meadow)).organisationId }
})

// An organisation may have only a limited number, and each change is sent to all of them.
afterEach(async () => {
  await owner()`delete from webhooks`
})

const path = '/api/integrations/webhooks'
const owner = () => connectAsOwner(product.config.databaseUrl)

interface Received {
  id: string
  signatures: string[]
  body: Body
  /** Whether one of its signatures was made with a secret. */
  isSignedBy: (secret: string) => boolean
}

/** A receiver that records what it is sent and replies as the test says. */
async function receiver(
  answer: (response: ServerResponse, request: IncomingMessage, count: number) => void = (response) => response.end(),
) {
  const received: Received[] = []
  const service = await startWebService((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const text = Buffer.concat(parts).toString()
      const [id, seconds, signed] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => String(request.headers[name]))
      const signatures = signed!.split(' ')
      expect(Math.abs(Number(seconds) * 1000 - Date.now())).toBeLessThan(300_000)
      const isSignedBy = (secret: string): boolean => {
        const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
        return signatures.includes(`v1,${createHmac('sha256', key).update(`${id}.${seconds}.${text}`).digest('base64')}`)
      }
      received.push({ id: id!, signatures, body: JSON.parse(text), isSignedBy })
      answer(response, request, received.length)
    })
  })
  return { address: `${service.address}/bursar`, received }
}

let number = 0
const add = (address: string, more: object = {}, by = finance, where = own): Promise<Reply> =>
  by.call('POST', path, { name: `Ledger ${++number}`, address, types: ['budget.saved'], ...more }, where)
const made = async (address: string, more: object = {}): Promise<Body> => {
  const { status, body } = await add(address, more)
  expect([status, typeof body.secret]).toEqual([201, 'string'])
  return body
}
const act = (id: number, what: string, body?: object, by = finance, where = own): Promise<Reply> =>
  by.call('POST', `${path}/${id}/${what}`, body, where)
const read = async (id: number): Promise<Body> => (await finance.call('GET', `${path}/${id}`, undefined, own)).body
const deliveries = async (id: number): Promise<Body[]> =>
  (await finance.call('GET', `${path}/${id}/deliveries?most=200`, undefined, own)).body
let turn = 0
/** Changes a budget, which causes an event. */
const rename = (alias = 'Northgate') =>
  browserCall(product, finance, 'budgets.rename', { id: places.budgets[alias], name: `Told ${++turn}` }, places.at(alias))
/** Makes the next attempt of a delivery due. */
const later = async (id: number): Promise<void> => {
  await owner()`update webhook_deliveries set due_at = now() where webhook_id = ${id} and due_at is not null`
  lookOutside()
}
const settled = async (id: number, state: string): Promise<Body> => {
  let found: Body
  await until(`a message is ${state}`, async () => {
    ;[found] = await deliveries(id)
    return found?.state === state
  })
  return found
}

describe('a webhook', () => {
  it('receives the events of the feed, once, signed so that only the product can have sent them', async () => {
    const { address, received } = await receiver()
    const webhook = await made(address)
    const { next } = (await finance.call('GET', '/api/events?most=500', undefined, own)).body
    await rename()
    await until('it is told', () => received.length > 0)
    const [message] = received
    expect(message!.isSignedBy(webhook.secret)).toBe(true)
    let events: Body[] = []
    for (let after = next, before = -1; after !== before; ) {
      before = after
      const { body } = await finance.call('GET', `/api/events?after=${after}&most=500`, undefined, own)
      events = [...events, ...body.events]
      after = body.next
    }
    const told = events.find(({ id }) => id === message!.id)
    expect(message!.body).toEqual({ type: 'budget.saved', timestamp: told.occurredAt, data: told })
    expect(await settled(webhook.id, 'accepted')).toMatchObject({
      messageId: message!.id,
      tries: 1,
      answerStatus: 200,
      answer: null,
      nextTry: null,
    })
    expect(received).toHaveLength(1)
    expect((await read(webhook.id)).lastAccepted).not.toBeNull()
  })
  it('receives no events that it does not ask for', async () => {
    const { address, received } = await receiver()
    const webhook = await made(address, { types: ['month.closed'] })
    await rename()
    await until('the change was gone through', async () => {
      const [row] =
        await owner()`select position = (select max(sequence) from log_chain c where c.organisation_id = w.organisation_id) as done
        from webhooks w where id = ${webhook.id}`
      return row!.done
    })
    expect(await deliveries(webhook.id)).toEqual([])
    expect(received).toEqual([])
  })
  it('is signed with both secrets for a day after a new one was made, then only with the new one', async () => {
    const { address, received } = await receiver()
    const first = await made(address)
    const second = (await act(first.id, 'secret')).body
    expect(second.secret).not.toBe(first.secret)
    expect(second.previousUntil).not.toBeNull()
    await act(first.id, 'test')
    await until('the test arrives', () => received.length === 1)
    expect([first, second].map(({ secret }) => received[0]!.isSignedBy(secret))).toEqual([true, true])
    await settled(first.id, 'accepted')
    await owner()`update webhooks set previous_until = now() where id = ${first.id}`
    await act(first.id, 'test')
    await until('the test arrives', () => received.length === 2)
    expect([first, second].map(({ secret }) => received[1]!.isSignedBy(secret))).toEqual([false, true])
  })
  it('never shows its secret again: not in replies, the history or unencrypted in the database', async () => {
    const { address } = await receiver()
    const webhook = await made(address)
    const rotated = (await act(webhook.id, 'secret')).body
    await act(webhook.id, 'test')
    await settled(webhook.id, 'accepted')
    const sql = owner()
    const said = [
      await read(webhook.id),
      (await finance.call('GET', path, undefined, own)).body,
      await deliveries(webhook.id),
      (await browserAsk(product, finance, 'webhooks.history', { id: webhook.id }, own)).data,
      await sql`select * from webhooks`,
      await sql`select * from webhook_deliveries`,
      await sql`select * from reference_changes where resource = 'webhook'`,
      await sql`select * from answered_calls`,
    ]
    for (const found of said)
      for (const { secret } of [webhook, rotated]) {
        expect(JSON.stringify(found)).not.toContain(secret)
        expect(JSON.stringify(found)).not.toContain(secret.slice(6))
      }
  })
  it('collects events while it is paused, and sends them when it continues', async () => {
    const { address, received } = await receiver()
    const { id } = await made(address)
    expect((await act(id, 'pause')).body.state).toBe('paused')
    await rename()
    await rename()
    expect((await act(id, 'pause')).status).toBe(409)
    expect((await act(id, 'replay', { since: new Date().toISOString() })).status).toBe(409)
    expect((await act(id, 'resume')).body.state).toBe('active')
    await until('both arrive', () => received.length === 2)
    expect(new Set(received.map((one) => one.id)).size).toBe(2)
  })
  it('is deleted with its messages, and its history stays', async () => {
    const { address } = await receiver((response) => response.writeHead(500).end())
    const { id } = await made(address)
    await rename()
    await until('it was tried', async () => (await deliveries(id))[0]?.tries === 1)
    await finance.call('DELETE', `${path}/${id}`, undefined, own)
    expect((await finance.call('GET', `${path}/${id}`, undefined, own)).status).toBe(404)
    expect(await owner()`select 1 from webhook_deliveries where webhook_id = ${id}`).toHaveLength(0)
    const actions = await owner()`select action from reference_changes where resource = 'webhook' and record_id = ${String(id)} order by id`
    expect(actions.map(({ action }) => action)).toEqual(['created', 'deleted'])
  })
})

describe('a receiver that', () => {
  it.each([
    ['fails', (response: ServerResponse) => response.writeHead(500).end('no'), 500, '127.0.0.1 responded with 500.'],
    [
      'points elsewhere',
      (response: ServerResponse) => response.writeHead(307, { Location: 'http://10.0.0.1/' }).end(),
      307,
      '127.0.0.1 redirects to another address; enter that one.',
    ],
    ['breaks off', (response: ServerResponse) => void response.socket!.destroy(), null, '127.0.0.1 closed the connection.'],
    [
      'answers without end',
      (response: ServerResponse) => {
        const part = Buffer.alloc(64_000, 'x')
        const more = (): void => void (response.destroyed || (response.write(part) ? setImmediate(more) : response.once('drain', more)))
        more()
      },
      200,
      '127.0.0.1 responded with more than a megabyte.',
    ],
  ])('%s gets the same message again until it accepts it', async (_how, fail, status, answer) => {
    const { address, received } = await receiver((response, _request, count) =>
      count === 1 ? fail(response) : response.writeHead(204).end(),
    )
    const webhook = await made(address)
    await rename()
    await until(
      'it was tried',
      async () => (await deliveries(webhook.id))[0]?.tries === 1 && (await deliveries(webhook.id))[0]?.triedAt !== null,
    )
    const [failed] = await deliveries(webhook.id)
    expect(failed).toMatchObject({ state: 'waiting', answerStatus: status, answer })
    expect(Date.parse(failed!.nextTry)).toBeGreaterThan(Date.parse(failed!.triedAt))
    expect((await read(webhook.id)).failingSince).not.toBeNull()
    await later(webhook.id)
    expect(await settled(webhook.id, 'accepted')).toMatchObject({ tries: 2, answerStatus: 204 })
    expect(received).toHaveLength(2)
    expect(received[1]!.id).toBe(received[0]!.id)
    expect(received[1]!.body).toEqual(received[0]!.body)
    expect((await read(webhook.id)).failingSince).toBeNull()
  })
  it('stalls does not hold up others', async () => {
    const slow = await receiver(() => undefined)
    const quick = await receiver()
    await made(slow.address)
    const { id } = await made(quick.address)
    await rename()
    await until('the slow one is being asked', () => slow.received.length === 1)
    await rename()
    await until('the quick one has both', () => quick.received.length === 2)
    await settled(id, 'accepted')
    expect(slow.received).toHaveLength(1)
  })
  it('cannot have its messages built does not hold up others', async () => {
    const broken = await made((await receiver()).address)
    const { address, received } = await receiver()
    await owner().unsafe(`alter table webhook_deliveries add constraint broken check (webhook_id <> ${broken.id})`)
    try {
      await made(address)
      await rename()
      await until('the other has its message', () => received.length === 1)
      expect(await deliveries(broken.id)).toEqual([])
    } finally {
      await owner()`alter table webhook_deliveries drop constraint broken`
    }
  })
  it('asks for a pause is left alone for that long', async () => {
    const { address } = await receiver((response) => response.writeHead(503, { 'Retry-After': '7200' }).end())
    const { id } = await made(address)
    await rename()
    await until('it was tried', async () => Boolean((await deliveries(id))[0]?.triedAt))
    const [one] = await deliveries(id)
    expect(Date.parse(one!.nextTry) - Date.parse(one!.triedAt)).toBeGreaterThanOrEqual(7_200_000)
  })
  it('accepts nothing is given up after ten attempts, and can be sent the message again', async () => {
    let isUp = false
    const { address, received } = await receiver((response) => response.writeHead(isUp ? 200 : 404).end())
    const { id } = await made(address)
    await rename()
    await until('it was tried', async () => Boolean((await deliveries(id))[0]?.triedAt))
    await owner()`update webhook_deliveries set tries = 9, due_at = now() where webhook_id = ${id}`
    lookOutside()
    const given = await settled(id, 'failed')
    expect(given).toMatchObject({ tries: 10, nextTry: null, answerStatus: 404 })
    isUp = true
    expect((await act(id, `deliveries/${given.id}/replay`)).body).toEqual({ count: 1 })
    expect(await settled(id, 'accepted')).toMatchObject({ tries: 1 })
    expect(new Set(received.map((one) => one.id)).size).toBe(1)
  })
  it('accepts nothing for three days is switched off, and the users who manage it are notified until it continues', async () => {
    let isUp = false
    const { address, received } = await receiver((response) => response.writeHead(isUp ? 200 : 502).end())
    const { id, name } = await made(address)
    await rename()
    await until('it was tried', async () => (await read(id)).failingSince !== null)
    await owner()`update webhooks set failing_since = now() - interval '3 days' where id = ${id}`
    await later(id)
    await until('it is switched off', async () => (await read(id)).state === 'disabled')
    const { reason } = await read(id)
    expect(reason).toBe('No message was accepted for three days. The last attempt: 127.0.0.1 responded with 502.')
    const notices = async (by: Caller): Promise<Body[]> =>
      (await browserAsk(product, by, 'communications.now', undefined, own)).data.disabledWebhooks
    expect(await notices(finance)).toContainEqual({ id, name, reason })
    expect(await notices(await signInAs(product, 'governor@harbour.example'))).toEqual([])
    const [held] = await deliveries(id)
    expect(held).toMatchObject({ state: 'waiting', nextTry: null })
    isUp = true
    await act(id, 'resume')
    await settled(id, 'accepted')
    expect(received.at(-1)!.id).toBe(held!.messageId)
    expect((await notices(finance)).map((one) => one.id)).not.toContain(id)
  })
  it('says that it is gone is switched off at once', async () => {
    const { address } = await receiver((response) => response.writeHead(410).end())
    const { id } = await made(address)
    await act(id, 'test')
    expect(await settled(id, 'failed')).toMatchObject({ tries: 1, answerStatus: 410 })
    expect((await read(id)).state).toBe('active')
    await rename()
    await until('it is switched off', async () => (await read(id)).state === 'disabled')
    expect((await read(id)).reason).toBe('The receiver responded that the address no longer exists (410).')
  })
  it('was away is sent everything again from a chosen time, also what happened before the webhook existed', async () => {
    const since = new Date().toISOString()
    await rename()
    const { address, received } = await receiver()
    const { id } = await made(address)
    await rename()
    await until('the second arrives', () => received.length === 1)
    await settled(id, 'accepted')
    expect((await act(id, 'replay', { since })).body).toEqual({ count: 1 })
    await until('both arrive', () => new Set(received.map((one) => one.id)).size === 2 && received.length === 3)
    const refused = await act(id, 'replay', { since: '2020-01-01T00:00:00Z' })
    expect([refused.status, refused.body]).toEqual([400, 'Choose a time in the last 30 days. Older events are in the events feed.'])
  })
})

describe('two workers at once', () => {
  it('send a message requested again once more, only after the first delivery has its result', async () => {
    let release: () => void = () => undefined
    const { address, received } = await receiver((response, _request, count) => {
      if (count === 1) release = () => void response.writeHead(500).end()
      else response.end()
    })
    const { id } = await made(address)
    await rename()
    await until('it is being sent', () => received.length === 1)
    const [message] = await deliveries(id)
    for (let times = 0; times < 2; times++) expect((await act(id, `deliveries/${message!.id}/replay`)).body).toEqual({ count: 1 })
    const target = { organisationId: places.organisationId, id }
    const store = openStore(product.config, 1)
    atEnd(() => store.close())
    expect(await sendNextDelivery(store, target, product.config.outboundNetworks)).toBe(false)
    expect(received).toHaveLength(1)
    release()
    expect(await settled(id, 'accepted')).toMatchObject({ tries: 1, answerStatus: 200, answer: null })
    expect(received.map((one) => one.id)).toEqual([message!.messageId, message!.messageId])
    expect((await read(id)).failingSince).toBeNull()
  })
})

describe('a worker that is killed', () => {
  it('between sending and recording it leaves the message to be sent again, with the same id, and loses and repeats no other', async () => {
    const alone = await startProduct({ outboundNetworks: parseOpenedNetworks('127.0.0.1/32') })
    const workers = new Workers()
    atEnd(() => workers.killAll())
    const person = await signInAs(alone, 'finance@harbour.example')
    const there = await findTrustIds(person)
    const where = { OrganisationId: there.organisationId }
    let isHeld = true
    const { address, received } = await receiver((response) => void (isHeld || response.end()))
    const { body: webhook } = await person.call('POST', path, { name: 'Ledger', address, types: ['budget.saved'] }, where)
    for (const count of [1, 2, 3])
      await browserCall(alone, person, 'budgets.rename', { id: there.budgets.Northgate, name: `Killed ${count}` }, there.at('Northgate'))
    await workers.start(alone, { OUTBOUND_NETWORKS: '127.0.0.1/32' })
    await until('the first is being sent', () => received.length === 1)
    await workers.killAll()
    isHeld = false
    const sql = connectAsOwner(alone.config.databaseUrl)
    const [claimed] =
      await sql`select count(*)::int as count from webhook_deliveries where tries = 1 and state = 'waiting' and due_at > now()`
    expect(claimed!.count).toBe(1)
    await sql`update webhook_deliveries set due_at = now(), claimed_until = null`
    await workers.start(alone, { OUTBOUND_NETWORKS: '127.0.0.1/32' })
    await until('all are accepted', async () => {
      const rows = (await person.call('GET', `${path}/${webhook.id}/deliveries`, undefined, where)).body as Body[]
      return rows.length === 3 && rows.every(({ state }) => state === 'accepted')
    })
    const counts = new Map<string, number>()
    for (const { id } of received) counts.set(id, (counts.get(id) ?? 0) + 1)
    expect([...counts.values()].sort()).toEqual([1, 1, 2])
  }, 180_000)
})

describe('access to webhooks', () => {
  it('is refused to another trust, which sees, changes and receives nothing', async () => {
    const { address, received } = await receiver()
    const { body: foreign } = await add(address, { types: ['budget.saved'] }, meadow, theirs)
    const { id } = await made((await receiver()).address)
    for (const [method, rest] of [
      ['GET', ''],
      ['GET', '/deliveries'],
      ['DELETE', ''],
      ['POST', '/pause'],
      ['POST', '/test'],
      ['POST', '/secret'],
    ] as const)
      expect([method, rest, (await meadow.call(method, `${path}/${id}${rest}`, undefined, theirs)).status]).toEqual([method, rest, 404])
    expect((await meadow.call('GET', path, undefined, theirs)).body.map((one: Body) => one.id)).toEqual([foreign.id])
    expect((await meadow.call('GET', path, undefined, own)).status).toBe(403)
    await rename()
    await settled(id, 'accepted')
    expect(received).toEqual([])
    const [message] = await deliveries(id)
    expect((await meadow.call('POST', `${path}/${foreign.id}/deliveries/${message!.id}/replay`, undefined, theirs)).status).toBe(404)
  })
  it('is read-only with the Read permission, and a user of one school, or an API client, sets up none', async () => {
    const { address } = await receiver()
    const { id } = await made(address)
    const reader = await inviteAndSignIn(
      product,
      administrator,
      'hooks.read@harbour.example',
      ['ConsoleOrganisationsRead'],
      places.organisationId,
    )
    expect((await reader.call('GET', `${path}/${id}`, undefined, own)).status).toBe(200)
    expect((await act(id, 'pause', undefined, reader)).status).toBe(403)
    expect((await add(address, {}, reader)).status).toBe(403)
    const governor = await signInAs(product, 'governor@harbour.example')
    expect((await governor.call('GET', path, undefined, own)).status).toBe(403)
    const rights = ['ConsoleOrganisationsReadUpdate', 'BudgetingOverviewRead']
    const school = [Object.values(places.locations)[0]!]
    const head = await inviteAndSignIn(product, administrator, 'hooks.school@harbour.example', rights, places.organisationId, school)
    expect((await add(address, {}, head)).status).toBe(403)
    expect((await add(address, {}, await asClient(product, 'harbour'))).status).toBe(403)
  })
  it('lets nobody receive events that they may not read', async () => {
    const { address } = await receiver()
    const keeper = await inviteAndSignIn(
      product,
      administrator,
      'hooks.keeper@harbour.example',
      ['ConsoleOrganisationsReadUpdate', 'BudgetingOverviewRead'],
      places.organisationId,
    )
    const refused = await add(address, { types: ['budget.saved', 'payroll.completed'] }, keeper)
    expect([refused.status, refused.body]).toEqual([400, 'Choose only events that you can read yourself.'])
    expect((await add(address, {}, keeper)).status).toBe(201)
    const { id, version, name } = await made(address, { types: ['payroll.completed'] })
    const moved = await keeper.call('PUT', path, { id, version, name, address: `${address}/mine`, types: ['budget.saved'] }, own)
    expect([moved.status, moved.body]).toEqual([
      403,
      'This webhook sends events that you may not see. Ask someone who may see all of them to make the change.',
    ])
  })
})

describe('an invalid webhook', () => {
  it('is refused with a sentence at its field', async () => {
    const { address } = await receiver()
    const refused = async (body: object): Promise<unknown> => (await add(address, body)).body
    expect(await refused({ address: 'ledger' })).toBe('Enter the address as https://name/path.')
    expect(await refused({ address: 'https://ledger.example/?key=secret' })).toMatch(/without \? or #/)
    expect(await refused({ address: 'https://10.0.0.1/' })).toMatch(/is on a private network/)
    expect(await refused({ address: 'https://169.254.169.254/latest' })).toMatch(/is on a private network/)
    expect(await refused({ address: 'http://8.8.8.8/' })).toMatch(/is on a private network/)
    expect(await refused({ types: [] })).toBe('Choose at least one event.')
    expect(await refused({ types: ['budget.saved', 'budget.saved'] })).toBe('Choose each event once.')
    const { name } = await made(address)
    const twice = await add(address, { name: name.toUpperCase() })
    expect([twice.status, twice.body]).toEqual([409, 'Name is already used.'])
  })
  it('has a URL whose name leads into a private network, even if it leads elsewhere too', async () => {
    const answering = (...addresses: string[]) =>
      ((_name: string, _options: object, done: (error: null, found: object) => void) =>
        done(
          null,
          addresses.map((address) => ({ address, family: 4 })),
        )) as never
    expect(await findAddressProblem('https://ledger.example/', [], answering('8.8.8.8'))).toBeNull()
    expect(await findAddressProblem('https://ledger.example/', [], answering('8.8.8.8', '10.0.0.1'))).toMatch(/private network/)
    expect(await findAddressProblem('http://ledger.example/', [], answering('8.8.8.8'))).toMatch(/enter an https address/)
    expect(isAddressAllowed('10.0.0.1', [])).toBe(false)
  })
  it('receives nothing once its name leads into a private network', async () => {
    const closed = await startProduct({ worker: true })
    const person = await signInAs(closed, 'finance@harbour.example')
    const there = await findTrustIds(person)
    const where = { OrganisationId: there.organisationId }
    const { address, received } = await receiver()
    const sql = connectAsOwner(closed.config.databaseUrl)
    const refused = await person.call('POST', path, { name: 'Ledger', address, types: ['budget.saved'] }, where)
    expect([refused.status, refused.body]).toEqual([400, '127.0.0.1: enter an https address.'])
    const { body } = await person.call('POST', path, { name: 'Ledger', address: 'https://8.8.8.8/', types: ['budget.saved'] }, where)
    await sql`update webhooks set address = ${address.replace('http:', 'https:').replace('127.0.0.1', 'localhost')} where id = ${body.id}`
    await person.call('POST', `${path}/${body.id}/test`, undefined, where)
    let message: Body
    await until('it was tried', async () => {
      ;[message] = (await person.call('GET', `${path}/${body.id}/deliveries`, undefined, where)).body
      return message?.state === 'failed'
    })
    expect(message.answer).toMatch(/localhost is on a private network/)
    expect(received).toEqual([])
  })
})
