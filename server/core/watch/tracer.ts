/** A piece of work as whoever watches sees it. Names and attributes are ours only: never a value, a person, a token or an amount. */
export interface Traced {
  name: string
  kind: 'server' | 'client' | 'consumer'
  /** Where it was asked for, as `traceparent` says it (W3C Trace Context); else what it is done within. */
  parent?: string
  attributes: Record<string, string | number>
}

/** Says when the work has ended, and what came of it: a short code of ours, or nothing. */
export type Ended = (outcome?: string, isFailure?: boolean) => void

export interface Tracer {
  within<T>(work: Traced, doing: (ended: Ended) => Promise<T>): Promise<T>
  /** Begins what others are not within. */
  begin(work: Traced): Ended
  /** Where we are, as `traceparent` says it. */
  current(): string | undefined
  close(): Promise<void>
}
