import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { foldItems } from '../../../domain/changes/itemLog.ts'
import { evolve } from '../../../domain/monitoring/evolve.ts'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { verifyAllOnce } from '../../../server/audit/verify/verifyAll.ts'
import { type OrganisationTx, openStore } from '../../../server/core/database/database.ts'
import { readStream } from '../../../server/core/stream/stream.ts'
import { loadMonitoringItems } from '../../../server/streams/monitoring/items.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import {
  type Body,
  browserAsk,
  browserCall,
  type Caller,
  findTrustIds,
  inviteAndSignIn,
  type Reply,
  signInAs,
  type TrustIds,
} from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'

let product: Product
let administrator: Caller
let finance: Caller
/** May see staff, and therefore every code separately. */
let lead: Caller
let meadow: Caller
let places: TrustIds
let elsewhere: TrustIds
let own: { OrganisationId: OrganisationId }
/** An expenditure code of £1,200.00 a year by twelfths at Northgate. */
let code: { id: number; code: string }
let filters: Record<string, string>
/** What Northgate’s log held when the example was first complete. */
let example: { version: number; items: object }

const permissions = [
  'ConsoleMonitoringReadUpdate',
  'ConsoleMonitoringBudgetActualsReadUpdate',
  'ConsoleMonitoringBudgetForecastReadUpdate',
  'ConsoleBudgetCodesReadUpdate',
  'ConsoleCostCentresReadUpdate',
  'ConsoleBudgetGroupReadUpdate',
  'ConsoleLocationsRead',
  'ConsoleBudgetManagementReadUpdate',
  'BudgetingNonStaffingReadUpdate',
]
const everything = { pageNumber: 1, pageSize: 5000 }

beforeAll(async () => {
  product = await startProduct()
  administrator = await signInAs(product, 'admin@bursar.example')
  lead = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(lead)
  own = { OrganisationId: places.organisationId }
  finance = await inviteAndSignIn(product, administrator, 'monitor@harbour.example', permissions, places.organisationId)
  meadow = await signInAs(product, 'finance@meadow.example')
  elsewhere = await findTrustIds(meadow)
  const made = await finance.call('POST', '/api/BudgetCodes', { code: 'MON1', type: 2, description: 'Monitored', locations: [] }, own)
  expect(made.status).toBe(201)
  code = made.body
  await finance.call('POST', '/api/CostCentres', { code: 'MC', description: 'Monitored centre', locations: [] }, own)
  const entry = { description: 'By twelfths', budgetCodeId: code.id, amount: 1200, budgetYearName: '2026/27', years: [] }
  const saved = await finance.call('PUT', '/api/BudgetEntry/save', entry, places.at('Northgate'))
  expect([saved.status, saved.body.period1]).toEqual([200, 100])
  const rows = (await finance.call('POST', '/api/MyLocations/list', everything, own)).body.rows as Body[]
  filters = Object.fromEntries(rows.map((row) => [row.alias, row.budgetCodeFilter]))
  // In the demo most schools have closed September.
  const ends = await asked(finance, 'monitoring.monthEnd.list', { year: 2026, month: 9 })
  const closed = (ends as Body[]).filter((row) => row.closed).map((row) => row.locationId)
  await browserCall(product, finance, 'monitoring.monthEnd.reopen', { year: 2026, month: 9, locationIds: closed, reason: 'Tests' }, own)
  for (const month of [9, 10]) expect((await clear(month)).status).toBe(204)
  await closeTheExample()
  const log = { organisationId: places.organisationId, locationId: places.locations.Northgate! }
  example = await inDatabase(async (tx) => ({
    version: (await readStream({ tx, organisationId: log.organisationId }, { name: 'monitoring', id: log.locationId })).at(-1)!.version,
    items: Object.fromEntries((await loadMonitoringItems({ ...log, tx }, 'all')).items),
  }))
}, 300_000)

async function inDatabase<T>(work: (tx: OrganisationTx) => Promise<T>): Promise<T> {
  const store = openStore(product.config, 1)
  try {
    return await store.asPlatform(work)
  } finally {
    await store.close()
  }
}

const line = (value: number | string, more: Record<string, string> = {}) => ({
  Type: 'Actual',
  BudgetCodeFilter: filters.Northgate!,
  Value: String(value),
  BudgetCode: 'MON1',
  CostCentre: 'MC',
  ...more,
})
const send = (year: number, month: number, rows: Body[], type = 1, who = finance): Promise<Reply> =>
  who.call('POST', `/api/monitoring/actuals-commitments/import/${year}/${month}/${type}`, rows, own)
/** Creates a budget code like the monitored one. */
async function another(name: string): Promise<Body> {
  const { id: _id, version: _version, created: _created, ...same }: Body = code
  const made = await finance.call('POST', '/api/BudgetCodes', { ...same, code: name }, own)
  expect(made.status).toBe(201)
  return made.body
}
const november = { year: 2026, month: 11 }
const versus = async (screen: 'Actuals' | 'Forecast', request: Body = {}, who = finance): Promise<Body> =>
  (await who.call('POST', `/api/monitoring/BudgetsVs${screen}`, { ...november, budgetId: places.budgets.Northgate, ...request }, own)).body
