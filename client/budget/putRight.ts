import type { PayChange } from '../../domain/payroll/causes/causes.ts'
import type { ContractId } from '../../domain/values/ids.ts'

/** A change that somebody chose elsewhere and goes to a contract with: there it is as if typed, and saving it is theirs. */
export interface PutRight {
  /** Why, in one sentence. */
  sentence: string
  change: Extract<PayChange, { contractId: ContractId }>
}

/** As a link carries it. */
export const putRightState = (putRight: PutRight): { putRight: PutRight } => ({ putRight })

/** What a page was gone to with; null: nothing. It is the state of this window's own history, which nobody else can write. */
export function putRightOf(state: unknown): PutRight | null {
  // Nothing but `putRightState` writes it.
  return state !== null && typeof state === 'object' && 'putRight' in state ? (state.putRight as PutRight) : null
}
