import { beforeAll, describe, expect, it } from 'vitest'
import { connectAsOwner } from '../../support/product/database.ts'
import { type Body, type Caller, findTrustIds, type Selection, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'

let product: Product
let finance: Caller
let places: TrustIds
let stAnne: Required<Selection>
let codes: Map<string, number>
const everything = { pageNumber: 1, pageSize: 5000 }
const entries = async (where = stAnne): Promise<Body[]> =>
  (await finance.call('POST', '/api/BudgetEntry/paginated', everything, where)).body.rows
const amounts = (entry: Body): number[] => entry.years.map((year: Body) => year.worked.amount)

beforeAll(async () => {
  product = await startProduct({ worker: true })
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  stAnne = places.at('St Anne’s')
  const list = (await finance.call('POST', '/api/BudgetCodes/list', everything, stAnne)).body.rows
  codes = new Map(list.map((row: Body) => [row.code, row.id]))
})

describe('an income and expenditure calculation', () => {
  const put = (body: Body) => finance.call('PUT', '/api/IncomeExpenditureCalculator/save', body, stAnne)
  const trip = (change: object = {}): Body => ({
    name: 'Trip to York',
    budgetCodeId: codes.get('4300'),
    rows: [
      { kind: 5, description: 'Pupils', value: 58 },
      { kind: 1, description: 'A place', value: 41.5 },
      { kind: 2, years: [0, 3, 3, 3, 3] },
      { kind: 7 },
      { kind: 3, periods: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0] },
    ],
    ...change,
  })
  it('B-171 B-170 posts its total to the budget as one entry, and replaces that entry when it is posted again', async () => {
    const made = await put(trip())
    expect([made.status, made.body.total]).toEqual([200, 2407])
    const process = () => finance.call('PUT', '/api/IncomeExpenditureCalculator/process', { id: made.body.id }, stAnne)
    const first = (await process()).body
    const entry = (await entries()).find((row) => row.id === first.entryId)
    expect(amounts(entry)).toEqual([2407, 2479.21, 2553.59, 2630.19, 2709.1])
    expect([entry.period9, entry.period10, entry.source.id]).toEqual([0, 2407, made.body.id])
    const version = entry.version
    await process()
    expect((await entries()).find((row) => row.id === first.entryId).version).toBe(version)
    const changed = (await put({ ...made.body, rows: [{ kind: 8, value: 5 }] })).body
    expect([changed.isOutOfDate, (await entries()).find((row) => row.id === first.entryId).isOutOfDate]).toEqual([true, true])
    const again = (await process()).body
    expect([again.entryId, again.isOutOfDate]).toEqual([first.entryId, false])
    expect((await entries()).filter((row) => row.source?.id === made.body.id)).toHaveLength(1)
    const typed = await finance.call('PUT', '/api/BudgetEntry/save', { ...entry, version: null, amount: 1 }, stAnne)
    expect([typed.status, typed.body]).toEqual([
      409,
      'This entry comes from a calculation. Change it there, or delete it here to remove it from the budget.',
    ])
    expect((await finance.call('DELETE', `/api/IncomeExpenditureCalculator/id/${made.body.id}`, undefined, stAnne)).status).toBe(204)
    expect((await entries()).some((row) => row.id === first.entryId)).toBe(false)
  })
  it('posts as many years as requested, and nothing while a figure is not calculated', async () => {
    const made = (await put(trip({ name: 'Two years' }))).body
    await finance.call('PUT', '/api/IncomeExpenditureCalculator/process', { id: made.id, years: 2 }, stAnne)
    expect(amounts((await entries()).find((row) => row.source?.id === made.id))).toEqual([2407, 2479.21, 0, 0, 0])
    const half = (await put(trip({ name: 'Half', rows: [{ kind: 1, value: 5 }] }))).body
    expect([half.total, half.worked[0].problem]).toEqual([null, 'Add a criteria row above this amount.'])
    const refused = await finance.call('PUT', '/api/IncomeExpenditureCalculator/process', { id: half.id }, stAnne)
    expect([refused.status, refused.body]).toEqual([
      409,
      'The calculation cannot be added to the budget while a figure is not calculated. Complete the marked rows first.',
    ])
    expect((await put(trip({ name: 'half' }))).body).toBe('Name is already used.')
    expect((await put(trip({ name: 'Bad', rows: [{ kind: 9 }] }))).body).toBe('Kind is not one of the choices.')
  })
})