const rowOf = (table: Body): Body => table.rows.find((row: Body) => row.budgetCodeId === code.id)
const list = async (month: number, request: Body = {}, who = finance): Promise<Body> =>
  (await who.call('POST', `/api/monitoring/actuals-commitments/list/2026/${month}`, { ...everything, ...request }, own)).body
const clear = (month: number) => finance.call('DELETE', `/api/monitoring/actuals-commitments/2026/${month}`, undefined, own)
const commitment = { Type: 'Commitment' }
const about = { budgetCodeId: 0, type: 1 }

async function closeTheExample(): Promise<void> {
  for (const month of [9, 10, 11]) {
    const chosen = { year: 2026, month, locationIds: [places.locations.Northgate] }
    expect((await finance.call('POST', '/api/monitoring/actuals-commitments/delete', chosen, own)).status).toBe(200)
  }
  expect((await send(2026, 9, [line(90)])).body).toEqual({ imported: 1, created: 1, updated: 0 })
  expect((await send(2026, 10, [line(100), line(30)])).body.imported).toBe(2)
  expect((await send(2026, 11, [line(40, commitment)])).body.imported).toBe(1)
}

describe('the example in the rules, through the API', () => {
  it('B-226 B-227 B-230 B-234 has the same figures, to the penny', async () => {
    const adjusted = await finance.call(
      'POST',
      `/api/monitoring/adjustment/2026/11/${places.groupId}`,
      { ...about, budgetCodeId: code.id, value: 15 },
      own,
    )
    expect([adjusted.status, adjusted.body]).toEqual([200, { value: 15, budgetCodeId: code.id, type: 1 }])
    const table = await versus('Actuals', { budgetGroupId: places.groupId })
    expect(table.closedMonths).toEqual([9, 10])
    expect(rowOf(table)).toMatchObject({
      budgetToDate: 300,
      actualToDate: 220,
      commitments: 40,
      adjustment: 15,
      variance: 65,
      variancePercent: 21.67,
      fullYearBudget: 1200,
      forecast: null,
    })
    expect(rowOf(table)).toMatchObject({ monthBudget: 100, monthActual: null, monthVariance: null })
    const october = { monthBudget: 100, monthActual: 130, monthVariance: -30 }
    expect(rowOf(await versus('Actuals', { month: 10 }))).toMatchObject(october)
    expect(rowOf(await versus('Forecast'))).toMatchObject({ forecast: 1220, variance: -20, variancePercent: -1.67, adjustment: 0 })
    await finance.call('DELETE', `/api/monitoring/adjustment/2026/11/${code.id}/1/${places.groupId}`, undefined, own)
    expect(rowOf(await versus('Actuals', { budgetGroupId: places.groupId }))).toMatchObject({ adjustment: 0, variance: 80 })
  })
  it('is forecast by typed values if that is chosen, in the open months', async () => {
    const choose = (method: string, values?: number[]) =>
      browserCall(
        product,
        finance,
        'monitoring.chooseForecast',
        { locationId: places.locations.Northgate, year: 2026, budgetCodeIds: [code.id], method, values },
        own,
      )
    await choose('typed', Array<number>(12).fill(50))
    expect(rowOf(await versus('Forecast')).forecast).toBe(720)
    const { body } = await finance.call(
      'POST',
      `/api/monitoring/ForecastValues/${code.id}`,
      { ...november, budgetId: places.budgets.Northgate },
      own,
    )
    expect(body).toEqual({ budgetCodeId: code.id, values: [90, 130, ...Array<number>(10).fill(50)], closedMonths: [9, 10] })
    await expect(choose('typed')).rejects.toThrow('Enter a value for each of the twelve months.')
    await choose('budget')
    expect(rowOf(await versus('Forecast')).forecast).toBe(1220)
  })
  it('B-226 has the same figures with cumulative imports', async () => {
    const monthly = rowOf(await versus('Actuals'))
    await send(2026, 10, [line(220)])
    expect(rowOf(await versus('Actuals', { cumulativeActuals: true }))).toEqual(monthly)
    await closeTheExample()
  })
  it('B-233 opens the lines that add up to the actual to date', async () => {
    const lines = await finance.call(
      'POST',
      `/api/monitoring/ActualsYTD/${code.id}`,
      { ...november, budgetId: places.budgets.Northgate },
      own,
    )
    expect(lines.body.total).toBe(220)
    expect(lines.body.lines.map((one: Body) => [one.month, one.value, one.costCentre])).toEqual([
      [9, 90, 'MC'],
      [10, 100, 'MC'],
      [10, 30, 'MC'],
    ])
    // A line opens the import that it came from.
    const came = lines.body.lines.map((line: Body) => lines.body.imports.find((one: Body) => one.version === line.version))
    expect(came.map((one: Body) => [one.month, one.locationId])).toEqual(lines.body.lines.map((one: Body) => [one.month, one.locationId]))
    expect(new Set(came.map((one: Body) => one.by))).toEqual(new Set(['Sample monitor']))
  })
  it('has a year of months beside the budget, and beside last year once that was imported', async () => {
    const year = (of: Body, more: Body = {}, who = finance): Promise<Body> =>
      asked(who, 'monitoring.year', { ...november, budgetId: places.budgets.Northgate, of, ...more })
    const shown = await year(code.id)
    expect(shown.months.slice(0, 2)).toEqual([
      { year: 2026, month: 9 },
      { year: 2026, month: 10 },
    ])
    expect(shown.values.map((one: Body) => one.value)).toEqual([90, 130, ...Array<number>(10).fill(100)])
    expect(shown.values.map((one: Body) => one.isActual)).toEqual([true, true, ...Array<boolean>(10).fill(false)])
    expect([shown.budget, shown.approved, shown.lastYear]).toEqual([Array<number>(12).fill(100), null, null])
    const table = await versus('Forecast')
    for (const [kind, description] of [
      ['income', 'Total income'],
      ['expenditure', 'Total expenditure'],
    ]) {
      const total = await year(kind)
      const row = table.rows.find((one: Body) => one.description === description)
      const pennies = (values: number[]): number => values.reduce((sum, value) => sum + Math.round(value * 100), 0)
      expect(pennies(total.budget)).toBe(Math.round(row.fullYearBudget * 100))
      // Adjustments of the month are in none of the year’s months.
      expect(pennies(total.values.map((one: Body) => one.value))).toBe(Math.round((row.forecast - row.adjustment) * 100))
    }
    expect(await year(999_999_999)).toBeUndefined()
    expect(await year('everything')).toBeUndefined()
    expect(await year(code.id, {}, meadow)).toBeUndefined()
  })
  it('has a column for each location on request, which add up to the total, to the penny', async () => {
    for (const [name, screen, figure] of [
      ['monitoring.actualsByLocation', 'Actuals', 'variance'],
      ['monitoring.forecastByLocation', 'Forecast', 'forecast'],
    ] as const) {
      const table: Body = await asked(finance, name, { ...november, figure })
      const whole = await versus(screen, { budgetId: undefined })
      expect(table.locations.map((one: Body) => one.locationId)).toEqual(expect.arrayContaining([places.locations.Northgate]))
      for (const row of table.rows)
        expect(row.values.reduce((sum: number, value: number | null) => sum + Math.round((value ?? 0) * 100), 0)).toBe(
          Math.round(row.total * 100),
        )
      expect(table.rows.map((row: Body) => [row.kind, row.description, row.total])).toEqual(
        whole.rows.map((row: Body) => [row.kind, row.description, row[figure]]),
      )
      expect(await asked(meadow, name, { ...november, figure, locationIds: [places.locations.Northgate!] })).toBeUndefined()
    }
    // Nothing was imported for this year: its columns are blank.
    const figuresOf = async (year: number): Promise<unknown[]> =>
      (await asked(finance, 'monitoring.actualsByLocation', { ...november, year, figure: 'actualToDate' })).rows.flatMap((row: Body) =>
        row.kind === 'Data' ? row.values : [],
      )
    expect((await figuresOf(2026)).some((value) => value !== null)).toBe(true)
    expect([...new Set(await figuresOf(2028))]).toEqual([null])
  })
  it('B-235 is in the console as the sum over schools with different forecast methods and closed months', async () => {
    const choose = (locationId: LocationId, method: string) =>
      browserCall(product, finance, 'monitoring.chooseForecast', { locationId, year: 2026, budgetCodeIds: [code.id], method }, own)
    const [other] = Object.keys(places.locations).filter((name) => name !== 'Northgate' && filters[name])
    await send(2026, 9, [line(33.34, { BudgetCodeFilter: filters[other!]! })], 2)
    await choose(places.locations.Northgate!, 'runRate')
    await choose(places.locations[other!]!, 'whatIsLeft')
    const whole = await versus('Forecast', { budgetId: undefined }, lead)
    expect(whole.closedMonths).toEqual([])
    const each = await Promise.all(
      Object.values(places.locations).map((id) => versus('Forecast', { budgetId: undefined, locationIds: [id] }, lead)),
    )
    for (const row of whole.rows.filter((one: Body) => one.kind === 'Data'))
      for (const column of ['budgetToDate', 'actualToDate', 'commitments', 'fullYearBudget', 'forecast', 'variance']) {
        const rows = each.map((table) => table.rows.find((one: Body) => one.kind === 'Data' && one.budgetCodeId === row.budgetCodeId))
        const sum = rows.reduce((total, one) => total + Math.round((one?.[column] ?? 0) * 100), 0)
        expect([row.code, column, Math.round(row[column] * 100)]).toEqual([row.code, column, sum])
      }
    await choose(places.locations.Northgate!, 'budget')
    await choose(places.locations[other!]!, 'budget')
  })
  it('has the same figures when the log is replayed, to its end and to a past time, and every chain is intact', async () => {
    const log = { organisationId: places.organisationId, locationId: places.locations.Northgate! }
    await inDatabase(async (tx) => {
      const events = await readStream({ tx, organisationId: log.organisationId }, { name: 'monitoring', id: log.locationId })
      expect(Object.fromEntries((await loadMonitoringItems({ ...log, tx }, 'all')).items)).toEqual(
        Object.fromEntries(foldItems(evolve, events).items),
      )
      const then = foldItems(evolve, events, example.version)
      expect(Object.fromEntries(then.items)).toEqual(example.items)
      expect((await verifyAllOnce(tx, { organisation: places.organisationId }, [])).findings).toEqual([])
    })
  })
  it('is reported as changed if somebody changes a line without the log', async () => {
    const owner = connectAsOwner(product.config.databaseUrl)
    const at = places.locations.Northgate!
    const change = (by: number) =>
      owner`update actual_lines set value = value + ${by} where budget_code_id = ${code.id} and month = 9 and location_id = ${at}`
    const changeSum = (by: number) =>
      owner`update actual_sums set amounts[9] = amounts[9] + ${by} where budget_code_id = ${code.id} and type = 1 and location_id = ${at}`
    const found = () =>
      inDatabase(async (tx) =>
        (await verifyAllOnce(tx, { organisation: places.organisationId }, [])).findings.map((finding) => finding.problem),
      )
    const called = `Monitoring of location ${places.locations.Northgate}:`
    const isNoSum = `${called} The stored sum of code ${code.id} in September 2026 does not match its lines.`
    await change(1)
    // The table differs from the log, and the stored sum of the code differs from its lines.
    expect(await found()).toEqual([`${called} In the tables, month 2026-09 differs from the log.`, isNoSum])
    await change(-1)
    await changeSum(1)
    expect(await found()).toEqual([isNoSum])
    await changeSum(-1)
    await expect(owner`update monitoring_events set type = 'MonthCleared'`).rejects.toThrow('append only')
  })
})

