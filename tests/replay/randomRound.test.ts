import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore, type Store } from '../../server/core/database/database.ts'
import { type Body, type Caller, findTrustIds, type Selection, signInAs, type TrustIds } from '../support/product/http.ts'
import { type Product, startProduct } from '../support/product/product.ts'
import { proceduresOf } from '../support/product/trpc.ts'
import { type Ids, idsFor, teacherContract } from '../support/samples/contract.ts'
import { verifyBudget } from '../support/stories/replayed.ts'

let product: Product
let store: Store
let finance: Caller
let places: TrustIds
let northgate: Required<Selection>
let ids: Ids
const everything = { pageNumber: 1, pageSize: 5000 }

beforeAll(async () => {
  product = await startProduct()
  store = openStore(product.config, 2)
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  northgate = places.at('Northgate')
  ids = await idsFor(finance, northgate)
})
afterAll(() => store?.close())

const own = () => ({ OrganisationId: places.organisationId })
const rows = async (path: string, where: Required<Selection>): Promise<Body[]> =>
  (await finance.call('POST', path, everything, where)).body.rows
let names = 0

/** One action of a user on a budget, which the product may refuse. @returns the budgets it made */
type Deed = (where: Required<Selection>, pick: number) => Promise<Required<Selection>[]>
const chosen = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(1, list.length)]
const made = (where: Required<Selection>, { status, body }: { status: number; body: Body }): Required<Selection>[] =>
  status === 201 ? [body].flat().map((one: Body) => ({ ...where, BudgetId: one.mongoId })) : []

const deeds: Record<string, Deed> = {
  duplicate: async (where) => made(where, await finance.call('POST', `/api/Budget/duplicate/${where.BudgetId}`, {}, own())),
  rollForward: async (where) => made(where, await finance.call('POST', '/api/Budget/rollforward', { ids: [where.BudgetId] }, own())),
  addContract: async (where, pick) => {
    const contract = teacherContract(ids, { contractName: `Post ${++names}` }, { fte: (pick % 10) / 10 + 0.1 })
    await finance.call('PUT', '/api/StaffContract', contract, where)
    return []
  },
  changeContract: async (where, pick) => {
    const one = chosen(await rows('/api/StaffContract/paginated', where), pick)
    if (!one) return []
    const full = (await finance.call('GET', `/api/StaffContract/id/${one.id}`, undefined, where)).body
    await finance.call('PUT', '/api/StaffContract', { ...full, endDate: `2027-0${(pick % 8) + 1}-15` }, where)
    return []
  },
  deleteContract: async (where, pick) => {
    const one = chosen(await rows('/api/StaffContract/paginated', where), pick)
    const state = { selectAll: false, toggledNodes: one ? [one.id] : [] }
    if (one) await finance.call('POST', '/api/StaffContract/bulkDelete', { state }, where)
    return []
  },
  changeEntry: async (where, pick) => {
    const one = chosen(
      (await rows('/api/BudgetEntry/paginated', where)).filter((entry) => !entry.source),
      pick,
    )
    if (one) await finance.call('PUT', '/api/BudgetEntry/save', { ...one, amount: pick % 90_000 }, where)
    return []
  },
  fewerYears: async (where, pick) => {
    const state = { selectAll: false, toggledNodes: [where.BudgetId] }
    const patch = [{ op: 'replace', path: '/numberOfYears', value: (pick % 3) + 3 }]
    await finance.call('POST', '/api/Budget/bulkedit', { state, patch }, own())
    return []
  },
  rename: async (where) => {
    await proceduresOf(product, finance, where)
      .budgets.rename.mutate({ id: where.BudgetId, name: `Budget ${++names}` })
      .catch(() => undefined)
    return []
  },
  nameMoment: async (where, pick) => {
    await proceduresOf(product, finance, where)
      .moments.name.mutate({ version: (pick % 20) + 1, name: `Moment ${++names}` })
      .catch(() => undefined)
    return []
  },
  submit: async (where) => {
    await proceduresOf(product, finance, where)
      .approval.submit.mutate({ comment: 'Please' })
      .catch(() => undefined)
    return []
  },
  decide: async (where, pick) => {
    const { approval } = proceduresOf(product, finance, where)
    await (pick % 3 ? approval.return.mutate({ comment: 'Not yet' }) : approval.approve.mutate({})).catch(() => undefined)
    return []
  },
  comment: async (where) => {
    await proceduresOf(product, finance, where)
      .approval.addComment.mutate({ about: { kind: 'budget' }, text: 'Why?' })
      .catch(() => undefined)
    return []
  },
  scenario: async (where, pick) => {
    const { scenarios } = proceduresOf(product, finance, where)
    const one = chosen(await rows('/api/StaffContract/paginated', where), pick)
    if (!one) return []
    const changes = [{ kind: 'hours' as const, contractId: one.id, from: '2027-01-01', percentage: 80 }]
    const id = await scenarios.save.mutate({ name: `Scenario ${++names}`, changes }).catch(() => null)
    if (id && pick % 2) await scenarios.become.mutate({ id }).catch(() => undefined)
    return []
  },
  deleteAndRestore: async (where) => {
    await finance.call('DELETE', `/api/Budget/${where.BudgetId}`, undefined, own())
    await proceduresOf(product, finance, where)
      .bin.restoreBudgets.mutate({ ids: [where.BudgetId] })
      .catch(() => undefined)
    return []
  },
  lock: async (where) => {
    await finance.call('POST', `/api/Budget/fix/${where.BudgetId}`, undefined, own())
    return []
  },
}

it('after any sequence of actions on budgets, the log replays to the tables, to the penny', async () => {
  // Locks and approvals are rarer than other actions; otherwise everything would soon be locked.
  const often = Object.keys(deeds).filter((name) => name !== 'lock')
  const step = fc.record({
    deed: fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...often) }, { weight: 1, arbitrary: fc.constant('lock') }),
    budget: fc.nat({ max: 50 }),
    pick: fc.nat({ max: 100_000 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 14 }), async (steps) => {
      const { body } = await finance.call('POST', `/api/Budget/duplicate/${northgate.BudgetId}`, { name: `Run ${++names}` }, own())
      const budgets: Required<Selection>[] = [{ ...northgate, BudgetId: body.mongoId }]
      for (const { deed, budget, pick } of steps) budgets.push(...(await deeds[deed]!(budgets[budget % budgets.length]!, pick)))
      for (const { BudgetId } of budgets) expect(await verifyBudget(store, places.organisationId, BudgetId)).toEqual([])
    }),
    { numRuns: 6, endOnFailure: true },
  )
}, 240_000)
