import { strFromU8, unzipSync } from 'fflate'
import readXlsxFile from 'read-excel-file/universal'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ReportName, reports } from '../../../domain/reports/registry.ts'
import type { BudgetId, LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import { type Body, type Caller, findTrustIds, inviteAndSignIn, type Reply, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'

let product: Product
let administrator: Caller
let finance: Caller
let reader: Caller
let elsewhereFinance: Caller
let places: TrustIds
let elsewhere: TrustIds
let own: { OrganisationId: OrganisationId }
let years: string[]

const pathOf = (name: string): string => `/api/Reporting/${name[0]!.toUpperCase()}${name.slice(1)}`
const ask = (name: string, body: Body = {}, who = finance): Promise<Reply> => who.call('POST', pathOf(name), body, own)
const rowNamed = (report: Body, label: string): Body => report.rows.find((row: Body) => row.label === label)
const names = Object.keys(reports) as ReportName[]

/** The kind of a row and its drill-down, with ids replaced by whether there are one or several. */
const shapeOf = ({ kind, drill }: Body): string => `${kind} ${drill.replace(/\d+(,\d+)+/g, 'several').replace(/=\d+/g, '=one')}`
/** Opens one row of each shape in some columns, and expects its lines to add up to the figure. @returns the shapes opened, as one text */
async function openEachShape(name: ReportName, request: Body, isWanted: (key: string) => boolean): Promise<string> {
  const { body } = await ask(name, request)
  const columns: [number, Body][] = [...body.columns.entries()].filter(([, { key }]) => isWanted(key))
  expect(columns.length, name).toBeGreaterThan(0)
  const ofShape = new Map<string, Body>(body.rows.flatMap((row: Body) => (row.drill === null ? [] : [[shapeOf(row), row]])))
  for (const row of ofShape.values())
    for (const [index, { key, type }] of columns) {
      const { body: lines } = await ask('lines', { ...request, row: row.drill, column: key })
      // In a report in thousands each line is rounded separately, and totals add the rounded figures.
      const [total, digits] = type === 'number' ? [lines.total / 1000, row.kind === 'Data' ? -0.5 : -1.4] : [lines.total, 5]
      expect(total, `${name} ${row.label} ${key}`).toBeCloseTo(row.values[index] ?? 0, digits)
      const year = /year=([^&]*)/.exec(key)?.[1]
      if (year) for (const line of lines.lines) expect(line.year).toBe(year)
    }
  return [...ofShape.keys()].join('\n')
}

beforeAll(async () => {
  product = await startProduct()
  administrator = await signInAs(product, 'admin@bursar.example')
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  elsewhereFinance = await signInAs(product, 'finance@meadow.example')
  elsewhere = await findTrustIds(elsewhereFinance)
  own = { OrganisationId: places.organisationId }
  reader = await inviteAndSignIn(product, administrator, 'reports-reader@harbour.example', ['BudgetingReportsRead'], places.organisationId)
  years = (await ask('budgetYears', { budgetGroupId: places.groupId })).body.map((year: Body) => year.name)
}, 300_000)

/** The group’s lines added up in one plain statement, in pounds. */
async function plainSums(year: number): Promise<{ income: number; expenditure: number; between: number }> {
  const [row] = await connectAsOwner(product.config.databaseUrl)`
      select coalesce(sum(line.total) filter (where code.type = 1 and line.source_kind <> 'transfer'), 0)::float8 / 100 as income,
        coalesce(sum(line.total) filter (where code.type is distinct from 1 and line.source_kind <> 'transfer'), 0)::float8 / 100 as expenditure,
        coalesce(sum(case when code.type = 1 then line.total else -line.total end) filter (where line.source_kind = 'transfer'), 0)::float8 / 100 as between
      from budget_lines line left join budget_codes code on code.id = line.budget_code_id
      where line.budget_id in (select budget_id from budget_group_members where group_id = ${places.groupId}) and line.year = ${year}
        and code.category is distinct from 4`
  return row as { income: number; expenditure: number; between: number }
}

describe('reports', () => {
  it('B-236 B-237 are POST calls, for users who may read reports', { timeout: 120_000 }, async () => {
    const stranger = await inviteAndSignIn(
      product,
      administrator,
      'reports-stranger@harbour.example',
      ['BudgetingOverviewRead'],
      places.organisationId,
    )
    for (const name of [...names, 'budgetYears', 'profileBudgetAnalysisExport'] as const) {
      const body =
        name === 'budgetComparison' ? { budgetIds: Object.values(places.budgets).slice(0, 2) } : { budgetId: places.budgets.Northgate }
      expect((await ask(name, body, reader)).status, name).toBe(200)
      expect((await ask(name, body, stranger)).status, name).toBe(403)
      expect((await finance.call('GET', pathOf(name), undefined, own)).status, name).not.toBe(200)
    }
  })
  it('show each contract’s cost as its costing does, and open its lines', async () => {
    const request = { budgetId: places.budgets.Northgate }
    const { body } = await ask('staffing', request)
    const indexOf = (what: string): number => body.columns.findIndex((column: Body) => column.title === `${years[0]} ${what}`)
    const plain = await plainSums(0)
    expect(rowNamed(body, 'All contracts').values[indexOf('total')]).toBeGreaterThan(0)
    expect(rowNamed(body, 'All contracts').values[indexOf('total')]).toBeLessThan(plain.expenditure)
    const row = body.rows.find((one: Body) => one.drill && one.values[indexOf('total')])
    for (const what of ['NI', 'pension', 'total']) {
      const { body: lines } = await ask('lines', { ...request, row: row.drill, column: body.columns[indexOf(what)].key })
      expect(lines.total, what).toBeCloseTo(row.values[indexOf(what)], 5)
    }
    expect((await ask('lines', { ...request, row: row.drill, column: body.columns[indexOf('basic')].key })).status).toBe(400)
  })
  it('B-244 over a group equal the total of its lines, each budget once, in rows or in columns', async () => {
    const request = { budgetGroupId: places.groupId }
    const { body } = await ask('budgetAnalysis', request)
    expect(body.columns.map((column: Body) => column.title)).toEqual(years)
    expect(new Set(body.budgets.map((one: Body) => one.budgetId)).size).toBe(body.budgets.length)
    const byLocation = (await ask('budgetAnalysisByLocation', request)).body
    const apart = (await ask('budgetAnalysisBySingleLocation', request)).body
    const months = (await ask('profileBudgetAnalysis', request)).body
    for (const index of years.keys()) {
      const plain = await plainSums(index)
      const figures = {
        'Total income': plain.income,
        'Total expenditure': plain.expenditure,
        'In-year balance': plain.income - plain.expenditure + plain.between,
      }
      for (const [label, figure] of Object.entries(figures)) {
        expect(rowNamed(body, label).values[index], label).toBeCloseTo(figure, 5)
        const each = apart.rows.filter((row: Body) => row.label === label).map((row: Body) => Math.round(row.values[index] * 100))
        expect(each.reduce((sum: number, one: number) => sum + one, 0) / 100, label).toBeCloseTo(figure, 5)
        if (index === 0) for (const one of [byLocation, months]) expect(rowNamed(one, label).values.at(-1), label).toBeCloseTo(figure, 5)
      }
    }
    expect(rowNamed(byLocation, 'Total closing balances').values.at(-1)).toBe(rowNamed(body, 'Total closing balances').values[0])
    // Transfers between schools have lines of their own, which add up to zero.
    const between = body.rows.filter((row: Body) => /^(GAG pooling|Top slices)$/.test(row.label))
    expect(between.length).toBeGreaterThan(0)
    for (const row of between) expect(row.values.every((value: number) => value === 0)).toBe(true)
  })
  it('show the trust at a glance, a line for each school, with the income of the budget analysis over all', async () => {
    const { status, body } = await ask('atAGlance')
    expect(status).toBe(200)
    const all = (await ask('budgetAnalysis')).body
    expect(body.total.years.map((year: Body) => year.income)).toEqual(rowNamed(all, 'Total income').values)
    expect(body.rows.map((row: Body) => row.locationId).sort()).toEqual(all.budgets.map((one: Body) => one.locationId).sort())
    // The organisation’s minimum reserve is compared with each school’s reserves.
    const organisation = (await finance.call('GET', `/api/MyOrganisations/${places.organisationId}`, undefined, own)).body
    const kept = await finance.call('PUT', '/api/MyOrganisations', { ...organisation, reserveFloor: 99.5 }, own)
    expect(kept.body.reserveFloor).toBe(99.5)
    const held = (await ask('atAGlance')).body.rows
    expect(held.some((row: Body) => row.warnings.some((one: Body) => one.kind === 'floor'))).toBe(true)
    for (const row of held) {
      const below = row.years.filter((year: Body) => year.reserve !== null && year.income > 0 && year.reserve * 100 < year.income * 99.5)
      const said = row.warnings.filter((one: Body) => one.kind === 'floor').map((one: Body) => one.text)
      expect(said).toHaveLength(below.length ? 1 : 0)
      if (below.length) expect(said[0]).toMatch(/^The reserve is below the floor of 99\.5% of income at the end of 20/)
    }
    await finance.call('PUT', '/api/MyOrganisations', { ...kept.body, reserveFloor: null }, own)
    // A reader of reports only sees nothing of months and payrolls, and the rows of their own locations.
    const seen = (await ask('atAGlance', {}, reader)).body
    expect(seen.rows.every((row: Body) => row.outlook === null && row.status.monthEnd === null && row.status.payroll === null)).toBe(true)
    expect(body.rows.some((row: Body) => row.status.monthEnd !== null)).toBe(true)
  })
  it('show how far the forecast differs from the last outturn once every month is closed, to users who may see actuals', async () => {
    const northgate = places.locations.Northgate!
    const sql = connectAsOwner(product.config.databaseUrl)
    const outturnIn = async (who = finance): Promise<string[]> => {
      const { body } = await ask('atAGlance', {}, who)
      const { warnings } = body.rows.find((row: Body) => row.locationId === northgate)
      return warnings.filter((one: Body) => one.kind === 'outturn').map((one: Body) => one.text)
    }
    const labelsOf = async (who = finance, request: Body = { budgetId: places.budgets.Northgate }): Promise<string[]> =>
      (await ask('budgetForecastReturn', request, who)).body.rows.map((row: Body) => row.label)
    const said = (labels: string[]): string[] => labels.filter((label) => /outturn/.test(label))
    const before = (await ask('budgetForecastReturn', { budgetId: places.budgets.Northgate })).body
    expect(said(before.rows.map((row: Body) => row.label))).toEqual([expect.stringContaining('the last outturn (a month is missing)')])
    const at = (title: string): number => before.columns.findIndex((column: Body) => column.title === title)
    const pounds: number = rowNamed(before, '298 Total revenue income').values[at(`${years[0]} exact`)]
    // The year before had half of this year’s forecast, all of it in September.
    await sql`
      insert into monitoring_items (organisation_id, location_id, key, version, saved_at, item)
      select ${places.organisationId}, ${northgate}, 'month ' || to_char(month, 'YYYY-MM'), 1, now(), jsonb_build_object('kind', 'month',
        'year', extract(year from month)::int, 'month', extract(month from month)::int, 'imports', '[]'::jsonb, 'isClosed', true)
      from generate_series('2025-09-01'::timestamp, '2026-07-01', '1 month') month`
    await sql`
      insert into actual_sums (organisation_id, location_id, year, type, budget_code_id, amounts, months)
      select ${places.organisationId}, ${northgate}, 2025, 1, (select id from budget_codes where organisation_id = ${places.organisationId} and code = '1010'),
        array[0, 0, 0, 0, 0, 0, 0, 0, ${Math.round(pounds * 50)}::bigint, 0, 0, 0], 256`
    // August has no actuals yet.
    expect(await outturnIn()).toEqual([])
    await sql`
      insert into monitoring_items (organisation_id, location_id, key, version, saved_at, item)
      values (${places.organisationId}, ${northgate}, 'month 2026-08', 1, now(), '{"kind":"month","year":2026,"month":8,"imports":[],"isClosed":true}')`
    const text = `Revenue income for ${years[0]} is forecast to be 100.0% above the outturn for 2025/26, more than 10%.`
    const labels = await labelsOf()
    expect(labels).toContain(`Check: ${text}`)
    expect(said(labels).some((label) => label.startsWith('Checked: ') && label.includes('the outturn of 2025/26'))).toBe(true)
    expect(await outturnIn()).toHaveLength(1)
    // For the whole organisation, every school’s year must be complete.
    expect(said(await labelsOf(finance, { budgetGroupId: places.groupId }))).toEqual([expect.stringContaining('a month is missing')])
    expect(await outturnIn(reader)).toEqual([])
    expect(said(await labelsOf(reader))).toEqual([expect.stringContaining('only for people who can view actuals')])
    await sql`delete from actual_sums where location_id = ${northgate} and year = 2025`
    await sql`delete from monitoring_items where location_id = ${northgate} and kind = 'month' and year * 12 + month <= 2026 * 12 + 8`
  })
  it('B-243 offer the years common to the budgets, and refuse others with a sentence', async () => {
    const [first] = (await ask('budgetYears', { budgetId: places.budgets.Northgate })).body
    expect(first).toEqual({ index: 0, name: '2026/27', start: '2026-09-01', end: '2027-08-31' })
    const refused = await ask('budgetAnalysis', { budgetGroupId: places.groupId, yearNames: ['2041/42'] })
    expect([refused.status, refused.body]).toEqual([400, '2041/42 is not covered by every budget requested. Choose another year.'])
    expect((await ask('budgetAnalysis', { yearNames: ['2026/28'] })).body).toBe('Enter the year as 2026/27.')
    const { Northgate } = places.budgets
    expect((await ask('budgetComparison', { budgetIds: [Northgate] })).body).toBe('Choose two to four budgets to compare.')
    expect((await ask('budgetComparison', { budgetIds: [Northgate, Northgate] })).body).toContain('Choose each budget once.')
  })
  it('name the budgets of two compared schools by their schools', async () => {
    const { Northgate, Riverside } = places.budgets
    const { columns } = (await ask('budgetComparison', { budgetIds: [Northgate, Riverside], yearNames: ['2026/27'] })).body
    const titles = columns.map(({ title }: Body) => title)
    expect(titles).toEqual(['Northgate Primary School', 'Riverside School', 'Riverside School less Northgate Primary School'])
  })
  it('over all locations leave out an archived one, unless it is selected', async () => {
    const sql = connectAsOwner(product.config.databaseUrl)
    const [locationId, id] = [places.locations.Northgate!, places.budgets.Northgate!]
    const before = (await ask('budgetYears')).body
    const [budget] = await sql`select head from budgets where id = ${id}`
    await sql`update budgets set head = jsonb_set(head, '{firstYear}', '2011') where id = ${id}`
    await sql`update locations set archive = true where id = ${locationId}`
    try {
      expect((await ask('budgetYears')).body).toEqual(before)
      const { status, body } = await ask('budgetAnalysis')
      expect([status, body.budgets.map((one: Body) => one.locationId)]).toEqual([200, expect.not.arrayContaining([locationId])])
      expect((await ask('budgetYears', { locationIds: [locationId] })).body[0].name).toBe('2011/12')
    } finally {
      await sql`update budgets set head = ${budget!.head} where id = ${id}`
      await sql`update locations set archive = false where id = ${locationId}`
    }
  })
  it('B-242 say how many items could not be calculated', async () => {
    const { body } = await ask('budgetAnalysis', { budgetGroupId: places.groupId })
    const [row] = await connectAsOwner(product.config.databaseUrl)`
      select count(distinct (budget_id, source_kind, source_id))::int as count from budget_lines
        where missing > 0 and budget_id in (select budget_id from budget_group_members where group_id = ${places.groupId})`
    expect(body.notCalculated).toBe(row!.count)
  })
  it('count what is missing in their years, and report it for the following balances', async () => {
    const sql = connectAsOwner(product.config.databaseUrl)
    const request = { budgetId: places.budgets.Northgate }
    const gapsOf = (report: Body, label: string): number => rowNamed(report, label).missing
    const counts = async (): Promise<Record<string, number>> => {
      const asked = {
        profile: ['profileBudgetAnalysis', {}],
        one: ['budgetAnalysis', { yearNames: [years[2]] }],
        centres: ['costCentreAnalysis', { yearNames: [years[2]] }],
      } as const
      const found: Record<string, number> = {}
      for (const [key, [name, more]] of Object.entries(asked)) found[key] = (await ask(name, { ...request, ...more })).body.notCalculated
      return found
    }
    const before = await counts()
    const opening = gapsOf((await ask('budgetAnalysis', { ...request, yearNames: [years[2]] })).body, 'Total opening balances')
    const [line] = await sql`
      select line.ctid::text as at, line.amounts from posted_lines line join budget_codes code on code.id = line.budget_code_id
      where line.budget_id = ${places.budgets.Northgate!} and line.totals[2 - line.first_year] is not null and line.source_kind = 'entry'
        and code.category is distinct from 4 and not exists (select from posted_lines other where other.source_id = line.source_id and 0 < any(other.missing))
      order by line.source_id limit 1`
    const [changed] = await sql`
      update posted_lines set amounts[(1 - first_year) * 12 + 1 : (1 - first_year) * 12 + 12] = array_fill(null::bigint, array[12])
      where ctid = ${line!.at}::tid returning ctid::text as at`
    try {
      const after = await counts()
      expect(after).toEqual({ ...before, one: before.one! + 1 })
      const report = (await ask('budgetAnalysis', { ...request, yearNames: [years[2]] })).body
      expect(gapsOf(report, 'Total opening balances')).toBe(opening + 12)
      expect(gapsOf(report, 'Total closing balances')).toBeGreaterThanOrEqual(opening + 12)
    } finally {
      await sql`update posted_lines set amounts = ${line!.amounts} where ctid = ${changed!.at}::tid`
    }
  })
  it('of pupils include a school without typed numbers, and then have no total', async () => {
    const sql = connectAsOwner(product.config.databaseUrl)
    const pupils = async (): Promise<Body> => (await ask('pupilNumbersByLocation', { budgetGroupId: places.groupId })).body
    const before = await pupils()
    const isNorthgates = sql`budget_id = ${places.budgets.Northgate!} and kind = 'pupils'`
    const [typed] = await sql`select item from budget_items where ${isNorthgates}`
    await sql`update budget_items set item = jsonb_set(item, '{rows}', '[]') where ${isNorthgates}`
    try {
      const after = await pupils()
      expect(after.columns).toEqual(before.columns)
      expect(after.rows.at(-1).values.at(-1)).toBeNull()
    } finally {
      await sql`update budget_items set item = ${typed!.item} where ${isNorthgates}`
    }
  })
  it('are filtered by cost centres and codes, and then have no balances; shares still refer to total income', async () => {
    const request = { budgetId: places.budgets.Northgate }
    const whole = (await ask('budgetAnalysis', request)).body
    const centres = (await ask('costCentreAnalysis', request)).body
    const drill = centres.rows.find((row: Body) => /^centre=\d+|side=\w+&centre=\d+/.test(row.drill ?? '')).drill as string
    const ofCentre = (await ask('budgetAnalysis', { ...request, costCentreIds: [Number(/centre=(\d+)/.exec(drill)![1])] })).body
    expect(rowNamed(ofCentre, 'Total closing balances')).toBeUndefined()
    expect(Math.abs(rowNamed(ofCentre, 'Total expenditure').values[0])).toBeLessThan(rowNamed(whole, 'Total expenditure').values[0])
    const codes = (await finance.call('POST', '/api/BudgetCodes/list', { pageNumber: 1, pageSize: 500 }, own)).body.rows
    const grant = codes.find((code: Body) => code.code === '1020').id
    const ofCode = (await ask('budgetAnalysis', { ...request, budgetCodeIds: [grant], scheme: 1 })).body
    expect(ofCode.bases.map((base: Body) => base.income)).toEqual(whole.bases.map((base: Body) => base.income))
    expect(rowNamed(ofCode, 'Total income').values[0]).toBeLessThan(whole.bases[0].income)
    // Grouped by the CFR code of the budget code.
    expect(ofCode.rows.filter((row: Body) => row.kind === 'Description').map((row: Body) => row.label)).toEqual([
      expect.stringMatching(/^I\d\d /),
    ])
    expect((await ask('budgetAnalysis', { ...request, analysisTagIds: [99_999] })).status).toBe(404)
  })
  it('of the demo map every code of the CFR return and the ledger, and every line of the forecast return in the tables', async () => {
    for (const [budgetId, who] of [
      [places.budgets.Northgate, finance],
      [Object.values(elsewhere.budgets)[0], elsewhereFinance],
    ] as const) {
      const labels = async (name: string): Promise<string[]> =>
        (
          await who.call(
            'POST',
            pathOf(name),
            { budgetId },
            { OrganisationId: who === finance ? places.organisationId : elsewhere.organisationId },
          )
        ).body.rows.map((row: Body) => row.label)
      for (const name of ['cfrReturn', 'trialBudget'])
        expect(
          (await labels(name)).filter((label) => label.startsWith('Not mapped') && !label.endsWith('levy')),
          name,
        ).toEqual([])
      expect(await labels('budgetForecastReturn')).toEqual(expect.arrayContaining(['102 General annual grant', '300 Teaching staff']))
    }
  })
})

describe('the lines behind a figure', () => {
  it('add up to the figure: for codes, centres, schools, months and payments between schools', { timeout: 120_000 }, async () => {
    const request = { budgetGroupId: places.groupId }
    const ofYear = (key: string): boolean => key === `year=${years[0]}`
    const analysed = await openEachShape('budgetAnalysis', request, ofYear)
    for (const shape of ['Data side=income&code=one', 'SectionFooter side=staff', 'Total side=inYear', 'transfer='])
      expect(analysed).toContain(shape)
    expect(await openEachShape('costCentreAnalysis', request, ofYear)).toContain('centre=one')
    const isOfMonth = (key: string): boolean => ofYear(key) || key.endsWith('month=3')
    await openEachShape('profileBudgetAnalysis', { budgetId: places.budgets.Northgate }, isOfMonth)
    await openEachShape('budgetAnalysisByLocation', request, (key) => key.endsWith(`location=${places.locations.Northgate}`))
  })
  it('of the returns, the trial budget and the measures add up to the figure, including totals and lines of several codes', {
    timeout: 120_000,
  }, async () => {
    for (const request of [{ budgetGroupId: places.groupId }, { budgetId: places.budgets.Northgate }]) {
      expect(await openEachShape('cfrReturn', request, (key) => key === `year=${years[0]}`)).toContain('code=several')
      await openEachShape('trialBudget', request, (key) => key === `year=${years[0]}` || key.endsWith('month=1'))
    }
    const { body } = await ask('measures', { budgetId: places.budgets.Northgate })
    const lines = async (label: string): Promise<number> =>
      (await ask('lines', { budgetId: places.budgets.Northgate, row: rowNamed(body, label).drill, column: body.columns[0].key })).body.total
    const [staff, income] = [await lines('Staff, % of income'), await lines('Income')]
    expect(rowNamed(body, 'Staff, % of income').values[0]).toBeCloseTo((100 * staff) / income, 1)
    expect(rowNamed(body, 'In-year balance, % of income').values[0]).toBeCloseTo(
      (100 * (await lines('In-year balance, % of income'))) / income,
      1,
    )
    // Nothing is posted for pupils and balances.
    expect(rowNamed(body, 'Pupils per adult (FTE)').drill).toBeNull()
  })
  it('name nobody to users who may not see staff', async () => {
    const request = { budgetId: places.budgets.Northgate, row: 'side=staff', column: `year=${years[0]}` }
    const [seen, closed] = [await ask('lines', request), await ask('lines', request, reader)]
    expect(seen.body.lines.some((line: Body) => line.kind === 'contract')).toBe(true)
    expect(closed.body.lines.filter((line: Body) => line.kind === 'contract')).toEqual([])
    expect(closed.body.total).toBe(seen.body.total)
    const staffing = (await ask('staffing', { budgetId: places.budgets.Northgate }, reader)).body
    expect(staffing.rows.every((row: Body) => row.kind !== 'SectionHeader')).toBe(true)
    const named = (await ask('staffing', { budgetId: places.budgets.Northgate })).body
    expect(rowNamed(staffing, 'All contracts').values.slice(1)).toEqual(rowNamed(named, 'All contracts').values.slice(6))
  })
  it('of staff cannot be filtered to a few employees by users who may not see staff, on screen or in a file', async () => {
    const codes = (await finance.call('POST', '/api/BudgetCodes/list', { pageNumber: 1, pageSize: 500 }, own)).body.rows
    const budgetCodeIds = [codes.find((code: Body) => code.code === '3402').id]
    const request = { budgetId: places.budgets.Northgate, budgetCodeIds }
    expect((await ask('staffing', request)).status).toBe(200)
    for (const name of ['staffing', 'csv', 'workbook', 'paper']) {
      const reply = await ask(name, { ...request, ...(name === 'staffing' ? {} : { report: 'staffing' }) }, reader)
      expect([reply.status, reply.body], name).toEqual([
        400,
        expect.stringMatching(/^Figures for part of the staff are shown only to people who can view staff/),
      ])
    }
    // Measures always cover all staff, whatever the filter.
    expect((await ask('measures', request, reader)).status).toBe(200)
  })
  it('are refused for a figure that is no sum of lines', async () => {
    for (const row of ['nonsense', 'code=1;drop table'])
      expect((await ask('lines', { budgetId: places.budgets.Northgate, row, column: '' })).body).toBe(
        'This figure is not a total of lines. Choose another.',
      )
  })
})

describe('access to reports', () => {
  it('is limited to the caller’s locations and organisation', async () => {
    const limited = await signInAs(product, 'northgate@harbour.example')
    const { body } = await ask('budgetAnalysisByLocation', {}, limited)
    expect(body.columns.map((column: Body) => column.title)).toEqual([expect.stringContaining('Northgate'), 'All'])
    const other = Object.entries(places.budgets).find(([alias]) => alias !== 'Northgate')!
    expect((await ask('budgetAnalysis', { budgetId: other[1] }, limited)).status).toBe(404)
    expect((await ask('budgetAnalysis', { locationIds: [places.locations[other[0]]] }, limited)).status).toBe(404)
    const foreign = Object.values(elsewhere.budgets)[0]
    expect((await ask('budgetAnalysis', { budgetId: foreign })).status).toBe(404)
    expect((await ask('lines', { budgetId: foreign, row: 'side=income', column: '' })).status).toBe(404)
  })
})

describe('files', () => {
  const file = async (path: string, body: Body): Promise<{ status: number; type: string; name: string; bytes: Uint8Array }> => {
    const reply = await fetch(`${product.origin}/api/Reporting/${path}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${finance.token}`,
        OrganisationId: String(places.organisationId),
      },
      body: JSON.stringify(body),
    })
    return {
      status: reply.status,
      type: reply.headers.get('content-type') ?? '',
      name: decodeURIComponent(reply.headers.get('content-disposition') ?? ''),
      bytes: new Uint8Array(await reply.arrayBuffer()),
    }
  }
  it('B-238 in machine-readable form are one CSV, or a zip with one for each location', async () => {
    const one = await file('ProfileBudgetAnalysisExport', { budgetId: places.budgets.Northgate })
    expect([one.status, one.type]).toEqual([200, 'text/csv; charset=utf-8'])
    const { body } = await ask('profileBudgetAnalysis', { budgetId: places.budgets.Northgate })
    const text = new TextDecoder().decode(one.bytes)
    const total = rowNamed(body, 'Total income').values as number[]
    expect(text).toContain(`SectionFooter,Total income,${total.map((value) => value.toFixed(2)).join(',')}`)
    const all = await file('ProfileBudgetAnalysisExport', { budgetGroupId: places.groupId })
    expect(all.type).toBe('application/zip')
    const parts = unzipSync(all.bytes)
    expect(Object.keys(parts).some((name) => /Northgate.*\.csv$/.test(name))).toBe(true)
    expect(strFromU8(Object.entries(parts).find(([name]) => name.includes('Northgate'))![1])).toContain('Total income')
  })
  it('in machine-readable form are also made from budgets that begin in different months', async () => {
    const sql = connectAsOwner(product.config.databaseUrl)
    const id = places.budgets.Northgate!
    const [before] = await sql`select head from budgets where id = ${id}`
    await sql`update budgets set head = jsonb_set(head, '{startMonth}', '4') where id = ${id}`
    try {
      expect((await ask('profileBudgetAnalysis', { budgetGroupId: places.groupId })).status).toBe(400)
      expect((await file('ProfileBudgetAnalysisExport', { budgetGroupId: places.groupId })).type).toBe('application/zip')
    } finally {
      await sql`update budgets set head = ${before!.head} where id = ${id}`
    }
  })
  it('are workbooks with a tab for each school and the figures of the screen, with or without live formulas', async () => {
    const request = { budgetGroupId: places.groupId }
    const { body } = await ask('budgetAnalysis', request)
    const { status, bytes, name } = await file('Workbook', { ...request, report: 'budgetAnalysis', perPupil: true, change: true })
    expect([status, /\.xlsx$/.test(name)]).toEqual([200, true])
    const sheets = await readXlsxFile(bytes.buffer as ArrayBuffer)
    const schools = new Set(body.budgets.map((one: Body) => one.location))
    expect(sheets.map(({ sheet }) => sheet)).toEqual(['All', ...schools, 'Parameters'].map((one) => String(one).slice(0, 31)))
    const inYear = sheets.slice(0, -1).map(({ data }) => data.find((row) => String(row[0]).trim() === 'In-year balance')![1])
    expect(inYear[0]).toBe(rowNamed(body, 'In-year balance').values[0])
    expect(Math.round(Number(inYear[0]) * 100)).toBe(inYear.slice(1).reduce<number>((sum, one) => sum + Math.round(Number(one) * 100), 0))
    expect(sheets[0]!.data[2]!.some((heading) => String(heading).endsWith(': change'))).toBe(true)
    const live = await file('Workbook', { budgetId: places.budgets.Northgate, report: 'budgetAnalysis', formulas: true })
    expect(strFromU8(unzipSync(live.bytes)['xl/worksheets/sheet1.xml']!)).toContain('<f>SUM(')
  })
  it('name the budgets with outdated costs, on screen and in every file, until they are recalculated', async () => {
    const sql = connectAsOwner(product.config.databaseUrl)
    const { rows } = (await finance.call('POST', '/api/ApprenticeshipLevies/list', { pageSize: 100 }, own)).body
    const row = rows.find((one: Body) => one.locationId === places.locations.Northgate)
    const edit = { state: { selectAll: false, toggledNodes: [row.id] }, patch: [{ op: 'replace', path: '/allowance', value: 4321 }] }
    const request = { budgetId: places.budgets.Northgate }
    const said = async (name: string): Promise<string | null> => (await ask(name, request)).body.olderCosts
    expect(await said('budgetAnalysis')).toBeNull()
    expect((await finance.call('PATCH', '/api/ApprenticeshipLevies/edit', edit, own)).status).toBe(200)
    try {
      const note = await said('budgetAnalysis')
      expect(note).toMatch(/^Costs are out of date and need recalculating: .*Northgate.* \(.+\)\.$/)
      for (const name of ['staffing', 'measures']) expect(await said(name), name).toBe(note)
      // Pupils are counted, not calculated, so their report has no such note.
      expect(await said('pupilNumbers')).toBeNull()
      const { bytes } = await file('Workbook', { ...request, report: 'budgetAnalysis' })
      expect((await readXlsxFile(bytes.buffer as ArrayBuffer)).at(-1)!.data.find(([what]) => what === 'Costs')?.[1]).toBe(note)
      for (const [path, body] of [
        ['Csv', { ...request, report: 'budgetAnalysis' }],
        ['ProfileBudgetAnalysisExport', request],
      ] as const)
        expect(new TextDecoder().decode((await file(path, body)).bytes), path).toContain(`Empty,${note},`)
    } finally {
      await sql`delete from recalculation_marks where organisation_id = ${places.organisationId}`
      await sql`update budget_groups set required_since = null, required_reason = null where organisation_id = ${places.organisationId}`
    }
    expect(await said('budgetAnalysis')).toBeNull()
  })
})