describe('an import', () => {
  it('B-140 B-147 with an invalid cell is refused with its row, or without a column, and saves nothing', async () => {
    const before = await list(9)
    const { status, body } = await send(2026, 9, [line(1), line('a lot', { BudgetCode: 'NOPE' })])
    expect([status, body.imported]).toEqual([400, 0])
    expect(body.errors.map((error: Body) => [error.row, error.column, error.value])).toEqual([
      [2, 'Value', 'a lot'],
      [2, 'BudgetCode', 'NOPE'],
    ])
    expect((await send(2026, 9, [{ Type: 'Actual' }])).body.errors[0].message).toContain('These columns are missing: ')
    expect((await send(2026, 9, [])).body.errors[0].message).toContain('The file has no rows.')
    expect((await send(2050, 3, [line(1)])).body.errors[0].message).toContain(
      'March 2050 is not covered by any budget for Northgate Primary School.',
    )
    expect((await send(2026, 13, [line(1)])).status).toBe(400)
    expect(await list(9)).toEqual(before)
  })
  it('accepts amounts of other systems as the screen accepts those of a file, and rounds none', async () => {
    const texts = ['1,234.50-', '1,234.50 CR', '\u22125.00', '(£2.00)', '0.30000000000000004', ' £-   ']
    expect(
      (
        await send(
          2027,
          3,
          texts.map((text) => line(text)),
        )
      ).body,
    ).toMatchObject({ imported: 6 })
    const { rows } = (await finance.call('POST', '/api/monitoring/actuals-commitments/list/2027/3', everything, own)).body
    const values = rows.map((one: Body) => one.value)
    expect(values.sort((a: number, b: number) => a - b)).toEqual([-1234.5, -1234.5, -5, -2, 0, 0.3])
    const wrong = ['33.333333', '3.5%', '1.2E+06', '#N/A', '1,5']
    const { status, body } = await send(
      2027,
      3,
      wrong.map((text) => line(text)),
    )
    expect([status, body.errors.map((error: Body) => [error.row, error.value])]).toEqual([400, wrong.map((text, at) => [at + 1, text])])
    expect((await finance.call('DELETE', '/api/monitoring/actuals-commitments/2027/3', undefined, own)).status).toBe(204)
  })
  it('B-148 finds the location by its filter, ignoring case, and the records named in its other columns', async () => {
    const found = async (path: string): Promise<Body[]> => (await finance.call('POST', `/api/${path}/list`, everything, own)).body.rows
    const fund = (await found('FundCodes')).find((one) => !one.locations.length)
    const tag = (await found('AnalysisTags')).find((one) => !one.locations.length)
    const more = { Description: 'Chairs', FundCode: fund.code, AnalysisTag: tag.name }
    const file = [line(11, { ...more, BudgetCodeFilter: filters.Riverside!.toUpperCase() }), line(12)]
    expect((await send(2027, 2, file)).body).toMatchObject({ imported: 2 })
    const { rows } = (await finance.call('POST', '/api/monitoring/actuals-commitments/list/2027/2', everything, own)).body
    const kept = (rows as Body[]).map((one) => [one.locationId, one.value, one.description, one.fundCode, one.analysisTag])
    expect(kept.sort((a, b) => a[1] - b[1])).toEqual([
      [places.locations.Riverside, 11, 'Chairs', fund.id, tag.id],
      [places.locations.Northgate, 12, null, null, null],
    ])
    expect((await finance.call('DELETE', '/api/monitoring/actuals-commitments/2027/2', undefined, own)).status).toBe(204)
  })
  it('that was already made is reported, and made again on confirmation', async () => {
    const rows = [line(7), line(8)]
    await send(2026, 12, rows)
    const again = await send(2027, 1, rows)
    expect([again.status, again.body]).toEqual([409, expect.stringContaining('The same file was imported for December 2026')])
    const input = { year: 2027, month: 1, type: 1, rows, again: true }
    expect(await browserCall(product, finance, 'monitoring.import', input, own)).toMatchObject({ imported: 2 })
    await clear(12)
    await finance.call('DELETE', '/api/monitoring/actuals-commitments/2027/1', undefined, own)
  })
  it('sent ten times at once is saved once, and in no other month either', async () => {
    const rows = [line(44, { Note: 'At once' })]
    const replies = await Promise.all(Array.from({ length: 10 }, (_unused, index) => send(2027, 5 + (index % 2), rows)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)])
    for (const month of [5, 6])
      expect((await finance.call('DELETE', `/api/monitoring/actuals-commitments/2027/${month}`, undefined, own)).status).toBe(204)
  })
  it('sent again by a ledger with its idempotency key is saved once, and another file with that key is refused', async () => {
    const key = randomUUID()
    const post = (rows: Body[]): Promise<Reply> =>
      finance.call('POST', '/api/monitoring/actuals-commitments/import/2026/12/2', rows, { ...own, 'Idempotency-Key': key })
    const page = [line(61), line(62)]
    const first = await post(page)
    expect([first.status, first.body]).toEqual([200, { imported: 2, created: 2, updated: 0 }])
    const again = [await post(page), await post(page)]
    expect(again.map((reply) => [reply.status, reply.body])).toEqual([first, first].map((reply) => [reply.status, reply.body]))
    expect((await list(12)).total).toBe(2)
    expect((await post([line(61), line(63)])).status).toBeGreaterThanOrEqual(409)
    expect((await list(12)).total).toBe(2)
    // A page is imported whole or not at all.
    expect((await send(2026, 12, [line(64), line('a lot')], 2)).status).toBe(400)
    expect((await list(12)).rows.map((row: Body) => row.value).sort()).toEqual([61, 62])
    await clear(12)
  })
  it('is added to a month or replaces it, and an empty file closes a month', async () => {
    await send(2026, 12, [line(10)])
    await send(2026, 12, [line(20)], 2)
    expect((await list(12)).total).toBe(2)
    await send(2026, 12, [line(30)])
    expect((await list(12)).rows.map((row: Body) => row.value)).toEqual([30])
    await clear(12)
    expect((await list(12)).total).toBe(0)
    const empty = { year: 2026, month: 12, type: 1, rows: [], locationIds: [places.locations.Northgate] }
    await browserCall(product, finance, 'monitoring.import', empty, own)
    expect((await versus('Actuals', { month: 12 })).closedMonths).toEqual([9, 10, 12])
    const cleared = await finance.call(
      'POST',
      '/api/monitoring/actuals-commitments/delete',
      { year: 2026, month: 12, locationIds: [places.locations.Northgate] },
      own,
    )
    const changes = [{ locationId: places.locations.Northgate, version: expect.any(Number) }]
    expect([cleared.status, cleared.body]).toEqual([200, { deleted: 0, changes }])
    expect((await versus('Actuals', { month: 12 })).closedMonths).toEqual([9, 10])
  })
  it('is listed in pages, searched and filtered', async () => {
    expect(await list(10, { pageSize: 1, sort: 'value', sortDirection: 'desc' })).toMatchObject({ total: 2, rows: [{ value: 100 }] })
    expect((await list(10, { filters: [{ filter: 'value', filterType: 'number', type: 'lessThan', value: 50 }] })).total).toBe(1)
    expect((await list(10, { search: 'mon1' })).total).toBe(2)
    expect((await list(10, { filters: [{ filter: 'budgetCode', filterType: 'set', values: [0] }] })).total).toBe(0)
  })
  it('keeps the records it uses from being deleted', async () => {
    expect((await finance.call('DELETE', `/api/BudgetCodes/${code.id}`, undefined, own)).status).toBe(409)
  })
  it('is in the history, and can be undone by its author and by nobody else', async () => {
    const at = { locationId: places.locations.Northgate! }
    await send(2026, 12, [line(55)])
    const [newest] = await asked(finance, 'monitoring.history', at)
    expect(newest).toMatchObject({ actor: 'Sample monitor', sentence: 'imported 1 line for December 2026', undoable: true })
    const other = await inviteAndSignIn(product, administrator, 'other@harbour.example', permissions, places.organisationId)
    await expect(browserCall(product, other, 'monitoring.undo', { ...at, version: newest.version }, own)).rejects.toThrow(
      'Only the person who made a change can undo it.',
    )
    await browserCall(product, finance, 'monitoring.undo', { ...at, version: newest.version }, own)
    expect((await list(12)).total).toBe(0)
    await clear(10)
    const [cleared] = await asked(finance, 'monitoring.history', at)
    await browserCall(product, finance, 'monitoring.undo', { ...at, version: cleared.version }, own)
    expect((await list(10)).rows.map((row: Body) => row.value).sort()).toEqual([100, 30])
  })
})

