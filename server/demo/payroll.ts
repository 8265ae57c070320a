import { completionType } from '../../domain/lookups/lookupIds.ts'
import { lookups } from '../../domain/lookups/lookups.ts'
import { type CalendarMonth, formatIsoMonth } from '../../domain/monitoring/monitoring.ts'
import { deriveHoursFromPay, type EmployeeComparison, listCandidates } from '../../domain/payroll/causes/candidates.ts'
import { type PayCause, payCauses } from '../../domain/payroll/causes/causes.ts'
import { calculatePayByRow, prepareWhatIfBaseline, type RowKeyFinder } from '../../domain/payroll/causes/whatIfBaseline.ts'
import { type EmployeeRef, toStaffRef } from '../../domain/payroll/payroll.ts'
import { createCodeChooser, type ProviderCode, type ReconciledRow } from '../../domain/payroll/reconcile.ts'
import { resources } from '../../domain/resources/all.ts'
import { assertDefined, requireSingleRow } from '../../domain/values/assertDefined.ts'
import { toStaffId } from '../../domain/values/ids.ts'
import type { Pennies } from '../../domain/values/units.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { readResourceRecords } from '../core/database/tables.ts'
import { readLeaveSets } from '../features/payroll/causes/queries.ts'
import { readCurrentInputs } from '../shared/costing/inputs/queries.ts'
import { type PayrollEditor, runCarryForward, runCompletePayrollMonth, runImportPayroll, runSaveNotes } from '../shared/payroll/commands.ts'
import { readPayrollPeople } from '../shared/payroll/people/queries.ts'
import { type Reconciliation, readProviderCodes, readReconciliation } from '../shared/payroll/queries.ts'
import type { StaffMember } from '../streams/budget/people.ts'
import { loadBudget, loadContracts } from '../streams/budget/queries.ts'
import type { BuiltTrust } from './trust.ts'

const september = { year: 2026, month: 9 }
const october = { year: 2026, month: 10 }

/** Schools whose payroll provider pays September's teachers' award in October, and the pay table used until then. */
const lateSchools = ['Northgate', 'St Anne’s']
const oldTable = 'Teachers Sept 2025'
/** The school whose October payroll shows one difference for each possible cause. */
const storySchool = 'Northgate'

interface CalculatedAmount extends Pick<ReconciledRow, 'locationId' | 'employee' | 'payrollCodeId'> {
  pennies: Pennies
}
type CalculatedAmounts = ReadonlyMap<string, CalculatedAmount>

const amountKey = ({ locationId, employee, payrollCodeId }: Omit<CalculatedAmount, 'pennies'>): string =>
  `${locationId} ${employee} ${payrollCodeId}`

/** The calculated pay of a month, without pay for which the provider has no code. */
function toCalculatedAmounts({ rows }: Pick<Reconciliation, 'rows'>): CalculatedAmounts {
  return new Map(
    rows
      .filter((row) => row.payrollCodeId !== null && row.calculated)
      .map((row) => [
        amountKey(row),
        { locationId: row.locationId, employee: row.employee, payrollCodeId: row.payrollCodeId, pennies: assertDefined(row.calculated) },
      ]),
  )
}

/** Adds amounts by row and drops rows that add up to zero. */
function addAmounts(...all: CalculatedAmounts[]): CalculatedAmounts {
  const sums = new Map<string, CalculatedAmount>()
  for (const [key, amount] of all.flatMap((one) => [...one]))
    sums.set(key, { ...amount, pennies: (sums.get(key)?.pennies ?? 0) + amount.pennies })
  return new Map([...sums].filter(([, { pennies }]) => pennies !== 0))
}

const negate = (amounts: CalculatedAmounts): CalculatedAmounts =>
  new Map([...amounts].map(([key, one]) => [key, { ...one, pennies: -one.pennies }]))
const filterAmounts = (amounts: CalculatedAmounts, isIn: (amount: CalculatedAmount) => boolean): CalculatedAmounts =>
  new Map([...amounts].filter(([, one]) => isIn(one)))

interface PayrollContext {
  editor: PayrollEditor
  trust: BuiltTrust
  codes: readonly ProviderCode[]
  recIds: ReadonlyMap<number, string>
  numbers: ReadonlyMap<EmployeeRef, StaffMember>
}

async function loadPayrollContext(tx: OrganisationTx, trust: BuiltTrust, actor: Actor): Promise<PayrollContext> {
  const { organisationId } = trust
  const editor: PayrollEditor = { organisationId, holder: { isAdministrator: true, permissions: [], locationIds: null }, actor }
  const locations = await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [organisationId] })
  return {
    editor,
    trust,
    codes: await readProviderCodes(tx, organisationId),
    recIds: new Map(locations.map((location) => [location.id, assertDefined(location.payrollRecId)])),
    numbers: new Map([...(await readPayrollPeople(tx, organisationId)).members].map(([id, member]) => [toStaffRef(id), member])),
  }
}

