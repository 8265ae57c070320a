import { createTRPCClient } from '@trpc/client'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createTrpcLinks, IdempotencyKeys } from '../../../client/shell/calls/trpcLinks.ts'
import type { AppRouter } from '../../../server/features/appRouter.ts'
import { connectAsOwner, lockLines } from '../../support/product/database.ts'
import { type Body, type Caller, findTrustIds, type Selection, signInAs } from '../../support/product/http.ts'
import { patience } from '../../support/product/patience.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { type Ids, idsFor, teacherContract } from '../../support/samples/contract.ts'

let product: Product
let finance: Caller
let northgate: Required<Selection>
let ids: Ids
let codeId: number
let owner: ReturnType<typeof connectAsOwner>

const everything = { pageNumber: 1, pageSize: 5000 }

beforeAll(async () => {
  product = await startProduct()
  owner = connectAsOwner(product.config.databaseUrl)
  finance = await signInAs(product, 'finance@harbour.example')
  northgate = (await findTrustIds(finance)).at('Northgate')
  ids = await idsFor(finance, northgate)
  const codes = await finance.call('POST', '/api/BudgetCodes/list', everything, northgate)
  codeId = codes.body.rows.find((row: Body) => row.code === '4300').id
})

/** What happens to a call on its way: it arrives, it is never sent, or its reply is cut off. */
type Way = 'arrives' | 'is not sent' | 'reply is cut'

/** A page of the browser, with the links that the client uses to call the server. */
function openPage() {
  let way: Way = 'arrives'
  let sent = 0
  let readAgain = 0
  const selection = () => ({
    ApiVersion: '2',
    Authorization: `Bearer ${finance.token}`,
    ...Object.fromEntries(Object.entries(northgate).map(([name, value]) => [name, String(value)])),
  })
  const line: typeof fetch = async (input, init) => {
    if (way === 'is not sent') throw new TypeError('Failed to fetch')
    sent++
    const wasCut = way === 'reply is cut'
    const reply = await fetch(input, init)
    if (wasCut) throw new TypeError('network error')
    return reply
  }
  const client = createTRPCClient<AppRouter>({
    links: createTrpcLinks({
      url: `${product.origin}/trpc`,
      keys: new IdempotencyKeys(),
      selection,
      fetch: line,
      onEarlierSave: () => void readAgain++,
    }),
  })
  return {
    client,
    sent: () => sent,
    readAgain: () => readAgain,
    set way(next: Way) {
      way = next
    },
  }
}

const entry = (description: string, amount = 100): Body => ({ description, budgetCodeId: codeId, amount, budgetYearName: '2026/27' })
const entriesNamed = async (search: string): Promise<Body[]> =>
  (await finance.call('POST', '/api/BudgetEntry/paginated', { ...everything, search }, northgate)).body.rows