describe('a cleared month', () => {
  it('is restored at every location by one undo, or at none', async () => {
    const rows = [line(70), line(80, { BudgetCodeFilter: filters.Riverside! })]
    const at = { year: 2027, month: 2 }
    const shown = async (): Promise<number[]> => {
      const listed = await finance.call('POST', '/api/monitoring/actuals-commitments/list/2027/2', everything, own)
      return listed.body.rows.map((row: Body) => row.value).sort()
    }
    await send(2027, 2, rows)
    const changes = await browserCall<Body[]>(product, finance, 'monitoring.clear', at, own)
    expect(changes.map((one) => one.locationId).sort()).toEqual([places.locations.Northgate, places.locations.Riverside].sort())
    expect(await shown()).toEqual([])
    await browserCall(product, finance, 'monitoring.undoAll', { changes }, own)
    expect(await shown()).toEqual([70, 80])
    await expect(browserCall(product, finance, 'monitoring.undoAll', { changes }, own)).rejects.toThrow('This has already been undone.')

    const some = { ...at, locationIds: [places.locations.Northgate!, places.locations.Riverside!] }
    const cleared = await browserCall(product, finance, 'monitoring.clearLocations', some, own)
    expect(cleared).toMatchObject({ deleted: 2 })
    await send(2027, 2, [line(90, { BudgetCodeFilter: filters.Riverside! })])
    await expect(browserCall(product, finance, 'monitoring.undoAll', { changes: cleared.changes }, own)).rejects.toThrow(
      'changed this since. Undo the newer change first.',
    )
    expect(await shown()).toEqual([90])
    await browserCall(product, finance, 'monitoring.clear', at, own)
  })
  it('has its state from before several changes after one call undoes them all, in any order', async () => {
    const shown = async (): Promise<number[]> => {
      const listed = await finance.call('POST', '/api/monitoring/actuals-commitments/list/2027/4', everything, own)
      return listed.body.rows.map((row: Body) => row.value)
    }
    const locationId = places.locations.Northgate!
    for (const value of [10, 20, 30]) await send(2027, 4, [line(value)])
    expect(await shown()).toEqual([30])
    const [newest] = await asked(finance, 'monitoring.history', { locationId })
    const undo = (...versions: number[]) =>
      browserCall(product, finance, 'monitoring.undoAll', { changes: versions.map((version) => ({ locationId, version })) }, own)
    const second = newest.version - 1
    await expect(undo(newest.version, second, second)).rejects.toThrow('This has already been undone.')
    expect(await shown()).toEqual([30])
    await undo(second, newest.version)
    expect(await shown()).toEqual([10])
    // Undoing the undos, the newer one first, leads back through 20.
    await undo(newest.version + 1, newest.version + 2)
    expect(await shown()).toEqual([30])
    await browserCall(product, finance, 'monitoring.clear', { year: 2027, month: 4 }, own)
  })
  it('is not restored while a code of its lines is deleted, but is once that is restored', async () => {
    const gone = await another('MON8')
    const at = { locationId: places.locations.Northgate! }
    await send(2027, 3, [line(15, { BudgetCode: 'MON8' })])
    const [change] = await browserCall<Body[]>(product, finance, 'monitoring.clear', { year: 2027, month: 3 }, own)
    expect((await finance.call('DELETE', `/api/BudgetCodes/${gone.id}`, undefined, own)).status).toBe(204)
    const undo = () => browserCall(product, finance, 'monitoring.undo', { ...at, version: change!.version }, own)
    await expect(undo()).rejects.toThrow('This needs a budget code that has since been deleted. Restore it from the bin first.')
    await browserCall(product, finance, 'bin.restore', { records: [{ kind: 'budgetCode', id: gone.id }] }, own)
    await undo()
    expect((await finance.call('DELETE', `/api/BudgetCodes/${gone.id}`, undefined, own)).status).toBe(409)
    await browserCall(product, finance, 'monitoring.clear', { year: 2027, month: 3 }, own)
  })
  it('has no code that was deleted while its file was imported', async () => {
    for (const round of [1, 2, 3, 4, 5, 6]) {
      const named = await another(`MON9${round}`)
      const [sent, removed] = await Promise.all([
        send(2027, 3, [line(round, { BudgetCode: `MON9${round}` })]),
        finance.call('DELETE', `/api/BudgetCodes/${named.id}`, undefined, own),
      ])
      // Whichever of the two is second is refused.
      expect([sent.status === 200, removed.status === 204].filter(Boolean)).toHaveLength(1)
      await browserCall(product, finance, 'monitoring.clear', { year: 2027, month: 3 }, own)
    }
  })
})

