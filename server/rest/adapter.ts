import { TRPCError } from '@trpc/server'
import type { Request, Response } from 'express'
import { statusOf } from '../../domain/errors.ts'
import { allResources } from '../../domain/resources/all.ts'
import { appRouter, createCaller } from '../routers/app.ts'
import type { CallContext } from '../trpc/context.ts'
import { isFile, type Meta, publicError, type RestMeta } from '../trpc/procedures.ts'

/** One place of the REST API and the procedure behind it. */
export interface RestRoute {
  procedure: string
  type: 'query' | 'mutation'
  meta: Meta & { rest: RestMeta }
  segments: string[]
  path: string
}

type Procedures = Record<string, { _def: { meta?: Meta; type: 'query' | 'mutation' } }>

export const allProcedures = appRouter._def.procedures as unknown as Procedures

/** The table of the adapter, read off the procedures; static parts win over parameters. @throws Error for a procedure without a gate */
export const restRoutes: RestRoute[] = Object.entries(allProcedures)
  .flatMap(([procedure, { _def }]) => {
    if (!_def.meta) throw new Error(`${procedure} names no permission`)
    const { rest } = _def.meta
    if (!rest) return []
    return [rest.path, ...(rest.also ?? [])].map((path) => ({
      procedure,
      type: _def.type,
      meta: { ..._def.meta!, rest },
      path,
      segments: path.toLowerCase().split('/').slice(1),
    }))
  })
  .sort((a, b) => weight(a.segments).localeCompare(weight(b.segments)))

function weight(segments: string[]): string {
  return segments.map((segment) => (segment.startsWith('{') ? '1' : '0')).join('')
}

const kinds: Record<string, RegExp> = { integer: /^\d{1,9}$/, mongoid: /^[0-9a-f]{24}$/i }

/** The values of a path's parameters, or null when the path is another; letter case does not matter, values keep theirs (behaviour B-064). */
function match(route: RestRoute, parts: string[]): Record<string, string | number> | null {
  if (parts.length !== route.segments.length) return null
  const literal = route.path.split('/').slice(1)
  const values: Record<string, string | number> = {}
  for (const [index, segment] of route.segments.entries()) {
    const part = parts[index]!
    if (!segment.startsWith('{')) {
      if (segment !== part.toLowerCase()) return null
      continue
    }
    const [name, kind = ''] = literal[index]!.slice(1, -1).split(':')
    if (kinds[kind.toLowerCase()] && !kinds[kind.toLowerCase()]!.test(part)) return null
    values[name!] = kind === 'integer' ? Number(part) : part
  }
  return values
}

/** The base paths of entities, those of hand-made calls included. */
const bases = new Set(
  [
    ...allResources.flatMap((resource) => [resource.path, resource.own?.path ?? resource.path]),
    ...['AppliedExtendedLeave', 'MyUsers', 'Terminology', 'budgeting/BudgetCodes', 'budgeting/CostCentres', 'budgeting/ProfileTemplates'],
  ].map((path) => `/api/${path}`.toLowerCase()),
)

/** A call of a known base path that is not offered answers 501 (notices X-10). */
function isKnownBase(path: string): boolean {
  const lower = path.toLowerCase()
  return [...bases].some(
    (base) =>
      lower === base || (lower.startsWith(`${base}/`) && /^\/(\d+|list|delete|import|bulk|edit|export)$/.test(lower.slice(base.length))),
  )
}

function send(res: Response, status: number, text: string): void {
  res.status(status).type('text/plain').send(text)
}

/** Answers a REST call by the procedure that stands there, through the same gate as the browser. It decides nothing itself. */
export async function answer(req: Request, res: Response, makeContext: () => Promise<CallContext>, requestId: string): Promise<void> {
  const parts = req.path.replace(/\/+$/, '').split('/').slice(1).map(decodeURIComponent)
  for (const route of restRoutes) {
    if (route.meta.rest.method !== req.method) continue
    const values = match(route, parts)
    if (values) return call(route, values, req, res, makeContext, requestId)
  }
  if (isKnownBase(req.path)) {
    const context = await makeContext().catch(() => null)
    return context?.principal ? send(res, 501, 'Not Implemented') : send(res, 401, 'Sign in to continue.')
  }
  res.status(404).json({ message: 'There is nothing at this address.' })
}

async function call(
  route: RestRoute,
  values: Record<string, string | number>,
  req: Request,
  res: Response,
  makeContext: () => Promise<CallContext>,
  requestId: string,
): Promise<void> {
  try {
    const context = await makeContext()
    const body: unknown = req.body
    const input = Array.isArray(body)
      ? { rows: body.map(textCells), ...values }
      : { ...asked(req.query), ...(body as object | undefined), ...values }
    let at: unknown = createCaller(context)
    for (const part of route.procedure.split('.')) at = (at as Record<string, unknown>)[part]
    const reply = await (at as (input: unknown) => Promise<unknown>)(input)
    if (isFile(reply)) {
      res
        .set('Content-Type', reply.contentType)
        .set('Content-Disposition', `${reply.inline ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(reply.fileName)}`)
        .send(reply.body)
      return
    }
    const status = route.meta.rest.status ?? 200
    if (status === 204 || reply === undefined) res.status(204).end()
    else res.status(status).json(reply)
  } catch (error) {
    const problem = publicError(error, requestId)
    const status = problem.kind === 'unexpected' ? 500 : statusOf[problem.kind]
    if (problem.kind === 'tooMany') res.set('Retry-After', String((problem.details as { seconds: number } | undefined)?.seconds ?? 60))
    if (error instanceof TRPCError && problem.code === 'import') res.status(status).json(problem.details)
    else send(res, status, problem.message)
  }
}

/** What stands behind the question mark of an address: numbers are numbers. */
function asked(query: Request['query']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value]),
  )
}

/** Cells of an import may come as numbers or flags; a file has text only. */
function textCells(row: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries((row ?? {}) as Record<string, unknown>).map(([name, value]) => [
      name,
      value === null || value === undefined ? '' : String(value),
    ]),
  )
}
