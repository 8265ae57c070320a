import { httpBatchLink, TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import superjson from 'superjson'
import type { PublicError } from '../../server/core/calls/procedures.ts'
import type { AppRouter } from '../../server/features/appRouter.ts'
import { ownRequestId } from './requestIds.ts'

/** How often, and after which pause, a call is asked about whose first sending is still being carried out. */
const mostAsked = 20
const pauseMs = 500

/**
 * The keys of calls that nobody has answered yet. A call keeps its key until it is answered, by success or by a refusal: whoever presses Save
 * again after a reply that was cut off sends the same call once more, and it is done once.
 */
export class CallKeys {
  private readonly pending = new Map<string, string>()

  /** @param name what the call is, with all that it asks for */
  keyOf(name: string): string {
    const key = this.pending.get(name) ?? crypto.randomUUID()
    this.pending.set(name, key)
    return key
  }

  answered(name: string): void {
    this.pending.delete(name)
  }
}

/** What the server said of a refused call; undefined when no answer came through, so that nobody knows what became of the call. */
function answerIn(error: unknown): PublicError | undefined {
  return error instanceof TRPCClientError ? (error.data as { problem?: PublicError } | undefined)?.problem : undefined
}

function isRunning(error: unknown): boolean {
  return answerIn(error)?.code === 'stillRunning'
}

/** A server that fails may have done the call before it failed; a signed-out one will be asked again. */
function isAnswer(error: unknown): boolean {
  const kind = answerIn(error)?.kind
  return kind !== undefined && kind !== 'unexpected' && kind !== 'unavailable' && kind !== 'signIn' && !isRunning(error)
}

/** Gives every call that changes something its key, and waits for the answer of one that is still being carried out. */
function keyed(keys: CallKeys, selection: () => object): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) => {
      if (op.type !== 'mutation') return next(op)
      return observable((observer) => {
        const name = JSON.stringify([op.path, selection(), op.input])
        const keyedOp = { ...op, context: { ...op.context, idempotencyKey: keys.keyOf(name) } }
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

interface Line {
  url: string
  keys: CallKeys
  /** What is selected: the same call on another selection is another call. */
  selection: () => Record<string, string>
  fetch: typeof fetch
}

/** How calls of a browser go out: those of one moment together, each change with a key of its own. */
export function callLinks({ url, keys, selection, fetch }: Line): TRPCLink<AppRouter>[] {
  return [
    keyed(keys, selection),
    httpBatchLink({
      url,
      transformer: superjson,
      maxURLLength: 4000,
      headers: ({ opList }) => {
        const own = opList.map((op) => (op.context.idempotencyKey as string | undefined) ?? '')
        return {
          ...selection(),
          'X-Request-Id': ownRequestId(),
          ...(own.some(Boolean) ? { 'Idempotency-Key': own.join(', ') } : {}),
        }
      },
      fetch,
    }),
  ]
}