const asked = async (caller: Caller, procedure: string, input: Body): Promise<Body> =>
  (await browserAsk(product, caller, procedure, input, own)).data

describe('notes and adjustments', () => {
  it('B-229 belong to a code, a type, a month and a level, and to nothing else', async () => {
    const note = { budgetCodeId: code.id, type: 1, notes: 'Ordered early' }
    expect((await finance.call('POST', `/api/monitoring/note/2026/11/${places.groupId}`, note, own)).body).toEqual(note)
    expect((await finance.call('POST', '/api/monitoring/note/2026/11', { ...note, notes: 'For the trust' }, own)).status).toBe(200)
    expect(rowOf(await versus('Actuals', { budgetGroupId: places.groupId })).note).toBe('Ordered early')
    expect(rowOf(await versus('Actuals', { budgetId: undefined })).note).toBe('For the trust')
    expect(rowOf(await versus('Forecast', { budgetGroupId: places.groupId })).note).toBeNull()
    expect(rowOf(await versus('Actuals', { budgetGroupId: places.groupId, month: 10 })).note).toBeNull()
    expect((await finance.call('DELETE', `/api/monitoring/note/2026/11/${code.id}/1`, undefined, own)).status).toBe(204)
    expect(rowOf(await versus('Actuals', { budgetId: undefined })).note).toBeNull()
    expect(rowOf(await versus('Actuals', { budgetGroupId: places.groupId })).note).toBe('Ordered early')
  })
  it('are encrypted in the log', async () => {
    const [{ count }] = (await connectAsOwner(product.config.databaseUrl)`
      select count(*)::int as count from monitoring_events where data::text like '%Ordered early%'`) as unknown as [{ count: number }]
    expect(count).toBe(0)
  })
  it('are copied from the previous month on request, and only for codes without any', async () => {
    const input = { year: 2026, month: 12, group: places.groupId, type: 1, kind: 'note', budgetCodeIds: [code.id] }
    expect(await browserCall(product, finance, 'monitoring.takeOver', input, own)).toEqual({ taken: 1 })
    expect(await browserCall(product, finance, 'monitoring.takeOver', input, own)).toEqual({ taken: 0 })
  })
  it('keep their code from being deleted, as its actuals do', async () => {
    const noted = await another('MON7')
    const remove = () => finance.call('DELETE', `/api/BudgetCodes/${noted.id}`, undefined, own)
    const note = { budgetCodeId: noted.id, type: 1, notes: 'To be bought' }
    await finance.call('POST', `/api/monitoring/note/2027/4/${places.groupId}`, note, own)
    await finance.call('POST', '/api/monitoring/adjustment/2027/4', { value: 5, budgetCodeId: noted.id, type: 2 }, own)
    expect((await remove()).body).toContain('Budget code is in use by 1 note and 1 adjustment and cannot be deleted.')
    await finance.call('DELETE', `/api/monitoring/note/2027/4/${noted.id}/1/${places.groupId}`, undefined, own)
    expect((await remove()).body).toContain('Budget code is in use by 1 adjustment and cannot be deleted.')
    await finance.call('DELETE', `/api/monitoring/adjustment/2027/4/${noted.id}/2`, undefined, own)
    expect((await remove()).status).toBe(204)
    const again = await finance.call('POST', '/api/monitoring/adjustment/2027/4', { value: 5, budgetCodeId: noted.id, type: 2 }, own)
    expect(again.status).toBeGreaterThanOrEqual(400)
  })
  it('cannot belong to a code that was deleted while they were written', async () => {
    for (const round of [1, 2, 3, 4, 5, 6]) {
      const named = await another(`MON6${round}`)
      const [saved, removed] = await Promise.all([
        finance.call('POST', '/api/monitoring/adjustment/2027/4', { value: round, budgetCodeId: named.id, type: 2 }, own),
        finance.call('DELETE', `/api/BudgetCodes/${named.id}`, undefined, own),
      ])
      expect([saved.status === 200, removed.status === 204].filter(Boolean)).toHaveLength(1)
    }
  })
  it('of two users at once are both stored', async () => {
    const codes = (await finance.call('POST', '/api/BudgetCodes/list', everything, own)).body.rows.slice(0, 6) as Body[]
    const saved = await Promise.all(
      codes.map(({ id }, index) =>
        finance.call('POST', `/api/monitoring/adjustment/2026/11/${places.groupId}`, { value: index + 1, budgetCodeId: id, type: 2 }, own),
      ),
    )
    expect(saved.map((reply) => reply.status)).toEqual(codes.map(() => 200))
    const { rows } = await versus('Forecast', { budgetGroupId: places.groupId })
    const kept = codes.map(({ id }) => rows.find((row: Body) => row.budgetCodeId === id)?.adjustment)
    expect(kept).toEqual(codes.map((_unused, index) => index + 1))
  })
})

