import { httpBatchLink, TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import superjson from 'superjson'
import { isRecord, textOrNull } from '../../../domain/values/unknownValues.ts'
import type { PublicError } from '../../../server/core/calls/procedures.ts'
import type { AppRouter } from '../../../server/features/appRouter.ts'
import { ownRequestId } from './requestIds.ts'

/** How often, and after which pause, a call is asked about whose first sending is still being carried out. */
const mostAsked = 20
const pauseMs = 500

/**
 * The keys of calls that nobody has answered yet. A call keeps its key until it is answered, by success or by a refusal: whoever presses Save
 * again after a reply that was cut off sends the same call once more, and it is done once. A form for something new keeps it too when a letter
 * was changed meanwhile: the server tells whether the first call was carried out, and the changed one makes no second record.
 */
export class CallKeys {
  private readonly pending = new Map<string, string>()
  /** The forms, by what they make, whose call came to no end that anybody knows: the names of those calls. */
  private readonly lost = new Map<string, Set<string>>()

  /**
   * @param name what the call is, with all that it asks for
   * @param form what the form makes that sends it, for something new; null for all else, of which the same is not made twice
   */
  keyOf(name: string, form: string | null = null): string {
    const lost = form === null ? undefined : this.lost.get(form)
    // Of several that were lost together nobody knows which one this was.
    const [before] = lost?.size === 1 ? lost : []
    const key = this.pending.get(name) ?? (before === undefined ? undefined : this.pending.get(before)) ?? crypto.randomUUID()
    this.pending.set(name, key)
    return key
  }

  answered(name: string): void {
    const key = this.pending.get(name)
    for (const [one, its] of this.pending) if (its === key) this.forget(one)
  }

  /** Nobody knows what became of the call. */
  isLost(name: string, form: string | null): void {
    if (form === null) return
    const key = this.pending.get(name)
    const names = this.lost.get(form) ?? new Set()
    // The same key sent again is the same call of the form.
    if (![...names].some((one) => this.pending.get(one) === key)) names.add(name)
    this.lost.set(form, names)
  }

  private forget(name: string): void {
    this.pending.delete(name)
    for (const [form, names] of this.lost) if (names.delete(name) && !names.size) this.lost.delete(form)
  }
}

/** What a call makes that is new; null for a call that changes what is there, or does something else. */
function formOf(path: string, selection: object, input: unknown): string | null {
  const isNew = /\.(save|create)$/.test(path) && !(isRecord(input) && (input.id ?? null) !== null)
  return isNew ? JSON.stringify([path, selection]) : null
}

/** What the server said of a refused call; undefined when no answer came through, so that nobody knows what became of the call. */
export function answerIn(error: unknown): PublicError | undefined {
  if (!(error instanceof TRPCClientError)) return undefined
  const data: { problem?: PublicError } | undefined = error.data
  return data?.problem
}

function isRunning(error: unknown): boolean {
  return answerIn(error)?.code === 'stillRunning'
}

/** A server that fails may have done the call before it failed; a signed-out one will be asked again. */
function isAnswer(error: unknown): boolean {
  const kind = answerIn(error)?.kind
  return kind !== undefined && kind !== 'unexpected' && kind !== 'unavailable' && kind !== 'signIn' && !isRunning(error)
}

interface Line {
  url: string
  keys: CallKeys
  /** What is selected: the same call on another selection is another call. */
  selection: () => Record<string, string>
  fetch: typeof fetch
  /** Called when a form was refused because what it sent before was saved after all, though its answer was lost. */
  savedBefore?: () => void
}

/** Gives every call that changes something its key, and waits for the answer of one that is still being carried out. */
function keyed({ keys, selection, savedBefore }: Line): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) => {
      if (op.type !== 'mutation') return next(op)
      return observable((observer) => {
        const name = JSON.stringify([op.path, selection(), op.input])
        const form = formOf(op.path, selection(), op.input)
        const keyedOp = { ...op, context: { ...op.context, idempotencyKey: keys.keyOf(name, form) } }
        let subscription: { unsubscribe(): void } | undefined
        let timer: ReturnType<typeof setTimeout> | undefined
        const send = (asked: number): void => {
          subscription = next(keyedOp).subscribe({
            next(value) {
              keys.answered(name)
              observer.next(value)
            },
            error(error) {
              if (isRunning(error) && asked < mostAsked) {
                timer = setTimeout(() => send(asked + 1), pauseMs)
                return
              }
              if (isAnswer(error)) keys.answered(name)
              else keys.isLost(name, form)
              if (answerIn(error)?.code === 'otherBody') savedBefore?.()
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

/** A beginning for who follows what a call does (W3C Trace Context), through server and workers. */
function newTraceparent(): string {
  const digits = () => crypto.randomUUID().replaceAll('-', '')
  return `00-${digits()}-${digits().slice(0, 16)}-01`
}

/** How calls of a browser go out: those of one moment together, each change with a key of its own. */
export function callLinks(line: Line): TRPCLink<AppRouter>[] {
  const { url, selection, fetch } = line
  return [
    keyed(line),
    httpBatchLink({
      url,
      transformer: superjson,
      maxURLLength: 4000,
      headers: ({ opList }) => {
        const own = opList.map((op) => textOrNull(op.context.idempotencyKey) ?? '')
        return {
          ...selection(),
          'X-Request-Id': ownRequestId(),
          traceparent: newTraceparent(),
          ...(own.some(Boolean) ? { 'Idempotency-Key': own.join(', ') } : {}),
        }
      },
      fetch,
    }),
  ]
}
