import { type IncomingHttpHeaders, request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import { type Caller, findTrustIds, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'

let product: Product
let finance: Caller
let places: TrustIds

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
})

/** What travels, as it is: `fetch` would decompress it. */
function travels(path: string, { accept, body }: { accept?: string; body?: object } = {}) {
  return new Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
    const headers = {
      Authorization: `Bearer ${finance.token}`,
      OrganisationId: String(places.organisationId),
      ApiVersion: '2',
      'Content-Type': 'application/json',
      ...(accept === undefined ? {} : { 'Accept-Encoding': accept }),
    }
    request(product.origin + path, { method: body ? 'POST' : 'GET', headers }, async (answer) => {
      const bytes = Buffer.concat(await answer.toArray())
      resolve({ headers: answer.headers, bytes })
    })
      .once('error', reject)
      .end(body && JSON.stringify(body))
  })
}

const codes = ['/api/BudgetCodes/list', { pageNumber: 1, pageSize: 100 }] as const
const batch = { 0: { json: codes[1] }, 1: { json: codes[1] } }
const twoLists = `/trpc/resources.budgetCode.list,resources.costCentre.list?batch=1&input=${encodeURIComponent(JSON.stringify(batch))}`

it.each([
  ['REST', (accept?: string) => travels(codes[0], { body: codes[1], ...(accept === undefined ? {} : { accept }) })],
  ['the browser', (accept?: string) => travels(twoLists, accept === undefined ? {} : { accept })],
])('a long answer to %s is compressed once, for callers that can read it, and says the same', async (_who, ask) => {
  const plain = await ask()
  const compressed = await ask('gzip, deflate, br')
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.bytes.length).toBeGreaterThan(5000)
  expect(compressed.headers['content-encoding']).toBe('gzip')
  expect(compressed.headers['content-length']).toBe(String(compressed.bytes.length))
  expect(compressed.bytes.length).toBeLessThan(plain.bytes.length / 3)
  expect(gunzipSync(compressed.bytes).toString()).toBe(plain.bytes.toString())
  for (const { headers } of [plain, compressed]) expect(headers.vary).toMatch(/accept-encoding/i)
  for (const refused of ['gzip;q=0', 'identity', 'br']) expect((await ask(refused)).headers['content-encoding']).toBeUndefined()
})

it('a short answer and the pages to sign in, which have a cookie, travel as they are', async () => {
  const accept = 'gzip'
  const short = await travels('/api/BudgetCodes/list', { accept, body: { pageNumber: 1, pageSize: 1 } })
  expect(short.headers['content-encoding']).toBeUndefined()
  expect(short.bytes.length).toBeLessThan(1024)
  const page = await travels('/oidc/auth', { accept })
  expect(page.headers['content-encoding']).toBeUndefined()
})
