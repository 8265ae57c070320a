import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { allResources } from '../../../domain/resources/all.ts'
import type { AnyResource } from '../../../domain/resources/resource.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { type Body, type Caller, findTrustIds, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { buildSample } from '../../support/samples/samples.ts'

interface Entity {
  key: string
  basePath: string
  defaultSort: string
  operations: string[]
  fields: {
    name: string
    label: string
    type: string
    requiredOnForm?: boolean
    maxLength?: number
    default?: unknown
    readOnly?: boolean
  }[]
  grid?: { columns: string[] }
  importTemplate?: { required: string[] } | null
}

const table = JSON.parse(readFileSync(new URL('../../contract/tables/entities.json', import.meta.url), 'utf8')) as { entities: Entity[] }
/** The lists in the contract table; newer ones are not in it. */
const walked = allResources
  .filter((resource) => !resource.operations)
  .flatMap((resource) => {
    const entity = table.entities.find((one) => one.key === resource.key)
    return entity ? [{ key: resource.key, resource, entity }] : []
  })

let product: Product
let administrator: Caller
let finance: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }

beforeAll(async () => {
  product = await startProduct()
  administrator = await signInAs(product, 'admin@bursar.example')
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
})

const caller = (resource: AnyResource): Caller => (resource.access.write === 'administrator' ? administrator : finance)
const selection = (resource: AnyResource): object => (resource.access.write === 'administrator' ? {} : own)
const call = (resource: AnyResource, method: string, rest: string, body?: unknown) =>
  caller(resource).call(method, `/api/${resource.path}${rest}`, body, selection(resource) as Record<string, number>)

describe('B-116 B-115 the table’s rules for a field apply to the call', () => {
  it.each(walked)('$key: required fields and lengths', async ({ resource, entity }) => {
    const right = { ...buildSample(resource, 77, () => 1), organisationId: resource.name === 'location' ? places.organisationId : null }
    for (const field of entity.fields) {
      const declared = resource.fields[field.name]
      if (!declared || field.readOnly || field.name === 'organisationId' || resource.readOnly?.includes(field.name)) continue
      if (field.requiredOnForm && declared.default === undefined) {
        const { [field.name]: _left, ...without } = right
        const reply = await call(resource, 'POST', '', without)
        expect(reply.status, field.name).toBe(400)
        expect(reply.body, field.name).toMatch(new RegExp(`${field.label} (is required|must have)`))
      }
      if (field.maxLength && ['text', 'longText'].includes(declared.kind) && !('format' in declared && declared.format)) {
        const reply = await call(resource, 'POST', '', { ...right, [field.name]: 'x'.repeat(field.maxLength + 1) })
        expect(reply.body, field.name).toContain(`${field.label} can have at most ${field.maxLength} characters.`)
      }
    }
  })
})

describe('B-149 B-135 an import without its required columns', () => {
  it.each(walked)('$key is refused and names them', async ({ resource, entity }) => {
    const reply = await call(resource, 'POST', '/import', [{ Nothing: 'x' }])
    expect(reply.status).toBe(400)
    const missing = (reply.body.errors[0].message as string).replace('These columns are missing: ', '').replace(/\.$/, '').split(', ')
    expect(missing.sort()).toEqual([...(entity.importTemplate?.required ?? [])].sort())
  })
  it('B-138 of national insurance needs every column but Id', async () => {
    const columns = ['AdminTable', 'Name', 'BandStart', 'BandEnd', 'Pension', 'Base', 'Rate', 'Rebate', 'MinAge', 'MaxAge', 'Apprentice']
    const row = Object.fromEntries(columns.map((name) => [name, '']))
    for (const left of columns) {
      const { [left]: _left, ...rest } = row
      const reply = await administrator.call('POST', '/api/NationalInsurances/import', [rest])
      expect(reply.body.errors[0].message).toBe(`These columns are missing: ${left}.`)
    }
  })
})

