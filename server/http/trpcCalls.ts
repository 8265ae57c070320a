import { TRPCError } from '@trpc/server'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { DomainError, findRetrySeconds } from '../../domain/words/errors.ts'
import type { CallContext } from '../core/calls/context.ts'
import { appRouter } from '../features/appRouter.ts'
import type { HttpCall, HttpReply } from './call.ts'

export const maximumBatchSize = 50

/**
 * Returns the procedure names in a browser call's path, decoded once.
 * @param path as `normalisePath` returns it
 * @returns null if the path is not under /trpc
 */
export function parseProcedurePath(path: string): string[] | null {
  const [whole, batch = ''] = /^\/trpc(?:\/(.*?)\/?)?$/i.exec(path) ?? []
  return whole === undefined ? null : decodeURIComponent(batch).split(',')
}

export function buildTrpcPath(procedures: readonly string[]): string {
  return `/trpc/${encodeURIComponent(procedures.join(','))}`
}

/** Answers browser calls. The body is already parsed, so `json()` of the request returns it instead of parsing it again. */
export async function answerTrpc({ method, url, headers, body }: HttpCall, context: CallContext): Promise<HttpReply> {
  const request = new Request(new URL(url, 'http://localhost'), { method, headers })
  Object.defineProperty(request, 'json', {
    value: async () => {
      if (body === undefined)
        throw new TRPCError({ code: 'PARSE_ERROR', cause: new DomainError('invalid', 'json', 'The request body is missing.') })
      return body
    },
  })
  const reply = await fetchRequestHandler({
    endpoint: '/trpc',
    req: request,
    router: appRouter,
    maxBatchSize: maximumBatchSize,
    createContext: () => context,
    responseMeta: ({ errors }) => {
      const [seconds] = errors.flatMap(({ cause }) => (cause instanceof DomainError ? (findRetrySeconds(cause) ?? []) : []))
      return seconds === undefined ? {} : { headers: { 'Retry-After': String(seconds) } }
    },
  })
  return { status: reply.status, headers: Object.fromEntries(reply.headers), body: new Uint8Array(await reply.arrayBuffer()) }
}
