import type { DomainError } from '../../domain/words/errors.ts'
import type { Caller } from '../auth/caller.ts'
import type { Config } from '../core/config.ts'
import type { SecretFiles } from '../core/secretFiles.ts'

/** An HTTP call whose caller has been identified. It is plain data, so it can be sent to a thread. */
export interface HttpCall {
  protocol: 'rest' | 'trpc'
  method: string
  /** Path and query. */
  url: string
  headers: Record<string, string>
  /** A call is sent to a thread only if its caller is signed in and not refused. */
  caller: Caller
  requestId: string
  /** The parsed JSON, or its raw bytes if the call is sent to a thread. */
  body: unknown
}

export interface HttpReply {
  status: number
  headers: Record<string, string>
  body: string | Uint8Array
}

/** What a thread sends back: a reply or a refusal; neither if the call failed with an internal error, which the thread has logged. */
export interface ThreadOutcome {
  reply?: HttpReply
  refusal?: DomainError
}

/** What a thread gets when it starts. */
export interface ThreadStart {
  config: Config
  secretFiles: SecretFiles
}
