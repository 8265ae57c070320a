import { inArray } from 'drizzle-orm'
import { locateMonth } from '../../../../domain/budget/budgetOfRecord.ts'
import { monitoringNoteType } from '../../../../domain/lookups/lookupIds.ts'
import { type CalendarMonth, toMonthIndex } from '../../../../domain/monitoring/monitoring.ts'
import {
  type BackPayLine,
  buildBackPayLedger,
  ledgerMonths,
  lookBackMonths,
  type ReconciledMonth,
} from '../../../../domain/payroll/ledger.ts'
import type { EmployeeRef } from '../../../../domain/payroll/payroll.ts'
import { resources } from '../../../../domain/resources/all.ts'
import type { BudgetGroupId } from '../../../../domain/values/ids.ts'
import { budgets } from '../../../../drizzle/schema.ts'
import type { Call } from '../../../core/calls/call.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { readVisibleGroup } from '../../../shared/budgetGroups/queries.ts'
import { readAccruedBackPay } from '../../../shared/monitoring/queries.ts'
import { type LimitedCaller, readBudgetHeads } from '../../../shared/monitoring/requests/queries.ts'
import type { PayrollPeople } from '../../../shared/payroll/people/queries.ts'
import {
  listMonthsWithActuals,
  listVisibleLocations,
  type ReconciliationLevel,
  type ReconciliationRequest,
  readProviderCodes,
  readReconciliation,
} from '../../../shared/payroll/queries.ts'

/** The back-pay ledger of the organisation or a budget group at the end of a month. */
export interface BackPayLedger {
  level: ReconciliationLevel
  /** The months with a reconciled payroll, in order. */
  months: CalendarMonth[]
  /** Only lines at the locations that the caller may see. */
  lines: BackPayLine[]
  /** How many rows could not be calculated and are therefore in no line. */
  notCalculated: number
  people: PayrollPeople
  numbers: ReadonlyMap<EmployeeRef, string>
}

/** Reads what is owed to whom at the end of a month, since when and why, and how much has been paid (rules.md §18). */
export async function readBackPay(
  call: Call & LimitedCaller,
  request: ReconciliationRequest & { groupId: BudgetGroupId | null },
): Promise<BackPayLedger> {
  const { tx } = call
  const now = toMonthIndex(request)
  const lookedBack = (await listMonthsWithActuals(call, request.groupId)).filter(
    (month) => toMonthIndex(month) <= now && toMonthIndex(month) > now - lookBackMonths,
  )
  const withPayroll = (await filterBudgetedMonths(call, request.groupId, lookedBack)).sort((a, b) => toMonthIndex(a) - toMonthIndex(b))
  const months: ReconciledMonth[] = []
  const numbers = new Map<EmployeeRef, string>()
  // Read the requested month even if it has no payroll, because the ledger is as at its end.
  const last = await readReconciliation(call, request)
  for (const { year, month } of withPayroll) {
    const found = toMonthIndex({ year, month }) === now ? last : await readReconciliation(call, { ...request, year, month })
    const { rows, shares, notes, tolerance } = found
    months.push({
      year,
      month,
      rows,
      shares,
      budgetedLocations: new Set(found.level.budgets.map((one) => one.locationId)),
      notes,
      tolerance,
    })
    for (const [employee, number] of found.numbers) numbers.set(employee, number)
  }
  const terms = await readResourceRecords(tx, resources.serviceTerm, { column: 'organisationId', ids: [call.organisationId] })
  const { lines, notCalculated } = buildBackPayLedger(months, {
    codes: await readProviderCodes(tx, call.organisationId),
    terms: new Map(
      terms.map((term) => [term.id, { basic: term.basicBudgetCodeId, ni: term.niBudgetCodeId, pension: term.pensionBudgetCodeId }]),
    ),
    at: request,
  })
  const shownMonths = withPayroll.filter((month) => toMonthIndex(month) > now - ledgerMonths)
  return { level: last.level, months: shownMonths, lines, notCalculated, people: last.people, numbers }
}

/**
 * The months that lie within the years of a group's budgets. Payrolls of other months are not compared with those budgets. For the whole
 * organisation, all months.
 */
async function filterBudgetedMonths(
  call: Call & LimitedCaller,
  groupId: BudgetGroupId | null,
  months: readonly CalendarMonth[],
): Promise<CalendarMonth[]> {
  const { tx } = call
  if (!groupId) return [...months]
  const ids = (await readVisibleGroup(call, groupId)).items.map((item) => item.budgetId)
  const everybody = { organisationId: call.organisationId, holder: { locationIds: null } }
  const heads = ids.length ? await readBudgetHeads({ ...everybody, tx }, inArray(budgets.id, ids)) : []
  return months.filter((month) => heads.some(({ head }) => locateMonth(head, month) !== null))
}

/**
 * The part of the open amounts that the month's adjustments already include, by monitoring screen and budget code; whole pennies. Null for
 * callers who do not see every location of the group or organisation, because an adjustment covers all of them.
 */
export async function readPostedBackPay(
  call: Call & LimitedCaller,
  level: ReconciliationLevel,
): Promise<{ type: number; budgetCodeId: number; value: number }[] | null> {
  const { tx } = call
  if (listVisibleLocations(level, call).length < level.locationIds.length) return null
  const { year, month, groupId } = level
  const taken: { type: number; budgetCodeId: number; value: number }[] = []
  for (const type of [monitoringNoteType.versusActuals, monitoringNoteType.versusForecast])
    for (const [budgetCodeId, value] of await readAccruedBackPay(tx, call.organisationId, { year, month, groupId, type }))
      taken.push({ type, budgetCodeId, value })
  return taken
}
