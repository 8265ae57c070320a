import { monitoringNoteType } from '../../../../domain/lookupIds.ts'
import { type CalendarMonth, monthIndex } from '../../../../domain/monitoring/monitoring.ts'
import { type LedgerLine, type LedgerMonth, payLedger } from '../../../../domain/payroll/ledger.ts'
import type { EmployeeRef } from '../../../../domain/payroll/payroll.ts'
import { resources } from '../../../../domain/resources/all.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { rowsOf } from '../../../core/database/tables.ts'
import type { Who } from '../../monitoring/asking/queries.ts'
import { accruedIn } from '../../monitoring/queries.ts'
import type { People } from '../people.ts'
import { type Asked, type Level, monthsOf, providerCodes, reconciled } from '../queries.ts'

/** Months that a ledger looks back, the one it is asked of among them (choice: a year, as budgets and their audits do). */
const ledgerMonths = 12

/** The back-pay ledger of a level as it stands at the end of a month. */
export interface Ledger {
  level: Level
  /** The months with a payroll that it is made of, in the order of time. */
  months: CalendarMonth[]
  /** At the locations that the caller may see. */
  lines: LedgerLine[]
  /** Rows that could not be calculated, and are in no line. */
  notCalculated: number
  people: People
  numbers: ReadonlyMap<EmployeeRef, string>
}

/** What is owed to whom at the end of a month, since when and why, and what of it was paid (rules.md §18). */
export async function backPayOf(tx: OrganisationTx, who: Who, asked: Asked & { groupId: string | null }): Promise<Ledger> {
  const now = monthIndex(asked)
  const withPayroll = (await monthsOf(tx, who, asked.groupId))
    .filter((month) => monthIndex(month) <= now && monthIndex(month) > now - ledgerMonths)
    .sort((a, b) => monthIndex(a) - monthIndex(b))
  const months: LedgerMonth[] = []
  const numbers = new Map<EmployeeRef, string>()
  // The month itself is looked at too where nothing was paid in it: who asks is told what stands at its end.
  const last = await reconciled(tx, who, asked)
  for (const { year, month } of withPayroll) {
    const found = monthIndex({ year, month }) === now ? last : await reconciled(tx, who, { ...asked, year, month })
    months.push({ year, month, rows: found.rows, shares: found.shares, notes: found.notes, tolerance: found.tolerance })
    for (const [employee, number] of found.numbers) numbers.set(employee, number)
  }
  const terms = await rowsOf(tx, resources.serviceTerm, 'organisationId', [who.organisationId])
  const { lines, notCalculated } = payLedger(months, {
    codes: await providerCodes(tx, who.organisationId),
    terms: new Map(
      terms.map((term) => [term.id, { basic: term.basicBudgetCodeId, ni: term.niBudgetCodeId, pension: term.pensionBudgetCodeId }]),
    ),
    at: asked,
  })
  return { level: last.level, months: withPayroll, lines, notCalculated, people: last.people, numbers }
}

/** What of the open amounts stands in the adjustments of the month already, by screen of monitoring and budget code; whole pennies. */
export async function takenOf(
  tx: OrganisationTx,
  { organisationId }: Who,
  { year, month, groupId }: CalendarMonth & { groupId: string | null },
): Promise<{ type: number; budgetCodeId: number; value: number }[]> {
  const taken: { type: number; budgetCodeId: number; value: number }[] = []
  for (const type of [monitoringNoteType.versusActuals, monitoringNoteType.versusForecast])
    for (const [budgetCodeId, value] of await accruedIn(tx, organisationId, { year, month, groupId, type }))
      taken.push({ type, budgetCodeId, value })
  return taken
}
