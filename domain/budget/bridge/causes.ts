import type { StaffId } from '../../values/ids.ts'
import type { Pennies } from '../../values/units.ts'
import { sharedSourceNames } from '../sharedSources.ts'
import type { SnapshotSource } from '../snapshots/snapshot.ts'
/**
 * Causes in the order in which the bridge applies them, one at a time: the passage of time in the `from` budget, changes to its contracts,
 * changes to its inputs, then its other money.
 */
export const bridgeCauses = [
  { id: 'dates', name: 'Dates and full-year effects' },
  { id: 'increments', name: 'Increments' },
  { id: 'leavers', name: 'Leavers' },
  { id: 'hours', name: 'Hours' },
  { id: 'terms', name: 'Pay points and terms' },
  { id: 'starters', name: 'Starters' },
  { id: 'payTables', name: 'Pay tables' },
  { id: 'awards', name: 'Pay awards' },
  { id: 'ni', name: 'Employer national insurance' },
  { id: 'pension', name: 'Employer pension' },
  { id: 'other', name: 'Allowance rates, leave and other rules' },
  { id: 'engine', name: 'Calculation rules' },
  { id: 'levy', name: sharedSourceNames.levy },
  { id: 'employmentAllowance', name: sharedSourceNames.employmentAllowance },
  { id: 'pupils', name: 'Pupil numbers' },
  { id: 'funding', name: 'Funding' },
  { id: 'calculations', name: 'Calculations' },
  { id: 'prices', name: 'Price rises and later years' },
  { id: 'entries', name: 'Budget entries' },
  { id: 'transfers', name: 'Pools and top slices' },
  { id: 'recorded', name: 'Figures not recalculated' },
] as const
export type BridgeCause = (typeof bridgeCauses)[number]['id']

/** Whole pennies of one year. `staffing` is contracts, apprenticeship levy and Employment Allowance; `other` is all other expenditure. */
export interface BridgeAmounts {
  income: Pennies
  staffing: Pennies
  other: Pennies
}

/** The contribution of one contract, entry or other source to a step. */
export interface BridgeItem extends BridgeAmounts {
  cause: BridgeCause
  kind: SnapshotSource
  root: string
  name: string
  staffId: StaffId | null
  budgetCodeId: number | null
}

export const zeroAmounts: BridgeAmounts = { income: 0, staffing: 0, other: 0 }

export function addAmounts(a: BridgeAmounts, b: BridgeAmounts): BridgeAmounts {
  return { income: a.income + b.income, staffing: a.staffing + b.staffing, other: a.other + b.other }
}
