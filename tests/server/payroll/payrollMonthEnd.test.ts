import { beforeAll, expect, it } from 'vitest'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { type Body, type Caller, findTrustIds, inviteAndSignIn, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'

let product: Product
let finance: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
let northgate: LocationId

const march = { year: 2027, month: 3 }

beforeAll(async () => {
  product = await startProduct()
  const administrator = await signInAs(product, 'admin@bursar.example')
  places = await findTrustIds(await signInAs(product, 'finance@harbour.example'))
  own = { OrganisationId: places.organisationId }
  northgate = places.locations.Northgate!
  const permissions = [
    'ConsoleMonitoringReadUpdate',
    'ConsoleMonitoringBudgetActualsReadUpdate',
    'ConsolePayrollReconciliationReadUpdate',
    'BudgetingPayrollReconciliationReadUpdate',
  ]
  finance = await inviteAndSignIn(product, administrator, 'both@harbour.example', permissions, places.organisationId)
}, 300_000)

const of = () => proceduresOf(product, finance, own)
const at = async (locationId: LocationId) =>
  (await of().monitoring.monthEnd.list.query(march)).find((row) => row.locationId === locationId && row.budgetId !== null)!
const tick = (locationId: LocationId, isDone: boolean) =>
  of().monitoring.monthEnd.tick.mutate({ ...march, locationIds: [locationId], step: 'payroll', isDone })

it('the payroll step is ticked by hand if no payroll is imported', { timeout: 120_000 }, async () => {
  expect((await at(northgate)).followsPayroll).toBe(false)
  await tick(northgate, true)
  expect((await at(northgate)).steps.payroll).not.toBeNull()
})

it('with a payroll it follows the month there: open until that is completed, and open again once that is reopened', {
  timeout: 120_000,
}, async () => {
  const reply = await finance.call(
    'POST',
    '/api/monitoring/PayrollRec/actuals/import/2027/3',
    [{ EmployeeNumber: '424242', PayrollCode: '100', Actual: '10.00' }],
    places.at('Northgate'),
  )
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  const open = await at(northgate)
  expect(open).toMatchObject({ followsPayroll: true, steps: { payroll: null } })
  expect(open.inTheWay).toContain('payroll is not reconciled')
  await expect(tick(northgate, true)).rejects.toThrow(
    'The payroll for Northgate Primary School is reconciled in Bursar. Complete March 2027 in payroll reconciliation instead.',
  )
  // A school without a payroll is unaffected.
  const other = (await of().monitoring.monthEnd.list.query(march)).find((row) => row.budgetId !== null && row.locationId !== northgate)!
  expect(other.followsPayroll).toBe(false)

  await of().payroll.complete.mutate({ ...march, type: 2 })
  const done = await at(northgate)
  expect((done.steps.payroll as Body).by).toBe('Sample both')
  expect(done.inTheWay).not.toContain('payroll is not reconciled')

  await of().payroll.reopen.mutate({ ...march, reason: 'A late starter' })
  expect((await at(northgate)).steps.payroll).toBeNull()
})
