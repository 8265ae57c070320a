import { beforeAll, describe, expect, it } from 'vitest'
import type { OrganisationId } from '../../domain/values/ids.ts'
import { maximumImportRows } from '../../domain/words/notices.ts'
import { type Caller, findTrustIds, signInAs } from '../support/product/http.ts'
import { startProduct } from '../support/product/product.ts'

let finance: Caller
let own: { OrganisationId: OrganisationId }

beforeAll(async () => {
  const product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  own = { OrganisationId: (await findTrustIds(finance)).organisationId }
})

const rowsOf = (row: (n: number) => Record<string, string>) => Array.from({ length: maximumImportRows }, (_unused, n) => row(n))

describe('a file with the largest promised number of rows is imported whole', { timeout: 300_000 }, () => {
  it.each([
    [
      'budget codes',
      'BudgetCodes',
      (n: number, words: string) => ({ Type: 'Expenditure', Code: `B${n}`, Description: `${words} ${n}`, Category: 'Non-staffing' }),
    ],
    ['cost centres', 'CostCentres', (n: number, words: string) => ({ Code: `C${n}`, Description: `${words} ${n}` })],
  ])('%s', async (_what, path, row) => {
    const made = await finance.call(
      'POST',
      `/api/${path}/import`,
      rowsOf((n) => row(n, 'New')),
      own,
    )
    expect(made).toMatchObject({ status: 200, body: { created: maximumImportRows, updated: 0 } })
    const changed = await finance.call(
      'POST',
      `/api/${path}/import`,
      rowsOf((n) => row(n, 'Changed')),
      own,
    )
    expect(changed).toMatchObject({ status: 200, body: { created: 0, updated: maximumImportRows } })
  })
})
