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

let product: Product
let finance: Caller
let administrator: Caller
let places: TrustIds
let northgate: Required<Selection>
let codes: Map<string, number>
let funds: Map<string, number>

const everything = { pageNumber: 1, pageSize: 5000 }
const months = (amounts: number[]): Body => Object.fromEntries(amounts.map((amount, index) => [`period${index + 1}`, amount]))
const monthsOf = (entry: Body): number[] => Array.from({ length: 12 }, (_unused, index) => entry[`period${index + 1}`])
const worked = (entry: Body): number[] => entry.years.map((year: Body) => year.worked.amount)

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  administrator = await signInAs(product, 'admin@bursar.example')
  places = await findTrustIds(finance)
  northgate = places.at('Northgate')
  const list = async (path: string): Promise<Map<string, number>> =>
    new Map((await finance.call('POST', path, everything, northgate)).body.rows.map((row: Body) => [row.code, row.id]))
  codes = await list('/api/BudgetCodes/list')
  funds = await list('/api/FundCodes/list')
})

const put = (body: Body, who = finance, where = northgate) => who.call('PUT', '/api/BudgetEntry/save', body, where)
const fresh = (change: object = {}): Body => ({
  description: 'Paper',
  budgetCodeId: codes.get('4300'),
  amount: 1000,
  budgetYearName: '2026/27',
  ...change,
})
const list = async (): Promise<Body[]> => (await finance.call('POST', '/api/BudgetEntry/paginated', everything, northgate)).body.rows

