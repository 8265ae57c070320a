import { httpBatchLink, TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import superjson, { type SuperJSONResult } from 'superjson'
import { isRecord, textOrNull } from '../../../domain/values/unknownValues.ts'
import type { PublicError } from '../../../server/core/calls/procedures.ts'
import type { AppRouter } from '../../../server/features/appRouter.ts'
import { createRequestId } from './requestIds.ts'

/** How often a call that the server is still running is repeated to get its result. The pause between attempts is in milliseconds. */
const maximumAttempts = 20
const pauseMs = 500

/**
 * Idempotency keys of calls without a final reply. A call keeps its key until it succeeds or is refused, so that pressing Save again after
 * a lost reply repeats the same call and takes effect once. The form of a new record keeps its key even if the user edits the form
 * meanwhile: the server then reports that the first call succeeded, and no second record is created.
 */
export class IdempotencyKeys {
  private readonly pending = new Map<string, string>()
  /** Names of calls whose reply was lost, by the form that sent them. */
  private readonly lost = new Map<string, Set<string>>()

  /**
   * Returns the key of a call.
   * @param name identifies the call together with its input
   * @param form identifies the form of a new record; null for other calls, which cannot create a duplicate
   */
  keyOf(name: string, form: string | null = null): string {
    const lost = form === null ? undefined : this.lost.get(form)
    // If several replies to a form were lost, it is unknown which of their keys this call should repeat, so it gets a new key.
    const [before] = lost?.size === 1 ? lost : []
    const key = this.pending.get(name) ?? (before === undefined ? undefined : this.pending.get(before)) ?? crypto.randomUUID()
    this.pending.set(name, key)
    return key
  }

  markAnswered(name: string): void {
    const key = this.pending.get(name)
    for (const [one, its] of this.pending) if (its === key) this.forget(one)
  }

  /** Records that a call's reply was lost. */
  markLost(name: string, form: string | null): void {
    if (form === null) return
    const key = this.pending.get(name)
    const names = this.lost.get(form) ?? new Set()
    // A repeated call has the same key as the first call, so the call is recorded only once.
    if (![...names].some((one) => this.pending.get(one) === key)) names.add(name)
    this.lost.set(form, names)
  }

  private forget(name: string): void {
    this.pending.delete(name)
    for (const [form, names] of this.lost) if (names.delete(name) && !names.size) this.lost.delete(form)
  }
}

/** Identifies the form of a call that creates a record; null for other calls. */
function identifyForm(path: string, selection: object, input: unknown): string | null {
  const isNew = /\.(save|create)$/.test(path) && !(isRecord(input) && (input.id ?? null) !== null)
  return isNew ? JSON.stringify([path, selection]) : null
}

/** Returns the error with which the server refused a call; undefined if no reply arrived, so that the outcome is unknown. */
export function readServerError(error: unknown): PublicError | undefined {
  if (!(error instanceof TRPCClientError)) return undefined
  const data: { problem?: PublicError } | undefined = error.data
  return data?.problem
}

function isRunning(error: unknown): boolean {
  return readServerError(error)?.code === 'stillRunning'
}

/**
 * Whether a reply with an error is final. It is not if the server failed, because the call may be complete, or if the user is signed out,
 * because the call will be retried.
 */
function isFinalAnswer(error: unknown): boolean {
  const kind = readServerError(error)?.kind
  return kind !== undefined && kind !== 'unexpected' && kind !== 'unavailable' && kind !== 'signIn' && !isRunning(error)
}

interface LinkOptions {
  url: string
  keys: IdempotencyKeys
  /** Headers of the selection. They are part of a call's identity: the same call with another selection is a different call. */
  selection: () => Record<string, string>
  fetch: typeof fetch
  /** Called if the server refuses a form because an earlier save of the form succeeded, although its reply did not arrive. */
  onEarlierSave?: () => void
}

/** Gives each mutation an idempotency key. If the server is still running a call with the key, it waits for the result. */
function createIdempotencyLink({ keys, selection, onEarlierSave }: LinkOptions): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) => {
      if (op.type !== 'mutation') return next(op)
      return observable((observer) => {
        const name = JSON.stringify([op.path, selection(), op.input])
        const form = identifyForm(op.path, selection(), op.input)
        const keyedOp = { ...op, context: { ...op.context, idempotencyKey: keys.keyOf(name, form) } }
        let subscription: { unsubscribe(): void } | undefined
        let timer: ReturnType<typeof setTimeout> | undefined
        const send = (attempt: number): void => {
          subscription = next(keyedOp).subscribe({
            next(value) {
              keys.markAnswered(name)
              observer.next(value)
            },
            error(error) {
              if (isRunning(error) && attempt < maximumAttempts) {
                timer = setTimeout(() => send(attempt + 1), pauseMs)
                return
              }
              if (isFinalAnswer(error)) keys.markAnswered(name)
              else keys.markLost(name, form)
              if (readServerError(error)?.code === 'otherBody') onEarlierSave?.()
              observer.error(error)
            },
            complete: () => observer.complete(),
          })
        }
        send(1)
        return () => {
          clearTimeout(timer)
          subscription?.unsubscribe()
        }
      })
    }
}

/** A trace id for following a call through servers and workers (W3C Trace Context). */
function newTraceparent(): string {
  const digits = () => crypto.randomUUID().replaceAll('-', '')
  return `00-${digits()}-${digits().slice(0, 16)}-01`
}

/** Returns the result of a call. It is decoded only if it has values that JSON does not support (server/core/calls/output.ts). */
function readOutput(answer: SuperJSONResult): unknown {
  return answer.meta ? superjson.deserialize(answer) : answer.json
}

/** Creates the links of a browser's tRPC client: calls that are made together are sent as a batch, and each mutation has its own key. */
export function createTrpcLinks(line: LinkOptions): TRPCLink<AppRouter>[] {
  const { url, selection, fetch } = line
  return [
    createIdempotencyLink(line),
    httpBatchLink({
      url,
      transformer: { serialize: superjson.serialize, deserialize: readOutput },
      maxURLLength: 4000,
      headers: ({ opList }) => {
        const batchKeys = opList.map((op) => textOrNull(op.context.idempotencyKey) ?? '')
        return {
          ...selection(),
          'X-Request-Id': createRequestId(),
          traceparent: newTraceparent(),
          ...(batchKeys.some(Boolean) ? { 'Idempotency-Key': batchKeys.join(', ') } : {}),
        }
      },
      fetch,
    }),
  ]
}
