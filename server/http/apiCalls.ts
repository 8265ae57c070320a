import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { DomainError } from '../../domain/words/errors.ts'
import type { Caller, CallerCache } from '../auth/caller.ts'
import type { Services } from '../core/calls/context.ts'
import { type CallPolicy, defaultBodyBytes } from '../core/calls/policies.ts'
import { toDatabaseError } from '../core/database/problems.ts'
import { log } from '../core/log.ts'
import { readImageUpload } from '../rest/imageUpload.ts'
import { findProcedure, getProcedurePolicy } from '../rest/routes.ts'
import { answerCall } from './answerCall.ts'
import { answerError } from './answerError.ts'
import { parseJsonBody, readJsonBody, readJsonBytes } from './body.ts'
import type { HttpCall } from './call.ts'
import { compressReply } from './compression.ts'
import { createJsonScanner, createNulCharacterError } from './jsonScan.ts'
import { checkLongCall } from './longCallAdmission.ts'
import type { LongCallThreads } from './longCallThreads.ts'
import { buildTrpcPath, maximumBatchSize, parseProcedurePath } from './trpcCalls.ts'

interface MatchedCall {
  protocol: HttpCall['protocol']
  url: string
  /** The number of calls, counting each call of a batch. */
  callCount: number
  isLong: boolean
  maxBytes: number
  isPicture: boolean
}

/** Handles a request that is not an API call. */
export type FallbackHandler = (req: IncomingMessage, res: ServerResponse, requestId: string) => void

/**
 * Returns the handler for REST and browser calls, which runs before Express. Replies may hold personal and pay data, so no browser or proxy
 * may store them.
 * @param fixedHeaders headers sent with every reply: names and values alternately
 */
export function createApiCallHandler(
  services: Services,
  { longCalls, callers, fixedHeaders }: { longCalls: LongCallThreads; callers: CallerCache; fixedHeaders: readonly string[] },
) {
  const commonHeaders = [...fixedHeaders, 'Cache-Control', 'no-store']

  /** Identifies the caller. If the database cannot be reached, the result is a refusal for the caller instead of an exception. */
  async function identify(req: IncomingMessage, calls: number): Promise<Caller> {
    try {
      return await callers.identify(req, calls)
    } catch (error) {
      const refusal = error instanceof DomainError ? error : toDatabaseError(error)
      if (!refusal) throw error
      log.warn({ err: error }, 'the caller of a request could not be identified')
      return { principal: null, refusal }
    }
  }

  /**
   * Answers a call on this thread or a long-call thread. It reads the body only after identifying the caller, so that strangers cannot
   * make the server buffer data.
   */
  async function answer(
    req: IncomingMessage,
    res: ServerResponse,
    { requestId, matched: { protocol, url, callCount, isLong, maxBytes, isPicture } }: { requestId: string; matched: MatchedCall },
  ): Promise<void> {
    const disconnected = new AbortController()
    res.once('close', () => disconnected.abort())
    const caller = await identify(req, callCount)
    const isKnown = Boolean(caller.principal && !caller.refusal)
    let body: unknown
    if (isKnown)
      try {
        checkQueryString(req)
        if (isPicture) body = await readImageUpload(req, res)
        else body = await (isLong ? readJsonBytes(req, maxBytes) : readJsonBody(req, maxBytes))
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
        caller.refusal = error
      }
    const call: HttpCall = { protocol, method: req.method ?? '', url, headers: unrepeatedHeaders(req), caller, requestId, body }
    const admission = isKnown && isLong && !caller.refusal ? await checkLongCall(services, call) : null
    const inThread = admission !== null && !admission.isRefused
    if (admission?.isRefused && body instanceof Uint8Array) call.body = parseJsonBody(body)
    const reply = await (inThread
      ? longCalls.answer(call, { ...admission, disconnected: disconnected.signal })
      : answerCall(services, call)
    ).catch((error) => {
      if (!(error instanceof DomainError)) throw error
      return answerCall(services, { ...call, body: undefined, caller: { principal: null, refusal: error } })
    })
    // The call may have changed permissions. The thread announces the change too, but the message may arrive after the next call.
    if (inThread) callers.invalidate()
    const head = [...commonHeaders, 'X-Request-Id', requestId]
    const { status, headers, body: sent } = await compressReply(req, reply)
    for (const name in headers) head.push(name, String(headers[name]))
    if (status !== 204) head.push('Content-Length', String(Buffer.byteLength(sent)))
    res.writeHead(status, head).end(sent)
  }

  return async (req: IncomingMessage, res: ServerResponse, fallback: FallbackHandler): Promise<void> => {
    const sentId = req.headers['x-request-id']
    const requestId = typeof sentId === 'string' && /^[\w-]{8,100}$/.test(sentId) ? sentId : randomUUID()
    try {
      const { method = '', url = '' } = req
      // The Fetch API, which tRPC's handler uses, cannot represent TRACE.
      if (method === 'TRACE') throw new DomainError('invalid', 'method', 'The method TRACE is not supported. Use GET or POST.')
      const matched = matchCall(method, url)
      if (matched) await answer(req, res, { requestId, matched })
      else fallback(req, res, requestId)
    } catch (error) {
      // The client has disconnected.
      if (res.destroyed) return
      if (!res.headersSent)
        for (let at = 0; at < commonHeaders.length; at += 2)
          res.setHeader(assertDefined(commonHeaders[at]), assertDefined(commonHeaders[at + 1]))
      answerError(res, error, requestId)
    }
  }
}

