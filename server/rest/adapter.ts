import { parse } from 'node:querystring'
import { callTRPCProcedure, TRPCError } from '@trpc/server'
import { DomainError, retryAfterSeconds, statusByErrorKind } from '../../domain/words/errors.ts'
import { breather } from '../core/breathe.ts'
import type { CallContext } from '../core/calls/context.ts'
import { isFile, publicError } from '../core/calls/procedures.ts'
import { appRouter } from '../features/appRouter.ts'
import type { Call, Reply } from '../http/call.ts'
import { readQuery } from './query.ts'
import { isKnownBase, type PathValues, type RestRoute, routed } from './routes.ts'

function said(status: number, text: string): Reply {
  return { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: text }
}

function json(status: number, value: unknown): Reply {
  return { status, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: JSON.stringify(value) }
}

/** Answers a REST call by the procedure that stands there, through the same gate as the browser. It decides nothing itself. */
export async function answerRest({ method, url, body }: Call, context: CallContext): Promise<Reply> {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const found = routed(method, path)
  if (found) return answered(found.route, { values: found.values, query, body, context })
  if (isKnownBase(path)) return context.principal ? said(501, 'Not Implemented') : said(401, 'Sign in to continue.')
  return said(404, 'There is nothing at this address.')
}

async function answered(
  route: RestRoute,
  { values, query, body, context }: { values: PathValues; query: string; body: unknown; context: CallContext },
): Promise<Reply> {
  try {
    const input = await inputOf(route, { values, query, body })
    const { procedure: path, type } = route
    const reply = await callTRPCProcedure({
      router: appRouter,
      path,
      type,
      ctx: context,
      getRawInput: async () => input,
      signal: undefined,
      batchIndex: 0,
    })
    if (isFile(reply)) {
      const disposition = `${reply.inline ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(reply.fileName)}`
      return { status: 200, headers: { 'Content-Type': reply.contentType, 'Content-Disposition': disposition }, body: reply.body }
    }
    const status = route.meta.rest.status ?? 200
    return status === 204 || reply === undefined ? { status: 204, headers: {}, body: '' } : json(status, reply)
  } catch (error) {
    const problem = publicError(error, context.requestId)
    const status = problem.kind === 'unexpected' ? 500 : statusByErrorKind[problem.kind]
    if (error instanceof TRPCError && problem.code === 'import') return json(status, problem.details)
    const reply = said(status, problem.message)
    const seconds = retryAfterSeconds(problem)
    if (seconds !== null) reply.headers['Retry-After'] = String(seconds)
    return reply
  }
}

/**
 * What a procedure is given: the values of the path, and beside them what stands in the body, or for a call without one behind the question
 * mark. A value of the path is the one that counts, whatever else says it.
 */
export async function inputOf(
  route: RestRoute,
  { values, query, body }: { values: PathValues; query: string; body: unknown },
): Promise<unknown> {
  const { method, isList } = route.meta.rest
  if (method === 'GET' || method === 'DELETE') return { ...readQuery(route.procedure, parse(query)), ...values }
  if (Array.isArray(body)) return { rows: isList ? body : await textRows(body), ...values }
  if (body !== undefined && (typeof body !== 'object' || body === null))
    throw new DomainError('invalid', 'body', 'The body of the call must be a JSON object, or for an import a list of rows.')
  return { ...body, ...values }
}

/** The rows of an import, in turns with what else waits. */
async function textRows(rows: readonly unknown[]): Promise<Record<string, string>[]> {
  const breathe = breather()
  const read: Record<string, string>[] = []
  for (const row of rows) {
    read.push(textCells(row))
    await breathe()
  }
  return read
}

/** Cells of an import may come as numbers or flags; a file has text only. @throws DomainError 400 for a row or a cell that is neither */
function textCells(row: unknown): Record<string, string> {
  if (typeof row !== 'object' || row === null || Array.isArray(row))
    throw new DomainError('invalid', 'row', 'Each row must be an object with a value for each column.')
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (typeof value === 'object' && value !== null)
        throw new DomainError('invalid', 'cell', `${name} must be text, a number, or true or false.`)
      return [name, String(value ?? '')]
    }),
  )
}
