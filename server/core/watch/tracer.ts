/**
 * A traced piece of work. Names and attributes are fixed names of ours: never a value, a person, a token or an amount.
 */
export interface Traced {
  name: string
  kind: 'server' | 'client' | 'consumer'
  /** Its parent as a `traceparent` (W3C Trace Context); otherwise the work that it runs within. */
  parent?: string
  attributes: Record<string, string | number>
}

/** Ends the span, with a short outcome code of ours, if any. */
export type Ended = (outcome?: string, isFailure?: boolean) => void

export interface Tracer {
  within<T>(work: Traced, doing: (ended: Ended) => Promise<T>): Promise<T>
  /** Starts a span that is not the parent of later work. */
  begin(work: Traced): Ended
  /** The current span as a `traceparent`. */
  current(): string | undefined
  close(): Promise<void>
}
