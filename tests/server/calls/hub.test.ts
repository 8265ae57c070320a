import { beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { toOrganisationId } from '../../../domain/values/ids.ts'
import { announceRightsChanged } from '../../../server/core/live/rightsChanged.ts'
import { openFanOut } from '../../../server/core/queue/queues.ts'
import { serve } from '../../../server/serve.ts'
import { browserAsk, type Caller, findTrustIds, inviteAndSignIn, signInAs, type TrustIds } from '../../support/product/http.ts'
import { connect } from '../../support/product/hub.ts'
import { configOf, type Product, startProduct } from '../../support/product/product.ts'

let product: Product
let finance: Caller
let manager: Caller
let places: TrustIds

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  manager = await signInAs(product, 'northgate@harbour.example')
  places = await findTrustIds(finance)
})

async function soon(condition: () => boolean, timeoutMs = 8000): Promise<void> {
  const end = Date.now() + timeoutMs
  while (!condition() && Date.now() < end) await new Promise((done) => setTimeout(done, 20))
  expect(condition()).toBe(true)
}

/** A connection of a program without a SignalR client. Whatever it sends goes into one frame. */
async function rawSocket({ token }: Caller) {
  const address = `${product.origin.replace('http', 'ws')}/organisationhub?organisationId=${places.organisationId}&access_token=${token}`
  const socket = new WebSocket(address)
  const heard: { type?: number }[] = []
  const end = '\u001e'
  const send = (...records: unknown[]) => socket.send(records.map((one) => JSON.stringify(one) + end).join(''))
  socket.on('message', (data) =>
    heard.push(
      ...String(data)
        .split(end)
        .filter(Boolean)
        .map((text) => JSON.parse(text)),
    ),
  )
  await new Promise((opened) => socket.once('open', opened))
  send({ protocol: 'json', version: 1 })
  return { heard, send, close: () => socket.terminate() }
}

