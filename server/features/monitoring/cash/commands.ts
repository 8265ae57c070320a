import { forEverybody } from '../../../../domain/errors.ts'
import { chooseCashLag, saveCashFloor, saveOpeningCash } from '../../../../domain/monitoring/cash.ts'
import { cashFloorKey, cashLagKey, openingCashKey } from '../../../../domain/monitoring/monitoring.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { changeMonitoring } from '../../../core/monitoring/commit.ts'
import { type Changer, checkLocation } from '../commands.ts'
import { checkCodes } from '../queries.ts'

/** Keeps the cash with which a budget year begins at a location. @param value whole pennies; null: it is not known */
export async function runOpeningCash(
  tx: OrganisationTx,
  who: Changer,
  { locationId, year, value }: { locationId: number; year: number; value: number | null },
): Promise<void> {
  await checkLocation(tx, who, locationId)
  const log = { organisationId: who.organisationId, locationId }
  await changeMonitoring(tx, log, [openingCashKey(year)], (state) => saveOpeningCash(state, year, value), who.actor)
}

/** What counts for the whole organisation is for those who see all of it. */
function checkWhole({ holder }: Changer): void {
  if (holder.locationIds) throw forEverybody()
}

/** Chooses by how many months the cash of codes follows, everywhere in the organisation. */
export async function runCashLag(tx: OrganisationTx, who: Changer, codeIds: readonly number[], lag: number | null): Promise<void> {
  checkWhole(who)
  await checkCodes(tx, who.organisationId, codeIds)
  const log = { organisationId: who.organisationId, locationId: 0 }
  await changeMonitoring(tx, log, codeIds.map(cashLagKey), (state) => chooseCashLag(state, codeIds, lag), who.actor)
}

/** @param value whole pennies; null: nobody is warned */
export async function runCashFloor(tx: OrganisationTx, who: Changer, value: number | null): Promise<void> {
  checkWhole(who)
  const log = { organisationId: who.organisationId, locationId: 0 }
  await changeMonitoring(tx, log, [cashFloorKey], (state) => saveCashFloor(state, value), who.actor)
}
