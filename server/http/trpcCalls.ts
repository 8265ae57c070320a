import { TRPCError } from '@trpc/server'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { DomainError, retrySecondsOf } from '../../domain/errors.ts'
import type { CallContext } from '../core/calls/context.ts'
import { appRouter } from '../features/appRouter.ts'
import { largestBody, largestImport, largestLedger } from './body.ts'
import type { Call, Reply } from './call.ts'
import { isHeavy } from './heavyCalls.ts'

/** Calls in one batch. */
const largestBatch = 50

/** How many calls an address of the browser's names. */
export function callsIn(path: string): number {
  return Math.min(path.split(',').length, largestBatch)
}

/** How many bytes the body of an address of the browser's may have: calls that take whole files more than others, and those of ledgers and payroll providers most. */
export function mostBytes(path: string): number {
  const names = path.split(',')
  if (names.some((name) => /^(ledgers\.(compare|import)|payroll\.providers\.import)$/.test(name))) return largestLedger
  return names.some((name) => /\.(import|consoleImport)$/.test(name)) ? largestImport : largestBody
}

/** Whether one of the calls an address names works long. */
export function isHeavyBatch(path: string): boolean {
  return path.split(',').some(isHeavy)
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
      const [seconds] = errors.flatMap(({ cause }) => (cause instanceof DomainError ? (retrySecondsOf(cause) ?? []) : []))
      return seconds === undefined ? {} : { headers: { 'Retry-After': String(seconds) } }
    },
  })
  return { status: reply.status, headers: Object.fromEntries(reply.headers), body: new Uint8Array(await reply.arrayBuffer()) }
}
