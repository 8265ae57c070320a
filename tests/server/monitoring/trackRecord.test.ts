import { beforeAll, describe, expect, it } from 'vitest'
import type { StoredForecast } from '../../../domain/monitoring/trackRecord.ts'
import { type LocationId, type OrganisationId, toOrganisationId } from '../../../domain/values/ids.ts'
import { type OrganisationTx, openStore } from '../../../server/core/database/database.ts'
import { type PastRequest, readPastTable } from '../../../server/features/monitoring/past/queries.ts'
import { presentMonitoring } from '../../../server/features/monitoring/rows.ts'
import { connectAsOwner } from '../../support/product/database.ts'
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
let administrator: Caller
let finance: Caller
let places: TrustIds
let northgate: LocationId
/** A school of the demo that has closed September, and its budget of record. */
let school: LocationId
let schoolBudget: string
let own: { OrganisationId: OrganisationId }
const september = { year: 2026, month: 9 }
const october = { year: 2026, month: 10 }

beforeAll(async () => {
  product = await startProduct()
  administrator = await signInAs(product, 'admin@bursar.example')
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  northgate = places.locations.Northgate!
  own = { OrganisationId: places.organisationId }
  const closed = (await of().monitoring.monthEnd.list.query(september)).find((row) => row.closed !== null)!
  school = closed.locationId
  schoolBudget = closed.budgetId!
}, 300_000)

const of = (who: Caller = finance, selection: Selection = own) => proceduresOf(product, who, selection)
const pennies = (pounds: number): number => Math.round(pounds * 100)
const ask = (month: { year: number; month: number }) => ({ ...month, budgetId: places.budgets.Northgate! })
const inStore = async <T>(work: (tx: OrganisationTx) => Promise<T>): Promise<T> => {
  const store = openStore(product.config, 1)
  try {
    return await store.inOrganisation(places.organisationId, work)
  } finally {
    await store.close()
  }
}

describe('the track record of forecasts', () => {
  it('shows the forecast at the close of a month, whatever is forecast since, beside the actuals of the later months', async () => {
    await of().monitoring.monthEnd.reopen.mutate({ ...september, locationIds: [school], reason: 'To close it again' })
    const stood = (await of().monitoring.budgetsVsForecast.query({ ...september, budgetId: schoolBudget })).rows.filter(
      (row) => row.kind === 'Data',
    )
    await of().monitoring.monthEnd.close.mutate({ ...september, locationIds: [school] })
    const codes = stood.flatMap((row) => row.budgetCodeId ?? []).slice(0, 3)
    await of().monitoring.chooseForecast.mutate({
      year: 2026,
      locationId: school,
      budgetCodeIds: codes,
      method: 'typed',
      values: Array<number>(12).fill(1),
    })
    const [kept] = await connectAsOwner(product.config.databaseUrl)<{ forecast: StoredForecast[] }[]>`
      select data -> 'forecast' as forecast from monitoring_events
      where organisation_id = ${places.organisationId} and location_id = ${school} and type = 'MonthEndClosed'
        and data ->> 'year' = '2026' and data ->> 'month' = '9' and data -> 'start' = '{"year":2026,"month":9}' order by version desc limit 1`
    const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
    const byCode = new Map(kept!.forecast.map((one) => [one.budgetCodeId, sum(one.values)]))
    for (const row of stood)
      expect(byCode.get(row.budgetCodeId) ?? 0, row.description).toBe(pennies(row.forecast!) - pennies(row.adjustment))

    const record = await of().monitoring.trackRecord.query({ ...october, locationIds: [school] })
    expect(record.closings).toEqual([september])
    expect(record.schools.map((one) => one.locationId)).toEqual([school])
    const lines = (await finance.call('POST', '/api/monitoring/actuals-commitments/list/2026/10', { pageNumber: 1, pageSize: 5000 }, own))
      .body.rows as Body[]
    const isActual = (line: Body): boolean => line.locationId === school && line.type === 1
    for (const { budgetCodeId, closings } of record.codes) {
      const came = lines.filter((line) => isActual(line) && line.budgetCode === budgetCodeId).map((line) => pennies(line.value))
      const forecast = kept!.forecast.find((one) => one.budgetCodeId === budgetCodeId)?.values[1] ?? 0
      expect(closings[0]).toMatchObject({ months: 1, forecast: forecast / 100, outturn: sum(came) / 100 })
    }
    const spent = record.codes.filter((one) => !one.isIncome)
    expect(pennies(record.expenditure.closings[0]!.outturn)).toBe(sum(spent.map((one) => pennies(one.closings[0]!.outturn))))
    expect(record.schools[0]!.expenditure).toEqual(record.expenditure)
  })
  it('shows nothing before a second month is closed', async () => {
    const record = await of().monitoring.trackRecord.query({ ...september, locationIds: [school] })
    expect(record).toMatchObject({ closings: [], schools: [], codes: [] })
  })
  it('is for users who may see the console’s forecast, for their locations', async () => {
    const permissions = ['ConsoleMonitoringBudgetForecastRead']
    const one = await inviteAndSignIn(product, administrator, 'track@harbour.example', permissions, places.organisationId, [school])
    expect((await of(one).monitoring.trackRecord.query(october)).schools.map((row) => row.locationId)).toEqual([school])
    const nobody = await inviteAndSignIn(
      product,
      administrator,
      'untracked@harbour.example',
      ['ConsoleMonitoringRead'],
      places.organisationId,
    )
    await expect(of(nobody).monitoring.trackRecord.query(october)).rejects.toThrow('permission')
    const elsewhere = { OrganisationId: toOrganisationId(places.organisationId + 1) }
    await expect(of(finance, elsewhere).monitoring.trackRecord.query(october)).rejects.toThrow()
  })
})

