import { beforeAll, describe, expect, it } from 'vitest'
import { monitoringNoteType } from '../../../domain/lookups/lookupIds.ts'
import type { BudgetGroupId, LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { type Body, type Caller, findTrustIds, inviteAndSignIn, signInAs, type TrustIds } from '../../support/product/http.ts'
import { createNorthgateGroup } from '../../support/product/oneSchool.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'

let product: Product
/** Does payroll and monitoring for the whole trust and its groups. */
let finance: Caller
/** Reconciles and adjusts, at one school of the group only. */
let school: Caller
let meadow: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
let northgate: LocationId
/** A group of only Northgate. */
let group: BudgetGroupId
/** The number of an employee with basic pay under code 100. */
let number: string
let calculated: number

const april = { year: 2027, month: 4 }
const may = { year: 2027, month: 5 }

beforeAll(async () => {
  product = await startProduct()
  const administrator = await signInAs(product, 'admin@bursar.example')
  const lead = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(lead)
  own = { OrganisationId: places.organisationId }
  northgate = places.locations.Northgate!
  const permissions = [
    'ConsolePayrollReconciliationReadUpdate',
    'BudgetingPayrollReconciliationReadUpdate',
    'ConsoleMonitoringBudgetActualsReadUpdate',
    'BudgetingMonitoringBudgetActualsReadUpdate',
  ]
  finance = await inviteAndSignIn(product, administrator, 'ledger-keeper@harbour.example', permissions, places.organisationId)
  const some = ['BudgetingPayrollReconciliationReadUpdate', 'BudgetingMonitoringBudgetActualsReadUpdate']
  school = await inviteAndSignIn(product, administrator, 'ledger-school@harbour.example', some, places.organisationId, [northgate])
  meadow = await signInAs(product, 'finance@meadow.example')
  group = (await createNorthgateGroup(lead, places)).groupId
  const { rows } = await of().payroll.reconcile.query({ ...april, budgetGroupId: group })
  const row = rows.find((one) => one.payrollCode === '100' && one.calculated && one.contractIds.length === 1)!
  ;[number, calculated] = [row.employeeNumber, row.calculated!]
}, 300_000)

const of = (who: Caller = finance) => proceduresOf(product, who, own)
const pay = async ({ month }: { month: number }, more: number): Promise<void> => {
  const rows = [{ EmployeeNumber: number, PayrollCode: '100', Actual: (calculated + more).toFixed(2) }]
  const reply = await finance.call('POST', `/api/monitoring/PayrollRec/actuals/import/2027/${month}`, rows, places.at('Northgate'))
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
}
const lineOf = async (month: typeof april): Promise<Body> =>
  (await of().payroll.backPay.ledger.query({ ...month, group })).lines.find(
    (line) => line.employeeNumber === number && line.component === 'basic',
  )
/** The amount that one month left open. The demo’s own months are ignored. */
const entryOf = (line: Body, { month }: { month: number }): Body => line.months.find((entry: Body) => entry.month === month)
const adjusted = async (month: typeof april, budgetCodeId: number): Promise<number> =>
  (await of().monitoring.budgetsVsActuals.query({ ...month, budgetGroupId: group })).rows.find(
    (row: Body) => row.budgetCodeId === budgetCodeId,
  )?.adjustment ?? 0

describe('the back-pay ledger', { timeout: 180_000 }, () => {
  it('shows what is still to be paid, since when and why, with the budget code of the cost', async () => {
    await pay(april, -132.34)
    await of().payroll.note.mutate({ ...april, group, employeeNumber: number, notes: 'Award not paid yet' })
    const line = await lineOf(april)
    expect(entryOf(line, april)).toEqual({ ...april, difference: -132.34, cause: 'Award not paid yet', settled: [], open: -132.34 })
    expect(line.codes).toEqual([{ budgetCodeId: expect.any(Number), open: line.open }])
  })

  it('is added to the adjustments for its codes once, beside manual ones, and replaced when it is taken over again', async () => {
    const { codes } = await lineOf(april)
    const [{ budgetCodeId }] = codes
    const about = { ...april, group, budgetCodeId, type: monitoringNoteType.versusActuals }
    await of().monitoring.adjustment.mutate({ ...about, value: 10 })
    const take = (who = finance) => of(who).payroll.backPay.take.mutate({ ...april, group, types: [1] })
    const accrual = (await of().payroll.backPay.ledger.query({ ...april, group })).lines
      .flatMap((line) => line.codes)
      .filter((code) => code.budgetCodeId === budgetCodeId)
      .reduce((sum, code) => sum + Math.round(code.open * 100), 0)
    expect((await take()).updated).toBeGreaterThan(0)
    expect(Math.round((await adjusted(april, budgetCodeId)) * 100)).toBe(1000 + accrual)
    expect(await take()).toEqual({ updated: 0 })

    await pay(april, -100)
    await take()
    expect(Math.round((await adjusted(april, budgetCodeId)) * 100)).toBe(1000 + accrual - 3234)
    const { taken, mayTake } = await of().payroll.backPay.ledger.query({ ...april, group })
    expect(mayTake).toBe(true)
    expect(taken).toContainEqual({ type: 1, budgetCodeId, value: (accrual - 3234) / 100 })
  })

  it('is cleared by the month that pays it, and nothing of it is open then', async () => {
    await pay(may, 100)
    const paid = entryOf(await lineOf(may), april)
    expect(paid.settled).toEqual([{ ...may, amount: -100 }])
    expect(paid.open).toBe(0)
    // The ledger as at the end of April.
    expect(entryOf(await lineOf(april), april).open).toBe(-100)
  })

  it('is limited to the caller’s locations, and nothing is taken over for other schools', async () => {
    const { lines, taken, mayTake } = await of(school).payroll.backPay.ledger.query({ ...april, group: places.groupId })
    // An adjustment covers every school of the group.
    expect({ taken, mayTake }).toEqual({ taken: [], mayTake: false })
    // Nor can a user complete or clear a month that includes other users’ schools, and neither is offered.
    const standing = { ...april, group: places.groupId }
    expect([(await of(school).payroll.standing.query(standing)).isWhole, (await of().payroll.standing.query(standing)).isWhole]).toEqual([
      false,
      true,
    ])
    expect(new Set(lines.map((line) => line.locationId))).toEqual(new Set([northgate]))
    await expect(of(school).payroll.backPay.take.mutate({ ...april, group: places.groupId, types: [1] })).rejects.toThrow(
      'This applies to locations that you cannot see.',
    )
    await expect(of(school).payroll.backPay.ledger.query(april)).rejects.toThrow()
    await expect(proceduresOf(product, meadow, own).payroll.backPay.ledger.query({ ...april, group: places.groupId })).rejects.toThrow()
  })
})