describe('the hub, with the standard client', () => {
  it('B-199 B-202 sends a message to everybody else of the organisation and replies to the sender', async () => {
    const [a, b] = [await connect(product, finance, places.organisationId), await connect(product, manager, places.organisationId)]
    expect(await a.connection.invoke('SendMessage', { message: 'Payroll is in' })).toEqual(expect.any(String))
    await soon(() => b.messages.length === 1)
    expect(b.messages[0]).toMatchObject({ target: 'ReceiveMessage', argument: { title: 'Ruth Mensah', message: 'Payroll is in' } })
    expect(a.messages).toHaveLength(0)
    await expect(a.connection.invoke('SendMessage', { message: '' })).rejects.toThrow('1 to 500')
    await expect(a.connection.invoke('NoSuchThing')).rejects.toThrow()
    await Promise.all([a.connection.stop(), b.connection.stop()])
  })
  it('reaches users connected to any of several servers', async () => {
    const config = { ...(await configOf(product.config.databaseUrl)), origin: product.origin, queuePrefix: product.config.queuePrefix }
    const second = await serve(config)
    const [a, b] = [
      await connect(product, finance, places.organisationId),
      await connect({ config, origin: `http://localhost:${config.port}` }, manager, places.organisationId),
    ]
    await a.connection.invoke('SendMessage', { message: 'Across servers' })
    await soon(() => b.messages.length === 1)
    await Promise.all([a.connection.stop(), b.connection.stop()])
    await second.close()
  })
  it('B-198 refuses an invalid token, and another organisation', async () => {
    await expect(connect(product, { token: 'none' }, places.organisationId)).rejects.toThrow(/401/)
    const stranger = await signInAs(product, 'finance@meadow.example')
    await expect(connect(product, stranger, places.organisationId)).rejects.toThrow(/403/)
    await expect(connect(product, finance, toOrganisationId(999))).rejects.toThrow(/403/)
  })
  it('B-207 sends nothing to another organisation', async () => {
    const stranger = await signInAs(product, 'finance@meadow.example')
    const theirs = (await findTrustIds(stranger)).organisationId
    const [a, b] = [await connect(product, finance, places.organisationId), await connect(product, stranger, theirs)]
    await a.connection.invoke('SendMessage', { message: 'Ours only' })
    await new Promise((done) => setTimeout(done, 400))
    expect(b.messages).toHaveLength(0)
    await Promise.all([a.connection.stop(), b.connection.stop()])
  })
  it('shows who has a budget open to those who have it open too, for as long as they are connected', async () => {
    const [a, b] = [await connect(product, finance, places.organisationId), await connect(product, manager, places.organisationId)]
    const { LocationId: locationId, BudgetId: budgetId } = places.at('Northgate')
    const others = async (who: Caller) => (await browserAsk(product, who, 'presence.others', { record: '/' }, places.at('Northgate'))).data
    await a.connection.invoke('Present', { locationId, budgetId, place: 'overview' })
    await soon(() => b.messages.length === 1)
    expect(b.messages[0]).toEqual({ target: 'PresenceChanged', argument: { locationId, budgetId, record: null } })
    expect([await others(manager), await others(finance)]).toEqual([[{ name: 'Ruth Mensah', place: 'overview', fields: [] }], []])
    // Repeating the same presence is no news; another place is.
    await a.connection.invoke('Present', { locationId, budgetId, place: 'overview' })
    await a.connection.invoke('Present', { locationId, budgetId, place: 'staffing' })
    await soon(() => b.messages.length === 2)
    expect(await others(manager)).toEqual([{ name: 'Ruth Mensah', place: 'staffing', fields: [] }])
    await a.connection.stop()
    await soon(() => b.messages.length === 3)
    expect(await others(manager)).toEqual([])
    const beacon = places.at('Beacon')
    for (const [where, refused] of [
      [{ locationId: beacon.LocationId, budgetId: beacon.BudgetId, place: '' }, 'You do not have permission'],
      [{ locationId, budgetId: beacon.BudgetId, place: '' }, 'The budget was not found'],
      [{ locationId, budgetId: "'; --", place: '' }, 'Send a location'],
      ['here', 'Send a location'],
    ] as const)
      await expect(b.connection.invoke('Present', where)).rejects.toThrow(refused)
    await b.connection.stop()
  })
  it('shows which field of a record a user is in, to those who see the school, until the user leaves it', async () => {
    const administrator = await signInAs(product, 'admin@bursar.example')
    const { LocationId: locationId, BudgetId: budgetId } = places.at('Northgate')
    const beacon = places.locations.Beacon!
    const elsewhere = await inviteAndSignIn(
      product,
      administrator,
      'beacon-hears@harbour.example',
      ['BudgetingOverviewRead'],
      places.organisationId,
      [beacon],
    )
    const [a, b, c] = await Promise.all([finance, manager, elsewhere].map((who) => connect(product, who, places.organisationId)))
    const present = (field: string, record = '/staffing/staff-contracts/1') =>
      a!.connection.invoke('Present', { locationId, budgetId, place: 'staffing', record, field })
    const fieldsAt = async (of: string) =>
      (await browserAsk(product, manager, 'presence.others', { record: of }, places.at('Northgate'))).data[0]?.fields
    const fields = () => fieldsAt(record)
    const told = (record: string | null) => ({ target: 'PresenceChanged', argument: { locationId, budgetId, record } })
    const record = '/staffing/staff-contracts/1'

    await present('')
    await present('position')
    await present('position')
    await present('salary:3')
    expect([await fields(), await fieldsAt('/staffing/staff-contracts/2')]).toEqual([['salary:3'], []])
    await soon(() => b!.messages.length === 3)
    expect(b!.messages).toEqual([told(null), told(record), told(record)])
    for (const [field, where] of [
      ['<b>', record],
      ['x'.repeat(101), record],
      ['position', '/staffing?<b>'],
      ['position', `/${'x'.repeat(200)}`],
    ])
      await expect(present(field!, where)).rejects.toThrow('Send a location')
    expect(await fields()).toEqual(['salary:3'])
    await present('')
    expect(await fields()).toEqual([''])
    await a!.connection.stop()
    await soon(() => b!.messages.length === 5)
    expect(await fields()).toBeUndefined()
    expect(c!.messages).toEqual([])
    await Promise.all([b!.connection.stop(), c!.connection.stop()])
  })
  it('hides records of staff from users who may not see staff', async () => {
    const governor = await signInAs(product, 'governor@harbour.example')
    const [a, b, c] = await Promise.all([finance, manager, governor].map((who) => connect(product, who, places.organisationId)))
    const { LocationId: locationId, BudgetId: budgetId } = places.at('Northgate')
    const records = ['/staffing/staff-contracts/1', '/non-staffing/budget-entries/1']
    const seen: unknown[] = []
    for (const record of records)
      for (const field of ['', 'amount']) {
        await a!.connection.invoke('Present', { locationId, budgetId, place: 'somewhere', record, field })
        const fieldsFor = async (who: Caller) =>
          (await browserAsk(product, who, 'presence.others', { record }, places.at('Northgate'))).data[0].fields
        if (field) seen.push([await fieldsFor(manager), await fieldsFor(governor)])
      }
    expect(seen).toEqual([
      [['amount'], []],
      [['amount'], ['amount']],
    ])
    const told = (record: string | null) => ({ target: 'PresenceChanged', argument: { locationId, budgetId, record } })
    await soon(() => b!.messages.length === 4)
    await soon(() => c!.messages.length === 3)
    expect(c!.messages).toEqual([told(null), told(null), told(records[1]!)])
    await Promise.all([a!, b!, c!].map(({ connection }) => connection.stop()))
  })
  it('ignores a client once it has disconnected it, and refuses what it cannot do', async () => {
    const { LocationId: locationId, BudgetId: budgetId } = places.at('Northgate')
    const said = (target: string, argument: unknown, invocationId?: string) => ({ type: 1, target, arguments: [argument], invocationId })
    const [listener, socket] = [await connect(product, finance, places.organisationId), await rawSocket(manager)]
    const answers = () => socket.heard.filter(({ type }) => type === 3)
    socket.send(said('Present', { locationId, budgetId, place: '\u0000' }, 'odd'))
    await soon(() => answers().length === 1)
    expect(answers()).toEqual([{ type: 3, invocationId: 'odd', error: 'A value in the request cannot be stored or compared.' }])
    socket.send({ type: 7 }, said('Present', { locationId, budgetId, place: 'gone' }), said('SendMessage', 'After the end'))
    await soon(() => socket.heard.some(({ type }) => type === 7))
    // A reply to the next client comes after everything sent before.
    const { connection } = await connect(product, manager, places.organisationId)
    await connection.invoke('SendMessage', { message: 'Begun anew' })
    await soon(() => listener.messages.length > 0)
    const others = await browserAsk(product, finance, 'presence.others', { record: '' }, places.at('Northgate'))
    expect([others.data, listener.messages.map(({ argument }) => Reflect.get(Object(argument), 'message'))]).toEqual([[], ['Begun anew']])
    await Promise.all([connection.stop(), listener.connection.stop()])
    socket.close()
  })
  it('does only the last of a screen’s messages that come faster than they can be handled', async () => {
    const [a, b] = [await connect(product, finance, places.organisationId), await connect(product, manager, places.organisationId)]
    const { LocationId: locationId, BudgetId: budgetId } = places.at('Northgate')
    const fields = Array.from({ length: 40 }, (_unused, index) => `field ${index}`)
    const where = { locationId, budgetId, place: 'staffing', record: '/staffing/staff-contracts/1' }
    await Promise.all(fields.map((field) => a.connection.invoke('Present', { ...where, field })))
    const others = (await browserAsk(product, manager, 'presence.others', { record: where.record }, places.at('Northgate'))).data
    expect(others[0].fields).toEqual(['field 39'])
    await a.connection.stop()
    await soon(() => b.messages.some(({ argument }) => Reflect.get(Object(argument), 'record') === null && b.messages.length > 1))
    expect(b.messages.length).toBeLessThan(20)
    await b.connection.stop()
  })
  it('counts the messages of screens with a user’s calls, over however many connections', async () => {
    const administrator = await signInAs(product, 'admin@bursar.example')
    const busy = await inviteAndSignIn(product, administrator, 'busy@harbour.example', ['BudgetingOverviewRead'], places.organisationId)
    const both = [await connect(product, busy, places.organisationId), await connect(product, busy, places.organisationId)]
    const said = await Promise.all(
      both.flatMap(({ connection }) =>
        Array.from({ length: 650 }, () =>
          connection.invoke('Present', 'nowhere').then(
            () => '',
            (error: Error) => error.message,
          ),
        ),
      ),
    )
    expect(said.filter((words) => words.includes('Send a location')).length).toBeGreaterThan(1000)
    expect(said.filter((words) => words.includes('Too many requests')).length).toBeGreaterThan(50)
    await Promise.all(both.map(({ connection }) => connection.stop()))
  })
  it('limits how often one user may connect', async () => {
    const administrator = await signInAs(product, 'admin@bursar.example')
    const eager = await inviteAndSignIn(product, administrator, 'eager@harbour.example', ['BudgetingOverviewRead'], places.organisationId)
    const address = `${product.origin}/OrganisationHub/negotiate?organisationId=${places.organisationId}`
    const headers = { Authorization: `Bearer ${eager.token}` }
    const statuses: number[] = []
    for (let round = 0; round < 26; round++)
      statuses.push(
        ...(await Promise.all(Array.from({ length: 50 }, async () => (await fetch(address, { method: 'POST', headers })).status))),
      )
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(1000)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(50)
    await expect(connect(product, eager, places.organisationId)).rejects.toThrow(/429/)
  })
  it('tells a user of one school that something was recalculated, but not the cost of other schools’ staff or the names of their budgets', async () => {
    const [a, b] = [await connect(product, finance, places.organisationId), await connect(product, manager, places.organisationId)]
    const fanOut = await openFanOut(product.config, 'server')
    const run = { budgetGroupId: null, budgetId: places.at('Beacon').BudgetId, budgetIds: [places.at('Beacon').BudgetId] }
    const end = { ...run, totals: [1320721.58], position: 1, failed: false, cancelled: false, failure: null }
    await fanOut.publish(places.organisationId, { target: 'BudgetsRecalculated', argument: end })
    const required = {
      budgetGroupIds: [places.groupId],
      budgetIds: run.budgetIds,
      names: ['The group', 'Secret merger'],
      reason: 'Allowances',
    }
    await fanOut.publish(places.organisationId, { target: 'BudgetGroupsRequireContractRecalculation', argument: required })
    await soon(() => a.messages.length === 2 && b.messages.length === 2)
    expect(a.messages.map((one) => one.argument)).toEqual([end, required])
    expect(b.messages.map((one) => one.argument)).toEqual([
      { ...end, totals: [] },
      { ...required, names: ['The group'] },
    ])
    await Promise.all([a.connection.stop(), b.connection.stop(), fanOut.close()])
  })
  it('loses no message when a connection breaks: it is resumed', async () => {
    const [sender, listener] = [
      await connect(product, finance, places.organisationId),
      await connect(product, manager, places.organisationId, true),
    ]
    const id = listener.connection.connectionId
    await sender.connection.invoke('SendMessage', { message: 'before' })
    await soon(() => listener.messages.length === 1)
    // Cuts the client’s transport as a network failure would.
    const transport = (listener.connection as unknown as { connection: { transport: { _webSocket: { close(): void } } } }).connection
      .transport
    transport._webSocket.close()
    await sender.connection.invoke('SendMessage', { message: 'while away' })
    await sender.connection.invoke('SendMessage', { message: 'after' })
    await soon(() => listener.messages.length === 3)
    expect(listener.messages.map(({ argument }) => (argument as { message: string }).message)).toEqual(['before', 'while away', 'after'])
    expect(listener.connection.connectionId).toBe(id)
    await Promise.all([sender.connection.stop(), listener.connection.stop()])
  })
  it('lets one user send ten messages a minute, over all their connections, and names the sender', async () => {
    const auditor = await signInAs(product, 'auditor@harbour.example')
    const [one, two, listener] = await Promise.all([auditor, auditor, manager].map((who) => connect(product, who, places.organisationId)))
    for (let count = 0; count < 10; count++) await (count % 2 ? one : two)!.connection.invoke('SendMessage', { message: `${count}` })
    for (const { connection } of [one!, two!])
      await expect(connection.invoke('SendMessage', { message: 'eleven' })).rejects.toThrow('You can send ten messages a minute')
    await soon(() => listener!.messages.length === 10)
    const { body } = await auditor.call('GET', '/api/Authorisation')
    expect(listener!.messages[0]!.argument).toMatchObject({ title: body.user.name, fromId: body.user.id })
    await Promise.all([one!, two!, listener!].map(({ connection }) => connection.stop()))
  })
  it('disconnects a user whose account is made inactive, at once and for good', async () => {
    const administrator = await signInAs(product, 'admin@bursar.example')
    const leaver = await inviteAndSignIn(
      product,
      administrator,
      'leaver@harbour.example',
      ['ConsoleCostCentresRead'],
      places.organisationId,
    )
    const { body } = await leaver.call('GET', '/api/Authorisation')
    const { connection, messages } = await connect(product, leaver, places.organisationId)
    let closed = false
    connection.onclose(() => (closed = true))
    const user = (await administrator.call('GET', `/api/Users/${body.user.id}`)).body
    expect((await administrator.call('PUT', '/api/Users', { ...user, active: false })).status).toBe(200)
    await soon(() => closed)
    const { connection: sender } = await connect(product, manager, places.organisationId)
    await sender.invoke('SendMessage', { message: 'after leaving' })
    expect(messages).toEqual([])
    await sender.stop()
  })
  it('disconnects a user who was moved to another organisation', async () => {
    const administrator = await signInAs(product, 'admin@bursar.example')
    const theirs = (await findTrustIds(await signInAs(product, 'finance@meadow.example'))).organisationId
    const mover = await inviteAndSignIn(product, administrator, 'mover@harbour.example', ['ConsoleCostCentresRead'], places.organisationId)
    const { body } = await mover.call('GET', '/api/Authorisation')
    const { connection } = await connect(product, mover, places.organisationId)
    let closed = false
    connection.onclose(() => (closed = true))
    const user = (await administrator.call('GET', `/api/Users/${body.user.id}`)).body
    const elsewhere = user.memberships.map((one: object) => ({ ...one, organisationId: theirs }))
    const moved = await administrator.call('PUT', '/api/Users', { ...user, organisationIds: [theirs], memberships: elsewhere })
    expect([moved.status, moved.body.organisationIds]).toEqual([200, [theirs]])
    await soon(() => closed)
    await expect(connect(product, mover, places.organisationId)).rejects.toThrow(/403/)
  })
  it('disconnects a revoked API client', async () => {
    const administrator = await signInAs(product, 'admin@bursar.example')
    const own = { OrganisationId: places.organisationId }
    const groups = (await administrator.call('POST', '/api/UserGroups/list', {}, own)).body.rows
    const made = await administrator.call('POST', '/api/ApiClients', { name: 'Hears', userGroupIds: [groups[0].id], locationIds: [] }, own)
    expect(made.status).toBe(201)
    const reply = await fetch(`${product.origin}/oidc/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: made.body.clientId,
        client_secret: made.body.secret,
        scope: 'api',
      }),
    })
    const { access_token: token } = (await reply.json()) as { access_token: string }
    const { connection } = await connect(product, { token }, places.organisationId)
    let closed = false
    connection.onclose(() => (closed = true))
    expect((await administrator.call('POST', `/api/ApiClients/${made.body.id}/revoke`, undefined, own)).status).toBe(200)
    await soon(() => closed)
  })
  it('ends with the token it was opened with, so that a signed-out user hears nothing more', async () => {
    const { connection } = await connect(product, manager, places.organisationId)
    const [ends, back] = [vi.fn(), vi.fn()]
    connection.onreconnecting(ends)
    connection.onclose(back)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * 60_000 })
    try {
      // Checks the rights of all connections now, as a server does every minute.
      const fanOut = await openFanOut(product.config, 'rights')
      await announceRightsChanged({ fanOut })
      await soon(() => ends.mock.calls.length === 1, 20_000)
      await soon(() => back.mock.calls.length === 1)
      await fanOut.close()
    } finally {
      vi.useRealTimers()
    }
  })
})
