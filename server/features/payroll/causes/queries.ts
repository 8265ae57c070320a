import { and, eq, inArray, lt } from 'drizzle-orm'
import type { StaffContract } from '../../../../domain/budget/budget.ts'
import { toMonthIndex } from '../../../../domain/monitoring/monitoring.ts'
import type { PayExplanation } from '../../../../domain/payroll/causes/causes.ts'
import { explainPayDifference } from '../../../../domain/payroll/causes/explain.ts'
import {
  type LeaveRuleSet,
  prepareWhatIfBaseline,
  type RowKeyFinder,
  type WhatIfBaseline,
} from '../../../../domain/payroll/causes/whatIfBaseline.ts'
import { findPayControlFailures, findSharedBankAccounts, type PayControlFinding } from '../../../../domain/payroll/controls.ts'
import { getPreviousLevelMonth } from '../../../../domain/payroll/decide.ts'
import { type EmployeeRef, type PaidAccount, parseStaffRef, toStaffRef } from '../../../../domain/payroll/payroll.ts'
import { createCodeChooser, type ProviderCode, type ReconciledRow } from '../../../../domain/payroll/reconcile.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { BudgetId, LocationId, OrganisationId, UserId } from '../../../../domain/values/ids.ts'
import type { Pennies } from '../../../../domain/values/units.ts'
import { notFound } from '../../../../domain/words/errors.ts'
import { payrollExplanations, payrollItems } from '../../../../drizzle/payrollTables.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { readDataVersion } from '../../../core/database/dataVersion.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import type { ExplainJob } from '../../../core/queue/queues.ts'
import { createYielder } from '../../../core/yielding.ts'
import { readInputsOfBudgets, readSharedInputs } from '../../../shared/costing/inputs/queries.ts'
import type { LimitedCaller } from '../../../shared/monitoring/requests/queries.ts'
import { type Reconciliation, type ReconciliationRequest, readProviderCodes, readReconciliation } from '../../../shared/payroll/queries.ts'
import { loadContracts } from '../../../streams/budget/queries.ts'

/** How many months to look back for amounts carried forward. */
const mostMonthsBack = 12

/** The explanation for one employee at one location. */
export interface EmployeeExplanation {
  locationId: LocationId
  employee: EmployeeRef
  /** The budget with the employee's contracts; null if they have none at the location. */
  budgetId: BudgetId | null
  explanations: PayExplanation[]
  findings: PayControlFinding[]
}

/** All the data that a search for a month's causes uses. It reads nothing else while it runs. */
export interface MonthToExplain {
  reconciliation: Reconciliation
  budgets: {
    locationId: LocationId
    budgetId: BudgetId
    baseline: WhatIfBaseline
    contracts: ReadonlyMap<number | null, StaffContract[]>
    rows: readonly ReconciledRow[]
  }[]
  /**
   * The amounts still owed from months that were carried forward, by location and employee, then by row; whole pennies.
   */
  owed: ReadonlyMap<string, ReadonlyMap<string, Pennies>>
  codes: readonly ProviderCode[]
  /** Employees who are paid into the same bank account. */
  shared: ReadonlyMap<EmployeeRef, EmployeeRef[]>
  /** The number of employees to examine. */
  employees: number
}