describe('a past day', () => {
  const asPast = (until: string, versus: 'actuals' | 'forecast'): Promise<Body> =>
    inStore(async (tx) => {
      const asked: PastRequest = { ...ask(october), scheme: 0, until }
      const who = { organisationId: places.organisationId, holder: { isAdministrator: true, permissions: [], locationIds: null } }
      return presentMonitoring(asked, await readPastTable({ ...who, tx }, asked, versus))
    })
  it('shows the screens as they were, whatever was imported, adjusted, forecast and budgeted since', async () => {
    const actuals = await of().monitoring.budgetsVsActuals.query(ask(october))
    const forecast = await of().monitoring.budgetsVsForecast.query(ask(october))
    const then = new Date().toISOString()
    const where = { ...places.at('Northgate') }
    const [entry] = (await finance.call('POST', '/api/BudgetEntry/paginated', { pageNumber: 1, pageSize: 50 }, where)).body.rows.filter(
      (one: Body) => !one.source,
    )
    expect((await finance.call('PUT', '/api/BudgetEntry/save', { ...entry, amount: entry.amount + 12_000 }, where)).status).toBe(200)
    const code = actuals.rows.find((row) => row.budgetCodeId !== null)!.budgetCodeId!
    const about = { budgetCodeId: code, type: 1, value: 77 }
    const adjusted = await finance.call('POST', `/api/monitoring/adjustment/2026/10/${places.groupId}`, about, own)
    expect(adjusted.status).toBe(200)
    await finance.call('POST', '/api/monitoring/actuals-commitments/delete', { ...october, locationIds: [northgate] }, own)
    // The log of changes gives the names of codes at the time, and whether files were cumulative.
    const called = (await finance.call('GET', `/api/BudgetCodes/${code}`, undefined, own)).body
    expect((await finance.call('PUT', '/api/BudgetCodes', { ...called, description: 'Called otherwise since' }, own)).status).toBe(200)
    const organisation = (await administrator.call('GET', `/api/Organisations/${places.organisationId}`)).body
    const changed = { ...organisation, useCumulativeActuals: !organisation.useCumulativeActuals }
    expect((await administrator.call('PUT', '/api/Organisations', changed)).status).toBe(200)
    const now = await of().monitoring.budgetsVsActuals.query(ask(october))
    expect(now.rows).not.toEqual(actuals.rows)
    expect(await asPast(then, 'actuals')).toEqual(actuals)
    expect(await asPast(then, 'forecast')).toEqual(forecast)
    const today = new Date().toISOString().slice(0, 10)
    expect(await of().monitoring.pastActuals.query({ ...ask(october), day: today })).toEqual(now)
  }, 120_000)
  it('before the budget was made is refused, and so is the budget of another school', async () => {
    await expect(of().monitoring.pastActuals.query({ ...ask(october), day: '2001-01-01' })).rejects.toThrow('did not exist yet')
    await expect(of().monitoring.pastActuals.query({ ...ask(october), day: '2026-02-31' })).rejects.toThrow('Day must be a date.')
    const other = Object.values(places.locations).find((id) => id !== northgate)!
    const permissions = ['BudgetingMonitoringBudgetActualsReadUpdate']
    const one = await inviteAndSignIn(product, administrator, 'elsewhere@harbour.example', permissions, places.organisationId, [other])
    await expect(of(one).monitoring.pastActuals.query({ ...ask(october), day: '2026-11-01' })).rejects.toThrow('Budget was not found.')
  })
})
