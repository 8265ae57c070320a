import { hashKey, QueryClient } from '@tanstack/react-query'
import { createTRPCClient, TRPCClientError } from '@trpc/client'
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import type { FieldProblem } from '../../domain/words/errors.ts'
import type { PublicError } from '../../server/core/calls/procedures.ts'
import type { AppRouter } from '../../server/features/appRouter.ts'
import { answerIn, CallKeys, callLinks } from './calls/callKeys.ts'
import { currentSelection, type Selection } from './selection.ts'
import { accessToken, renew } from './session/session.ts'
import { sessionEnded } from './session/sessionEnd.ts'

function selectionHeaders({ organisationId, locationId, budgetId } = currentSelection()): Record<string, string> {
  return {
    ApiVersion: '2',
    ...(organisationId === null ? {} : { OrganisationId: String(organisationId) }),
    ...(locationId === null ? {} : { LocationId: String(locationId) }),
    ...(budgetId === null ? {} : { BudgetId: budgetId }),
  }
}

/** On 401 one silent renewal and the call once more, else the session has ended (notices X-15). */
async function call(input: RequestInfo | URL | string, init?: RequestInit): Promise<Response> {
  const send = (token: string | null): Promise<Response> =>
    fetch(input, {
      ...init,
      // The library that makes these calls gives its headers as a plain object.
      headers: { ...(init?.headers as Record<string, string>), ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    })
  const token = (await accessToken()) ?? (await renew())
  const reply = await send(token)
  if (reply.status !== 401) return reply
  const again = await renew()
  if (again) return send(again)
  sessionEnded()
  return reply
}

const keys = new CallKeys()
let readAgain: () => void = () => undefined
const savedBefore = (): void => readAgain()

/** Says what reads again what was saved without an answer, so that lists show it. */
export function onSavedBefore(read: () => void): void {
  readAgain = read
}

/** Calls that are made outside of what a component shows: typed, on what is selected at that moment. */
export const api = createTRPCClient<AppRouter>({
  links: callLinks({ url: '/trpc', keys, selection: selectionHeaders, fetch: call, savedBefore }),
})

/**
 * Every procedure of the server as hooks: its answer is kept under its name and what it was asked, and read again when that is stale. A
 * request is cancelled when the same is asked again or its screen is left, so the server need not finish it.
 */
export const trpc = createTRPCReact<AppRouter>({ abortOnUnmount: true })

/** What the hooks call with. It stays with the selection that it was made for, so that an answer is never kept under another one. */
export function callerFor(selection: Selection): ReturnType<typeof trpc.createClient> {
  return trpc.createClient({
    links: callLinks({ url: '/trpc', keys, selection: () => selectionHeaders(selection), fetch: call, savedBefore }),
  })
}

/** An answer belongs to the selection that its call carried in its headers, which its key does not name. */
function hashOf(key: readonly unknown[]): string {
  const { organisationId, locationId, budgetId } = currentSelection()
  return hashKey([organisationId, locationId, budgetId, ...key])
}

export const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, refetchOnWindowFocus: false, staleTime: 5000, queryKeyHashFn: hashOf },
    // Without a network a save is refused at once, and not kept until there is one.
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** The answers that are kept, by procedure: what the server said of a record is put among them before a screen shows it. */
export const cache = createTRPCQueryUtils<AppRouter>({ queryClient: queries, client: api })

/** What the procedures answer, by their names. */
export type Answers = inferRouterOutputs<AppRouter>

/** A procedure that is asked for nothing but what is selected, as a part of a screen takes it that shows several alike. */
export interface Loads<T> {
  useQuery(): { data: T | undefined; isError: boolean; error: unknown; refetch: () => Promise<unknown> }
}

const unreachable: PublicError = {
  code: 'unreachable',
  kind: 'unexpected',
  message: 'The server cannot be reached.',
  fields: [],
  details: undefined,
}

/** What a page refuses by itself, in the same shape as a refusal of the server. */
export class Refusal extends Error {
  readonly problem: PublicError
  constructor(message: string, fields: FieldProblem[]) {
    super(message)
    this.problem = { code: 'invalid', kind: 'invalid', message, fields, details: undefined }
  }
}

/** What the server says of a key that it knows from another call comes of a form whose first answer was lost, and which was changed since. */
const savedBeforeWords =
  'Your first save went through; only its answer was lost. The list shows what was saved: change it there, instead of saving it again.'

/** What an error says to people, and the fields it belongs to. */
export function problemOf(error: unknown): PublicError {
  if (error instanceof Refusal) return error.problem
  if (error instanceof TRPCClientError) {
    const problem = answerIn(error) ?? unreachable
    return problem.code === 'otherBody' ? { ...problem, message: savedBeforeWords } : problem
  }
  return { ...unreachable, code: 'unexpected', message: error instanceof Error ? error.message : 'Something went wrong.' }
}

/** A call of the REST API with the caller's token and selection, for what is no JSON: pictures. */
export function rest(path: string, init?: RequestInit, ofNoOrganisation = false): Promise<Response> {
  return call(path, { ...init, headers: { ...init?.headers, ...(ofNoOrganisation ? { ApiVersion: '2' } : selectionHeaders()) } })
}

/**
 * A call of the REST API that changes something: sent again before it was answered, it is done once.
 * @param name what the call is, with all that it asks for
 */
export async function restOnce(
  path: string,
  { name, init, ofNoOrganisation = false }: { name: string; init: RequestInit; ofNoOrganisation?: boolean },
): Promise<Response> {
  const place = JSON.stringify([path, ofNoOrganisation ? null : selectionHeaders(), name])
  const reply = await rest(path, { ...init, headers: { 'Idempotency-Key': keys.keyOf(place) } }, ofNoOrganisation)
  // 401: to be asked again; 409: it is still being carried out.
  if (reply.status < 500 && reply.status !== 401 && reply.status !== 409) keys.answered(place)
  return reply
}
