import { beforeAll, describe, expect, it } from 'vitest'
import { type Body, type Caller, findTrustIds, type Selection, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'
import { idsFor, teacherContract } from '../../support/samples/contract.ts'

let product: Product
let finance: Caller
let places: TrustIds

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
})

describe('a budget that is not calculated in every year', () => {
  const own = () => ({ OrganisationId: places.organisationId })
  const rolledForward = async (): Promise<Required<Selection>> => {
    const where = places.at('St Anne’s')
    const { body } = await finance.call('POST', '/api/Budget/rollforward', { ids: [where.BudgetId] }, own())
    return { ...where, BudgetId: [body].flat()[0].mongoId }
  }
  const levy = 'The apprenticeship levy is not calculated in 2031/32. Add this budget to a group and recalculate the group first.'
  const slices = /^Top slices are not calculated in 2031\/32\. .*Add this budget to a group and recalculate the group first.$/

  it('can be neither submitted nor locked: it names the year without the levy and top slices, and what to do first', async () => {
    const there = await rolledForward()
    const { approval } = proceduresOf(product, finance, there)
    const { obstacles } = await approval.state.query()
    const refused = obstacles.filter((one: Body) => one.isRefused)
    expect(refused.map((one: Body) => one.code)).toEqual(['levyNotCalculated', 'topSlicesNotCalculated'])
    expect(refused[0]).toMatchObject({ sentence: levy, page: 'group' })
    expect(refused[1]!.sentence).toMatch(slices)
    const said = refused.map((one: Body) => one.sentence).join(' ')
    await expect(approval.submit.mutate({ comment: null })).rejects.toThrow(said)
    const { status, body } = await finance.call('POST', `/api/Budget/fix/${there.BudgetId}`, undefined, own())
    expect([status, JSON.stringify(body)]).toEqual([409, expect.stringContaining('The apprenticeship levy is not calculated in 2031/32.')])
  })
  it('can be submitted once it ends with the last calculated year', async () => {
    const there = await rolledForward()
    const state = { selectAll: false, toggledNodes: [there.BudgetId] }
    const patch = [{ op: 'replace', path: '/numberOfYears', value: 4 }]
    expect((await finance.call('POST', '/api/Budget/bulkedit', { state, patch }, own())).status).toBe(200)
    const { approval } = proceduresOf(product, finance, there)
    const { obstacles } = await approval.state.query()
    expect(obstacles.filter((one: Body) => one.isRefused && one.code !== 'recalculationRequired')).toEqual([])
  })
  it('says how many contracts have no figure, and where they are listed', async () => {
    const where = places.at('Northgate')
    const { body } = await finance.call('POST', `/api/Budget/duplicate/${where.BudgetId}`, { name: 'Without a figure' }, own())
    const there = { ...where, BudgetId: body.mongoId }
    const ids = await idsFor(finance, there)
    const early = teacherContract(ids, { contractName: 'Unknown point' }, { scalePoint: ids.point('Main M1') })
    expect((await finance.call('PUT', '/api/StaffContract', early, there)).status).toBe(200)
    const { obstacles } = await proceduresOf(product, finance, there).approval.state.query()
    const without = obstacles.find((one: Body) => one.code === 'noMaximumPoint')
    expect(without).toMatchObject({ page: 'checks', isRefused: false })
  })
})
