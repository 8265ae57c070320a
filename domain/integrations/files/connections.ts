import type { LocationId } from '../../values/ids.ts'
import { keysOf } from '../../values/keysOf.ts'

interface FileConnection {
  title: string
  about: string
  /** Whether the file contains only approved budgets. Otherwise it contains the budget of record of each location. */
  isApprovedOnly: boolean
}

/** All outgoing files, in the order in which they are offered. */
export const outgoingFiles = {
  budgetJournal: {
    title: 'Budget journal',
    about: 'The budget of record of each location: the one approved last or, if there is none, its first working budget by name.',
    isApprovedOnly: false,
  },
  approvedBudget: {
    title: 'Approved budget',
    about: 'Approved budgets only. A location without an approved budget is left out, and its name is listed.',
    isApprovedOnly: true,
  },
  forecast: {
    title: 'Forecast',
    about:
      'Each location’s forecast from Monitoring: imported actuals up to last month, and the forecast for the other months, by budget code.',
    isApprovedOnly: false,
  },
} as const satisfies Record<string, FileConnection>

export type OutgoingFileKind = keyof typeof outgoingFiles
export const outgoingFileKinds = keysOf(outgoingFiles)

/** Which file to send, for which months and locations. Either `preset` or `layoutId` is set. */
export interface FileSelection {
  preset: string | null
  layoutId: number | null
  yearName: string
  /** Null for all locations. */
  locationIds: LocationId[] | null
  /** Months of the budget year, 1 to 12, inclusive. */
  from: number
  to: number
}
