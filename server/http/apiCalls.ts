import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { DomainError } from '../../domain/words/errors.ts'
import type { Caller, Callers } from '../auth/caller.ts'
import type { Services } from '../core/calls/context.ts'
import { type Policy, usualBytes } from '../core/calls/policies.ts'
import { databaseSays } from '../core/database/trouble.ts'
import { log } from '../core/log.ts'
import { imageUpload } from '../rest/imageUpload.ts'
import { policyOf, procedureAt } from '../rest/routes.ts'
import { answerCall } from './answerCall.ts'
import { answerError } from './answerError.ts'
import { parseJson, readBytes, readJson } from './body.ts'
import type { Call } from './call.ts'
import { admissionOf } from './gate.ts'
import type { HeavyCalls } from './heavyCalls.ts'
import { jsonScan, nulSign } from './jsonScan.ts'
import { addressOf, largestBatch, proceduresIn } from './trpcCalls.ts'

/** Where a call came in, and how it is to be taken. */
interface Taken {
  way: Call['way']
  /** Path and query. */
  url: string
  /** How many calls it is: those of a batch count each. */
  calls: number
  /** Whether it works long, and is answered by a thread of its own. */
  isLong: boolean
  /** Bytes its body may have. */
  most: number
  isPicture: boolean
}

/** What answers whatever is none of these calls, with the id that it was given. */
export type Otherwise = (req: IncomingMessage, res: ServerResponse, requestId: string) => void

/**
 * Answers calls of the REST API and of the browser, before anything else that the server offers is looked through. What an answer says of
 * people and their pay is for who asked, and kept by no browser and no proxy.
 * @param fixed what every answer has in its head, names and values in turn
 */
export function apiCalls(services: Services, { heavy, callers, fixed }: { heavy: HeavyCalls; callers: Callers; fixed: readonly string[] }) {
  const ownHeaders = [...fixed, 'Cache-Control', 'no-store']

  /** Who calls; what cannot be found out for want of a database refuses the call in words. */
  async function identify(req: IncomingMessage, calls: number): Promise<Caller> {
    try {
      return await callers.of(req, calls)
    } catch (error) {
      const refusal = error instanceof DomainError ? error : databaseSays(error)
      if (!refusal) throw error
      log.warn({ err: error }, 'nobody could be asked who calls')
      return { principal: null, refusal }
    }
  }

  /** Answers a call here, or in the thread of the long ones. Its body is read only when it is known who calls. */
  async function answer(
    req: IncomingMessage,
    res: ServerResponse,
    { requestId, taken: { way, url, calls, isLong, most, isPicture } }: { requestId: string; taken: Taken },
  ): Promise<void> {
    const gone = new AbortController()
    res.once('close', () => gone.abort())
    const caller = await identify(req, calls)
    const isKnown = Boolean(caller.principal && !caller.refusal)
    let body: unknown
    if (isKnown)
      try {
        checkQuestion(req)
        if (isPicture) body = await imageUpload(req, res)
        else body = await (isLong ? readBytes(req, most) : readJson(req, most))
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
        caller.refusal = error
      }
    const call: Call = { way, method: req.method ?? '', url, headers: headersOf(req), caller, requestId, body }
    const admission = isKnown && isLong && !caller.refusal ? await admissionOf(services, call) : null
    const inThread = admission !== null && !admission.isRefused
    if (admission?.isRefused && body instanceof Uint8Array) call.body = parseJson(body)
    const reply = await (inThread ? heavy.answer(call, { ...admission, gone: gone.signal }) : answerCall(services, call)).catch((error) => {
      if (!(error instanceof DomainError)) throw error
      return answerCall(services, { ...call, body: undefined, caller: { principal: null, refusal: error } })
    })
    // The thread tells of changed rights too, but nobody is to wait for that to come round.
    if (inThread) callers.forget()
    const head = [...ownHeaders, 'X-Request-Id', requestId]
    for (const name in reply.headers) head.push(name, String(reply.headers[name]))
    if (reply.status !== 204) head.push('Content-Length', String(Buffer.byteLength(reply.body)))
    res.writeHead(reply.status, head).end(reply.body)
  }

  return async (req: IncomingMessage, res: ServerResponse, otherwise: Otherwise): Promise<void> => {
    const given = req.headers['x-request-id']
    const requestId = typeof given === 'string' && /^[\w-]{8,100}$/.test(given) ? given : randomUUID()
    try {
      const { method = '', url = '' } = req
      // Fetch, by which the browser's calls are answered, knows no such method.
      if (method === 'TRACE') throw new DomainError('invalid', 'method', 'The method TRACE is not offered. Use GET or POST.')
      const taken = takenAt(method, url)
      if (taken) await answer(req, res, { requestId, taken })
      else otherwise(req, res, requestId)
    } catch (error) {
      // Nobody hears it.
      if (res.destroyed) return
      if (!res.headersSent)
        for (let at = 0; at < ownHeaders.length; at += 2) res.setHeader(assertDefined(ownHeaders[at]), assertDefined(ownHeaders[at + 1]))
      answerError(res, error, requestId)
    }
  }
}

/** The call at an address. @returns null for an address that is none of the API */
function takenAt(method: string, address: string): Taken | null {
  const path = pathOf(address)
  const end = address.indexOf('?')
  const query = end < 0 ? '' : address.slice(end)
  const procedures = proceduresIn(path)
  if (procedures) {
    const policies = procedures.map(policyOf)
    return {
      way: 'trpc',
      url: addressOf(procedures) + query,
      calls: Math.min(procedures.length, largestBatch),
      isLong: policies.some(isOfThread),
      most: Math.max(...policies.map(bytesOf)),
      isPicture: false,
    }
  }
  // A few calls stand at a second address outside of /api.
  const procedure = procedureAt(method, path)
  if (!procedure && !/^\/api\//i.test(path)) return null
  // The description of the API and its page stand below the same address.
  if (!procedure && /^\/api\/(docs(\/scalar\.js)?|openapi\.json)\/?$/i.test(path)) return null
  const policy = policyOf(procedure ?? '')
  const { isPicture = false } = policy
  return { way: 'rest', url: path + query, calls: 1, isLong: isOfThread(policy), most: bytesOf(policy), isPicture }
}

const isOfThread = ({ isLong = false }: Policy): boolean => isLong
const bytesOf = ({ mostBytes = usualBytes }: Policy): number => mostBytes

/**
 * The path of an address without dots that lead up, as whatever answers reads it.
 * @throws DomainError 400 for an address with U+0000 in it, plain or within JSON; URIError for one that cannot be decoded
 */
function pathOf(address: string): string {
  if (/%00|\\u0000|%5cu0000/i.test(address)) throw nulSign()
  const [whole = ''] = address.split('?')
  const path = whole.startsWith('/') ? new URL(`http://localhost${whole}`).pathname : whole
  if (path.includes('%')) decodeURIComponent(path)
  return path
}

/** The input that the browser writes behind the question mark is JSON as well. @throws DomainError 400 as `jsonScan` */
function checkQuestion({ url = '' }: IncomingMessage): void {
  const at = url.indexOf('?')
  if (at >= 0) for (const input of new URLSearchParams(url.slice(at + 1)).getAll('input')) jsonScan()(Buffer.from(input))
}

/** The headers that came once. */
function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const once: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (typeof value === 'string') once[name] = value
  }
  return once
}