describe('the Budget Forecast Return', () => {
  const ofReturn = async (request: Body, who = finance): Promise<Body> => (await ask('budgetForecastReturn', request, who)).body
  const cell = (report: Body, label: string, title: string): number | null =>
    rowNamed(report, label).values[report.columns.findIndex((column: Body) => column.title === title)]
  const emptyWords = (report: Body): string[] => report.rows.filter((row: Body) => row.kind === 'Empty').map((row: Body) => row.label)
  /**
   * A year added up independently: transactions for September and October, then budget lines from November, in pounds. Over several schools
   * it leaves out transfers between them, for which the trust uses separate codes.
   */
  const plainYear = async (budgetIds: BudgetId[], isIncome: boolean, isSeveral: boolean): Promise<number> => {
    const sql = connectAsOwner(product.config.databaseUrl)
    const [row] = await sql`
      select (coalesce((select sum(line.value) from actual_lines line join budget_codes code on code.id = line.budget_code_id
          where line.location_id in (select location_id from budgets where id in ${sql(budgetIds)}) and line.type = 1 and (line.year, line.month) in ((2026, 9), (2026, 10))
            and (code.type = 1) = ${isIncome} and code.category is distinct from 4 and code.category is distinct from 3
            and (not ${isSeveral} or code.id not in (select budget_code_id from budget_lines where source_kind = 'transfer' and budget_id in ${sql(budgetIds)}))), 0)
        + coalesce((select sum(month) from budget_lines line left join budget_codes code on code.id = line.budget_code_id, unnest(line.amounts[3:12]) month
          where line.budget_id in ${sql(budgetIds)} and line.year = 0 and coalesce(code.type = 1, false) = ${isIncome} and code.category is distinct from 4
            and code.category is distinct from 3 and (not ${isSeveral} or line.source_kind <> 'transfer')), 0))::float8 / 100 as total`
    return row!.total
  }
  it('has actuals for closed months, then the budget, and equals an independent sum of transactions and lines', async () => {
    const northgate = places.budgets.Northgate!
    const [year] = years
    for (const [request, budgetIds] of [
      [{ budgetId: northgate }, [northgate]],
      [{ budgetGroupId: places.groupId }, (await ofReturn({ budgetGroupId: places.groupId })).budgets.map((one: Body) => one.budgetId)],
    ] as const) {
      const report = await ofReturn(request)
      const isSeveral = budgetIds.length > 1
      expect(cell(report, '298 Total revenue income', `${year} exact`)).toBeCloseTo(await plainYear([...budgetIds], true, isSeveral), 5)
      expect(cell(report, '380 Total revenue expenditure', `${year} exact`)).toBeCloseTo(
        await plainYear([...budgetIds], false, isSeveral),
        5,
      )
      // The next year opens with this year’s closing balance.
      expect(cell(report, 'Revenue funds brought forward', `${years[1]} exact`)).toBe(
        cell(report, '430 Balance carried forward', `${year} exact`),
      )
      expect(emptyWords(report).some((label) => label.startsWith(`Actuals for ${year}: September to October 2026`))).toBe(true)
    }
    // Each figure opens transactions and lines that add up to it, including totals and lines with several codes.
    for (const request of [{ budgetGroupId: places.groupId }, { budgetId: northgate }]) {
      const wanted = [`year=${year}`, ...(request.budgetId ? [] : [`first ${year}`, `last ${year}`, `thousands ${year}`])]
      expect(await openEachShape('budgetForecastReturn', request, (key) => wanted.includes(key))).toContain('code=several')
    }
    const report = await ofReturn({ budgetId: northgate })
    const income = rowNamed(report, '298 Total revenue income')
    const { body: first } = await ask('lines', { budgetId: northgate, row: income.drill, column: `first ${year}` })
    expect(new Set(first.lines.map((line: Body) => line.kind))).toEqual(new Set(['actual', 'entry']))
    const { body: last } = await ask('lines', { budgetId: northgate, row: income.drill, column: `last ${year}` })
    expect(new Set(last.lines.map((line: Body) => line.kind))).toEqual(new Set(['entry']))
  })
  it('opens forecasts by other methods and cumulative imports to the same penny', async () => {
    const sql = connectAsOwner(product.config.databaseUrl)
    const [northgate, budgetId] = [places.locations.Northgate!, places.budgets.Northgate!]
    const codes = await sql`
      select budget_code_id as id from actual_sums join budget_codes on budget_codes.id = budget_code_id and category is distinct from 3
      where location_id = ${northgate} and actual_sums.type = 1 and year = 2026 group by 1 order by 1 limit 3`
    const exact = `${years[0]} exact`
    const before = await ofReturn({ budgetId })
    for (const [index, method] of (['whatIsLeft', 'runRate', 'typed'] as const).entries())
      await sql`
        insert into monitoring_items (organisation_id, location_id, key, version, saved_at, item)
        values (${places.organisationId}, ${northgate}, ${`test ${method}`}, 1, now(), ${sql.json({
          kind: 'forecast',
          year: 2026,
          budgetCodeId: codes[index]!.id,
          method,
          values: method === 'typed' ? Array<number>(12).fill(12_345) : null,
        })})`
    await sql`update organisations set use_cumulative_actuals = true where id = ${places.organisationId}`
    try {
      for (const request of [{ budgetId }, { budgetGroupId: places.groupId }]) {
        const report = await ofReturn(request)
        if ('budgetId' in request)
          expect(cell(report, '380 Total revenue expenditure', exact)).not.toBe(cell(before, '380 Total revenue expenditure', exact))
        expect(
          emptyWords(report).some((label) =>
            label.endsWith('The other months are from the budget or, for 3 budget codes, from the forecast at month end.'),
          ),
        ).toBe(true)
        for (const label of ['298 Total revenue income', '380 Total revenue expenditure', 'In-year revenue balance'])
          for (const title of [exact, `${years[0]} £000`]) {
            const column = report.columns.find((one: Body) => one.title === title).key
            const { body: lines } = await ask('lines', { ...request, row: rowNamed(report, label).drill, column })
            expect(lines.total, `${label} ${title}`).toBeCloseTo(cell(report, label, exact)!, 5)
          }
      }
    } finally {
      await sql`update organisations set use_cumulative_actuals = false where id = ${places.organisationId}`
      await sql`delete from monitoring_items where location_id = ${northgate} and key like 'test %'`
    }
  })
  it('has the current year before budgets that begin after it, from the budget of record, and carries its balance into them', async () => {
    const sql = connectAsOwner(product.config.databaseUrl)
    const northgate = places.budgets.Northgate!
    const next = 'd'.repeat(24)
    await sql`
      insert into budgets (organisation_id, id, location_id, name, version, head, saved_at, last_hash, created)
      select organisation_id, ${next}, location_id, 'Next year', version, head || jsonb_build_object('firstYear', 2027), now(), last_hash, now()
      from budgets where id = ${northgate}`
    await sql`
      insert into posted_lines (organisation_id, budget_id, first_year, source_kind, source_id, component, budget_code_id, cost_centre_id, fund_code_id, amounts)
      select organisation_id, ${next}, year - 1, source_kind, source_id, component, budget_code_id, cost_centre_id, fund_code_id, amounts
      from budget_lines where budget_id = ${northgate} and year > 0`
    try {
      const report = await ofReturn({ budgetId: next })
      const now = await ofReturn({ budgetId: northgate })
      expect(report.columns.filter((column: Body) => /^(first|thousands) /.test(column.key)).map((column: Body) => column.key)).toEqual([
        'thousands 2025/26',
        'first 2026/27',
        'thousands 2026/27',
        'first 2027/28',
        'thousands 2027/28',
        'thousands 2028/29',
        'thousands 2029/30',
        'thousands 2030/31',
        'thousands 2031/32',
      ])
      for (const label of ['298 Total revenue income', '380 Total revenue expenditure', '430 Balance carried forward'])
        expect(cell(report, label, '2026/27 exact'), label).toBe(cell(now, label, '2026/27 exact'))
      expect(cell(report, 'Revenue funds brought forward', '2027/28 exact')).toBe(
        cell(report, '430 Balance carried forward', '2026/27 exact'),
      )
      // The copy kept the previous year’s opening balances.
      expect(emptyWords(report).some((label) => label.startsWith('Check: the budgets for 2027/28 begin with £'))).toBe(true)
      for (const label of ['298 Total revenue income', 'In-year revenue balance']) {
        const { drill } = rowNamed(report, label)
        for (const year of ['2026/27', '2027/28']) {
          const column = report.columns.find((one: Body) => one.title === `${year} exact`).key
          expect((await ask('lines', { budgetId: next, row: drill, column })).body.total).toBeCloseTo(
            cell(report, label, `${year} exact`)!,
            5,
          )
        }
      }
    } finally {
      await sql`delete from posted_lines where budget_id = ${next}`
      await sql`delete from budgets where id = ${next}`
    }
  })
  it('hides actuals from users who may not see them, and from other locations and organisations', async () => {
    const northgate = places.budgets.Northgate!
    const report = await ofReturn({ budgetId: northgate }, reader)
    expect(report.columns.some((column: Body) => /actuals/.test(column.title))).toBe(false)
    expect(emptyWords(report).some((label) => label.endsWith('Actuals are shown only to people who can view them.'))).toBe(true)
    expect(report.rows.every((row: Body) => !/basis/.test(row.drill ?? ''))).toBe(true)
    const { drill } = rowNamed(await ofReturn({ budgetId: northgate }), '298 Total revenue income')
    const column = `first ${years[0]}`
    expect((await ask('lines', { budgetId: northgate, row: drill, column }, reader)).status).toBe(403)
    expect(
      (
        await elsewhereFinance.call(
          'POST',
          pathOf('lines'),
          { budgetId: northgate, row: drill, column },
          { OrganisationId: elsewhere.organisationId },
        )
      ).status,
    ).toBe(404)
    expect((await ask('lines', { budgetId: northgate, row: drill, column: 'first 2019/20' })).status).toBe(400)
    expect((await ask('lines', { budgetId: northgate, row: 'side=staff&basis=outturn', column })).status).toBe(400)
    const narrowed = await ofReturn({
      budgetId: northgate,
      costCentreIds: [
        (await ask('costCentreAnalysis', { budgetId: northgate })).body.rows
          .map((row: Body) => /centre=(\d+)/.exec(row.drill ?? '')?.[1])
          .filter(Boolean)
          .map(Number)[0],
      ],
    })
    expect(
      emptyWords(narrowed).some((label) =>
        label.endsWith('Actuals are shown only if the return covers all codes, cost centres, funds and tags.'),
      ),
    ).toBe(true)
  })
})

