import { randomUUID } from 'node:crypto'
import type { Body, Caller, TrustIds } from './http.ts'
import type { Product } from './product.ts'
import { proceduresOf } from './trpc.ts'

/** The most that a call may request from the database, including its permission check. */
interface CallLimits {
  statements: number
  transactions: number
}

/** One of the commonest calls, with its limits. */
interface CommonCall {
  name: string
  most: CallLimits
  /** Makes the call once. A save sends a different value each time, so that there is always something to save. */
  make(): Promise<unknown>
}

const page = { pageNumber: 1, pageSize: 50 }

/** The commonest calls, made as the finance lead of the demo trust at one of its schools. */
export async function listCommonCalls(product: Product, finance: Caller, places: TrustIds, alias = 'Northgate'): Promise<CommonCall[]> {
  const at = places.at(alias)
  const within = { OrganisationId: places.organisationId }
  const api = proceduresOf(product, finance, at)
  const inside = proceduresOf(product, finance, within)
  const contract = await findSavableContract(api)
  const entry = (await api.entries.list.query(page)).rows[0]!
  const points = await finance.call('POST', '/api/PayScalePoint/list', page, within)
  const pointId = points.body.rows[0].id as number
  let turn = 0
  /** Saves as the browser does, with a new idempotency key each time. */
  const save = (changes: object) =>
    proceduresOf(product, finance, at, randomUUID()).contracts.save.mutate({ ...contract, version: null, ...changes })
  return [
    {
      name: 'a contract is saved',
      most: { statements: 20, transactions: 1 },
      make: () => save({ department: `Department ${++turn}` }),
    },
    {
      name: 'a contract is saved for more pay',
      most: { statements: 20, transactions: 1 },
      make: () => save({ salary: contract.salary.map((row: Body) => ({ ...row, fte: (50 + (++turn % 50)) / 100 })) }),
    },
    {
      name: 'an entry is saved in the sheet',
      most: { statements: 19, transactions: 1 },
      make: () => api.entries.change.mutate({ changes: [{ id: entry.id, changes: { amount: 1000 + ++turn } }] }),
    },
    { name: 'the list of contracts', most: { statements: 12, transactions: 1 }, make: () => api.contracts.list.query(page) },
    { name: 'one contract', most: { statements: 10, transactions: 1 }, make: () => api.contracts.get.query({ id: contract.id }) },
    { name: 'the entries sheet', most: { statements: 10, transactions: 1 }, make: () => api.entries.sheet.query({}) },
    {
      name: 'a page of ten budget codes over REST',
      most: { statements: 1, transactions: 1 },
      make: () => finance.call('POST', '/api/BudgetCodes/list', { pageNumber: 1, pageSize: 10 }, within),
    },
    { name: 'the summary', most: { statements: 15, transactions: 1 }, make: () => api.overview.summary.query() },
    { name: 'a search', most: { statements: 15, transactions: 1 }, make: () => inside.search.find.query({ search: 'sup' }) },
    {
      name: 'the budgets of the selection',
      most: { statements: 11, transactions: 1 },
      make: () => inside.budgets.listByLocation.query({ ids: [at.LocationId] }),
    },
    { name: 'who is signed in', most: { statements: 0, transactions: 0 }, make: () => inside.startup.authorisation.query() },
    {
      name: 'a point of a pay scale over REST',
      most: { statements: 4, transactions: 1 },
      make: () => finance.call('GET', `/api/PayScalePoint/${pointId}`, undefined, within),
    },
  ]
}

/** A teacher’s contract as the editor would send it. */
async function findSavableContract(api: ReturnType<typeof proceduresOf>): Promise<Body> {
  const { rows } = await api.contracts.list.query(page)
  const teacher = rows.find((row) => row.employeeNumber && row.costYears?.every((cost) => cost !== null)) ?? rows[0]!
  return api.contracts.get.query({ id: teacher.id })
}