/** Finds the procedures that a request calls. @returns null if the address is not part of the API */
function matchCall(method: string, address: string): MatchedCall | null {
  const path = normalisePath(address)
  const end = address.indexOf('?')
  const query = end < 0 ? '' : address.slice(end)
  const procedures = parseProcedurePath(path)
  if (procedures) {
    const policies = procedures.map(getProcedurePolicy)
    return {
      protocol: 'trpc',
      url: buildTrpcPath(procedures) + query,
      callCount: Math.min(procedures.length, maximumBatchSize),
      isLong: policies.some(runsInThread),
      maxBytes: Math.max(...policies.map(maxBytesOf)),
      isPicture: false,
    }
  }
  // A few REST calls have a second path outside /api.
  const procedure = findProcedure(method, path)
  if (!procedure && !/^\/api\//i.test(path)) return null
  // The API description and its page are served under /api by Express.
  if (!procedure && /^\/api\/(docs(\/scalar\.js)?|openapi\.json)\/?$/i.test(path)) return null
  const policy = getProcedurePolicy(procedure ?? '')
  const { isPicture = false } = policy
  return { protocol: 'rest', url: path + query, callCount: 1, isLong: runsInThread(policy), maxBytes: maxBytesOf(policy), isPicture }
}

const runsInThread = ({ isLong = false }: CallPolicy): boolean => isLong
const maxBytesOf = ({ mostBytes = defaultBodyBytes }: CallPolicy): number => mostBytes

/**
 * Returns the path with dot segments resolved, the same path that the routers match.
 * @throws DomainError 400 if the address contains U+0000, plain or escaped; URIError if it cannot be decoded
 */
function normalisePath(address: string): string {
  if (/%00|\\u0000|%5cu0000/i.test(address)) throw createNulCharacterError()
  const [whole = ''] = address.split('?')
  const path = whole.startsWith('/') ? new URL(`http://localhost${whole}`).pathname : whole
  if (path.includes('%')) decodeURIComponent(path)
  return path
}

/** Scans the JSON inputs in a query string, which the browser's queries use. @throws DomainError 400 as `createJsonScanner` */
function checkQueryString({ url = '' }: IncomingMessage): void {
  const at = url.indexOf('?')
  if (at >= 0) for (const input of new URLSearchParams(url.slice(at + 1)).getAll('input')) createJsonScanner()(Buffer.from(input))
}

function unrepeatedHeaders({ headers }: IncomingMessage): Record<string, string> {
  const once: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (typeof value === 'string') once[name] = value
  }
  return once
}