/** Reads the data for a search for a month's causes, limited to what the caller may see (rules.md §18). */
export async function readMonthToExplain(call: Call & LimitedCaller, request: ReconciliationRequest): Promise<MonthToExplain> {
  const { tx, organisationId } = call
  const found = await readReconciliation(call, request)
  const rowsAt = groupedBy(found.rows, (row) => row.locationId)
  const leaveSets = await readLeaveSets(tx)
  const version = await readDataVersion(tx, organisationId, 'reference')
  const budgetsWithPayroll = found.level.budgets.filter(({ locationId }) => rowsAt.get(locationId)?.some((row) => row.actual !== null))
  const heads = budgetsWithPayroll.map((one) => one.head)
  const shared = await readSharedInputs({ tx, organisationId }, heads, version)
  const frozen = await readInputsOfBudgets({ tx, organisationId }, budgetsWithPayroll, { shared, version })
  const budgets: MonthToExplain['budgets'] = []
  for (const { id, locationId } of budgetsWithPayroll) {
    const baseline = prepareWhatIfBaseline(assertDefined(frozen[id]), { shared, question: request, leaveSets })
    if (!baseline) continue
    const contracts = groupedBy(await loadContracts({ tx, organisationId, budgetId: id }), (contract) => contract.staffId)
    budgets.push({ locationId, budgetId: id, baseline, contracts, rows: assertDefined(rowsAt.get(locationId)) })
  }
  return {
    reconciliation: found,
    budgets,
    owed: await readOwedAmounts(call, request, found),
    codes: await readProviderCodes(tx, organisationId),
    shared: findSharedBankAccounts(await readPaidAccounts(tx, organisationId, found)),
    employees: budgets.reduce((sum, { rows }) => sum + new Set(rows.map((row) => row.employee)).size, 0),
  }
}

/**
 * Explains why each employee's pay in a month differed, and what the controls find. An employee whom the payroll of a location does not
 * list is not compared there. A whole month takes seconds, so it yields between employees.
 * @param goesOn receives the number examined, and returns false once the search is cancelled
 * @returns null if cancelled
 */
export async function explainMonth(
  { budgets, owed, codes, shared }: MonthToExplain,
  goesOn: (done: number) => Promise<boolean> | boolean = () => true,
): Promise<EmployeeExplanation[] | null> {
  const explained: EmployeeExplanation[] = []
  const breathe = createYielder()
  let done = 0
  for (const { locationId, budgetId, baseline, contracts, rows } of budgets) {
    const paid = rows.filter((row) => row.actual !== null)
    const paidUnder = new Set(paid.map((row) => `${row.payrollCodeId} ${row.employee}`))
    const choose = createCodeChooser(codes, (_locationId, employee, code) => paidUnder.has(`${code} ${employee}`))
    const reported = new Set(paid.map(keyOf))
    const notCompared = new Set(rows.map(keyOf).filter((key) => !reported.has(key)))
    for (const [employee, employeeRows] of groupedBy(rows, (row) => row.employee)) {
      const one = explainEmployee(baseline, {
        locationId,
        employee,
        budgetId,
        rows: employeeRows,
        contracts: contracts.get(parseStaffRef(employee)) ?? [],
        notCompared,
        arrears: owed.get(`${locationId} ${employee}`) ?? new Map(),
        choose,
      })
      const others = shared.get(employee)
      if (others && employeeRows.some((row) => row.actual))
        one.findings.push({ control: 'sharedAccount', sentence: 'Paid into the same bank account as', others })
      explained.push(one)
      if (!(await goesOn(++done))) return null
      await breathe()
    }
  }
  return explained.filter((one) => one.explanations.length || one.findings.length)
}

function groupedBy<T, K>(all: readonly T[], keyOfOne: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const one of all) {
    const group = groups.get(keyOfOne(one))
    if (group) group.push(one)
    else groups.set(keyOfOne(one), [one])
  }
  return groups
}

const keyOf = (row: Pick<ReconciledRow, 'payrollCodeId'>): string => String(row.payrollCodeId)

function explainEmployee(
  baseline: WhatIfBaseline,
  {
    locationId,
    employee,
    budgetId,
    rows,
    contracts,
    notCompared,
    arrears,
    choose,
  }: {
    locationId: LocationId
    employee: EmployeeRef
    budgetId: BudgetId
    rows: readonly ReconciledRow[]
    contracts: readonly StaffContract[]
    notCompared: ReadonlySet<string>
    arrears: ReadonlyMap<string, number>
    choose: ReturnType<typeof createCodeChooser>
  },
): EmployeeExplanation {
  const staffId = parseStaffRef(employee)
  const actual = new Map(rows.flatMap((row) => (row.actual === null ? [] : [[keyOf(row), row.actual] as const])))
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
  const isDifferent = rows.some((row) => row.status !== 'matched')
  return {
    locationId,
    employee,
    budgetId: contracts.length ? budgetId : null,
    explanations:
      isDifferent && staffId !== null && contracts.length
        ? explainPayDifference(baseline, { staffId, contracts, actual, arrears, notCompared }, rowOf)
        : [],
    findings: findPayControlFailures(baseline, { staffId, contracts, actual, arrears }, rowOf),
  }
}

