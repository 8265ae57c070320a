import findMyWay from 'find-my-way'
import { allResources } from '../../domain/resources/all.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { type Policy, policyNamed } from '../core/calls/policies.ts'
import type { Meta, RestMeta } from '../core/calls/procedures.ts'
import { appRouter } from '../features/appRouter.ts'

/** One place of the REST API and the procedure behind it. */
export interface RestRoute {
  procedure: string
  type: 'query' | 'mutation'
  meta: Meta & { rest: RestMeta }
  path: string
}

/** A procedure as the adapter and the description see it. */
interface Procedure {
  _def: { meta?: Meta; type: 'query' | 'mutation'; inputs?: unknown[]; output?: unknown }
}

const procedures: object = appRouter._def.procedures
// Each of a thousand procedures has a type of its own; what they have in common is what is looked at here.
export const allProcedures = procedures as Record<string, Procedure>

/** The policy of a procedure by its name; a name that there is none of has that of a short call. */
export function policyOf(procedure: string): Policy {
  const meta = Object.hasOwn(allProcedures, procedure) ? allProcedures[procedure]?._def.meta : undefined
  return policyNamed(meta?.policy ?? 'short')
}

/** Every place of the REST API, read off the procedures. @throws Error for a procedure without a gate */
export const restRoutes: RestRoute[] = Object.entries(allProcedures).flatMap(([procedure, { _def }]) => {
  if (!_def.meta) throw new Error(`${procedure} names no permission`)
  const { rest } = _def.meta
  if (!rest) return []
  const meta = { ..._def.meta, rest }
  return [rest.path, ...(rest.also ?? [])].map((path) => ({ procedure, type: _def.type, meta, path }))
})

/** What a typed parameter of a path may be; any other value is another address. */
const kinds: Record<string, string> = { integer: '(^\\d{1,9}$)', mongoId: '(^[0-9a-fA-F]{24}$)' }

/** A value of a path that is typed as a number is one. */
export type PathValues = Record<string, string | number>

interface Place {
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
  const path = route.path.replace(/\{(\w+)(?::(\w+))?\}/g, (_all, name: string, kind?: string) => `:${name}${kind ? kinds[kind] : ''}`)
  router.on(route.meta.rest.method, path, () => undefined, { route, integers } satisfies Place)
}

/** An address with or without slashes at its end is the same; many of them cost no more than one. */
function withoutSlash(path: string): string {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end--
  return path.slice(0, end)
}

/**
 * The procedure that stands at an address, with the values that the address names. Letter case does not matter, values keep theirs; static
 * parts win over parameters, and a typed parameter takes only its type (behaviour B-064).
 */
export function routed(method: string, path: string): { route: RestRoute; values: PathValues } | null {
  // A method that there is none of is found nowhere.
  const found = router.find(method as findMyWay.HTTPMethod, withoutSlash(path))
  if (!found) return null
  const { route, integers }: Place = found.store
  const values = Object.entries(found.params).map(([name, value]) => [name, integers.has(name) ? Number(value) : assertDefined(value)])
  return { route, values: Object.fromEntries(values) }
}

/** The name of the procedure at an address. */
export function procedureAt(method: string, path: string): string | undefined {
  return routed(method, path)?.route.procedure
}

/** The base paths of entities, those of hand-made calls included. */
const bases = new Set(
  [
    ...allResources.flatMap((resource) => [resource.path, resource.own?.path ?? resource.path]),
    ...['AppliedExtendedLeave', 'MyUsers', 'Terminology', 'budgeting/BudgetCodes', 'budgeting/CostCentres', 'budgeting/ProfileTemplates'],
  ].map((path) => `/api/${path}`.toLowerCase()),
)

/** A call of a known base path that is not offered answers 501 (notices X-10). */
export function isKnownBase(path: string): boolean {
  const lower = path.toLowerCase()
  return [...bases].some(
    (base) =>
      lower === base ||
      (lower.startsWith(`${base}/`) && /^\/(\d{1,9}|list|delete|import|bulk|edit|export)$/.test(lower.slice(base.length))),
  )
}
