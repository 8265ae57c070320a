import { beforeAll, describe, expect, it } from 'vitest'
import type { OrganisationId } from '../../domain/values/ids.ts'
import { type Caller, findTrustIds, inviteAndSignIn, signInAs } from '../support/product/http.ts'
import { type Product, startProduct } from '../support/product/product.ts'
import { proceduresOf } from '../support/product/trpc.ts'

let product: Product
let finance: Caller
let harbour: { OrganisationId: OrganisationId }

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  harbour = { OrganisationId: (await findTrustIds(finance)).organisationId }
})

const option = (id: string, pain: number, savings: number[]) => ({ id, pain, savings, oneOff: savings.map(() => 0), quantities: {} })
const problem = {
  options: [
    option('lettings', 10, [600_000, 600_000]),
    option('supply', 30, [900_000, 900_000]),
    option('class', 70, [2_000_000, 3_500_000]),
  ],
  rules: [{ kind: 'notBoth' as const, ids: ['lettings', 'supply'] }],
  targets: [1_000_000, 1_200_000],
}
const solve = (body: unknown, who = finance, where: typeof harbour | Record<string, never> = harbour) =>
  who.call('POST', '/api/Savings/solve', body, where)

describe('POST /api/Savings/solve', () => {
  it('answers with the plan, the next plans and nothing that stands in the way', async () => {
    const { status, body } = await solve(problem)
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'proven',
      plan: ['class'],
      pain: 70,
      saves: [2_000_000, 3_500_000],
      next: [],
      conflict: [],
      most: [],
    })
    expect((await solve({ ...problem, rules: [] })).body).toMatchObject({
      plan: ['lettings', 'supply'],
      pain: 40,
      next: [{ plan: ['class'] }],
    })
  })
  it('gives the same answer to the browser, and always the same', async () => {
    const { body } = await solve(problem)
    expect(await proceduresOf(product, finance, harbour).savings.solve.query(problem)).toEqual(body)
    expect((await solve(problem)).body).toEqual(body)
  })
  it('names the rules and targets that cannot hold together, and the most that could be saved', async () => {
    const { status, body } = await solve({
      ...problem,
      rules: [{ kind: 'atMost', n: 1, ids: ['lettings', 'class'] }, ...problem.rules],
      targets: [3_000_000, 0],
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'impossible',
      plan: [],
      pain: null,
      conflict: [
        { kind: 'rule', index: 1 },
        { kind: 'target', index: 0 },
      ],
      most: [2_900_000, 4_400_000],
    })
  })
  it('refuses odd input with one sentence', async () => {
    const refused = async (changed: object): Promise<[number, unknown]> => {
      const { status, body } = await solve({ ...problem, ...changed })
      return [status, body]
    }
    expect(await refused({ rules: [{ kind: 'notBoth', ids: ['lettings', 'gone'] }] })).toEqual([400, 'No option has this id.'])
    expect(await refused({ options: [...problem.options, option('class', 1, [0, 0])] })).toEqual([
      400,
      'Two options have this id. Give each option an id of its own.',
    ])
    expect(await refused({ targets: [1, 2, 3] })).toMatchObject([400, expect.stringContaining('Give one amount for each year.')])
    expect(await refused({ rules: [{ kind: 'sumAtMost', quantity: '__proto__', value: 0, ids: ['class'] }] })).toEqual([
      400,
      'Give the quantity a name other than __proto__.',
    ])
    expect(await refused({ targets: [0.5, 0] })).toEqual([400, 'Targets must be whole pennies.'])
  })
  it('is for people who may see scenarios, in their own organisation', async () => {
    const administrator = await signInAs(product, 'admin@bursar.example')
    const organisationId = harbour.OrganisationId
    const invited = (name: string, permission: string) =>
      inviteAndSignIn(product, administrator, `${name}@harbour.example`, [permission], organisationId)
    expect((await solve(problem, await invited('codes.only', 'ConsoleBudgetCodesRead'))).status).toBe(403)
    expect((await solve(problem, await invited('overview.only', 'BudgetingOverviewRead'))).status).toBe(200)
    const stranger = await solve(problem, await signInAs(product, 'finance@meadow.example'))
    expect(stranger.status).toBe(403)
    expect((await solve(problem, finance, {})).status).toBe(400)
  })
})