describe('the Budget Forecast Return compared with the last one', () => {
  it('shows the figures of the budget approved a year before for the same years, on screen and in the file', async () => {
    const budgetId = places.budgets.Northgate!
    const sql = connectAsOwner(product.config.databaseUrl)
    const earlier = 'e'.repeat(24)
    const before = (await ask('budgetForecastReturn', { budgetId })).body
    expect(before.columns.some((column: Body) => /last return/.test(column.title))).toBe(false)
    expect(before.rows.some((row: Body) => row.label.startsWith('Not compared with the last return'))).toBe(true)
    // Last year’s return had the same figures; its second year is the first of this one. One line was half of the present amount.
    await sql`
      insert into budgets (organisation_id, id, location_id, name, version, head, saved_at, last_hash, created)
      select organisation_id, ${earlier}, location_id, 'Approved last year', version, head || jsonb_build_object('firstYear', (head ->> 'firstYear')::int - 1,
        'approval', jsonb_build_object('state', 'approved', 'at', '2025-07-01T00:00:00.000Z')), now(), last_hash, now() from budgets where id = ${budgetId}`
    await sql`
      insert into posted_lines (organisation_id, budget_id, first_year, source_kind, source_id, component, budget_code_id, cost_centre_id, fund_code_id, amounts)
      select organisation_id, ${earlier}, year + 1, source_kind, source_id, component, budget_code_id, cost_centre_id, fund_code_id, amounts
      from budget_lines where budget_id = ${budgetId} and year < 4`
    const compared = (await ask('budgetForecastReturn', { budgetId })).body
    const at = (title: string): number => compared.columns.findIndex((column: Body) => column.title === title)
    const [first, last] = [years[0]!, years.at(-1)!]
    // A user who may not see staff does not see what others were paid.
    const told = (await ask('budgetForecastReturn', { budgetId }, reader)).body
    expect(told.columns.some((column: Body) => /last return/.test(column.title))).toBe(false)
    expect(told.rows.map((row: Body) => row.label)).toContainEqual(
      expect.stringMatching(/^Figures from the last return, .* can view staff\.$/),
    )
    // A user who may not see actuals sees only the budgets, as in the last return.
    const rights = ['BudgetingReportsRead', 'BudgetingStaffingRead']
    const planner = await inviteAndSignIn(product, administrator, 'reports-planner@harbour.example', rights, places.organisationId)
    const budgeted = (await ask('budgetForecastReturn', { budgetId }, planner)).body
    const of = (title: string): number => budgeted.columns.findIndex((column: Body) => column.title === title)
    // The last return’s columns cover only the years that it had.
    expect(at(`${first} last return £000`)).toBeGreaterThan(0)
    expect(at(`${last} last return £000`)).toBe(-1)
    const linesOf = (report: Body): Body[] => report.rows.filter((row: Body) => row.kind !== 'SectionHeader' && row.kind !== 'Empty')
    expect(linesOf(budgeted).length).toBeGreaterThan(8)
    for (const { label, values } of linesOf(budgeted).filter((row: Body) => !/^Revenue funds|^430/.test(row.label))) {
      expect(values[of(`${first} last return £000`)], label).toBe(values[of(`${first} £000`)])
      expect(values[of(`${first} change since £000`)], label).toBe(0)
      expect(values[of('Reason')], label).toBeNull()
    }
    for (const { label, values } of linesOf(compared))
      expect(values[at(`${first} change since £000`)], label).toBe(values[at(`${first} £000`)] - values[at(`${first} last return £000`)])
    const income = rowNamed(compared, '298 Total revenue income')
    await sql`
      update posted_lines set amounts = array_fill(0::bigint, array[12]) where budget_id = ${earlier} and first_year = 1
        and budget_code_id in (select id from budget_codes where type = 1)`
    const moved = (await ask('budgetForecastReturn', { budgetId })).body
    expect(rowNamed(moved, '298 Total revenue income').values[at(`${first} change since £000`)]).toBe(income.values[at(`${first} £000`)])
    const csv = async (): Promise<string> => (await ask('csv', { report: 'budgetForecastReturn', budgetId })).body
    // A reason is stored for all readers of the return, and appears in files too.
    const locationId = places.locations.Northgate!
    const { save } = proceduresOf(product, finance, own).returnReasons
    const due = moved.rows.filter((row: Body) => String(row.values[at('Reason')] ?? '').startsWith('Required'))
    const counted = (report: Body): number =>
      Number(/Check: (\d+) rows? above ha\w+ changed/.exec(report.rows.map((row: Body) => row.label).join('\n'))?.[1] ?? 0)
    expect(counted(moved)).toBe(due.length)
    expect(moved.reasons).toEqual({ locationId, firstYear: Number(first.slice(0, 4)), mayWrite: true })
    const { line } = due[0].reason
    const reason = { locationId, firstYear: Number(first.slice(0, 4)), line }
    await save.mutate({ ...reason, text: '  Pupils came late.  ', version: 0 })
    await expect(save.mutate({ ...reason, text: 'Another', version: 0 })).rejects.toThrow(/saved|changed/)
    const seen = (await ask('budgetForecastReturn', { budgetId }, planner)).body
    const row = rowNamed(seen, due[0].label)
    expect([row.reason, row.values[of('Reason')]]).toEqual([{ line, version: 1 }, 'Pupils came late.'])
    expect(row.values[of('Reason given by')]).toMatch(/^\S+ .*, \d\d \w{3}, \d{4}$/)
    expect(seen.reasons.mayWrite).toBe(false)
    expect(counted((await ask('budgetForecastReturn', { budgetId })).body)).toBe(due.length - 1)
    const file = await csv()
    expect(file).toMatch(/last return £000.*Reason,Reason given by/)
    expect(file).toContain(`Required for ${first}`)
    expect(file).toContain('Pupils came late.')
    // The organisation’s return has its own reasons. A user who may only read cannot write any, and a user of one school cannot write for
    // the others.
    await expect(proceduresOf(product, reader, own).returnReasons.save.mutate({ ...reason, text: 'No', version: 1 })).rejects.toThrow(
      'permission',
    )
    const one = await inviteAndSignIn(
      product,
      administrator,
      'returns-one@harbour.example',
      ['BudgetingReportsRead', 'ConsoleBudgetManagementReadUpdate'],
      places.organisationId,
      [places.locations.Southgate ?? Object.values(places.locations).find((id) => id !== locationId)!],
    )
    const ofOne = proceduresOf(product, one, own).returnReasons
    await expect(ofOne.save.mutate({ ...reason, text: 'No', version: 1 })).rejects.toThrow('Location')
    await expect(ofOne.save.mutate({ ...reason, locationId: null, text: 'No', version: 0 })).rejects.toThrow('permission')
    const abroad = proceduresOf(product, await signInAs(product, 'finance@meadow.example'), { OrganisationId: elsewhere.organisationId })
    await expect(abroad.returnReasons.save.mutate({ ...reason, text: 'No', version: 1 })).rejects.toThrow('Location')
    await save.mutate({ ...reason, text: 'Pupils came later.', version: 1 })
    await save.mutate({ ...reason, text: '', version: 2 })
    expect(counted((await ask('budgetForecastReturn', { budgetId })).body)).toBe(due.length)
    const changes =
      await sql`select action, after ->> 'reason' as reason from reference_changes where resource = 'returnReason' order by id`
    expect(changes.map(({ action }) => action)).toEqual(['created', 'updated', 'deleted'])
    expect(changes.some(({ reason: text }) => String(text).includes('Pupils'))).toBe(false)
    await sql`delete from posted_lines where budget_id = ${earlier}`
    await sql`delete from budgets where id = ${earlier}`
  })
})

