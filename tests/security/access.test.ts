import { readFileSync } from 'node:fs'
import Papa from 'papaparse'
import { beforeAll, describe, expect, it } from 'vitest'
import { allPermissions } from '../../domain/people/permissions.ts'
import { allResources } from '../../domain/resources/all.ts'
import type { AnyResource } from '../../domain/resources/resource.ts'
import type { LocationId, OrganisationId } from '../../domain/values/ids.ts'
import { type Body, type Caller, findTrustIds, inviteAndSignIn, signInAs, type TrustIds } from '../support/product/http.ts'
import { type Product, startProduct } from '../support/product/product.ts'
import { buildSample, type FindReferenceId } from '../support/samples/samples.ts'

interface Call {
  id: string
  method: string
  path: string
  entity: string | null
  operation: string
  success: number
  permissions: string[]
  alsoReadBy?: string[]
  administratorOnly: boolean
  requiredHeaders: string[]
}

const generic = ['list', 'get', 'create', 'update', 'delete', 'bulkDelete', 'import', 'edit', 'export']
const endpoints = JSON.parse(readFileSync(new URL('../contract/tables/endpoints.json', import.meta.url), 'utf8')) as { calls: Call[] }
const calls = endpoints.calls.filter((call) => generic.includes(call.operation))
const reads = allPermissions.filter((name) => name.endsWith('Read'))
const writes = allPermissions.filter((name) => name.endsWith('ReadUpdate'))

let product: Product
let places: TrustIds
let own: { OrganisationId: OrganisationId; LocationId: LocationId }
let administrator: Caller
let reader: Caller
let writer: Caller
let stranger: Caller
const known = new Map<string, Body[]>()

beforeAll(async () => {
  product = await startProduct()
  administrator = await signInAs(product, 'admin@bursar.example')
  places = await findTrustIds(await signInAs(product, 'finance@harbour.example'))
  own = { OrganisationId: places.organisationId, LocationId: places.locations.Northgate! }
  reader = await inviteAndSignIn(product, administrator, 'reader@sample.example', reads, places.organisationId)
  writer = await inviteAndSignIn(product, administrator, 'writer@sample.example', writes, places.organisationId)
  stranger = await signInAs(product, 'finance@meadow.example')
  for (const resource of allResources) {
    const list = await administrator.call('POST', `/api/${resource.path}/list`, { pageSize: 200 }, resource.scope === 'global' ? {} : own)
    const mine = (row: Body): boolean => row.organisationId === null || row.organisationId === places.organisationId
    known.set(resource.name, resource.name === 'organisation' ? list.body.rows : list.body.rows.filter(mine))
  }
  // A location may be only once in a pool, so samples of its rows need pools of their own.
  for (let n = 0; n < 12; n++) known.get('gagPoolTable')!.push(await made(allResources.find((one) => one.name === 'gagPoolTable')!))
})

let number = 500

/** The id of a record to refer to, a different one for each sample and field, so that no two samples conflict. */
const idOf: FindReferenceId = (resource, { '#': place, ...where }) => {
  const fits = (known.get(resource) ?? []).filter((row) => Object.entries(where).every(([name, value]) => row[name] === value))
  return fits[(number * 11 + Number(place)) % Math.max(1, fits.length)]?.id ?? 1
}

const sample = (resource: AnyResource): Body => {
  number++
  return {
    ...buildSample(resource, number, idOf),
    ...(resource.name === 'location' ? { organisationId: places.organisationId } : {}),
  }
}

/** Makes a record as a user who may, for the others to read, change or delete. */
async function made(resource: AnyResource, call?: Call): Promise<Body> {
  // An organisation’s messages are made through its own users’ calls.
  if (call?.path.startsWith('/api/MyFlashMessages')) return (await writer.call('POST', '/api/MyFlashMessages', sample(resource), own)).body
  const caller = resource.access.write === 'administrator' ? administrator : writer
  const reply = await caller.call('POST', `/api/${resource.path}`, sample(resource), resource.access.write === 'administrator' ? {} : own)
  return reply.status === 201 ? reply.body : { id: known.get(resource.name)?.[0]?.id ?? 999_999, version: 1 }
}

/** A valid path and body for a call; only the caller may lack the right. */
async function bodyOf(call: Call, resource: AnyResource): Promise<{ path: string; body?: unknown }> {
  const state = { selectAll: false, toggledNodes: [] }
  switch (call.operation) {
    case 'list':
    case 'export':
      return { path: call.path, body: {} }
    case 'get':
      return { path: call.path.replace('{id}', String(known.get(resource.name)?.[0]?.id ?? (await made(resource)).id)) }
    case 'delete':
      return { path: call.path.replace('{id}', String((await made(resource, call)).id)) }
    case 'create':
      return { path: call.path, body: sample(resource) }
    case 'update':
      return { path: call.path, body: call.path.includes('/My') ? await ownRecord(call, resource) : await made(resource) }
    case 'bulkDelete':
      return { path: call.path, body: { state } }
    case 'edit':
      return { path: call.path, body: { state, patch: [{ op: 'replace', path: `/${resource.naming[0]}`, value: 'x' }] } }
    default:
      return { path: call.path, body: [] }
  }
}

