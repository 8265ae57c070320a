import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { actualLines } from '../../../drizzle/monitoringTables.ts'
import { openStore } from '../../../server/core/database/database.ts'
import { insertRows } from '../../../server/core/database/insertRows.ts'
import { findTrustIds, signInAs } from '../../support/product/http.ts'
import { startProduct } from '../../support/product/product.ts'

it('lines of a log keep what only some of them have, and what the table has no column for is left out', async () => {
  const product = await startProduct()
  const { organisationId, at } = await findTrustIds(await signInAs(product, 'finance@harbour.example'))
  const month = {
    organisationId,
    locationId: at('Northgate').LocationId,
    year: 2031,
    month: 1,
    version: 1,
    created: '2031-02-01T09:00:00Z',
  }
  const codes = { type: 1, budgetCodeId: 1, costCentreId: 1 }
  const lines = [
    { ...month, ...codes, line: 1, value: 100, document: { reference: 'INV1' } },
    { ...month, ...codes, line: 2, value: -250, fundCodeId: 7, description: 'Chalk, "white"' },
  ]
  const store = openStore(product.config, 1)
  const stored = await store.inOrganisation(organisationId, async (tx) => {
    await insertRows(tx, actualLines, { rows: lines })
    return tx.select().from(actualLines).where(eq(actualLines.year, month.year)).orderBy(actualLines.line)
  })
  await store.close()
  expect(stored.map(({ fundCodeId, description, value }) => [value, fundCodeId, description])).toEqual([
    [100, null, null],
    [-250, 7, 'Chalk, "white"'],
  ])
})
