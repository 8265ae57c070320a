import { parse } from 'node:querystring'
import { callTRPCProcedure, TRPCError } from '@trpc/server'
import { DomainError, findRetrySeconds, statusByErrorKind } from '../../domain/words/errors.ts'
import type { CallContext } from '../core/calls/context.ts'
import { isFile, toPublicError } from '../core/calls/procedures.ts'
import { createYielder } from '../core/yielding.ts'
import { appRouter } from '../features/appRouter.ts'
import type { HttpCall, HttpReply } from '../http/call.ts'
import { parseQuery } from './query.ts'
import { isEntityPath, matchRoute, type PathValues, type RestRoute } from './routes.ts'

function textReply(status: number, text: string): HttpReply {
  return { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: text }
}

function jsonReply(status: number, value: unknown): HttpReply {
  return { status, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: JSON.stringify(value) }
}

export async function handleRestCall({ method, url, body }: HttpCall, context: CallContext): Promise<HttpReply> {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const match = matchRoute(method, path)
  if (match) return callProcedure(match.route, { values: match.values, query, body, context })
  if (isEntityPath(path)) return context.principal ? textReply(501, 'Not Implemented') : textReply(401, 'Sign in to continue.')
  return textReply(404, 'There is nothing at this address.')
}

async function callProcedure(
  route: RestRoute,
  { values, query, body, context }: { values: PathValues; query: string; body: unknown; context: CallContext },
): Promise<HttpReply> {
  try {
    const input = await buildProcedureInput(route, { values, query, body })
    const { procedure: path, type } = route
    const reply = await callTRPCProcedure({
      router: appRouter,
      path,
      type,
      ctx: { ...context, address: route.meta.rest },
      getRawInput: async () => input,
      signal: undefined,
      batchIndex: 0,
    })
    if (isFile(reply)) {
      const disposition = `${reply.inline ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(reply.fileName)}`
      return { status: 200, headers: { 'Content-Type': reply.contentType, 'Content-Disposition': disposition }, body: reply.body }
    }
    const status = route.meta.rest.status ?? 200
    return status === 204 || reply === undefined ? { status: 204, headers: {}, body: '' } : jsonReply(status, reply)
  } catch (error) {
    const problem = toPublicError(error, context.requestId)
    const status = problem.kind === 'unexpected' ? 500 : statusByErrorKind[problem.kind]
    if (error instanceof TRPCError && problem.code === 'import') return jsonReply(status, problem.details)
    const reply = textReply(status, problem.message)
    const seconds = findRetrySeconds(problem)
    if (seconds !== null) reply.headers['Retry-After'] = String(seconds)
    return reply
  }
}

/**
 * Builds a procedure's input: path values plus the body, or the query string for methods without a body. Path values win over others of the
 * same name.
 */
export async function buildProcedureInput(
  route: RestRoute,
  { values, query, body }: { values: PathValues; query: string; body: unknown },
): Promise<unknown> {
  const { method, isList } = route.meta.rest
  if (method === 'GET' || method === 'DELETE') return { ...parseQuery(route.procedure, parse(query)), ...values }
  if (Array.isArray(body)) return { rows: isList ? body : await toTextRows(body), ...values }
  if (body !== undefined && (typeof body !== 'object' || body === null))
    throw new DomainError('invalid', 'body', 'The request body must be a JSON object, or for an import a list of rows.')
  return { ...body, ...values }
}

/** Converts the rows of an import to text. It yields between rows, so that other requests are not delayed. */
async function toTextRows(rows: readonly unknown[]): Promise<Record<string, string>[]> {
  const breathe = createYielder()
  const read: Record<string, string>[] = []
  for (const row of rows) {
    read.push(toTextCells(row))
    await breathe()
  }
  return read
}

/**
 * Converts numbers and booleans to text, because a file has only text cells.
 * @throws DomainError 400 for a row that is not an object, or a nested cell
 */
function toTextCells(row: unknown): Record<string, string> {
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