describe('a typed forecast', () => {
  it('counts even if its code has nothing else, keeps the code from being deleted, and can be undone', async () => {
    const typed = await another('MON5')
    const choose = (method: 'typed' | 'budget') =>
      browserCall(
        product,
        finance,
        'monitoring.chooseForecast',
        {
          locationId: places.locations.Northgate,
          year: 2026,
          budgetCodeIds: [typed.id],
          method,
          values: method === 'typed' ? Array<number>(12).fill(1000) : null,
        },
        own,
      )
    const forecast = async (): Promise<Body> => (await versus('Forecast')).rows.find((row: Body) => row.budgetCodeId === typed.id)?.forecast
    expect(await forecast()).toBeUndefined()
    await choose('typed')
    // The closed months had no actuals.
    const open = (await forecast()) / 1000
    expect(open).toBeGreaterThan(6)
    expect(Number.isInteger(open)).toBe(true)
    const remove = () => finance.call('DELETE', `/api/BudgetCodes/${typed.id}`, undefined, own)
    expect((await remove()).body).toContain('Budget code is in use by 1 forecast of its own and cannot be deleted.')
    await choose('budget')
    expect(await forecast()).toBeUndefined()
    expect((await remove()).status).toBe(204)
  })
})

describe('the working forecast', () => {
  const byYear = () => ({ year: 2026, budgetId: places.budgets.Northgate, budgetCodeId: code.id })
  it('B-231 B-232 loads and saves the months of entries, unless the organisation does not allow it', async () => {
    const [entry] = (await finance.call('POST', '/api/monitoring/BudgetEntries/byYear', byYear(), own)).body
    expect(entry).toMatchObject({ description: 'By twelfths', budgetCodeId: code.id })
    const entries = [{ id: entry.id, periods: [...Array<number>(11).fill(100), 150] }]
    const put = () => finance.call('PUT', '/api/monitoring/BudgetsVsForecast/BudgetEntries', { ...byYear(), entries }, own)
    expect((await put()).body).toEqual({ updated: 1 })
    expect(rowOf(await versus('Forecast')).fullYearBudget).toBe(1250)
    const organisation = (await administrator.call('GET', `/api/Organisations/${places.organisationId}`)).body
    const set = async (allowWorkingForecast: boolean) => {
      const { version } = (await administrator.call('GET', `/api/Organisations/${places.organisationId}`)).body
      expect((await administrator.call('PUT', '/api/Organisations', { ...organisation, version, allowWorkingForecast })).status).toBe(200)
    }
    await set(false)
    expect((await put()).status).toBe(409)
    await set(true)
  })
})

