import { and, asc, eq, inArray, or } from 'drizzle-orm'
import { createEmptyItems } from '../../../domain/changes/itemLog.ts'
import { formatIsoMonth } from '../../../domain/monitoring/monitoring.ts'
import { type PayrollState, sortLines } from '../../../domain/payroll/evolve.ts'
import type { StoredPayrollLine } from '../../../domain/payroll/payroll.ts'
import { payrollItems, payrollLines } from '../../../drizzle/payrollTables.ts'
import type { Call } from '../../core/calls/call.ts'
import type { LocationStream } from '../../core/stream/itemStream.ts'

/** Loads the items of a location's payroll log from the tables, all or by key; actuals with their lines. */
export async function loadPayrollItems(
  { tx, organisationId, locationId }: Call & LocationStream,
  keys: readonly string[] | 'all',
): Promise<PayrollState> {
  const state: PayrollState = createEmptyItems()
  if (!keys.length) return state
  const rows = await tx
    .select()
    .from(payrollItems)
    .where(
      and(
        eq(payrollItems.organisationId, organisationId),
        eq(payrollItems.locationId, locationId),
        keys === 'all' ? undefined : inArray(payrollItems.key, [...keys]),
      ),
    )
  const months = rows.flatMap(({ item }) => (item.kind === 'actuals' ? [item] : []))
  const lines = new Map<string, StoredPayrollLine[]>()
  if (months.length) {
    const { organisationId: organisationColumn, locationId: locationColumn, year, month } = payrollLines
    const isWanted = or(...months.map((one) => and(eq(year, one.year), eq(month, one.month))))
    const rows = await tx
      .select()
      .from(payrollLines)
      .where(and(eq(organisationColumn, organisationId), eq(locationColumn, locationId), keys === 'all' ? undefined : isWanted))
      .orderBy(asc(payrollLines.year), asc(payrollLines.month))
    for (const { employee, sealedNumber, payrollCodeId, value, version, ...at } of rows) {
      const monthLines = lines.get(formatIsoMonth(at)) ?? []
      monthLines.push({ employee, sealedNumber, payrollCodeId, value, version })
      lines.set(formatIsoMonth(at), monthLines)
    }
  }
  for (const { key, version, savedAt, item } of rows) {
    const whole = item.kind === 'actuals' ? { ...item, lines: sortLines(lines.get(formatIsoMonth(item)) ?? []) } : item
    state.items.set(key, { version, savedAt: new Date(savedAt).toISOString(), item: whole })
  }
  return state
}
