import type { UserId } from '../../../domain/values/ids.ts'

/** Who does something, in which request, and when. */
export interface Actor {
  userId: UserId | null
  /** The id in the logs: `call-` and the call's id; for a worker, `recalculation-` and the run's id, or `fill-` and the job's id. */
  requestId: string
  now: Date
}

/**
 * The id that logs store for a call. Callers choose their own ids, so the prefix prevents a call from posing as a
 * worker's job in the logs.
 */
export function toLoggedCallId(requestId: string): string {
  return `call-${requestId}`
}
