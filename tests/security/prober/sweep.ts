import { randomUUID } from 'node:crypto'
import { statusByErrorKind } from '../../../domain/words/errors.ts'
import type { CallContext, Selection, Services } from '../../../server/core/calls/context.ts'
import type { Principal } from '../../../server/core/calls/principal.ts'
import { isFile, toPublicError } from '../../../server/core/calls/procedures.ts'
import { listRestAddresses } from '../../../server/core/calls/restMeta.ts'
import { createCaller } from '../../../server/features/appRouter.ts'
import { allProcedures } from '../../../server/rest/routes.ts'
import { inputOf } from './inputs.ts'
import type { Kind } from './kinds.ts'
import type { Calls, Ids } from './world.ts'

/** The result of a call: its status and the whole text of its reply. */
export interface Outcome {
  procedure: string
  input: unknown
  status: number
  text: string
  /** The unexpected error, for the reader of a failing test. */
  cause?: string
}

/** The caller and the selection. */
export interface Who {
  principal: Principal | null
  selection: Selection
}

export const noSelection: Selection = { organisationId: null, locationId: null, budgetId: null }

/** The procedures called as one user with one selection. */
export function callsOf(services: Services, who: Who): Calls {
  return createCaller(contextOf(services, who))
}

/** The context of a call, as the server makes it once it knows the caller. */
export function contextOf(services: Services, who: Who): CallContext {
  return { services, ...who, requestId: randomUUID(), now: new Date(), turn: (work) => work() }
}

function said(reply: unknown): string {
  if (!isFile(reply)) return JSON.stringify(reply) ?? ''
  return `${reply.fileName} ${typeof reply.body === 'string' ? reply.body : reply.body.toString('latin1')}`
}

/** Calls a procedure through its permission gate, as REST and the browser do. */
export async function call(services: Services, who: Who, procedure: string, input: unknown): Promise<Outcome> {
  try {
    let at = callsOf(services, who)
    for (const part of procedure.split('.')) at = at[part]
    return { procedure, input, status: 200, text: said(await at(input)) }
  } catch (error) {
    const { kind, message, fields, details } = toPublicError(error, 'prober')
    const inner = (error as { cause?: { cause?: unknown } }).cause
    return {
      procedure,
      input,
      status: kind === 'unexpected' ? 500 : statusByErrorKind[kind],
      text: JSON.stringify({ message, fields, details }),
      cause: kind === 'unexpected' ? String(inner?.cause ?? inner ?? error) : undefined,
    }
  }
}

/** The id of a record of this kind, a different one for each place if there are several. */
export function idOf(ids: Ids, kind: Kind, place: number): unknown {
  const known = ids.get(kind) ?? []
  return known.length ? known[place % known.length] : undefined
}

/** The inputs of a procedure: a foreign id in each place in turn, with the caller’s own in the others, then in all places. */
export function* buildInputs(procedure: string, own: Ids, foreign: Ids): Generator<unknown> {
  const { places, build } = inputOf(procedure)
  const from = (ids: (place: number) => Ids) => (place: number, kind: Kind) => idOf(ids(place), kind, place) ?? idOf(own, kind, place) ?? 1
  yield build(from(() => foreign))
  if (places.length > 1)
    for (const wanted of places.keys()) if (wanted < 10) yield build(from((place) => (place === wanted ? foreign : own)))
  yield build(
    from(() => foreign),
    { filtered: true },
  )
  // A call that has an address without this field works for the whole organisation when the field is null.
  const { without } = listRestAddresses(allProcedures[procedure]!._def.meta!.rest)[0] ?? {}
  if (without) yield { ...(build(from(() => own)) as object), [without]: null }
}

/** The input of an honest caller. */
export function buildHonestInput(procedure: string, own: Ids): unknown {
  return inputOf(procedure).build((place, kind) => idOf(own, kind, place) ?? 1)
}

/** Runs calls, several at a time. */
export async function runAll<T>(jobs: Iterable<() => Promise<T>>, atOnce = 6): Promise<T[]> {
  const results: T[] = []
  const waiting = jobs[Symbol.iterator]()
  const worker = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) results.push(await next.value())
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

export const procedureNames = Object.keys(allProcedures)
export const isMutation = (procedure: string): boolean => allProcedures[procedure]!._def.type === 'mutation'