describe('pupil numbers', () => {
  const get = async (): Promise<Body> => (await finance.call('GET', '/api/PupilNumbers', undefined, stAnne)).body
  const row = (body: Body, yearGroup: number): Body => body.rows.find((one: Body) => one.yearGroup === yearGroup)
  it('B-167 B-168 are saved as a whole and returned with rolled-up numbers and totals that cannot be typed', async () => {
    const before = await get()
    const rows = [
      { kind: 'Phase', yearGroup: 2, before: 30, years: [28, 31, 29, null, null] },
      { kind: 'Phase', yearGroup: 3, before: 29 },
      { kind: 'Description', description: 'Years 2 to 6 are elsewhere' },
      { kind: 'HighNeeds', yearGroup: 16, before: 4, years: [5] },
      { kind: 'Total', description: 'All', years: [9999, 9999, 9999, 9999, 9999] },
    ]
    const saved = await finance.call('POST', '/api/PupilNumbers', { ...before, rows }, stAnne)
    expect(saved.status).toBe(200)
    expect(row(saved.body, 3).years).toEqual([30, 28, 31, 29, null])
    expect(row(saved.body, 3).typed).toEqual([true, false, false, false, false, false])
    const total = saved.body.rows.find((one: Body) => one.kind === 'Total' && one.phase === null)
    expect([total.before, ...total.years]).toEqual([59, 58, 59, 60, null, null])
    expect(row(saved.body, 16).years).toEqual([5, 5, 5, 5, 5])
    // Year groups that were returned by the server and sent back unchanged still roll up.
    const changed = {
      ...saved.body,
      rows: saved.body.rows.map((one: Body) => (one.yearGroup === 2 ? { ...one, years: [40, ...one.years.slice(1)] } : one)),
    }
    const again = (await finance.call('POST', '/api/PupilNumbers', changed, stAnne)).body
    expect(row(again, 3).years[1]).toBe(40)
    expect((await finance.call('POST', '/api/PupilNumbers', { ...before, rows }, stAnne)).status).toBe(409)
    const twice = {
      ...again,
      rows: [
        { kind: 'Phase', yearGroup: 3 },
        { kind: 'Phase', yearGroup: 3 },
      ],
    }
    expect((await finance.call('POST', '/api/PupilNumbers', twice, stAnne)).body).toBe('Year 1 appears twice. Remove one.')
    await finance.call('POST', '/api/PupilNumbers', { ...again, rows: before.rows }, stAnne)
  })
  it('with a school’s timetable give its teaching measures, which are blank until somebody types it', async () => {
    const { OrganisationId, BudgetId } = stAnne
    const measures = async (): Promise<Body> =>
      (await finance.call('POST', '/api/Reporting/Measures', { budgetId: BudgetId }, { OrganisationId })).body
    const ratio = async (): Promise<Body> => (await measures()).rows.find((one: Body) => one.label === 'Contact ratio').values
    expect((await ratio())[0]).toBeNull()
    const lessons = [{ week: 25, taught: 100, weeks: 38 }]
    const saved = await finance.call('POST', '/api/PupilNumbers', { ...(await get()), lessons }, stAnne)
    expect(saved.body.lessons).toEqual([lessons[0], ...Array.from({ length: 4 }, () => ({ week: null, taught: null, weeks: null }))])
    expect((await ratio())[0]).toBeGreaterThan(0)
    expect((await ratio())[1]).toBeNull()
    // A ratio below the usual range is shown for the school on the trust’s overview.
    const warnings = async (): Promise<string[]> => {
      const { body } = await finance.call('POST', '/api/Reporting/AtAGlance', {}, { OrganisationId })
      return body.rows.find((one: Body) => one.budgetId === BudgetId).warnings.map((one: Body) => one.text)
    }
    const said = `The contact ratio of ${(await ratio())[0].toFixed(2)} is below 0.78.`
    expect(await warnings()).toContain(said)
    const refused = await finance.call('POST', '/api/PupilNumbers', { ...saved.body, lessons: [{ weeks: 54 }] }, stAnne)
    expect([refused.status, refused.body]).toEqual([400, 'Teaching weeks in the year must be between 0 and 53.'])
    await finance.call('POST', '/api/PupilNumbers', { ...saved.body, lessons: [] }, stAnne)
    expect(await warnings()).not.toContain(said)
  })
  it('invalidate pools and top slices when pupils change, and not for a timetable', async () => {
    const northgate = places.at('Northgate')
    const owner = connectAsOwner(product.config.databaseUrl)
    const isMarked = async (): Promise<boolean> =>
      (await owner`select 1 from recalculation_marks where budget_id = ${northgate.BudgetId}`).length > 0
    await owner`delete from recalculation_marks`
    await owner`update budget_groups set required_since = null`
    const pupils = (await finance.call('GET', '/api/PupilNumbers', undefined, northgate)).body
    const lessons = [{ week: 25, taught: 200, weeks: 38 }]
    const timetable = (await finance.call('POST', '/api/PupilNumbers', { ...pupils, lessons }, northgate)).body
    expect(await isMarked()).toBe(false)
    const rows = timetable.rows.map((one: Body, index: number) => (index ? one : { ...one, before: one.before + 1 }))
    await finance.call('POST', '/api/PupilNumbers', { ...timetable, rows }, northgate)
    expect(await isMarked()).toBe(true)
  })
})

