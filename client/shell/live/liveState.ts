import type { BudgetId, LocationId } from '../../../domain/values/ids.ts'
import { createStore } from '../store.ts'

/** The state of the connection for live updates. Its code loads after the first screen is shown. */
export const liveConnectionState = createStore<'off' | 'connected' | 'lost'>('off')

/** Progress of recalculations, by id of the group or budget. */
export const recalculationProgress = createStore<Record<string, { done: number; of: number; since: number }>>({})

/** What the user has open: budget, screen, and the record in the URL. */
export interface PagePresence {
  locationId: LocationId
  budgetId: BudgetId
  place: string
  record: string
}

/** What the user has open on this page, as reported to the budget's other users; null if no budget is open. */
export const pagePresence = createStore<PagePresence | null>(null)

/** The focused field of the open record; empty if none. */
export const focusedField = createStore('')
