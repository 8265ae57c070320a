import type { UserId } from '../../../domain/ids.ts'
/** Who does something, in which request (it only traces), and when. */
export interface Actor {
  userId: UserId | null
  requestId: string
  now: Date
}
