import { env } from '../settings.ts'
import type { SpanEnder, TracedWork, Tracer } from './tracer.ts'

let tracer: Tracer | undefined

const ignoreEnd: SpanEnder = () => undefined

/** Runs work in a span, if tracing is on. */
export function traceWork<T>(work: TracedWork, doing: (ended: SpanEnder) => Promise<T>): Promise<T> {
  return tracer ? tracer.within(work, doing) : doing(ignoreEnd)
}

/** Starts a span, if tracing is on. */
export function beginSpan(work: () => TracedWork): SpanEnder | undefined {
  return tracer?.begin(work())
}

/**
 * The trace context for a job, so that its work joins the trace of the call that requested it; empty if tracing is off.
 */
export function getTraceContext(): { traceparent?: string } {
  const traceparent = tracer?.current()
  return traceparent ? { traceparent } : {}
}

/** A `traceparent` header from a caller; undefined if it is invalid. */
export function parseTraceparent(given: string | undefined): string | undefined {
  return given && /^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/.test(given) ? given : undefined
}

/**
 * Starts tracing to `OTEL_EXPORTER_OTLP_ENDPOINT` with OpenTelemetry, which is loaded only here. It reads its other
 * `OTEL_…` variables itself.
 * @param service which of our processes this is
 */
export async function startTracing(service: string): Promise<void> {
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT || tracer) return
  const { createOpenTelemetryTracer } = await import('./openTelemetry.ts')
  tracer = createOpenTelemetryTracer(service)
}

/** Sends the spans that are still buffered. */
export async function endTracing(): Promise<void> {
  const ending = tracer
  tracer = undefined
  await ending?.close()
}
