import { env } from '../settings.ts'
import type { Ended, Traced, Tracer } from './tracer.ts'

let tracer: Tracer | undefined

const untold: Ended = () => undefined

/** Does work that is told of where somebody listens. */
export function traced<T>(work: Traced, doing: (ended: Ended) => Promise<T>): Promise<T> {
  return tracer ? tracer.within(work, doing) : doing(untold)
}

/** Begins work that is told of, where somebody listens. */
export function beginTraced(work: () => Traced): Ended | undefined {
  return tracer?.begin(work())
}

/** What a job carries, so that its work is told of beside what asked for it; nothing where nobody listens. */
export function traceHere(): { traceparent?: string } {
  const traceparent = tracer?.current()
  return traceparent ? { traceparent } : {}
}

/** `traceparent` as others may send it. */
export function readTraceparent(given: string | undefined): string | undefined {
  return given && /^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/.test(given) ? given : undefined
}

/**
 * Tells of work to where `OTEL_EXPORTER_OTLP_ENDPOINT` says, by OpenTelemetry; what that needs is loaded only then, and other variables that it
 * knows (`OTEL_…`) are its own.
 * @param service which of our processes this is
 */
export async function startTracing(service: string): Promise<void> {
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT || tracer) return
  const { openTelemetry } = await import('./openTelemetry.ts')
  tracer = openTelemetry(service)
}

/** Sends what was not told of yet. */
export async function endTracing(): Promise<void> {
  const ending = tracer
  tracer = undefined
  await ending?.close()
}
