import { beforeAll, expect, it } from 'vitest'
import { serve } from '../../server/serve.ts'
import { listCommonCalls } from '../support/product/commonCalls.ts'
import { createDatabase } from '../support/product/database.ts'
import { atEnd } from '../support/product/endings.ts'
import { browserCall, findTrustIds, signInAs, type TrustIds } from '../support/product/http.ts'
import { configOf, type Product } from '../support/product/product.ts'
import { openCountingProxy } from '../support/product/statements.ts'

let calls: Awaited<ReturnType<typeof listCommonCalls>>
let line: Awaited<ReturnType<typeof openCountingProxy>>
let product: Pick<Product, 'config' | 'origin'>
let places: TrustIds

beforeAll(async () => {
  line = await openCountingProxy(await createDatabase())
  const config = await configOf(line.url)
  const server = await serve(config)
  atEnd(async () => {
    await server.close()
    await line.close()
  })
  product = { config, origin: config.origin }
  const finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  calls = await listCommonCalls(product, finance, places)
})

it('each of the commonest calls stays within its limits of statements and transactions', { timeout: 120_000 }, async () => {
  for (const { name, most, make } of calls) {
    // The first calls fill the caches and do the extra work of the first save after a recalculation.
    await make()
    await make()
    const { statements, transactions } = await line.count(make)
    const said = `${name}:\n${statements.join('\n')}`
    expect(statements.length, said).toBeLessThanOrEqual(most.statements)
    expect(transactions, said).toBeLessThanOrEqual(most.transactions)
  }
})
it('saving a contract takes at most 20 statements in two transactions, and reading a page of budget codes one', () => {
  const most = Object.fromEntries(calls.map((call) => [call.name, call.most]))
  for (const name of ['a contract is saved', 'a contract is saved for more pay']) {
    expect(most[name]!.statements).toBeLessThanOrEqual(20)
    expect(most[name]!.transactions).toBeLessThanOrEqual(2)
  }
  expect(most['a page of ten budget codes over REST']).toEqual({ statements: 1, transactions: 1 })
})

it('a file of 400 people takes no more statements than one of 40, whether they are new or changed', { timeout: 120_000 }, async () => {
  const administrator = await signInAs(product, 'admin@bursar.example')
  const own = { OrganisationId: places.organisationId }
  let turn = 0
  const rows = (count: number, group: string) =>
    Array.from({ length: count }, (_unused, index) => ({
      Email: `${group}${index}@harbour.example`,
      Forename: `Turn ${turn}`,
      Surname: `Person ${index}`,
      UserGroups: 'Governor',
      Locations: 'Northgate Primary School',
    }))
  /** Counts the statements for importing this many users. Each turn adds new users or renames the same ones. */
  const asked = async (count: number, are: 'new' | 'changed'): Promise<number> => {
    const { statements } = await line.count(async () => {
      turn++
      const sent = rows(count, are === 'new' ? `turn${turn}-` : 'same')
      expect(await browserCall(product, administrator, 'users.own.import', { rows: sent }, own)).toMatchObject({ imported: count })
    })
    return statements.length
  }
  await browserCall(product, administrator, 'users.own.import', { rows: rows(400, 'same') }, own)
  for (const are of ['new', 'changed'] as const) expect(await asked(400, are), are).toBeLessThanOrEqual(await asked(40, are))
})