async function ownRecord(call: Call, resource: AnyResource): Promise<Body> {
  if (resource.name === 'flashMessage') return made(resource, call)
  const list = await administrator.call('POST', `${call.path}/list`, { pageSize: 1 }, own)
  return list.body.rows[0] ?? made(resource)
}

/** Whether the call passed the permission check. An import without rows is refused with 400 only afterwards. */
const letIn = (call: Call, status: number): boolean => status === call.success || (call.operation === 'import' && status === 400)

const walked = allResources.flatMap((resource) => {
  const rows = calls.filter((call) => call.entity === resource.key && !/\/budgeting\/|MyReminders/.test(call.path))
  return rows.length ? [{ resource, rows, key: resource.key }] : []
})

describe('B-270 B-269 B-266 B-262 every call of an entity checks the caller’s permission', () => {
  it.each(walked)('$key', async ({ resource, rows }) => {
    for (const row of rows) {
      const selection = row.requiredHeaders.includes('OrganisationId') || resource.scope !== 'global' ? own : {}
      const gate = new Set([...row.permissions, ...(row.alsoReadBy ?? [])])
      const may = (held: readonly string[]): boolean => !row.administratorOnly && (gate.size === 0 || held.some((name) => gate.has(name)))
      const { path, body } = await bodyOf(row, resource)
      const nobody = await fetch(product.origin + path, { method: row.method, headers: { ApiVersion: '2' } })
      expect(nobody.status, `${row.id} nobody`).toBe(401)
      const abroad = await stranger.call(row.method, path, body, own)
      expect(abroad.status, `${row.id} another organisation`).toBe(403)
      for (const [name, caller, held] of [
        ['reader', reader, reads],
        ['writer', writer, writes],
      ] as const) {
        const asked = await bodyOf(row, resource)
        const reply = await caller.call(row.method, asked.path, asked.body, selection)
        if (may(held))
          expect(letIn(row, reply.status), `${row.id} ${row.operation} ${name}: ${reply.status} ${String(reply.body).slice(0, 90)}`).toBe(
            true,
          )
        else expect(reply.status, `${row.id} ${row.operation} ${name}`).toBe(403)
      }
      const asked = await bodyOf(row, resource)
      const all = await administrator.call(row.method, asked.path, asked.body, selection)
      expect(letIn(row, all.status), `${row.id} ${row.operation} administrator: ${all.status} ${String(all.body).slice(0, 90)}`).toBe(true)
    }
  })
})

describe('a national record', () => {
  it.each(allResources.filter((resource) => resource.scope !== 'organisation').map((resource) => ({ resource, key: resource.key })))(
    'B-275 $key can be changed only by an administrator',
    async ({ resource }) => {
      const list = await writer.call('POST', `/api/${resource.path}/list`, { pageSize: 1, requestType: 2 }, own)
      const record = list.body.rows[0]
      if (!record || resource.name === 'organisation') return
      const changed = await writer.call('PUT', `/api/${resource.path}`, record, own)
      expect(changed.status).toBe(403)
      expect((await writer.call('DELETE', `/api/${resource.path}/${record.id}`, undefined, own)).status).toBe(403)
      const state = { selectAll: false, toggledNodes: [record.id] }
      expect((await writer.call('POST', `/api/${resource.path}/delete`, { state }, own)).status).toBe(403)
      const patch = [{ op: 'replace', path: `/${resource.naming[0]}`, value: 'x' }]
      expect((await writer.call('PATCH', `/api/${resource.path}/edit`, { state, patch }, own)).status).toBe(403)
    },
  )
})

describe('B-107 B-141 the export of an entity', () => {
  it.each(walked)('$key is imported again and changes nothing', async ({ resource }) => {
    if (resource.operations && !resource.operations.includes('export')) return
    const national = resource.access.write === 'administrator' || resource.scope === 'global'
    const [caller, selection] = national ? [administrator, {}] : [writer, own]
    const exporter = national ? administrator : reader
    const requestType = resource.scope === 'globalOrOrganisation' ? (national ? 2 : 1) : undefined
    const file = await exporter.call('POST', `/api/${resource.path}/export`, { requestType }, selection)
    expect(file.status).toBe(200)
    const rows = Papa.parse<Record<string, string>>((file.body as string).replace('\uFEFF', ''), {
      header: true,
      skipEmptyLines: true,
    }).data
    if (!rows.length) return
    const reply = await caller.call('POST', `/api/${resource.path}/import`, rows, selection)
    expect(reply.body).toMatchObject({ created: 0, updated: 0 })
  })
})
