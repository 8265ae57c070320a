import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { screens } from '../../client/screens.ts'
import { getLookupName } from '../../domain/lookups/lookups.ts'
import { hasAnyPermission, type Permission } from '../../domain/people/permissions.ts'
import { getCommunicationState } from '../../domain/resources/entities/shown.ts'
import type { OrganisationId } from '../../domain/values/ids.ts'
import { type Body, type Caller, findTrustIds, inviteAndSignIn, signInAs, type TrustIds } from '../support/product/http.ts'
import { type Product, startProduct } from '../support/product/product.ts'

const { routes } = JSON.parse(readFileSync(join(import.meta.dirname, 'tables/routes.json'), 'utf8')) as {
  routes: { path: string; viewPermissions: Permission[] }[]
}

let product: Product
let finance: Caller
let administrator: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  administrator = await signInAs(product, 'admin@bursar.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
})

describe('B-265 a screen with several permissions opens with any one of them', () => {
  const several = routes.filter(({ viewPermissions }) => viewPermissions.length > 1)
  it('each permission by itself opens its screen, and another does not', () => {
    expect(several.length).toBeGreaterThan(50)
    const shut = several.flatMap(({ path, viewPermissions }) => {
      const screen = screens.find((one) => one.path === path)
      if (!screen || screen.view === 'administrator') return []
      const opens = (permissions: Permission[]): boolean =>
        hasAnyPermission({ isAdministrator: false, permissions }, screen.view as readonly Permission[])
      const other: Permission = viewPermissions.includes('ConsoleNewsRead') ? 'ConsoleClustersRead' : 'ConsoleNewsRead'
      return [
        ...viewPermissions.filter((one) => !opens([one])).map((one) => `${path} with ${one}`),
        ...(opens([other]) ? [`${path} with ${other}`] : []),
      ]
    })
    expect(shut).toEqual([])
  })
  it.each(['BudgetingOverviewRead', 'BudgetingOverviewReadUpdate'])('only %s may make its calls', async (permission) => {
    const caller = await inviteAndSignIn(product, administrator, `${permission}@harbour.example`, [permission], places.organisationId)
    expect((await caller.call('POST', '/api/OpeningBalance/paginated', {}, places.at('Northgate'))).status).toBe(200)
    expect((await caller.call('POST', '/api/StaffContract/paginated', {}, places.at('Northgate'))).status).toBe(403)
  })
})

describe('B-289 every record is in exactly one of the lists for its states', () => {
  it('budgets are open until they are locked', async () => {
    const state = async (): Promise<number> =>
      (await finance.call('POST', '/api/Budget/paginated/location', { ids: [places.locations.Beacon] }, own)).body.rows.find(
        (one: Body) => one.mongoId === places.budgets.Beacon,
      ).state
    expect(getLookupName('budgetStates', await state())).toBe('Open')
    expect((await finance.call('POST', `/api/Budget/fix/${places.budgets.Beacon}`, undefined, places.at('Beacon'))).status).toBe(200)
    expect(getLookupName('budgetStates', await state())).toBe('Locked')
  })
  it('payroll months are open until they are completed, and again once they are reopened', async () => {
    const base = '/api/monitoring/PayrollRec'
    const state = async (): Promise<string | undefined> =>
      getLookupName(
        'payrollMonthStates',
        (await finance.call('GET', `${base}/actuals/overview/2027/5/${places.groupId}`, undefined, own)).body.state,
      )
    expect(await state()).toBe('Open')
    expect((await finance.call('POST', `${base}/complete/2027/5/1/${places.groupId}`, undefined, own)).status).toBe(200)
    expect(await state()).toBe('Complete')
    expect((await finance.call('POST', `${base}/reopen/2027/5/${places.groupId}`, undefined, own)).status).toBe(200)
    expect(await state()).toBe('Open')
  }, 90_000)
  it('messages are off, scheduled, showing or expired, according to their switch and times', () => {
    const now = '2026-11-23T08:00:00.000Z'
    const stands = (enabled: boolean, active: string | null, expires: string | null): string | undefined =>
      getLookupName('communicationStates', getCommunicationState({ enabled, active, expires }, now))
    expect(stands(false, '2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z')).toBe('Off')
    expect(stands(true, '2026-11-23T08:00:00.001Z', null)).toBe('Scheduled')
    expect(stands(true, '2026-11-23T08:00:00.000Z', null)).toBe('Showing')
    expect(stands(true, null, '2026-11-23T08:00:00.001Z')).toBe('Showing')
    expect(stands(true, null, '2026-11-23T08:00:00.000Z')).toBe('Expired')
    // A date without a time is valid until the end of that day.
    expect(stands(true, '2026-11-23', '2026-11-23')).toBe('Showing')
    expect(stands(true, '2026-11-24', null)).toBe('Scheduled')
    expect(stands(true, null, '2026-11-22')).toBe('Expired')
  })
  it('credentials are “not set up” until somebody sets them up', async () => {
    const made = (await finance.call('POST', '/api/integrations/credentials', { description: 'Ledger', integrationType: 2 }, own)).body
    expect(getLookupName('integrationStates', made.state)).toBe('Not set up')
  })
  it('recalculations are up to date, required, running or failed', async () => {
    const state = async (): Promise<string | undefined> =>
      getLookupName('recalculationStates', (await finance.call('GET', '/api/BudgetGroup/list', undefined, own)).body[0].recalculationState)
    expect(await state()).toBe('Up to date')
    const [allowance] = (await finance.call('POST', '/api/Allowances/list', { pageSize: 1 }, own)).body.rows
    const rates = [...allowance.rates.slice(1), { ...allowance.rates[0], value: allowance.rates[0].value + 1 }]
    expect((await finance.call('PUT', '/api/Allowances', { ...allowance, rates }, own)).status).toBe(200)
    expect(await state()).toBe('Required')
    expect((await finance.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${places.groupId}`, undefined, own)).status).toBe(202)
    expect(await state()).toBe('Running')
  })
})
