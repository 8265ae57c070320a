import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Body,
  type Caller,
  findTrustIds,
  inviteAndSignIn,
  type Selection,
  signInAs,
  type TrustIds,
} from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'

let product: Product
let finance: Caller
let places: TrustIds
let northgate: Required<Selection>
let codes: Map<string, number>
const everything = { pageNumber: 1, pageSize: 5000 }
const pennies = (pounds: number): number => Math.round(pounds * 100)

beforeAll(async () => {
  product = await startProduct({ worker: true })
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  northgate = places.at('Northgate')
  const list = (await finance.call('POST', '/api/BudgetCodes/list', everything, northgate)).body.rows
  codes = new Map(list.map((row: Body) => [row.code, row.id]))
})

const entriesAt = async (where: Required<Selection>): Promise<Body[]> =>
  (await finance.call('POST', '/api/BudgetEntry/paginated', everything, where)).body.rows
const own = () => ({ OrganisationId: places.organisationId })
const recalculated = async (): Promise<void> => {
  const locked = async () =>
    (await finance.call('GET', '/api/Application/staffcontracts/recalculation/locked', undefined, own())).body.locked
  expect((await finance.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${places.groupId}`, undefined, own())).status).toBe(202)
  for (let turn = 0; turn < 400 && (await locked()); turn++) await new Promise((next) => setTimeout(next, 50))
}

describe('the overview of a budget', () => {
  it('totals income, staffing, non-staffing and balances to the penny, and the tree agrees', async () => {
    const browser = proceduresOf(product, finance, northgate)
    const { years } = await browser.overview.summary.query()
    const tree = await browser.overview.tree.query({ scheme: 'cfr' })
    const codeTypes = new Map(
      (await finance.call('POST', '/api/BudgetCodes/list', everything, northgate)).body.rows.map((row: Body) => [row.id, row.type]),
    )
    for (const [year, own] of years.entries()) {
      const side = (wanted: string): number =>
        tree
          .filter((node) => node.side === wanted)
          .reduce((sum, node) => sum + node.codes.reduce((all, code) => all + pennies(code.years[year]!.total), 0), 0)
      expect([side('income'), side('expenditure')]).toEqual([pennies(own.income), pennies(own.staffing) + pennies(own.nonStaffing)])
      expect(pennies(own.inYear)).toBe(pennies(own.income) - pennies(own.staffing) - pennies(own.nonStaffing))
      expect(pennies(own.closing)).toBe(pennies(own.opening) + pennies(own.inYear))
      if (year > 0) expect(own.opening).toBe(years[year - 1]!.closing)
      for (const node of tree)
        for (const code of node.codes)
          expect(code.months[year]!.reduce((sum, month) => sum + pennies(month), 0)).toBe(pennies(code.years[year]!.total))
    }
    const incomes = (await entriesAt(northgate)).filter((entry) => codeTypes.get(entry.budgetCodeId) === 1)
    expect(incomes.reduce((sum, entry) => sum + pennies(entry.years[2].worked.amount), 0)).toBe(pennies(years[2]!.income))
  })
  it('is grouped by cost centre and by fund, each agreeing with the years at a glance', async () => {
    const browser = proceduresOf(product, finance, northgate)
    const { years } = await browser.overview.summary.query()
    for (const by of ['costCentre', 'fundCode'] as const) {
      const sums = await browser.overview.byCoding.query({ by })
      expect(sums.filter((sum) => sum.id !== null).length).toBeGreaterThan(1)
      for (const [year, own] of years.entries())
        for (const side of ['income', 'staffing', 'nonStaffing'] as const) {
          expect(sums.reduce((all, sum) => all + pennies(sum.years[year]![side].total), 0)).toBe(pennies(own[side]))
          expect(sums.reduce((all, sum) => all + sum.years[year]![side].missing, 0)).toBe(own.gaps[side])
        }
    }
  })
  it('opens every code down to its sources, which add up to it', async () => {
    const browser = proceduresOf(product, finance, northgate)
    const tree = await browser.overview.tree.query({ scheme: 'category' })
    for (const code of tree.flatMap((node) => node.codes)) {
      const sources = await browser.overview.sources.query({ codeId: code.id })
      for (const year of [0, 4])
        expect(sources.reduce((sum, source) => sum + pennies(source.years[year]!.total), 0)).toBe(pennies(code.years[year]!.total))
    }
  })
  it('hides the cost of each employee from users who may not see staffing', async () => {
    const administrator = await signInAs(product, 'admin@bursar.example')
    const reader = await inviteAndSignIn(
      product,
      administrator,
      'overview@harbour.example',
      ['BudgetingOverviewRead'],
      places.organisationId,
    )
    const sources = await proceduresOf(product, reader, northgate).overview.sources.query({ codeId: codes.get('3100')! })
    expect(sources.map((source) => [source.kind, source.name])).toEqual([['contracts', 'Staff contracts']])
  })
  it('counts a figure that cannot be calculated and leaves it out', async () => {
    const browser = proceduresOf(product, finance, northgate)
    const before = await browser.overview.summary.query()
    const made = await finance.call(
      'PUT',
      '/api/BudgetEntry/save',
      {
        description: 'Half worked out',
        budgetCodeId: codes.get('4300'),
        rows: [
          { kind: 5, years: [10] },
          { kind: 1, value: 2 },
        ],
      },
      northgate,
    )
    const after = await browser.overview.summary.query()
    expect(after.years[0]!.nonStaffing).toBe((pennies(before.years[0]!.nonStaffing) + 2000) / 100)
    expect(after.years.map((year) => year.missing)).toEqual([0, 12, 12, 12, 12])
    expect(made.body.years[1].worked.amount).toBeNull()
    await finance.call('POST', '/api/BudgetEntry/bulkDelete', { state: { selectAll: false, toggledNodes: [made.body.id] } }, northgate)
  })
})

describe('an undo', () => {
  it('reverses a user’s own change of an entry, as long as nothing newer changed it', async () => {
    const browser = proceduresOf(product, finance, northgate)
    const made = await finance.call(
      'PUT',
      '/api/BudgetEntry/save',
      { description: 'Undone', budgetCodeId: codes.get('4300'), amount: 10 },
      northgate,
    )
    const { versions } = await browser.entries.change.mutate({ changes: [{ id: made.body.id, changes: { amount: 20 } }] })
    await browser.budgets.undo.mutate({ versions })
    const entry = (await finance.call('GET', `/api/BudgetEntry/id/${made.body.id}`, undefined, northgate)).body
    expect(entry.amount).toBe(10)
    await expect(browser.budgets.undo.mutate({ versions })).rejects.toThrow('This has already been undone.')
    const gone = await browser.entries.delete.mutate({ ids: [made.body.id] })
    await browser.budgets.undo.mutate({ versions: gone })
    expect((await finance.call('GET', `/api/BudgetEntry/id/${made.body.id}`, undefined, northgate)).status).toBe(200)
    const history = await browser.budgets.history.query({ itemId: made.body.id })
    expect(history.map((line) => line.sentence)).toEqual([
      expect.stringMatching(/^undid version \d+: restored the budget entry Undone: £10.00 in 2026\/27$/),
      'deleted the budget entry Undone: £10.00 in 2026/27',
      expect.stringMatching(/^undid version \d+: changed the budget entry Undone, £10.00 less in 2026\/27, £52.13 less over 5 years$/),
      'changed the budget entry Undone, £10.00 more in 2026/27, £52.13 more over 5 years',
      'added the budget entry Undone: £10.00 in 2026/27',
    ])
    expect(history[3]!.changes).toContainEqual({ field: '2026/27', before: '£10.00', after: '£20.00' })
  })
})

describe('shared tables', () => {
  it('leave entries unchanged until the group is recalculated, and a changed rate marks it', async () => {
    const entry = (await entriesAt(northgate)).find((row) => row.description === 'Classroom supplies')
    const rates = (await finance.call('POST', '/api/InflationRate/list', everything, own())).body.rows
    const rate = rates.find((row: Body) => row.budgetCodeId === entry.budgetCodeId)
    await finance.call('PUT', '/api/InflationRate', { ...rate, rates: [0, 10, 0, 0, 0] }, own())
    const required = await finance.call('GET', `/api/BudgetGroup/recalculate/staff-contracts/required/${places.groupId}`, undefined, own())
    expect(required.body.required).toBe(true)
    const worked = async (): Promise<number> =>
      (await finance.call('GET', `/api/BudgetEntry/id/${entry.id}`, undefined, northgate)).body.years[1].worked.amount
    expect(await worked()).toBe(entry.years[1].worked.amount)
    await recalculated()
    expect(pennies(await worked())).toBe(Math.round(pennies(entry.amount) * 1.1))
  })
  it('include top slices and pools, which add up to zero over the trust, as lines nobody can edit', async () => {
    const sheets = async () =>
      Promise.all(
        ['Northgate', 'St Anne’s', 'Harbour', 'Riverside', 'Beacon', 'Central'].map((place) =>
          proceduresOf(product, finance, places.at(place)).entries.sheet.query(),
        ),
      )
    const sum = (sheet: Awaited<ReturnType<typeof sheets>>[number], name: RegExp, year: number): number =>
      sheet.linked.filter((line) => name.test(line.name)).reduce((all, line) => all + line.amounts[year]!, 0)
    const before = await sheets()
    for (let year = 0; year < 5; year++)
      expect(before.reduce((all, sheet) => all + sum(sheet, /^Top slice to/, year), 0)).toBe(sum(before[5]!, /^Top slice from/, year))
    const income = (await entriesAt(northgate)).filter((entry) => entry.budgetCodeId !== null)
    const incomeCodes = new Set(
      (await finance.call('GET', '/api/BudgetCodes/list/income', undefined, northgate)).body.map((row: Body) => row.id),
    )
    const total = income.filter((entry) => incomeCodes.has(entry.budgetCodeId)).reduce((all, entry) => all + pennies(entry.amount), 0)
    expect(sum(before[0]!, /^Top slice to/, 0)).toBe(Math.round(total * 0.05))
    const [table] = (await finance.call('POST', '/api/GagPoolTables/list', everything, own())).body.rows
    await finance.call('PUT', '/api/GagPoolTables', { ...table, effectiveDate: '2026-09-01', active: true }, own())
    for (const place of ['Northgate', 'St Anne’s', 'Harbour']) {
      const where = places.at(place)
      const elements = (await finance.call('GET', `/api/Budget/elements/${where.BudgetId}`, undefined, where)).body
      const saved = await finance.call(
        'PUT',
        '/api/BudgetElements/update',
        { ...elements, gagPoolTables: [{ effectiveDate: '2026-09-01', adminTableId: table.id }] },
        where,
      )
      expect([saved.status, saved.body.gagPoolTables.length]).toEqual([200, 1])
    }
    await recalculated()
    const after = await sheets()
    for (let year = 0; year < 5; year++) expect(after.reduce((all, sheet) => all + sum(sheet, /^GAG pool/, year), 0)).toBe(0)
    expect(sum(after[0]!, /paid in/, 0)).toBe(
      -Math.round(pennies((await entriesAt(northgate)).find((entry) => entry.description === 'General annual grant').amount) * 0.04),
    )
    expect(after[3]!.linked.some((line) => line.kind === 'gagPool')).toBe(false)
  })
})
