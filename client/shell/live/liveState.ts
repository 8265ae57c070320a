import type { BudgetId, LocationId } from '../../../domain/values/ids.ts'
import { createStore } from '../store.ts'

/** The state of the connection for live updates, whose code loads once the first screen is shown. */
export const hubState = createStore<'off' | 'connected' | 'lost'>('off')

/** Progress of recalculations, by group or budget. */
export const recalculationProgress = createStore<Record<string, { done: number; of: number; since: number }>>({})

/** The open budget, the screen, and the record in the URL. */
export interface PagePosition {
  locationId: LocationId
  budgetId: BudgetId
  place: string
  record: string
}

/** What this page has open, for the budget's other users. */
export const pagePosition = createStore<PagePosition | null>(null)

/** The focused field of the open record; empty for none. */
export const focusedField = createStore('')
