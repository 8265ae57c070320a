/** A traced piece of work. Names and attributes are fixed names of ours: never input, a person, a token or an amount. */
export interface TracedWork {
  name: string
  kind: 'server' | 'client' | 'consumer'
  /** The parent span as a `traceparent` (W3C Trace Context); by default the span in which this code runs. */
  parent?: string
  attributes: Record<string, string | number>
}

/** Ends the span, with a short outcome code of ours, if any. */
export type SpanEnder = (outcome?: string, isFailure?: boolean) => void

export interface Tracer {
  within<T>(work: TracedWork, doing: (ended: SpanEnder) => Promise<T>): Promise<T>
  /** Starts a span that is not the parent of later work. */
  begin(work: TracedWork): SpanEnder
  /** The current span as a `traceparent`. */
  current(): string | undefined
  close(): Promise<void>
}
