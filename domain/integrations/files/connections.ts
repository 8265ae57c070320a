import type { LocationId } from '../../values/ids.ts'
import { keysOf } from '../../values/keysOf.ts'

/** A file of figures that other systems take in. */
interface FileConnection {
  title: string
  /** What it is, and what it needs. */
  about: string
  /** Of budgets that are approved alone; else of the budget of record of each location. */
  isApprovedOnly: boolean
}

/** Every file that goes out, in the order in which it is offered. */
export const fileConnections = {
  budgetJournal: {
    title: 'Budget journal',
    about: 'The budget of record of each location: the one that was approved last, else its first working budget by name.',
    isApprovedOnly: false,
  },
  approvedBudget: {
    title: 'Approved budget',
    about: 'Approved budgets alone. A location whose budget is not approved is left out, and named.',
    isApprovedOnly: true,
  },
  forecast: {
    title: 'Forecast',
    about:
      'Each location’s year as it is forecast under Monitoring: actuals of the months that are in, up to last month, and the forecast of the rest, by budget code.',
    isApprovedOnly: false,
  },
} as const satisfies Record<string, FileConnection>

export type FileConnectionName = keyof typeof fileConnections
export const fileConnectionNames = keysOf(fileConnections)

/** Which file is written, of which money; one of the two layouts. */
export interface KeptFile {
  preset: string | null
  layoutId: number | null
  yearName: string
  /** Null: all locations. */
  locationIds: LocationId[] | null
  /** Months of the budget year, 1 to 12, both included. */
  from: number
  to: number
}
