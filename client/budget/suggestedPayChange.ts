import type { PayChange } from '../../domain/payroll/causes/causes.ts'
import type { ContractId } from '../../domain/values/ids.ts'

/**
 * A pay change that a user chose on another screen. The contract editor opens with the change filled in, and the user decides whether to
 * save it.
 */
export interface SuggestedPayChange {
  /** The reason, in one sentence. */
  sentence: string
  change: Extract<PayChange, { contractId: ContractId }>
}

/** Wraps a suggestion in the navigation state of a link to the contract. */
export const toNavigationState = (suggestion: SuggestedPayChange): { putRight: SuggestedPayChange } => ({ putRight: suggestion })

/** Returns the suggestion in a page's navigation state, or null. Only this window can write that state, so it is trusted. */
export function getSuggestedPayChange(state: unknown): SuggestedPayChange | null {
  // Only `toNavigationState` writes this property.
  return state !== null && typeof state === 'object' && 'putRight' in state ? (state.putRight as SuggestedPayChange) : null
}