describe('B-109 B-101 a list sorts by every column it shows', () => {
  it.each(walked)('$key', async ({ resource, entity }) => {
    const list = async (sort?: string, sortDirection = 'asc'): Promise<Body[]> => {
      const reply = await call(resource, 'POST', '/list', { pageSize: 5000, sort, sortDirection })
      expect(reply.status, sort).toBe(200)
      return reply.body.rows
    }
    for (const column of entity.grid?.columns ?? []) {
      expect(resource.grid.includes(column) || column === 'created' || resource.fields[column] !== undefined, column).toBe(true)
      const [up, down] = [await list(column), await list(column, 'desc')]
      // A longer list does not fit on one page.
      if (up.length < 5000) expect(up.map((row) => row.id).sort()).toEqual(down.map((row) => row.id).sort())
      const field = resource.fields[column]
      if (field?.kind !== 'integer' && field?.kind !== 'date' && field?.kind !== 'money') continue
      const values = up.map((row) => row[column]).filter((value) => value !== null)
      expect(values, column).toEqual([...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
    }
    expect(resource.defaultSort).toBe(entity.defaultSort)
    expect((await list()).map((row) => row.id)).toEqual((await list(resource.defaultSort)).map((row) => row.id))
  })
})

describe('defaults and bulk', () => {
  it('B-125 B-126 a new tag and a new cluster are black on grey', async () => {
    for (const path of ['AnalysisTags', 'Clusters']) {
      const made = await finance.call('POST', `/api/${path}`, { name: 'Plain', description: 'x', locations: [] }, own)
      expect(made.body).toMatchObject({ textColor: '000000', backgroundColor: 'cccccc' })
    }
  })
  it('B-105 a bulk delete in which one row is in use deletes none and says which', async () => {
    const free = await finance.call('POST', '/api/ServiceTerms/list', { pageSize: 1, search: 'TCH' }, own)
    const codes = (await finance.call('POST', '/api/BudgetCodes/list', { pageSize: 5000 }, own)).body.rows
    const unused = (
      await finance.call('POST', '/api/BudgetCodes', { code: 'FREE', type: 2, description: 'x', category: 2, locations: [] }, own)
    ).body
    const used = codes.find((row: Body) => row.id === free.body.rows[0].basicBudgetCodeId)
    const reply = await finance.call(
      'POST',
      '/api/BudgetCodes/delete',
      { state: { selectAll: false, toggledNodes: [unused.id, used.id] } },
      own,
    )
    expect([reply.status, reply.body]).toEqual([409, expect.stringContaining(`${used.code} is in use by`)])
    expect((await finance.call('GET', `/api/BudgetCodes/${unused.id}`, undefined, own)).status).toBe(200)
  })
  it('B-259 organisations and locations are listed to their own people only', async () => {
    const organisations = await finance.call('POST', '/api/Organisations/list', { pageSize: 100 })
    expect(organisations.body.rows.map((row: Body) => row.id)).toEqual([places.organisationId])
    const locations = await finance.call('POST', '/api/Locations/list', { pageSize: 100 })
    for (const row of locations.body.rows) expect(row.organisationId).toBe(places.organisationId)
    expect((await administrator.call('POST', '/api/Organisations/list', { pageSize: 100 })).body.total).toBeGreaterThan(1)
  })
  it('B-263 the permissions of several user groups are joined', async () => {
    const me = (await administrator.call('POST', '/api/Users/list', { search: 'governor@harbour' })).body.rows[0]
    const group = await administrator.call('POST', '/api/UserGroups', { name: 'Codes', permissions: [{ name: 'ConsoleBudgetCodesRead' }] })
    const governor = await signInAs(product, 'governor@harbour.example')
    expect((await governor.call('POST', '/api/BudgetCodes/export', {}, own)).status).toBe(403)
    await administrator.call('PUT', '/api/Users', { ...me, memberships: null, userGroupIds: [...me.userGroupIds, group.body.id] })
    expect((await governor.call('POST', '/api/BudgetCodes/export', {}, own)).status).toBe(200)
    const held = (await governor.call('GET', '/api/Authorisation', undefined, own)).body.permissions.map((one: Body) => one.name)
    expect(held).toEqual(expect.arrayContaining(['BudgetingNonStaffingRead', 'ConsoleBudgetCodesRead']))
  })
})
