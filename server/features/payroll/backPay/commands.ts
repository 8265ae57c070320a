import type { CalendarMonth } from '../../../../domain/monitoring/monitoring.ts'
import { sumAccrualByCode } from '../../../../domain/payroll/ledger.ts'
import type { BudgetGroupId } from '../../../../domain/values/ids.ts'
import type { Call } from '../../../core/calls/call.ts'
import { runAccrual } from '../../../shared/monitoring/commands.ts'
import { type Changer, refusePart } from '../../../shared/payroll/commands.ts'
import { backPayOf } from './queries.ts'

/**
 * Takes what is open at a month's end into monitoring as an adjustment of its budget codes, in the place of what was taken before (rules.md §18).
 * @param types the screens of monitoring, by the list `monitoringNoteTypes`
 * @returns how many adjustments changed
 * @throws DomainError 403 for a level that the caller does not see all of, or may not adjust; 409 for a month that is closed
 */
export async function runTakeBackPay(
  call: Call & Changer,
  { types, ...at }: CalendarMonth & { groupId: BudgetGroupId | null; types: readonly number[] },
): Promise<number> {
  const { level, lines } = await backPayOf(call, { ...at, useInflation: true })
  refusePart(level, call)
  let changed = 0
  for (const type of new Set(types)) changed += await runAccrual(call, { ...at, type }, sumAccrualByCode(lines))
  return changed
}