function toFileRows(
  { codes, recIds, numbers }: PayrollContext,
  amounts: CalculatedAmounts,
  month: CalendarMonth,
): Record<string, string>[] {
  const code = new Map(codes.map((one) => [one.id, one.code]))
  return [...amounts.values()]
    .map(({ locationId, employee, payrollCodeId, pennies }) => ({
      PayrollRecId: assertDefined(recIds.get(locationId)),
      EmployeeNumber: assertDefined(numbers.get(employee)).employeeNumber,
      PayrollCode: assertDefined(code.get(assertDefined(payrollCodeId))),
      Actual: (pennies / 100).toFixed(2),
      Month: formatIsoMonth(month),
    }))
    .sort((a, b) => (rowText(a) < rowText(b) ? -1 : 1))
}

const rowText = (row: Record<string, string>): string => `${row.PayrollRecId} ${row.EmployeeNumber} ${row.PayrollCode}`

/**
 * Creates two months of payroll for the trust's group. September is complete: two schools paid an award late, and the arrears are carried
 * forward. October is open: it pays the arrears and has one difference for each cause (rules.md §18).
 * @param by who imported the months and completed September, and when
 */
export async function createPayrollMonths(
  tx: OrganisationTx,
  trust: BuiltTrust,
  by: Record<'september' | 'completed' | 'october', Actor>,
): Promise<void> {
  const context = await loadPayrollContext(tx, trust, by.september)
  const { editor, numbers } = context
  const completing = { ...editor, actor: by.completed }
  const { groupId } = trust
  const { paid, owed } = await planSeptember(tx, context)
  await runImportPayroll({ ...editor, tx }, { ...september, rows: toFileRows(context, paid, september), locationId: null })
  const waiting = [...new Set([...owed.values()].map((one) => one.employee))]
  const stories = await planOctober(tx, context, owed)
  const numberOf = (employee: EmployeeRef): string => assertDefined(numbers.get(employee)).employeeNumber
  // The group and the organisation keep separate notes and amounts carried forward.
  for (const level of [
    { ...september, groupId },
    { ...september, groupId: null },
  ]) {
    await runSaveNotes({ ...completing, tx }, level, {
      employeeNumbers: waiting.map((employee) => numberOf(employee)),
      notes: 'The 1 September award has not been paid yet. The primary schools’ provider will pay it in October.',
    })
    // For one employee, carry forward only what the provider promised; the rest is the arrears to explain in October.
    await runCarryForward({ ...completing, tx }, level, [{ employeeNumber: numberOf(stories.arrears), amount: -5000 }])
    await runCompletePayrollMonth({ ...completing, tx }, level, completionType.carryForward)
  }
  await runImportPayroll(
    { tx, ...editor, actor: by.october },
    { ...october, rows: toFileRows(context, stories.paid, october), locationId: null },
  )
}

async function planSeptember(
  tx: OrganisationTx,
  { editor, trust }: PayrollContext,
): Promise<{ paid: CalculatedAmounts; owed: CalculatedAmounts }> {
  const question = { ...september, groupId: trust.groupId, useInflation: false }
  const table = requireSingleRow((await readResourceRecords(tx, resources.adminTable)).filter((one) => one.name === oldTable))
  const isLate = ({ locationId }: CalculatedAmount): boolean => lateSchools.some((alias) => trust.locations.get(alias) === locationId)
  const whole = toCalculatedAmounts(await readReconciliation({ ...editor, tx }, question))
  const old = toCalculatedAmounts(await readReconciliation({ ...editor, tx }, { ...question, payScaleTableIds: [table.id] }))
  const owed = filterAmounts(addAmounts(whole, negate(old)), isLate)
  return { paid: addAmounts(whole, negate(owed)), owed }
}

/** Matches the explanation to use for causes with several explanations. For any other cause, the first is used. */
const preferredExplanations: Partial<Record<PayCause, RegExp>> = {
  dates: /^Paid to 16 October/,
  allowance: /^Paid with First aid/,
  leave: /^Paid as if on Green Book maternity from 12 October/,
}
/** The causes that the demo shows with support staff, who have no September award. */
const supportCauses = payCauses.map(({ id }) => id).filter((id) => id !== 'award' && id !== 'arrears')

