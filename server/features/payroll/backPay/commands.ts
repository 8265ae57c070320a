import type { CalendarMonth } from '../../../../domain/monitoring/monitoring.ts'
import { sumAccrualByCode } from '../../../../domain/payroll/ledger.ts'
import type { BudgetGroupId } from '../../../../domain/values/ids.ts'
import type { Call } from '../../../core/calls/call.ts'
import { runPostAccrual } from '../../../shared/monitoring/commands.ts'
import { type PayrollEditor, refusePartialAccess } from '../../../shared/payroll/commands.ts'
import { readBackPay } from './queries.ts'

/**
 * Stores the back pay that is open at the end of a month as monitoring adjustments, which replace those of an earlier call (rules.md §18).
 * @param types the monitoring screens, values of `monitoringNoteTypes`
 * @returns how many adjustments changed
 * @throws DomainError 403 if the caller does not see every location of the group or organisation, or may not adjust it; 409 for a closed
 * month
 */
export async function runPostBackPay(
  call: Call & PayrollEditor,
  { types, ...at }: CalendarMonth & { groupId: BudgetGroupId | null; types: readonly number[] },
): Promise<number> {
  const { level, lines } = await readBackPay(call, { ...at, useInflation: true })
  refusePartialAccess(level, call)
  let changed = 0
  for (const type of new Set(types)) changed += await runPostAccrual(call, { ...at, type }, sumAccrualByCode(lines))
  return changed
}