describe('the funding predictor', () => {
  it('B-154 B-175 is created from a version with rates of the authority, and a budget code; only once', async () => {
    const versions = (await finance.call('GET', '/api/FundingPredictor/versions', undefined, stAnne)).body
    expect(versions.map((one: Body) => one.name)).toEqual(['NFF 2026/27', 'NFF 2025/26', 'NFF 2024/25'])
    const create = (id: number, budgetCodeId?: number) => finance.call('POST', '/api/FundingPredictor', { id, budgetCodeId }, stAnne)
    const made = await create(versions[2].id, codes.get('1010'))
    expect(made.status).toBe(201)
    expect(new Set(made.body.rows.map((row: Body) => row.kind))).toEqual(new Set(['Type', 'Stream', 'SubTotal', 'Inflation', 'Total']))
    expect((await create(versions[2].id, codes.get('1010'))).status).toBe(409)
    expect((await create(versions[2].id, codes.get('4300'))).body).toBe('Choose an income code: funding is income.')
    expect((await create(999_999, codes.get('1010'))).status).toBe(400)
    expect((await finance.call('DELETE', `/api/FundingPredictor/${made.body.id}`, undefined, stAnne)).status).toBe(204)
    expect((await finance.call('GET', `/api/FundingPredictor/${made.body.id}`, undefined, stAnne)).status).toBe(404)
  })
  it('B-176 has rows of six kinds, calculated with the previous October’s pupils and the rates of its version', async () => {
    const [prediction] = (await finance.call('GET', '/api/FundingPredictor/list', undefined, stAnne)).body
    const rules = (await finance.call('GET', '/api/FundingPredictor/calculations', undefined, stAnne)).body
    expect(rules.map((rule: Body) => rule.key)).toEqual(['Type', 'Stream', 'SubTotal', 'Inflation', 'Description', 'Total'])
    const rows = [
      { kind: 'Type', description: 'Pupils' },
      { kind: 'Stream', category: 1 },
      { kind: 'SubTotal' },
      { kind: 'Description', description: 'From the statement' },
      { kind: 'Stream', category: 40, description: 'Other', years: [2], rate: 10.5 },
      { kind: 'Total' },
    ]
    const saved = await finance.call('POST', '/api/FundingPredictor/update', { ...prediction, rows }, stAnne)
    expect(saved.status).toBe(200)
    const pupils = (await finance.call('GET', '/api/PupilNumbers', undefined, stAnne)).body.rows.find(
      (row: Body) => row.kind === 'Total' && row.phase === 2,
    )
    const expected = [pupils.before, ...pupils.years.slice(0, 4)].map((count: number) => Math.round(count * 3847 * 100) / 100 + 21)
    expect(saved.body.totals).toEqual(expected)
    const calculated = (await finance.call('GET', `/api/FundingPredictor/calculations?id=${prediction.id}`, undefined, stAnne)).body
    expect(calculated[5].years).toEqual(expected)
    const entry = (await entries()).find((row) => row.source?.id === prediction.id)
    expect([entry.isOutOfDate, saved.body.isOutOfDate]).toEqual([true, true])
    const bad = await finance.call(
      'POST',
      '/api/FundingPredictor/update',
      { ...saved.body, rows: [{ kind: 'Stream', category: 77 }] },
      stAnne,
    )
    expect(bad.body).toBe('Category is not one of the choices.')
  })
})

describe('opening balances', () => {
  it('B-166 have a description, a type and a value, and are summed by type', async () => {
    const put = (body: Body) => finance.call('PUT', '/api/OpeningBalance', body, stAnne)
    const made = await put({ description: 'Reserve for the hall', type: 1, value: -250.25 })
    expect([made.status, made.body.value]).toEqual([200, -250.25])
    expect((await put({ description: 'reserve for the hall', type: 1, value: 1 })).status).toBe(409)
    expect((await put({ description: 'Reserve for the hall', type: 2, value: 1 })).status).toBe(200)
    expect((await put({ description: 'X', type: 4, value: 1 })).body).toBe('Type is not one of the choices.')
    expect((await put({ description: 'X', type: 1 })).body).toBe('Value is required.')
    const rows = (await finance.call('POST', '/api/OpeningBalance/paginated', everything, stAnne)).body.rows
    const ids = rows.filter((row: Body) => row.description === 'Reserve for the hall').map((row: Body) => row.id)
    const state = { selectAll: false, toggledNodes: ids }
    expect((await finance.call('POST', '/api/OpeningBalance/bulkDelete', { state }, stAnne)).body).toMatchObject({ deleted: 2 })
  })
})
