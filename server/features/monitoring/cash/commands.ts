import { chooseCashLag, saveCashFloor, saveOpeningCash } from '../../../../domain/monitoring/cash.ts'
import { buildCashLagKey, buildOpeningCashKey, cashFloorKey } from '../../../../domain/monitoring/monitoring.ts'
import { type LocationId, organisationWideLocationId } from '../../../../domain/values/ids.ts'
import type { Pennies } from '../../../../domain/values/units.ts'
import type { Call } from '../../../core/calls/call.ts'
import { refuseLimitedCaller } from '../../../core/calls/context.ts'
import { type MonitoringEditor, refuseHiddenLocation } from '../../../shared/monitoring/commands.ts'
import { checkBudgetCodes } from '../../../shared/monitoring/queries.ts'
import { changeMonitoring } from '../../../streams/monitoring/stream.ts'

/**
 * Saves a location's opening cash for a budget year.
 * @param value whole pennies; null if unknown
 */
export async function runSaveOpeningCash(
  call: Call & MonitoringEditor,
  { locationId, year, value }: { locationId: LocationId; year: number; value: Pennies | null },
): Promise<void> {
  await refuseHiddenLocation({ ...call, locationId })
  const log = { organisationId: call.organisationId, locationId }
  await changeMonitoring({ ...call, ...log }, [buildOpeningCashKey(year)], (state) => saveOpeningCash(state, year, value))
}

/** @throws DomainError 403 for a caller limited to some locations, because these settings apply to the whole organisation */
function checkWhole({ holder }: MonitoringEditor): void {
  refuseLimitedCaller(holder)
}

/**
 * Sets, for the whole organisation, how many months after the amounts of some budget codes their cash is paid or received.
 * @param lag null for the default
 */
export async function runSetCashLag(call: Call & MonitoringEditor, codeIds: readonly number[], lag: number | null): Promise<void> {
  const { tx } = call
  checkWhole(call)
  await checkBudgetCodes(tx, call.organisationId, codeIds)
  const log = { organisationId: call.organisationId, locationId: organisationWideLocationId }
  await changeMonitoring({ ...call, ...log }, codeIds.map(buildCashLagKey), (state) => chooseCashLag(state, codeIds, lag))
}

/**
 * Sets the amount of cash below which the forecast warns.
 * @param value whole pennies; null for no warning
 */
export async function runSetCashFloor(call: Call & MonitoringEditor, value: Pennies | null): Promise<void> {
  checkWhole(call)
  const log = { organisationId: call.organisationId, locationId: organisationWideLocationId }
  await changeMonitoring({ ...call, ...log }, [cashFloorKey], (state) => saveCashFloor(state, value))
}
