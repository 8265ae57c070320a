import { beforeAll, expect, it } from 'vitest'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { type Caller, findTrustIds, signInAs } from '../../support/product/http.ts'
import { startProduct } from '../../support/product/product.ts'

let finance: Caller
let manager: Caller
let meadow: Caller
let own: { OrganisationId: OrganisationId }
let theirs: { OrganisationId: OrganisationId }

beforeAll(async () => {
  const product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  manager = await signInAs(product, 'northgate@harbour.example')
  meadow = await signInAs(product, 'finance@meadow.example')
  own = { OrganisationId: (await findTrustIds(finance)).organisationId }
  theirs = { OrganisationId: (await findTrustIds(meadow)).organisationId }
})

const words = async (who: Caller, where: Record<string, number>) =>
  (await who.call('GET', '/api/Terminology', undefined, where)).body.CostCentre
const change = (who: Caller, body: object, where: Record<string, number> = own) => who.call('PUT', '/api/Terminology', body, where)

it('B-067 B-069 a changed term is used for the organisation that changed it, in the dictionary and in exports, and for no other', async () => {
  expect((await change(finance, { term: 'CostCentre', singular: 'Department', plural: 'Departments' })).body).toMatchObject({
    term: 'CostCentre',
    isDefault: false,
  })
  expect(await words(manager, own)).toEqual({ singular: 'Department', plural: 'Departments' })
  expect(await words(meadow, theirs)).toEqual({ singular: 'Cost centre', plural: 'Cost centres' })
  const file = await finance.call('POST', '/api/CostCentres/export', {}, own)
  expect(decodeURIComponent(file.headers.get('content-disposition')!)).toContain('Departments 20')
})
it('B-070 deleting a term restores the default', async () => {
  const row = (await finance.call('POST', '/api/Terminology/list', { search: 'Departments' }, own)).body.rows[0]
  expect((await finance.call('DELETE', `/api/Terminology/${row.id}`, undefined, own)).status).toBe(204)
  expect(await words(finance, own)).toEqual({ singular: 'Cost centre', plural: 'Cost centres' })
})
it('B-072 only users who may change the organisation change its terms', async () => {
  expect((await manager.call('POST', '/api/Terminology/list', {}, own)).status).toBe(200)
  expect((await change(manager, { term: 'CostCentre', singular: 'X', plural: 'Xs' })).status).toBe(403)
})
it('a term that is empty, too long or unknown is refused with one sentence', async () => {
  expect((await change(finance, { term: 'CostCentre', singular: ' ', plural: 'x' })).body).toBe('Singular is required.')
  expect((await change(finance, { term: 'CostCentre', singular: 'x'.repeat(51), plural: 'x' })).body).toBe(
    'Singular can have at most 50 characters.',
  )
  expect((await change(finance, { term: 'Nonsense', singular: 'x', plural: 'x' })).status).toBe(400)
})
it('B-119 two users change one term: the second is told', async () => {
  const saved = (await change(finance, { term: 'FundCode', singular: 'Fund', plural: 'Funds', version: 0 })).body
  expect((await change(finance, { term: 'FundCode', singular: 'Pot', plural: 'Pots', version: 0 })).status).toBe(409)
  expect((await change(finance, { term: 'FundCode', singular: 'Pot', plural: 'Pots', version: saved.version })).status).toBe(200)
})