describe('pressing Save again', () => {
  it('after a lost reply saves once and shows what was saved', async () => {
    const page = openPage()
    page.way = 'reply is cut'
    await expect(page.client.entries.save.mutate(entry('Cut off'))).rejects.toThrow()
    await expect(page.client.entries.save.mutate(entry('Cut off'))).rejects.toThrow()
    page.way = 'arrives'
    const saved = await page.client.entries.save.mutate(entry('Cut off'))
    const rows = await entriesNamed('Cut off')
    expect(rows.map(({ id }) => id)).toEqual([saved.id])
  })
  it('with another text after a lost reply makes no second record, and says that the first was saved', async () => {
    const page = openPage()
    page.way = 'reply is cut'
    await expect(page.client.entries.save.mutate(entry('Letter A'))).rejects.toThrow()
    page.way = 'arrives'
    await expect(page.client.entries.save.mutate(entry('Letter B'))).rejects.toMatchObject({ data: { problem: { code: 'otherBody' } } })
    expect((await entriesNamed('Letter')).map(({ description }) => description)).toEqual(['Letter A'])
    expect(page.readAgain()).toBe(1)
    // After a success, a user may want to create another one.
    await page.client.entries.save.mutate(entry('Letter B'))
    expect(await entriesNamed('Letter')).toHaveLength(2)
  })
  it('with another text after a call that was never sent saves the new text, however often its reply is lost', async () => {
    const page = openPage()
    page.way = 'is not sent'
    await expect(page.client.entries.save.mutate(entry('Unsent A'))).rejects.toThrow()
    page.way = 'reply is cut'
    await expect(page.client.entries.save.mutate(entry('Unsent B'))).rejects.toThrow()
    page.way = 'arrives'
    await page.client.entries.save.mutate(entry('Unsent B'))
    expect((await entriesNamed('Unsent')).map(({ description }) => description)).toEqual(['Unsent B'])
  })
  it('after a call that was never sent saves it', async () => {
    const page = openPage()
    page.way = 'is not sent'
    await expect(page.client.entries.save.mutate(entry('Not sent'))).rejects.toThrow()
    page.way = 'arrives'
    await page.client.entries.save.mutate(entry('Not sent'))
    expect(await entriesNamed('Not sent')).toHaveLength(1)
  })
  it('after a reply is a new save: a user may want the same entry twice', async () => {
    const { client } = openPage()
    const first = await client.entries.save.mutate(entry('Wanted twice'))
    const second = await client.entries.save.mutate(entry('Wanted twice'))
    expect(second.id).not.toBe(first.id)
    expect(await entriesNamed('Wanted twice')).toHaveLength(2)
  })
  it('after a refusal is decided again', async () => {
    const { client } = openPage()
    const contract = { ...teacherContract(ids, { contractName: 'Comes later' }), employeeNumber: 'LATER-1' }
    await expect(client.contracts.save.mutate(contract)).rejects.toThrow('Employee number was not found.')
    await finance.call(
      'POST',
      '/api/Staff',
      { employeeNumber: 'LATER-1', forename: 'Ada', surname: 'Later', locations: [], archive: false },
      northgate,
    )
    expect((await client.contracts.save.mutate(contract)).contractName).toBe('Comes later')
  })
  it('before there is a reply saves once and waits for the first save', async () => {
    const page = openPage()
    const release = await lockLines(owner)
    const first = page.client.entries.save.mutate(entry('Pressed twice'))
    await vi.waitFor(() => expect(page.sent()).toBe(1))
    const second = page.client.entries.save.mutate(entry('Pressed twice'))
    // The second call is refused because the first is still running, and is sent again.
    await vi.waitFor(() => expect(page.sent()).toBeGreaterThan(2), patience * 10_000)
    await release()
    const [a, b] = await Promise.all([first, second])
    expect(a.id).toBe(b.id)
    expect(await entriesNamed('Pressed twice')).toHaveLength(1)
  })
})

describe('simultaneous saves', () => {
  it('travel together, are all carried out, and each has its own reply', async () => {
    const page = openPage()
    const saved = await Promise.all(['A', 'B', 'C'].map((name) => page.client.entries.save.mutate(entry(`Together ${name}`))))
    expect(page.sent()).toBe(1)
    expect(saved.map(({ description }) => description)).toEqual(['Together A', 'Together B', 'Together C'])
    const changed = await Promise.all(
      saved.map(({ id }, index) => page.client.entries.change.mutate({ changes: [{ id, changes: { amount: 10 + index } }] })),
    )
    expect(changed.map((one) => one.ids[0])).toEqual(saved.map(({ id }) => id))
    expect((await entriesNamed('Together')).map(({ amount }) => amount).sort()).toEqual([10, 11, 12])
  })
  it('are each carried out once when their reply is lost and one of them is saved again alone', async () => {
    const page = openPage()
    page.way = 'reply is cut'
    await Promise.allSettled(['A', 'B'].map((name) => page.client.entries.save.mutate(entry(`Half ${name}`))))
    page.way = 'arrives'
    const again = await page.client.entries.save.mutate(entry('Half B'))
    expect((await entriesNamed('Half')).map(({ description }) => description).sort()).toEqual(['Half A', 'Half B'])
    expect((await entriesNamed('Half B'))[0].id).toBe(again.id)
  })
})
