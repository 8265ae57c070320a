import type { UserId } from '../../../domain/values/ids.ts'

/** Who does something, in which request, and when. */
export interface Actor {
  userId: UserId | null
  /** What logs keep: of a call `call-` and its id, of a worker what it is at: `recalculation-` and the run, `fill-` and the job. */
  requestId: string
  now: Date
}

/**
 * What the logs keep of a call's id. Callers choose their ids, and the ids of workers mean something where logs are read: no call is taken for
 * one of them, whatever it calls itself.
 */
export function tracedCall(requestId: string): string {
  return `call-${requestId}`
}
