import type { CalendarMonth } from '../../../../domain/monitoring/monitoring.ts'
import { sumAccrualByCode } from '../../../../domain/payroll/ledger.ts'
import type { BudgetGroupId } from '../../../../domain/values/ids.ts'
import type { Call } from '../../../core/calls/call.ts'
import { runAccrual } from '../../../shared/monitoring/commands.ts'
import { type PayrollEditor, refusePartialAccess } from '../../../shared/payroll/commands.ts'
import { readBackPay } from './queries.ts'

/**
 * Writes the open back pay at the end of a month to monitoring as adjustments, replacing those of an earlier call
 * (rules.md §18).
 * @param types the monitoring screens, values of `monitoringNoteTypes`
 * @returns how many adjustments changed
 * @throws DomainError 403 for a level that the caller does not fully see or may not adjust; 409 for a closed month
 */
export async function runTakeBackPay(
  call: Call & PayrollEditor,
  { types, ...at }: CalendarMonth & { groupId: BudgetGroupId | null; types: readonly number[] },
): Promise<number> {
  const { level, lines } = await readBackPay(call, { ...at, useInflation: true })
  refusePartialAccess(level, call)
  let changed = 0
  for (const type of new Set(types)) changed += await runAccrual(call, { ...at, type }, sumAccrualByCode(lines))
  return changed
}
