/** Who does something, in which request (it only traces), and when. */
export interface Actor {
  userId: number | null
  requestId: string
  now: Date
}
