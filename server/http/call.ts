import type { DomainError } from '../../domain/words/errors.ts'
import type { Caller } from '../auth/caller.ts'

/** A call whose caller is known, as plain data: it can be answered where it came in, or in a thread. */
export interface Call {
  way: 'rest' | 'trpc'
  method: string
  /** Path and query: what is asked for was told by the same path. */
  url: string
  headers: Record<string, string>
  /** Nobody's calls and refused ones are never handed to a thread. */
  caller: Caller
  requestId: string
  /** The value of a JSON body. */
  body: unknown
}

/** What a call is answered with. */
export interface Reply {
  status: number
  headers: Record<string, string>
  body: string | Uint8Array
}

/** What comes of a call in a thread: its reply, or why it was refused; neither when it failed, which the log tells. */
export interface Outcome {
  reply?: Reply
  refusal?: DomainError
}