/**
 * What is still owed from months that were carried forward, by employee and row: the calculated pay less the actual pay. It goes back to
 * the first month that was not carried forward.
 */
async function readOwedAmounts(
  call: Call & LimitedCaller,
  request: ReconciliationRequest,
  found: Reconciliation,
): Promise<MonthToExplain['owed']> {
  const owed = new Map<string, Map<string, number>>()
  let wanted = new Set(found.rows.filter((row) => row.broughtForward !== 0).map((row) => row.employee))
  let month = getPreviousLevelMonth(found.level)
  const last = toMonthIndex(found.level) - mostMonthsBack
  while (wanted.size && toMonthIndex(month) >= last) {
    const before = await readReconciliation(call, { ...request, year: month.year, month: month.month })
    const earlierRows = before.rows.filter((row) => wanted.has(row.employee))
    for (const row of earlierRows) {
      const key = `${row.locationId} ${row.employee}`
      const rows = owed.get(key) ?? new Map<string, number>()
      owed.set(key, rows.set(keyOf(row), (rows.get(keyOf(row)) ?? 0) + (row.calculated ?? 0) - (row.actual ?? 0)))
    }
    wanted = new Set(earlierRows.filter((row) => row.broughtForward !== 0).map((row) => row.employee))
    month = getPreviousLevelMonth(month)
  }
  return owed
}

/**
 * The bank accounts that payrolls paid into at some locations in a month. They are the same for every caller; only owners whom the caller
 * may see are named.
 */
async function readPaidAccounts(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  { level, people }: Reconciliation,
): Promise<PaidAccount[]> {
  const rows = await tx
    .select({ item: payrollItems.item })
    .from(payrollItems)
    .where(
      and(
        eq(payrollItems.organisationId, organisationId),
        inArray(payrollItems.locationId, level.locationIds),
        eq(payrollItems.kind, 'actuals'),
        eq(payrollItems.year, level.year),
        eq(payrollItems.month, level.month),
      ),
    )
    .orderBy(payrollItems.locationId)
  return rows.flatMap(({ item }) =>
    item.kind === 'actuals' ? (item.paidInto ?? []).map((one) => ({ ...one, employee: people.resolve(one.employee) })) : [],
  )
}

/** The sets of extended leave rules that apply to employees. */
export async function readLeaveSets(tx: OrganisationTx): Promise<LeaveRuleSet[]> {
  const types = new Map((await readResourceRecords(tx, resources.extendedLeaveType)).map((type) => [type.id, type.name]))
  const sets = await readResourceRecords(tx, resources.extendedLeaveRuleSet)
  return sets.map((set) => ({ ruleset: String(set.id), type: types.get(set.extendedLeaveTypeId) ?? '', name: set.name }))
}

export type ExplanationRow = typeof payrollExplanations.$inferSelect

export const buildExplanationCondition = (organisationId: OrganisationId, id: string) =>
  and(eq(payrollExplanations.organisationId, organisationId), eq(payrollExplanations.id, id))

/** One of the caller's own searches. @throws DomainError 404 for another user's */
export async function readExplanationOfCaller(
  { tx, organisationId }: Call<'organisationId'>,
  id: string,
  userId: UserId,
): Promise<ExplanationRow> {
  const [row] = await tx
    .select()
    .from(payrollExplanations)
    .where(and(buildExplanationCondition(organisationId, id), eq(payrollExplanations.requestedById, userId)))
  if (!row) throw notFound('Search')
  return row
}

/** Searches in all organisations that have not reported for a while, for the sweep to restart. */
export function listStalledExplanations(tx: OrganisationTx, before: Date): Promise<ExplainJob[]> {
  const { organisationId, id, attempts, status, aliveAt } = payrollExplanations
  return tx
    .select({ organisationId, explanationId: id, attempts })
    .from(payrollExplanations)
    .where(and(eq(status, 'running'), lt(aliveAt, before.toISOString())))
    .limit(1000)
}
