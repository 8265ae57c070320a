import type { StaffId } from '../../values/ids.ts'
import type { Pennies } from '../../values/units.ts'
import type { PictureSource } from '../pictures/picture.ts'
import { sharedNames } from '../sharedSources.ts'
/**
 * What a step from one total to another can come from, in the order in which they are changed one at a time: first what time does to the budget
 * that is started from, then what was changed in its contracts, then what it is calculated with, then its other money.
 */
export const causes = [
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
  { id: 'engine', name: 'Rules of calculation' },
  { id: 'levy', name: sharedNames.levy },
  { id: 'employmentAllowance', name: sharedNames.employmentAllowance },
  { id: 'pupils', name: 'Pupil numbers' },
  { id: 'funding', name: 'Funding' },
  { id: 'calculations', name: 'Calculations' },
  { id: 'prices', name: 'Price rises and later years' },
  { id: 'entries', name: 'Budget entries' },
  { id: 'transfers', name: 'Pools and top slices' },
  { id: 'recorded', name: 'Figures not recalculated since' },
] as const
export type Cause = (typeof causes)[number]['id']

/** Whole pennies of one year. Staffing is what contracts, the levy and the Employment Allowance come to; other is every other expenditure. */
export interface Sums {
  income: Pennies
  staffing: Pennies
  other: Pennies
}

/** What one contract, entry or other source adds to a step. */
export interface BridgeItem extends Sums {
  cause: Cause
  kind: PictureSource
  root: string
  name: string
  staffId: StaffId | null
  budgetCodeId: number | null
}

export const noSums: Sums = { income: 0, staffing: 0, other: 0 }

export function addSums(a: Sums, b: Sums): Sums {
  return { income: a.income + b.income, staffing: a.staffing + b.staffing, other: a.other + b.other }
}
