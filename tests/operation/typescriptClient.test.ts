import { execFile } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Caller, findTrustIds, signInAs, type TrustIds } from '../support/product/http.ts'
import { type Product, startProduct } from '../support/product/product.ts'
import { compileFolder, createTypescriptFolder, writeApiTypes } from '../support/running/typescriptFolder.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const tools = join(root, 'node_modules')

let product: Product
let finance: Caller
let places: TrustIds
/** The folder in which the client is compiled. */
let folder: string

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  folder = createTypescriptFolder()
  copyFileSync(join(root, 'tests/clients/typescript/month.ts'), join(folder, 'month.ts'))
  await writeApiTypes(product.origin, folder)
}, 120_000)

describe('a TypeScript client with types generated from the OpenAPI document', () => {
  it('compiles', async () => {
    expect(await compileFolder(folder)).toEqual({})
  })
  it('signs in, lists codes, reads a report, imports a month and reads the events', async () => {
    const { stdout } = await run(process.execPath, [join(folder, 'out/month.js')], {
      env: { PATH: process.env.PATH, BURSAR: product.origin, ORGANISATION: String(places.organisationId), MONTH: '2027-06' },
    })
    const { codes, report, rows, imported, types } = JSON.parse(stdout)
    const listed = await finance.call(
      'POST',
      '/api/BudgetCodes/list',
      { pageNumber: 1, pageSize: 1 },
      { OrganisationId: places.organisationId },
    )
    expect({ codes, report, imported }).toEqual({ codes: listed.body.total, report: 'Trial budget', imported: 1 })
    expect(rows).toBeGreaterThan(10)
    expect(types).toContain('budget.saved')
    const standing = await finance.call(
      'POST',
      '/api/monitoring/actuals-commitments/list/2027/6',
      { pageNumber: 1, pageSize: 10 },
      { OrganisationId: places.organisationId },
    )
    expect(standing.body.rows).toMatchObject([{ value: 1250.5, description: 'Supply cover' }])
  })
  it('gives one sentence if it is refused', async () => {
    const env = { PATH: process.env.PATH, BURSAR: product.origin, ORGANISATION: '999999' }
    await expect(run(process.execPath, [join(folder, 'out/month.js')], { env })).rejects.toMatchObject({
      stderr: expect.stringMatching(/Error: 403: [A-Z][^\n]*\.\n/),
    })
  })
  it('does not compile if it uses the API wrongly', async () => {
    const body = 'body: { pageNumber: 1, pageSize: 10 }'
    const wrong = {
      path: `await bursar.POST('/api/BudgetCode/list', { params, ${body} })`,
      method: `await bursar.GET('/api/BudgetCodes/list', { params })`,
      field: `(await bursar.POST('/api/BudgetCodes/list', { params, ${body} })).data?.rows[0]?.colour`,
      organisation: `await bursar.POST('/api/BudgetCodes/list', { ${body} })`,
      value: `await bursar.POST('/api/BudgetCodes/list', { params, body: { pageNumber: 'first', pageSize: 10 } })`,
      event: `(await bursar.GET('/api/events', { params })).data?.events[0]?.type === 'budget.exploded'`,
    }
    for (const [name, use] of Object.entries(wrong))
      writeFileSync(
        join(folder, `wrong-${name}.ts`),
        `import createClient from 'openapi-fetch'\nimport type { paths } from './bursar.d.ts'\nconst bursar = createClient<paths>()\nconst params = { header: { OrganisationId: 1 } }\nexport const found = ${use}\nvoid params\n`,
      )
    const errors = await compileFolder(folder, '--noEmit')
    expect(Object.keys(errors).sort()).toEqual(
      Object.keys(wrong)
        .map((name) => `wrong-${name}.ts`)
        .sort(),
    )
  })
})

describe('the TypeScript compiler of the product', () => {
  it('is the one that package.json names, even if other packages bring another', async () => {
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const { stdout } = await run(process.execPath, [join(tools, '.bin/tsc'), '--version'])
    expect(`npm:typescript@${stdout.trim().split(' ')[1]}`).toBe(devDependencies['@typescript/native'])
  })
})
