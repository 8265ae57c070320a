import { type Context, context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { NodeSDK, resources } from '@opentelemetry/sdk-node'
import { log } from '../log.ts'
import { env } from '../settings.ts'
import type { SpanEnder, TracedWork, Tracer } from './tracer.ts'

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } satisfies Record<
  TracedWork['kind'],
  SpanKind
>

/** The context described by a validated `traceparent`. */
function toContext(traceparent: string): Context {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-')
  const traceFlags = flags === '01' ? TraceFlags.SAMPLED : TraceFlags.NONE
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

function createEndSpan(span: Span): SpanEnder {
  return (outcome, isFailure) => {
    if (outcome) span.setAttribute('bursar.outcome', outcome)
    // Only the code: an error's message may contain user input.
    if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }
}

/** Traces work with OpenTelemetry. Only `startTracing` loads this, because it takes memory and time. */
export function createOpenTelemetryTracer(service: string): Tracer {
  const sdk = new NodeSDK({
    serviceName: env.OTEL_SERVICE_NAME || `bursar-${service}`,
    // The other detectors would send the command line, the user and the name of this machine.
    resourceDetectors: [resources.envDetector],
    instrumentations: [],
    metricReaders: [],
    logRecordProcessors: [],
  })
  sdk.start()
  const spans = trace.getTracer('bursar')
  const start = ({ name, kind, parent, attributes }: TracedWork): { span: Span; at: Context } => {
    const from = parent ? toContext(parent) : context.active()
    const span = spans.startSpan(name, { kind: kinds[kind], attributes }, from)
    return { span, at: trace.setSpan(from, span) }
  }
  return {
    within: (work, doing) => {
      const { span, at } = start(work)
      let isTold = false
      const ended: SpanEnder = (outcome, isFailure) => {
        isTold = true
        createEndSpan(span)(outcome, isFailure)
      }
      return context
        .with(at, () => doing(ended))
        .then(
          (result) => {
            if (!isTold) ended()
            return result
          },
          (error) => {
            if (!isTold) ended('failed', true)
            throw error
          },
        )
    },
    begin: (work) => createEndSpan(start(work).span),
    current: () => {
      const here = trace.getSpanContext(context.active())
      return here && `00-${here.traceId}-${here.spanId}-0${here.traceFlags & TraceFlags.SAMPLED}`
    },
    close: () => sdk.shutdown().catch((error) => log.warn({ err: error }, 'the last traces were not sent')),
  }
}
