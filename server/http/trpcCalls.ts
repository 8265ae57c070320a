import { TRPCError } from '@trpc/server'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { DomainError, retryAfterSeconds } from '../../domain/words/errors.ts'
import type { CallContext } from '../core/calls/context.ts'
import { appRouter } from '../features/appRouter.ts'
import type { Call, Reply } from './call.ts'

/** Calls in one batch. */
export const largestBatch = 50

/**
 * The procedures that an address of the browser's names, decoded once.
 * @param path as `pathOf` gives it
 * @returns null for an address that is none of the browser's
 */
export function proceduresIn(path: string): string[] | null {
  const [whole, batch = ''] = /^\/trpc(?:\/(.*?)\/?)?$/i.exec(path) ?? []
  return whole === undefined ? null : decodeURIComponent(batch).split(',')
}

/** The address by which tRPC answers these procedures and no others. */
export function addressOf(procedures: readonly string[]): string {
  return `/trpc/${encodeURIComponent(procedures.join(','))}`
}

/** Answers the browser's calls. The body was parsed already, so it is handed over as it is, and not written down and parsed again. */
export async function answerTrpc({ method, url, headers, body }: Call, context: CallContext): Promise<Reply> {
  const request = new Request(new URL(url, 'http://localhost'), { method, headers })
  Object.defineProperty(request, 'json', {
    value: async () => {
      if (body === undefined)
        throw new TRPCError({ code: 'PARSE_ERROR', cause: new DomainError('invalid', 'json', 'The body of the call is missing.') })
      return body
    },
  })
  const reply = await fetchRequestHandler({
    endpoint: '/trpc',
    req: request,
    router: appRouter,
    maxBatchSize: largestBatch,
    createContext: () => context,
    responseMeta: ({ errors }) => {
      const [seconds] = errors.flatMap(({ cause }) => (cause instanceof DomainError ? (retryAfterSeconds(cause) ?? []) : []))
      return seconds === undefined ? {} : { headers: { 'Retry-After': String(seconds) } }
    },
  })
  return { status: reply.status, headers: Object.fromEntries(reply.headers), body: new Uint8Array(await reply.arrayBuffer()) }
}