describe('the permission', () => {
  it('to change a note is that of its screen, and at console level that of the console and all locations', async () => {
    const school = await inviteAndSignIn(
      product,
      administrator,
      'school@harbour.example',
      ['BudgetingMonitoringBudgetActualsReadUpdate', 'ConsoleMonitoringBudgetActualsReadUpdate', 'ConsoleMonitoringReadUpdate'],
      places.organisationId,
      [places.locations.Northgate!],
    )
    const note = { budgetCodeId: code.id, notes: 'Ours' }
    const at = (level: string, type: number) => school.call('POST', `/api/monitoring/note/2026/11${level}`, { ...note, type }, own)
    expect((await at(`/${places.groupId}`, 1)).status).toBe(200)
    expect((await at(`/${places.groupId}`, 2)).status).toBe(403)
    expect((await at('', 1)).status).toBe(403)
    const other = Object.keys(places.locations).find((alias) => alias !== 'Northgate' && places.budgets[alias])!
    const theirs = await school.call('POST', '/api/monitoring/BudgetsVsActuals', { ...november, budgetId: places.budgets[other] }, own)
    expect(theirs.status).toBe(404)
    const mine = await school.call('POST', '/api/monitoring/BudgetsVsActuals', november, own)
    expect(mine.body.budgets.map((one: Body) => one.locationId)).toEqual([places.locations.Northgate])
    const foreign = await send(2026, 12, [line(1, { BudgetCodeFilter: filters[other]! })], 1, school)
    expect([foreign.status, foreign.body.errors[0].column]).toEqual([400, 'BudgetCodeFilter'])
    const body = { year: 2026, month: 9, locationIds: [places.locations[other]] }
    expect((await school.call('POST', '/api/monitoring/actuals-commitments/delete', body, own)).status).toBe(403)
    expect((await list(9, {}, school)).rows.every((row: Body) => row.locationId === places.locations.Northgate)).toBe(true)
  })
  it('to see actuals and commitments includes the texts that a ledger wrote beside its lines', async () => {
    const reader = await inviteAndSignIn(
      product,
      administrator,
      'reader@harbour.example',
      ['BudgetingMonitoringBudgetActualsRead', 'BudgetingMonitoringBudgetForecastRead'],
      places.organisationId,
    )
    await send(2026, 12, [line(12, { Description: 'Agency cover for a named teacher' })])
    const behind = async (who: Caller): Promise<Body> =>
      (await who.call('POST', `/api/monitoring/ActualsYTD/${code.id}`, { year: 2026, month: 12, budgetId: places.budgets.Northgate }, own))
        .body
    const [full, figures] = [await behind(finance), await behind(reader)]
    expect(full.lines.at(-1).description).toBe('Agency cover for a named teacher')
    expect(figures).toEqual({ ...full, lines: full.lines.map((one: Body) => ({ ...one, description: '' })) })
    expect((await reader.call('POST', '/api/monitoring/actuals-commitments/list/2026/12', everything, own)).status).toBe(403)
    await clear(12)
  })
  it('gives no access to another organisation', async () => {
    const there = await inviteAndSignIn(product, administrator, 'monitor@meadow.example', permissions, elsewhere.organisationId)
    const theirs = { OrganisationId: elsewhere.organisationId }
    const call = (path: string, body: Body) => there.call('POST', `/api/monitoring/${path}`, body, theirs)
    const listed = (await call('actuals-commitments/list/2026/9', everything)).body.rows as Body[]
    for (const { locationId } of listed) expect(Object.values(elsewhere.locations)).toContain(locationId)
    expect((await call('BudgetsVsActuals', { ...november, budgetId: places.budgets.Northgate })).status).toBe(404)
    expect((await call('BudgetsVsActuals', { ...november, budgetGroupId: places.groupId })).status).toBe(404)
    expect((await call('BudgetsVsActuals', { ...november, locationIds: [places.locations.Northgate] })).status).toBe(404)
    expect((await call(`ActualsYTD/${code.id}`, november)).status).toBe(404)
    expect((await call(`note/2026/11`, { budgetCodeId: code.id, type: 1, notes: 'x' })).status).toBe(404)
    expect((await call('BudgetEntries/byYear', { year: 2026, budgetId: places.budgets.Northgate, budgetCodeId: code.id })).status).toBe(404)
    expect((await there.call('POST', '/api/monitoring/BudgetsVsActuals', november, own)).status).toBe(403)
  })
})
