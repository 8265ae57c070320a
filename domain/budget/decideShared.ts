import { engineVersion } from '../calculation/engine.ts'
import type { LevyShare } from '../calculation/levy.ts'
import type { Transfer } from '../calculation/nonStaffing/transfers.ts'
import { canonicalJson } from '../values/canonicalJson.ts'
import type { BudgetEvent, EventOf } from './events.ts'

/** Posts this budget's lines of the group's pools and top slices, if they have changed. */
export function postTransfers(
  before: EventOf<'TransfersPosted'>['data'] | null | undefined,
  sides: { transfers: Transfer[]; problems: string[] },
): BudgetEvent[] {
  const data = { ...sides, engine: engineVersion }
  const recorded = before ?? { transfers: [], problems: [], engine: engineVersion }
  return canonicalJson(recorded) === canonicalJson(data) ? [] : [{ type: 'TransfersPosted', data }]
}

/** Withdraws a budget's share of the levy allowance, if it has one (rules.md §7). */
export function withdrawLevyShares(shares: readonly LevyShare[] | null | undefined): BudgetEvent[] {
  return shares?.some((share) => share !== null) ? [{ type: 'LevyAllowanceShared', data: { shares: shares.map(() => null) } }] : []
}
