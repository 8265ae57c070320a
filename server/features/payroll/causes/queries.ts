import type { StaffContract } from '../../../../domain/budget/budget.ts'
import { monthIndex } from '../../../../domain/monitoring/monitoring.ts'
import type { PayExplanation } from '../../../../domain/payroll/causes/causes.ts'
import { explainDifference } from '../../../../domain/payroll/causes/explain.ts'
import { type Ground, type LeaveSet, payGround, type RowOf } from '../../../../domain/payroll/causes/ground.ts'
import { findingsOf, type PayFinding } from '../../../../domain/payroll/controls.ts'
import { previousMonth } from '../../../../domain/payroll/decide.ts'
import { type EmployeeRef, staffIdOf, staffRef } from '../../../../domain/payroll/payroll.ts'
import { codeChooser, type ReconciledRow } from '../../../../domain/payroll/reconcile.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { breather } from '../../../core/breathe.ts'
import { loadContracts } from '../../../core/budget/queries.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { dataVersion } from '../../../core/database/dataVersion.ts'
import { rowsOf } from '../../../core/database/tables.ts'
import { frozenBudgets, sharedInputs } from '../../calculation/inputs/queries.ts'
import type { Who } from '../../monitoring/asking/queries.ts'
import { type Asked, providerCodes, type Reconciliation, reconciled } from '../queries.ts'

/** Months that are looked back for what was carried forward. */
const mostMonthsBack = 12

/** What is said of one employee at one location. */
export interface Explained {
  locationId: number
  employee: EmployeeRef
  /** The budget that the contracts are of; null for somebody who has none there. */
  budgetId: string | null
  explanations: PayExplanation[]
  findings: PayFinding[]
}

/**
 * Why each employee of a month was paid something else, as far as the caller may see them, and what the controls find (rules.md §18). What a
 * payroll reports of nobody at a location is not compared there.
 */
export async function explainMonth(tx: OrganisationTx, who: Who, asked: Asked): Promise<{ found: Reconciliation; explained: Explained[] }> {
  const { organisationId } = who
  const found = await reconciled(tx, who, asked)
  const rowsAt = groupedBy(found.rows, (row) => row.locationId)
  const owed = await owedBefore(tx, who, asked, found)
  const codes = await providerCodes(tx, organisationId)
  const leaveSets = await leaveSetsOf(tx)
  const version = await dataVersion(tx, organisationId, 'reference')
  const budgets = found.level.budgets.filter((one) => rowsAt.has(one.locationId))
  const heads = budgets.map((one) => one.head)
  const shared = await sharedInputs(tx, organisationId, heads, version)
  const frozen = await frozenBudgets(tx, organisationId, budgets, shared, version)
  const explained: Explained[] = []
  const breathe = breather()
  for (const { id, locationId } of budgets) {
    const rows = rowsAt.get(locationId)!
    const paid = rows.filter((row) => row.actual !== null)
    const ground = paid.length ? payGround(frozen[id]!, shared, asked, leaveSets) : undefined
    if (!ground) continue
    const contracts = groupedBy(await loadContracts(tx, organisationId, id), (contract) => contract.staffId)
    const choose = codeChooser(codes, (_locationId, employee, code) =>
      paid.some((row) => row.employee === employee && row.payrollCodeId === code),
    )
    const reported = new Set(paid.map(keyOf))
    const notCompared = new Set(rows.map(keyOf).filter((key) => !reported.has(key)))
    for (const [employee, own] of groupedBy(rows, (row) => row.employee)) {
      explained.push(
        explainEmployee(ground, {
          locationId,
          employee,
          budgetId: id,
          rows: own,
          contracts: contracts.get(staffIdOf(employee)) ?? [],
          notCompared,
          arrears: owed.get(`${locationId} ${employee}`) ?? new Map(),
          choose,
        }),
      )
      await breathe()
    }
  }
  return { found, explained: explained.filter((one) => one.explanations.length || one.findings.length) }
}

function groupedBy<T, K>(all: readonly T[], keyOfOne: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const one of all) {
    const own = groups.get(keyOfOne(one))
    if (own) own.push(one)
    else groups.set(keyOfOne(one), [one])
  }
  return groups
}

const keyOf = (row: Pick<ReconciledRow, 'payrollCodeId'>): string => String(row.payrollCodeId)

function explainEmployee(
  ground: Ground,
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
    locationId: number
    employee: EmployeeRef
    budgetId: string
    rows: readonly ReconciledRow[]
    contracts: readonly StaffContract[]
    notCompared: ReadonlySet<string>
    arrears: ReadonlyMap<string, number>
    choose: ReturnType<typeof codeChooser>
  },
): Explained {
  const staffId = staffIdOf(employee)
  const actual = new Map(rows.flatMap((row) => (row.actual === null ? [] : [[keyOf(row), row.actual] as const])))
  const rowOf: RowOf = (contract, { serviceTermId, component }) =>
    String(choose({ locationId, employee: staffRef(contract.staffId!), contractId: contract.id, serviceTermId, component, pennies: null }))
  const isDifferent = rows.some((row) => row.status !== 'matched')
  return {
    locationId,
    employee,
    budgetId: contracts.length ? budgetId : null,
    explanations:
      isDifferent && staffId !== null && contracts.length
        ? explainDifference(ground, { staffId, contracts, actual, arrears, notCompared }, rowOf)
        : [],
    findings: findingsOf(ground, { staffId, contracts, actual, arrears }, rowOf),
  }
}

/** What the months carried forward left owing, by employee and row: calculated less paid, back to where nothing was carried. */
async function owedBefore(tx: OrganisationTx, who: Who, asked: Asked, found: Reconciliation): Promise<Map<string, Map<string, number>>> {
  const owed = new Map<string, Map<string, number>>()
  let wanted = new Set(found.rows.filter((row) => row.broughtForward !== 0).map((row) => row.employee))
  let month = previousMonth(found.level)
  const last = monthIndex(found.level) - mostMonthsBack
  while (wanted.size && monthIndex(month) >= last) {
    const before = await reconciled(tx, who, { ...asked, year: month.year, month: month.month })
    const own = before.rows.filter((row) => wanted.has(row.employee))
    for (const row of own) {
      const key = `${row.locationId} ${row.employee}`
      const rows = owed.get(key) ?? new Map<string, number>()
      owed.set(key, rows.set(keyOf(row), (rows.get(keyOf(row)) ?? 0) + (row.calculated ?? 0) - (row.actual ?? 0)))
    }
    wanted = new Set(own.filter((row) => row.broughtForward !== 0).map((row) => row.employee))
    month = previousMonth(month)
  }
  return owed
}

/** The rule sets of extended leave that somebody may be on. */
export async function leaveSetsOf(tx: OrganisationTx): Promise<LeaveSet[]> {
  const types = new Map((await rowsOf(tx, resources.extendedLeaveType)).map((type) => [type.id, type.name]))
  const sets = await rowsOf(tx, resources.extendedLeaveRuleSet)
  return sets.map((set) => ({ ruleset: String(set.id), type: types.get(set.extendedLeaveTypeId) ?? '', name: set.name }))
}