describe('a budget entry', () => {
  it('B-180 is created without an id and changed with one, and its later years follow the rates of its code', async () => {
    const made = await put(fresh())
    expect(made.status).toBe(200)
    expect(worked(made.body)).toEqual([1000, 1022, 1042.44, 1063.29, 1084.55])
    const changed = await put({ ...made.body, amount: 2000 })
    expect(changed.body.id).toBe(made.body.id)
    expect(worked(changed.body)[1]).toBe(2044)
    expect((await put({ ...made.body, amount: 3000 })).status).toBe(409)
    expect((await put(fresh({ id: 'a'.repeat(24) }))).status).toBe(404)
  })
  it('B-174 spreads a typed amount by the template or equally; typing a period changes the amount', async () => {
    const made = (await put(fresh({ description: 'Glue', amount: 120 }))).body
    expect(monthsOf(made)).toEqual(Array(12).fill(10))
    const typed = (await put({ ...made, period1: 30 })).body
    expect([typed.amount, typed.period1, typed.period2]).toEqual([140, 30, 10])
    expect(typed.years[1].worked.periods[0]).toBe(30.66)
    const again = (await put({ ...typed, amount: 240 })).body
    expect(monthsOf(again)).toEqual(Array(12).fill(20))
    const refused = await put(fresh({ description: 'Tape', amount: 100, ...months(Array(12).fill(10)) }))
    expect([refused.status, refused.body]).toEqual([
      400,
      'The twelve periods add up to £120.00, but the amount is £100.00. Change one of them.',
    ])
    const profiles = (await finance.call('POST', '/api/budgeting/ProfileTemplates/list', everything, northgate)).body.rows
    const winter = profiles.find((one: Body) => one.name === 'Winter').id
    const winterly = (await put({ ...again, profileTemplateId: winter, amount: 25, ...months(Array(12).fill(null)) })).body
    expect(monthsOf(winterly)).toEqual([0, 2.38, 3.57, 4.77, 4.76, 4.76, 3.57, 1.19, 0, 0, 0, 0])
  })
  it('accepts an amount or a rate of its own in a later year, and follows the code again when that is removed', async () => {
    const made = (
      await put(
        fresh({
          description: 'Chairs',
          years: [
            { yearName: '2028/29', amount: 5000 },
            { yearName: '2027/28', rate: 10 },
          ],
        }),
      )
    ).body
    expect(worked(made)).toEqual([1000, 1100, 5000, 5100, 5202])
    expect(worked((await put({ ...made, years: [] })).body)).toEqual([1000, 1022, 1042.44, 1063.29, 1084.55])
    expect(worked((await put(fresh({ description: 'Desks', budgetYearName: '2027/28' }))).body)).toEqual([0, 1000, 1020, 1040.4, 1061.21])
  })
  it('B-169 has rows of all eight kinds, and takes its amount from calculating rows', async () => {
    const rows = [
      { kind: 4, description: 'Exercise books' },
      { kind: 5, description: 'Pupils', years: [200, 210, 220, 230, 240] },
      { kind: 1, description: 'Price', value: 2.5 },
      { kind: 2, years: [0, 10, 0, 0, 0] },
      { kind: 6 },
      { kind: 8, value: 12.34 },
      { kind: 7 },
      { kind: 3, periods: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] },
    ]
    const made = (await put(fresh({ description: 'Books', amount: null, rows }))).body
    expect(worked(made)).toEqual([512.34, 589.84, 617.34, 644.84, 672.34])
    expect([made.amount, made.period1, made.period2, made.period12]).toEqual([512.34, 256.17, 0, 256.17])
    expect(made.rows.map((row: Body) => row.kind)).toEqual([4, 5, 1, 2, 6, 8, 7, 3])
    expect((await put(fresh({ description: 'Nothing', amount: null }))).body).toBe('Amount is required.')
  })
  it('B-132 B-116 says in one sentence what is wrong, at its field', async () => {
    const half = [{ fundCodeId: funds.get('GEN'), percentage: 60 }]
    expect((await put(fresh({ fundCodes: half }))).body).toBe('The fund code shares must add up to 100.')
    expect((await put(fresh({ budgetYearName: '2035/36' }))).body).toBe('The year must be one from 2026/27 to 2030/31.')
    expect((await put(fresh({ amount: 1.005 }))).body).toBe('Amount can have at most 2 decimal places.')
    expect((await put(fresh({ budgetCodeId: 999_999 }))).body).toBe('Budget code was not found.')
    expect((await put({ ...fresh(), description: '' })).body).toBe('Description is required.')
    expect((await put(fresh({ costCentreId: 999_999 }))).body).toBe('Cost centre was not found.')
  })
  it('B-173 keeps the user’s reminder with its date and text, and removes it when they are cleared', async () => {
    const made = (await put(fresh({ description: 'Insurance', reminderDate: '2026-12-01', reminderText: 'Renew' }))).body
    expect([made.reminderDate, made.reminderText]).toEqual(['2026-12-01', 'Renew'])
    const mine = (await finance.call('GET', '/api/MyReminders/year/2026/month/12', undefined, northgate)).body
    expect(JSON.stringify(mine)).toContain('Renew')
    expect((await put({ ...made, reminderDate: null, reminderText: null })).body.reminderDate).toBeNull()
    expect(JSON.stringify((await finance.call('GET', '/api/MyReminders/year/2026/month/12', undefined, northgate)).body)).not.toContain(
      'Renew',
    )
  })
  it('stores notes encrypted in the log and shows them to users who may read the entry', async () => {
    const made = (await put(fresh({ description: 'Noted', notes: 'Ask Mrs Shah first' }))).body
    expect((await finance.call('GET', `/api/BudgetEntry/id/${made.id}`, undefined, northgate)).body.notes).toBe('Ask Mrs Shah first')
  })
  it('B-172 is replaced by posting calculated years with the same description and budget code', async () => {
    const process = (years: object[]) =>
      finance.call('PUT', '/api/BudgetEntry/process', { description: 'Worked out', budgetCodeId: codes.get('4200'), years }, northgate)
    const first = await process([
      { yearName: '2026/27', amount: 100 },
      { yearName: '2027/28', amount: 90, periods: [90, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
    ])
    expect(first.status).toBe(200)
    expect(worked(first.body)).toEqual([100, 90, 0, 0, 0])
    const second = await process([{ yearName: '2026/27', amount: 70 }])
    expect([second.body.id, worked(second.body)]).toEqual([first.body.id, [70, 0, 0, 0, 0]])
    expect((await process([{ yearName: '2036/37', amount: 1 }])).body).toBe('2036/37 is not a year of this budget.')
    const before = second.body.version
    expect((await process([{ yearName: '2026/27', amount: 70 }])).body.version).toBe(before)
  })
  it('is changed and deleted in bulk, all or none', async () => {
    const ids: string[] = []
    for (const description of ['Bulk one', 'Bulk two']) ids.push((await put(fresh({ description }))).body.id)
    const state = { selectAll: false, toggledNodes: ids }
    const patch = (value: unknown) =>
      finance.call('POST', '/api/BudgetEntry/bulkUpdate', { state, patch: [{ op: 'replace', path: '/budgetCodeId', value }] }, northgate)
    expect((await patch(codes.get('4330'))).body).toEqual({ updated: 2 })
    expect((await patch(999_999)).body).toBe('Bulk one: Budget code was not found.')
    expect((await list()).filter((row) => ids.includes(row.id)).every((row) => row.budgetCodeId === codes.get('4330'))).toBe(true)
    expect((await finance.call('POST', '/api/BudgetEntry/bulkDelete', { state }, northgate)).body).toMatchObject({ deleted: 2 })
    expect((await finance.call('POST', '/api/BudgetEntry/bulkDelete', { state }, northgate)).status).toBe(404)
  })
  it('is the same when a request comes twice', async () => {
    const twice = { ...northgate, 'Idempotency-Key': 'b4b4b4b4-0000-4000-8000-000000000001' }
    const first = await finance.call('PUT', '/api/BudgetEntry/save', fresh({ description: 'Once' }), twice)
    const second = await finance.call('PUT', '/api/BudgetEntry/save', fresh({ description: 'Once' }), twice)
    expect(second.body.id).toBe(first.body.id)
    expect((await list()).filter((row) => row.description === 'Once')).toHaveLength(1)
  })
})

describe('access to entries', () => {
  it('B-004 B-065 is refused in another trust’s budget, in both directions', async () => {
    const mine = (await put(fresh({ description: 'Ours alone' }))).body
    const meadow = await signInAs(product, 'finance@meadow.example')
    const other = (await findTrustIds(meadow)).at('Meadow')
    expect((await put({ ...mine, description: 'Theirs' }, meadow, other)).status).toBe(404)
    expect((await meadow.call('GET', `/api/BudgetEntry/id/${mine.id}`, undefined, other)).status).toBe(404)
    expect((await meadow.call('GET', `/api/BudgetEntry/id/${mine.id}`, undefined, northgate)).status).toBe(403)
    const foreign = await put({ description: 'Codes of others', budgetCodeId: codes.get('4300'), amount: 1 }, meadow, other)
    expect([foreign.status, foreign.body]).toEqual([400, 'Budget code was not found.'])
  })
  it('B-266 B-270 is limited to reading with the Read permission', async () => {
    const reader = await inviteAndSignIn(
      product,
      administrator,
      'reads@harbour.example',
      ['BudgetingNonStaffingRead'],
      places.organisationId,
    )
    expect((await reader.call('POST', '/api/BudgetEntry/paginated', everything, northgate)).status).toBe(200)
    expect((await put(fresh(), reader)).status).toBe(403)
    const staffing = await inviteAndSignIn(
      product,
      administrator,
      'staffs@harbour.example',
      ['BudgetingStaffingReadUpdate'],
      places.organisationId,
    )
    expect((await staffing.call('POST', '/api/BudgetEntry/paginated', everything, northgate)).status).toBe(403)
    expect((await staffing.call('GET', '/api/PupilNumbers', undefined, northgate)).status).toBe(403)
    expect((await staffing.call('POST', '/api/OpeningBalance/paginated', everything, northgate)).status).toBe(403)
  })
  it('B-130 includes a required cost centre if the organisation demands it', async () => {
    const own = { OrganisationId: places.organisationId }
    const organisation = (await finance.call('GET', `/api/MyOrganisations/${places.organisationId}`, undefined, own)).body
    const saved = await finance.call('PUT', '/api/MyOrganisations', { ...organisation, costCentresMandatory: true }, own)
    expect((await put(fresh({ description: 'Without a centre' }))).body).toBe('Cost centre is required by your organisation.')
    await finance.call('PUT', '/api/MyOrganisations', { ...saved.body, costCentresMandatory: false }, own)
  })
  it('B-127 keeps an entry’s budget code from being deleted', async () => {
    const reply = await finance.call('DELETE', `/api/BudgetCodes/${codes.get('4210')}`, undefined, northgate)
    expect(reply.status).toBe(409)
    expect(reply.body).toContain('budget entr')
  })
  it('B-158 is refused for changes in a locked budget, through every call', async () => {
    const beacon = places.at('Beacon')
    const entry = (await finance.call('POST', '/api/BudgetEntry/paginated', everything, beacon)).body.rows.find((row: Body) => !row.source)
    const prediction = (await finance.call('GET', '/api/FundingPredictor/list', undefined, beacon)).body[0]
    const calculation = (await finance.call('POST', '/api/IncomeExpenditureCalculator/paginated', everything, beacon)).body.rows[0]
    const balance = (await finance.call('POST', '/api/OpeningBalance/paginated', everything, beacon)).body.rows[0]
    const pupils = (await finance.call('GET', '/api/PupilNumbers', undefined, beacon)).body
    expect((await finance.call('POST', `/api/Budget/fix/${beacon.BudgetId}`, undefined, beacon)).status).toBe(200)
    const state = { selectAll: false, toggledNodes: [entry.id] }
    const doors: [string, string, Body][] = [
      ['PUT', '/api/BudgetEntry/save', { ...entry, amount: 1 }],
      [
        'PUT',
        '/api/BudgetEntry/process',
        { description: 'X', budgetCodeId: entry.budgetCodeId, years: [{ yearName: '2026/27', amount: 1 }] },
      ],
      ['POST', '/api/BudgetEntry/bulkDelete', { state }],
      ['POST', '/api/BudgetEntry/bulkUpdate', { state, patch: [{ op: 'replace', path: '/costCentreId', value: null }] }],
      ['PUT', '/api/BudgetEntry/Import', { rows: [{ Description: 'X', BudgetCode: '4300', BudgetYearName: '2026/27', Amount: '1' }] }],
      ['PUT', '/api/IncomeExpenditureCalculator/save', { ...calculation, name: 'Other' }],
      ['PUT', '/api/IncomeExpenditureCalculator/process', { id: calculation.id }],
      ['DELETE', `/api/IncomeExpenditureCalculator/id/${calculation.id}`, undefined],
      ['POST', '/api/FundingPredictor', { id: prediction.versionId, budgetCodeId: codes.get('1010') }],
      ['POST', '/api/FundingPredictor/update', { ...prediction, name: 'Other' }],
      ['DELETE', `/api/FundingPredictor/${prediction.id}`, undefined],
      ['POST', '/api/PupilNumbers', pupils],
      ['PUT', '/api/OpeningBalance', { ...balance, value: 1 }],
      ['DELETE', `/api/OpeningBalance/id/${balance.id}`, undefined],
    ]
    for (const [method, path, body] of doors) {
      const reply = await finance.call(method, path, body, beacon)
      expect([method, path, reply.status, reply.body]).toEqual([method, path, 409, 'This budget is locked.'])
    }
  })
})
