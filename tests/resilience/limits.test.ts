import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { OrganisationId } from '../../domain/values/ids.ts'
import { contentTypeRegistry, getReplySchema } from '../../server/core/calls/reply.ts'
import { allProcedures, getProcedurePolicy } from '../../server/rest/routes.ts'
import { serve } from '../../server/serve.ts'
import { atEnd } from '../support/product/endings.ts'
import { type Caller, findTrustIds, signInAs } from '../support/product/http.ts'
import { configOf, type Product, startProduct } from '../support/product/product.ts'

// A batch of exports takes time under load.
vi.setConfig({ testTimeout: 90_000 })

let product: Product
let other: Product
let own: { OrganisationId: OrganisationId }

beforeAll(async () => {
  product = await startProduct()
  const config = { ...(await configOf(product.config.databaseUrl)), origin: product.origin, queuePrefix: product.config.queuePrefix }
  const server = await serve(config)
  atEnd(() => server.close())
  other = { config, origin: `http://localhost:${config.port}` }
  own = { OrganisationId: (await findTrustIds(await signInAs(product, 'finance@harbour.example'))).organisationId }
})

/** Calls a procedure forty times in one batch, so that few requests reach the limit within the minute on any machine. */
async function batch({ origin }: Product, { token }: Caller, procedure: string, input: unknown): Promise<Response> {
  const isQuery = procedure.endsWith('.export')
  const inputs = JSON.stringify(Object.fromEntries(Array.from({ length: 40 }, (_unused, at) => [at, { json: input }])))
  return fetch(
    `${origin}/trpc/${Array<string>(40).fill(procedure).join()}?batch=1${isQuery ? `&input=${encodeURIComponent(inputs)}` : ''}`,
    {
      method: isQuery ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', OrganisationId: String(own.OrganisationId) },
      ...(!isQuery && { body: inputs }),
    },
  )
}

/** The number of calls refused for exceeding the limit, out of four batches sent to two servers in turn. */
async function refusedOf(caller: Caller, procedure: string, input: unknown): Promise<number> {
  let refused = 0
  for (const server of [product, other, product, other]) {
    const answers = (await (await batch(server, caller, procedure, input)).json()) as { error?: { json: { message: string } } }[]
    expect(answers).toHaveLength(40)
    refused += answers.filter(({ error }) => /^Too many requests. Try again in \d+ seconds.$/.test(error?.json.message ?? '')).length
  }
  return refused
}

describe('files', () => {
  it('are exported at most 120 times a minute by one person, over all servers, and the refusal says when to retry', async () => {
    const auditor = await signInAs(product, 'auditor@harbour.example')
    expect(await refusedOf(auditor, 'resources.cluster.export', {})).toBe(40)
    const refused = await auditor.call('POST', '/api/Clusters/export', {}, own)
    expect([refused.status, refused.body]).toEqual([429, expect.stringMatching(/^Too many requests. Try again in \d+ seconds.$/)])
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
    // Other calls by the same user, and the same call by other users, still work.
    expect((await auditor.call('POST', '/api/Clusters/list', {}, own)).status).toBe(200)
    const finance = await signInAs(product, 'finance@harbour.example')
    expect((await finance.call('POST', '/api/Clusters/export', {}, own)).status).toBe(200)
  })
  it('are imported at most 120 times a minute by one person, including refused ones', async () => {
    const finance = await signInAs(product, 'finance@harbour.example')
    expect(await refusedOf(finance, 'resources.cluster.import', { rows: [{ Name: '' }] })).toBe(40)
  })
  it('are counted for every call that imports or exports one, and for no other', () => {
    const counted = Object.keys(allProcedures).filter((name) => {
      const { limit } = getProcedurePolicy(name)
      return !name.startsWith('resources.') && limit !== undefined && limit !== 'long'
    })
    const asNamed = Object.keys(allProcedures).filter(
      (name) =>
        !name.startsWith('resources.') && /\.\w*(import|export|workbook|paper|print)/i.test(name) && name !== 'startup.importProgress',
    )
    expect(asNamed.filter((name) => !counted.includes(name))).toEqual([])
    expect(counted.filter((name) => !asNamed.includes(name)).sort()).toEqual([
      'account.beginPasskey',
      'account.beginSecondStep',
      'account.confirmSecondStep',
      'account.removeSecondStep',
      'account.renewRecoveryCodes',
      'files.fetch',
      'filesOut.file',
      'moments.compareFile',
      'reports.boardSheet',
      'reports.csv',
      'startKits.add',
      'subjectAccess.pack',
      'users.own.create',
    ])
    const limitOf = (name: string) => getProcedurePolicy(name).limit
    expect(limitOf('resources.costCentre.import')).toBe('imports')
    expect(limitOf('resources.costCentre.export')).toBe('exports')
    expect(limitOf('resources.costCentre.list')).toBeUndefined()
  })
  it('are counted like long calls, whatever the reply; images do not count', () => {
    const names = Object.entries(allProcedures)
    const isFile = (output: unknown): boolean => {
      const schema = getReplySchema(output)
      return schema !== undefined && (contentTypeRegistry.get(schema)?.contentTypes.some((type) => !type.startsWith('image/')) ?? false)
    }
    expect(names.filter(([, { _def }]) => isFile(_def.output)).length).toBeGreaterThan(40)
    const free = names.filter(
      ([name, { _def }]) => getProcedurePolicy(name).limit === undefined && (isFile(_def.output) || getProcedurePolicy(name).isLong),
    )
    expect(free.map(([name]) => name)).toEqual([])
  })
  it('to be imported may be as large as imports allow, however the URL is written', async () => {
    const finance = await signInAs(product, 'finance@meadow.example')
    const { organisationId } = await findTrustIds(finance)
    const headers = { Authorization: `Bearer ${finance.token}`, 'Content-Type': 'application/json', OrganisationId: String(organisationId) }
    const rows = Array.from({ length: 300 }, () => ({ Name: 'x'.repeat(10_000) }))
    const body = JSON.stringify({ json: { rows } })
    for (const name of ['resources.cluster%2Eimport', 'resources.cluster.%69mport', 'x/../resources.cluster.import'])
      expect((await fetch(`${product.origin}/trpc/${name}`, { method: 'POST', headers, body })).status).toBe(400)
    expect((await fetch(`${product.origin}/trpc/resources.cluster%2Eedit`, { method: 'POST', headers, body })).status).toBe(413)
  })
})
