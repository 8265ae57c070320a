import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { OrganisationId } from '../../domain/values/ids.ts'
import { serve } from '../../server/serve.ts'
import { createDatabase } from '../support/product/database.ts'
import { type Caller, findTrustIds, signInAs } from '../support/product/http.ts'
import { configOf, type Product } from '../support/product/product.ts'
import { startServerProcess } from '../support/running/serverProcess.ts'

/** The folder in which held calls report that they have started, and in which the test releases them. */
let folder: string
let product: Product
let finance: Caller
let neighbour: Caller
let governor: Caller
let own: { OrganisationId: OrganisationId }
let theirs: { OrganisationId: OrganisationId }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bursar-held-'))
  const config = { ...(await configOf(await createDatabase())), exchangeDir: folder }
  const server = await serve(config, new URL('../support/running/heldThread.mjs', import.meta.url))
  product = { config, origin: config.origin }
  finance = await signInAs(product, 'finance@harbour.example')
  neighbour = await signInAs(product, 'finance@meadow.example')
  governor = await signInAs(product, 'governor@harbour.example')
  own = { OrganisationId: (await findTrustIds(finance)).organisationId }
  theirs = { OrganisationId: (await findTrustIds(neighbour)).organisationId }
  return async () => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

const begun = (): string[] => (existsSync(join(folder, 'begun')) ? readFileSync(join(folder, 'begun'), 'utf8').trim().split('\n') : [])
const hasBegun = (name: string) => vi.waitFor(() => expect(begun()).toContain(name), { timeout: 20_000 })
const letGo = (name: string): void => writeFileSync(join(folder, name), '')

interface Asked {
  status: number
  text: string
  headers: Headers
}

const side = { budgetId: 'f'.repeat(24) }
const question = encodeURIComponent(JSON.stringify({ json: { a: side, b: side } }))
/** Makes a long call that only reads: a comparison. */
const look = (caller: Caller, of: { OrganisationId: OrganisationId }, name: string, signal?: AbortSignal): Promise<Asked> =>
  send(caller, of, name, { method: 'GET', path: `/trpc/moments.compare?input=${question}`, signal })

/** Makes a long call that writes: an import of budget codes. */
const bring = (caller: Caller, of: { OrganisationId: OrganisationId }, name: string, body: unknown): Promise<Asked> =>
  send(caller, of, name, { method: 'POST', path: '/api/BudgetCodes/import', body: JSON.stringify(body) })

async function send(
  { token }: Caller,
  of: { OrganisationId: OrganisationId },
  name: string,
  { path, ...how }: { method: string; path: string; body?: string; signal?: AbortSignal },
): Promise<Asked> {
  const headers = {
    ApiVersion: '2',
    Authorization: `Bearer ${token}`,
    OrganisationId: String(of.OrganisationId),
    'Content-Type': 'application/json',
    'X-Request-Id': name,
  }
  const reply = await fetch(product.origin + path, { ...how, headers })
  return { status: reply.status, text: await reply.text(), headers: reply.headers }
}

/** Makes some short calls, so that the server has handled everything sent before. */
const heard = async (): Promise<void> => {
  for (let time = 0; time < 5; time++) await finance.call('GET', '/api/Authorisation', undefined, own)
}

const row = { Type: 'Expenditure', Code: 'L1', Description: 'Long', Category: 'Non-staffing' }

it('the server as shipped runs long calls in threads', { timeout: 120_000 }, async () => {
  const shipped = await startServerProcess()
  const caller = await signInAs(shipped, 'finance@harbour.example')
  const { organisationId } = await findTrustIds(caller)
  const { status, body } = await caller.call('POST', '/api/BudgetCodes/import', [row], { OrganisationId: organisationId })
  expect([status, body.created], shipped.log()).toEqual([200, 1])
})

describe('while an organisation uses its share of the long calls', () => {
  it('its next one waits, another organisation’s starts, and all are answered in the end', async () => {
    const running = ['own-call-1', 'own-call-2'].map((name) => look(finance, own, name))
    await Promise.all(['own-call-1', 'own-call-2'].map(hasBegun))
    const waiting = look(finance, own, 'own-call-3')
    const other = look(neighbour, theirs, 'their-call')
    await hasBegun('their-call')
    expect(begun()).not.toContain('own-call-3')
    letGo('their-call')
    expect((await other).status).toBe(200)
    letGo('own-call-1')
    await hasBegun('own-call-3')
    for (const name of ['own-call-2', 'own-call-3']) letGo(name)
    for (const { status } of await Promise.all([...running, waiting])) expect(status).toBe(200)
  })

  it('a call without permission, and one with invalid input, are answered without waiting', async () => {
    const running = ['busy-call-1', 'busy-call-2'].map((name) => bring(finance, own, name, [row]))
    const other = look(neighbour, theirs, 'busy-call-3')
    await Promise.all(['busy-call-1', 'busy-call-2', 'busy-call-3'].map(hasBegun))
    const forbidden = await bring(governor, own, 'forbidden-call', [row])
    expect(forbidden).toMatchObject({ status: 403, text: 'You do not have permission to do this.' })
    const elsewhere = await bring(finance, theirs, 'elsewhere-call', [row])
    expect(elsewhere.status).toBe(403)
    const wrong = await bring(finance, own, 'wrong-call', { rows: 5 })
    expect(wrong.status).toBe(400)
    for (const name of ['busy-call-1', 'busy-call-2', 'busy-call-3']) letGo(name)
    for (const { status } of await Promise.all([...running, other])) expect(status).toBe(200)
    for (const name of ['forbidden-call', 'elsewhere-call', 'wrong-call']) expect(begun()).not.toContain(name)
  })

  it('a caller who disconnects leaves the line, and their read-only call is stopped', async () => {
    const [gone, goneInLine] = [new AbortController(), new AbortController()]
    const ended = look(finance, own, 'ended-call', gone.signal).catch((error) => error.name)
    const kept = look(finance, own, 'kept-call')
    await Promise.all(['ended-call', 'kept-call'].map(hasBegun))
    const left = look(finance, own, 'left-call', goneInLine.signal).catch((error) => error.name)
    const last = look(finance, own, 'last-call')
    // Wait until the server has handled the earlier requests.
    await heard()
    goneInLine.abort()
    expect(await left).toBe('AbortError')
    await heard()
    // Nobody releases this call: its slot is free because its caller has disconnected.
    gone.abort()
    expect(await ended).toBe('AbortError')
    await hasBegun('last-call')
    for (const name of ['kept-call', 'last-call']) letGo(name)
    for (const { status } of await Promise.all([kept, last])) expect(status).toBe(200)
    expect(begun()).not.toContain('left-call')
  })

  it('only a limited number may wait; the next is refused with the time after which to retry', async () => {
    const names = Array.from({ length: 63 }, (_unused, n) => `queued-call-${n}`)
    for (const name of names) letGo(name)
    rmSync(join(folder, 'queued-call-0'))
    rmSync(join(folder, 'queued-call-1'))
    const first = ['queued-call-0', 'queued-call-1'].map((name) => look(finance, own, name))
    await Promise.all(['queued-call-0', 'queued-call-1'].map(hasBegun))
    const others = names.slice(2).map((name) => look(finance, own, name))
    const refused = await Promise.race(others)
    expect(refused.status).toBe(503)
    expect(refused.text).toContain('Your organisation has asked for too many long calculations, files or comparisons at once.')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    letGo('queued-call-0')
    letGo('queued-call-1')
    const statuses = (await Promise.all([...first, ...others])).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(62)
  })
})