/** Plans October's payroll: it pays September's arrears, and pays one employee differently for each cause. */
async function planOctober(
  tx: OrganisationTx,
  context: PayrollContext,
  owed: CalculatedAmounts,
): Promise<{ paid: CalculatedAmounts; arrears: EmployeeRef }> {
  const { editor, trust } = context
  const { organisationId, groupId } = trust
  const locationId = assertDefined(trust.locations.get(storySchool))
  const reconciliation = await readReconciliation({ ...editor, tx }, { ...october, groupId, useInflation: false })
  const budget = assertDefined(reconciliation.level.budgets.find((one) => one.locationId === locationId))
  const contracts = await loadContracts({ tx, organisationId, budgetId: budget.id })
  const { head } = await loadBudget({ tx, organisationId }, budget.id)
  const { frozen, shared } = await readCurrentInputs({ tx, organisationId }, head, { contracts })
  const baseline = assertDefined(
    prepareWhatIfBaseline(frozen, { shared, question: { ...october, useInflation: false }, leaveSets: await readLeaveSets(tx) }),
  )
  const choose = createCodeChooser(context.codes, () => false)
  const rowOf: RowKeyFinder = (contract, { serviceTermId, component }) =>
    String(
      choose({
        locationId,
        employee: toStaffRef(assertDefined(contract.staffId)),
        contractId: contract.id,
        serviceTermId,
        component,
        pennies: null,
      }),
    )
  const isOwed = (employee: EmployeeRef): boolean =>
    [...owed.values()].some((one) => one.employee === employee && one.locationId === locationId)
  const payByEmployee = new Map<EmployeeRef, EmployeeComparison>()
  for (const contract of contracts) {
    const employee = toStaffRef(contract.staffId ?? toStaffId(0))
    const base = {
      prepared: baseline.prepared,
      person: frozen.people[contract.staffId ?? 0] ?? { ages: null, leaves: [] },
      contracts: [contract],
    }
    const calculated = calculatePayByRow(baseline, base, rowOf)
    const isOnly = contracts.filter((one) => one.staffId === contract.staffId).length === 1
    // Some causes derive the hours from the amount paid, so assume that 90 % of the pay was paid.
    if (contract.staffId && isOnly && calculated)
      payByEmployee.set(employee, {
        baseline: baseline,
        base,
        calculated,
        actual: reduceToNineTenths(calculated),
        arrears: new Map(),
        rowOf,
      })
  }
  const chosen = new Map<EmployeeRef, ReadonlyMap<string, number>>()
  const women = assertDefined(lookups.genders.find((item) => item.name === 'Female')).id
  for (const cause of [...supportCauses, 'award' as const]) {
    const isHere = ([employee]: [EmployeeRef, EmployeeComparison]): boolean =>
      !chosen.has(employee) &&
      isOwed(employee) === (cause === 'award') &&
      (cause !== 'leave' || assertDefined(context.numbers.get(employee)).gender === women)
    for (const [employee, paid] of [...payByEmployee].filter(isHere)) {
      const rows = calculatePayByCause(paid, cause)
      if (!rows) continue
      chosen.set(employee, rows)
      break
    }
  }
  const arrears = assertDefined([...payByEmployee.keys()].find((employee) => isOwed(employee) && !chosen.has(employee)))
  const isChosen = ({ employee }: CalculatedAmount): boolean => chosen.has(employee)
  const others = filterAmounts(addAmounts(toCalculatedAmounts(reconciliation), owed), (amount) => !isChosen(amount))
  const otherwise = new Map(
    [...chosen].flatMap(([employee, rows]) =>
      [...rows].map(([code, pennies]) => {
        const amount = { locationId, employee, payrollCodeId: Number(code), pennies }
        return [amountKey(amount), amount] as const
      }),
    ),
  )
  return { paid: addAmounts(others, otherwise), arrears }
}

function reduceToNineTenths(rows: ReadonlyMap<string, number>): Map<string, number> {
  return new Map([...rows].map(([row, pennies]) => [row, Math.round(pennies * 0.9)]))
}

/** The pay that a cause would produce, if it differs by at least a pound. A test checks that this cause is then explained first. */
function calculatePayByCause(paid: EmployeeComparison, cause: PayCause): ReadonlyMap<string, number> | undefined {
  const { baseline, base, rowOf, calculated } = paid
  for (const { cause: candidateCause, says, apply } of [...listCandidates(paid), ...deriveHoursFromPay(paid)]) {
    if (candidateCause !== cause || !(preferredExplanations[cause] ?? /./).test(says)) continue
    const rows = calculatePayByRow(baseline, apply(base), rowOf)
    if (rows && !isEqualToThePound(rows, calculated)) return rows
  }
  return undefined
}

function isEqualToThePound(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean {
  return [...new Set([...a.keys(), ...b.keys()])].every((row) => Math.abs((a.get(row) ?? 0) - (b.get(row) ?? 0)) < 100)
}
