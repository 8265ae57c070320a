import findMyWay from 'find-my-way'
import { allResources } from '../../domain/resources/all.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { type CallPolicy, getCallPolicy } from '../core/calls/policies.ts'
import type { ProcedureMeta } from '../core/calls/procedures.ts'
import { listRestAddresses, type RestAddress } from '../core/calls/restMeta.ts'
import { appRouter } from '../features/appRouter.ts'

export interface RestRoute {
  procedure: string
  /** The route's name in the API description. If a procedure also has a route for the whole organisation, that route has another name. */
  operation: string
  type: 'query' | 'mutation'
  /** The procedure's meta, with the access and the REST details of this route. */
  meta: Omit<ProcedureMeta, 'rest'> & { rest: RestAddress }
  path: string
}

interface Procedure {
  _def: { meta?: ProcedureMeta; type: 'query' | 'mutation'; inputs?: unknown[]; output?: unknown }
}

const procedures: object = appRouter._def.procedures
// Each procedure has its own type; `Procedure` is what they have in common.
export const allProcedures = procedures as Record<string, Procedure>

/** The policy of a procedure. An unknown name has the policy of a short call. */
export function getProcedurePolicy(procedure: string): CallPolicy {
  const meta = Object.hasOwn(allProcedures, procedure) ? allProcedures[procedure]?._def.meta : undefined
  return getCallPolicy(meta?.policy ?? 'short')
}

/** Every REST route, derived from the procedures. @throws Error for a procedure without a gate */
export const restRoutes: RestRoute[] = Object.entries(allProcedures).flatMap(([procedure, { _def }]) => {
  const { type, meta: all } = _def
  if (!all) throw new Error(`${procedure} names no permission`)
  return listRestAddresses(all.rest).flatMap((rest) => {
    const meta = { ...all, access: rest.access ?? all.access, rest }
    const operation = rest.without ? `${procedure}Console` : procedure
    return [rest.path, ...(rest.also ?? [])].map((path) => ({ procedure, operation, type, meta, path }))
  })
})

/** Patterns of typed path parameters; a value that does not match belongs to another route. */
const parameterPatterns: Record<string, string> = { integer: '(^\\d{1,9}$)', mongoId: '(^[0-9a-fA-F]{24}$)' }

/** The values of path parameters; those of integer parameters are numbers. */
export type PathValues = Record<string, string | number>

interface RouteEntry {
  route: RestRoute
  integers: ReadonlySet<string>
}

const router = findMyWay<findMyWay.HTTPVersion.V1>({
  caseSensitive: false,
  ignoreTrailingSlash: true,
  ignoreDuplicateSlashes: false,
  maxParamLength: 200,
})

for (const route of restRoutes) {
  const integers = new Set([...route.path.matchAll(/\{(\w+):integer\}/g)].map((match) => assertDefined(match[1])))
  const path = route.path.replace(
    /\{(\w+)(?::(\w+))?\}/g,
    (_all, name: string, kind?: string) => `:${name}${kind ? parameterPatterns[kind] : ''}`,
  )
  router.on(route.meta.rest.method, path, () => undefined, { route, integers } satisfies RouteEntry)
}

/** Removes trailing slashes in linear time, however many there are. */
function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end--
  return path.slice(0, end)
}

/**
 * Finds the route for an address and its path values. Static segments win over parameters, a typed parameter matches only its type, and
 * case matters only in values (behaviour B-064).
 */
export function matchRoute(method: string, path: string): { route: RestRoute; values: PathValues } | null {
  // The router returns null for a method it does not know.
  const match = router.find(method as findMyWay.HTTPMethod, withoutTrailingSlashes(path))
  if (!match) return null
  const { route, integers }: RouteEntry = match.store
  const values = Object.entries(match.params).map(([name, value]) => [name, integers.has(name) ? Number(value) : assertDefined(value)])
  return { route, values: Object.fromEntries(values) }
}

export function findProcedure(method: string, path: string): string | undefined {
  return matchRoute(method, path)?.route.procedure
}

/** The paths at which calls of an entity start, including hand-written calls. */
const basePaths = new Set(
  [
    ...allResources.flatMap((resource) => [resource.path, resource.own?.path ?? resource.path]),
    ...['AppliedExtendedLeave', 'MyUsers', 'Terminology', 'budgeting/BudgetCodes', 'budgeting/CostCentres', 'budgeting/ProfileTemplates'],
  ].map((path) => `/api/${path}`.toLowerCase()),
)

/** Whether a path belongs to a known entity but to none of its calls; the answer is then 501 (notices X-10). */
export function isEntityPath(path: string): boolean {
  const lower = path.toLowerCase()
  return [...basePaths].some(
    (base) =>
      lower === base ||
      (lower.startsWith(`${base}/`) && /^\/(\d{1,9}|list|delete|import|bulk|edit|export)$/.test(lower.slice(base.length))),
  )
}