describe('a saved layout of a report', () => {
  const layouts = (caller: Caller, where = own) => proceduresOf(product, caller, where).reportLayouts
  const wanted = (name: string, request: Body = {}, more: Body = {}) => ({
    name,
    isShared: false,
    isOverOpen: false,
    ...more,
    request: { report: 'budgetAnalysis' as const, ...request },
  })
  const kindOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'done',
      (error) => error.data?.problem?.kind ?? String(error),
    )

  it('keeps its scope and columns, is changed and deleted by its author, and every change is in the log', async () => {
    const [first] = years
    const made = await layouts(finance).create.mutate(
      wanted('Governors', { budgetGroupId: places.groupId, yearNames: [first!], perPupil: true, pence: true, locationIds: [] }),
    )
    expect(made).toMatchObject({ name: 'Governors', isShared: false, isOwn: true, mayChange: true })
    expect(made.request).toMatchObject({
      report: 'budgetAnalysis',
      budgetGroupId: places.groupId,
      budgetId: null,
      locationIds: null,
      yearNames: [first],
      perPupil: true,
      ofIncome: false,
      pence: true,
    })
    // Another user of the organisation with every right does not see a private layout.
    expect((await layouts(reader).list.query()).map((one) => one.name)).not.toContain('Governors')
    expect(await kindOf(layouts(reader).delete.mutate({ id: made.id }))).toBe('notFound')

    const { id, version, ...kept } = made
    const renamed = { id, version, name: 'Trustees', isShared: true, isOverOpen: true, request: kept.request }
    const after = await layouts(finance).update.mutate(renamed)
    // “Use the open budget” removes the layout’s budget and years, but keeps its columns.
    expect(after).toMatchObject({ version: version + 1, isShared: true, request: { budgetGroupId: null, yearNames: null, perPupil: true } })
    expect(await kindOf(layouts(finance).update.mutate(renamed))).toBe('conflict')
    expect((await layouts(reader).list.query()).find((one) => one.id === id)).toMatchObject({ isOwn: false, mayChange: false })
    expect(await kindOf(layouts(reader).update.mutate({ ...renamed, version: after.version }))).toBe('forbidden')

    await layouts(finance).delete.mutate({ id })
    const log = await connectAsOwner(product.config.databaseUrl)`
      select action, coalesce(after, before) ->> 'name' as name, actor_id is not null as known from reference_changes
      where resource = 'reportLayout' and record_id = ${String(id)} order by id`
    expect([...log]).toEqual([
      // While the layout was private, the log kept none of its texts.
      { action: 'created', name: null, known: true },
      { action: 'updated', name: 'Trustees', known: true },
      { action: 'deleted', name: 'Trustees', known: true },
    ])
  })
  it('is changed, once it is shared, by users who manage the organisation too, who cannot make it private', async () => {
    const keeper = await inviteAndSignIn(
      product,
      administrator,
      'reports-keeper@harbour.example',
      ['BudgetingReportsRead', 'ConsoleOrganisationsReadUpdate'],
      places.organisationId,
    )
    const made = await layouts(reader).create.mutate(wanted('Ours', {}, { isShared: true }))
    const change = { ...wanted('Ours, tidied', {}, { isShared: true }), id: made.id, version: made.version }
    expect(await kindOf(layouts(keeper).update.mutate({ ...change, isShared: false }))).toBe('invalid')
    expect(await layouts(keeper).update.mutate(change)).toMatchObject({ name: 'Ours, tidied', isOwn: false, mayChange: true })
    // A name is unique among the shared layouts, and among one user’s own.
    expect(await kindOf(layouts(finance).create.mutate(wanted('ours, TIDIED', {}, { isShared: true })))).toBe('conflict')
    expect(await kindOf(layouts(finance).create.mutate(wanted('Ours, tidied')))).toBe('done')
    expect(await kindOf(layouts(finance).create.mutate(wanted('Ours, tidied')))).toBe('conflict')
    await layouts(keeper).delete.mutate({ id: made.id })
    expect((await layouts(reader).list.query()).some((one) => one.id === made.id)).toBe(false)
  })
  it('cannot name records of another organisation, and is hidden from a user who may not see a location in it', async () => {
    const northgate = places.locations.Northgate!
    const another = Object.values(places.locations).find((id) => id !== northgate)!
    const theirs = Object.values(elsewhere.budgets)[0]!
    for (const request of [
      { budgetId: theirs },
      { budgetGroupId: elsewhere.groupId },
      { locationIds: [Object.values(elsewhere.locations)[0]!] },
      { report: 'budgetComparison' as const, budgetIds: [theirs, Object.values(places.budgets)[0]!] },
      { costCentreIds: [2_000_000_000] },
    ])
      expect(await kindOf(layouts(finance).create.mutate(wanted('Not ours', request)))).toBe('notFound')
    const head = await inviteAndSignIn(
      product,
      administrator,
      'reports-layouts-head@harbour.example',
      ['BudgetingReportsRead', 'ConsoleOrganisationsReadUpdate'],
      places.organisationId,
      [northgate],
    )
    const of = async (locationIds: LocationId[]): Promise<number> =>
      (await layouts(finance).create.mutate(wanted(`Of ${locationIds}`, { locationIds }, { isShared: true }))).id
    const [seen, unseen] = [await of([northgate]), await of([northgate, another])]
    const shown = (await layouts(head).list.query()).map((one) => one.id)
    expect(shown).toContain(seen)
    expect(shown).not.toContain(unseen)
    expect(await kindOf(layouts(head).delete.mutate({ id: unseen }))).toBe('notFound')
    const stranger = await signInAs(product, 'finance@meadow.example')
    expect(await layouts(stranger, { OrganisationId: elsewhere.organisationId }).list.query()).toEqual([])
    expect(await kindOf(layouts(stranger, { OrganisationId: elsewhere.organisationId }).delete.mutate({ id: seen }))).toBe('notFound')
  })
})
