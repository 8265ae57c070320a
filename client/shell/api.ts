import { hashKey, QueryClient } from '@tanstack/react-query'
import { createTRPCClient, TRPCClientError } from '@trpc/client'
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import type { FieldProblem } from '../../domain/words/errors.ts'
import type { PublicError } from '../../server/core/calls/procedures.ts'
import type { AppRouter } from '../../server/features/appRouter.ts'
import { createTrpcLinks, IdempotencyKeys, readServerError } from './calls/trpcLinks.ts'
import { getSelection, type Selection } from './selection.ts'
import { getAccessToken, renewToken } from './session/session.ts'
import { markSessionEnded } from './session/sessionEnd.ts'

function selectionHeaders({ organisationId, locationId, budgetId } = getSelection()): Record<string, string> {
  return {
    ApiVersion: '2',
    ...(organisationId === null ? {} : { OrganisationId: String(organisationId) }),
    ...(locationId === null ? {} : { LocationId: String(locationId) }),
    ...(budgetId === null ? {} : { BudgetId: budgetId }),
  }
}

/**
 * Sends a request with the user's token. If the reply is 401, renews the token silently and retries once; if that fails, the session has
 * ended (notices X-15).
 */
async function fetchWithToken(input: RequestInfo | URL | string, init?: RequestInit): Promise<Response> {
  const send = (token: string | null): Promise<Response> =>
    fetch(input, {
      ...init,
      // tRPC passes its headers as a plain object.
      headers: { ...(init?.headers as Record<string, string>), ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    })
  const token = (await getAccessToken()) ?? (await renewToken())
  const reply = await send(token)
  if (reply.status !== 401) return reply
  const newToken = await renewToken()
  if (newToken) return send(newToken)
  markSessionEnded()
  return reply
}

const keys = new IdempotencyKeys()
let earlierSaveHandler: () => void = () => undefined
const onEarlierSave = (): void => earlierSaveHandler()

/** Registers the function that loads data again when an earlier save turns out to have succeeded although its reply was lost. */
export function setEarlierSaveHandler(read: () => void): void {
  earlierSaveHandler = read
}

/** Creates a tRPC client for calls outside React Query. */
export function createApi(selection: () => Selection) {
  const selectedHeaders = (): Record<string, string> => selectionHeaders(selection())
  return createTRPCClient<AppRouter>({
    links: createTrpcLinks({ url: '/trpc', keys, selection: selectedHeaders, fetch: fetchWithToken, onEarlierSave }),
  })
}

/** Makes calls with the selection at the time of the call. */
export const api = createApi(getSelection)

/**
 * Every procedure as React Query hooks, which are cached by name and input and load stale data again. A request is cancelled when it is
 * repeated or its screen closes, so that the server can stop working on it.
 */
export const trpc = createTRPCReact<AppRouter>({ abortOnUnmount: true })

/**
 * Creates the client for the hooks. The client keeps the selection with which it was created, so that a reply is never cached under another
 * selection.
 */
export function createTrpcClient(selection: Selection): ReturnType<typeof trpc.createClient> {
  return trpc.createClient({
    links: createTrpcLinks({ url: '/trpc', keys, selection: () => selectionHeaders(selection), fetch: fetchWithToken, onEarlierSave }),
  })
}

/** Cache keys must include the selection, because calls send it in headers and not in their input. */
function hashQueryKey(key: readonly unknown[]): string {
  const { organisationId, locationId, budgetId } = getSelection()
  return hashKey([organisationId, locationId, budgetId, ...key])
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, refetchOnWindowFocus: false, staleTime: 5000, queryKeyHashFn: hashQueryKey },
    // Without a network connection, a save fails at once and does not wait.
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** The cached replies by procedure, for example to store a saved record before a screen shows it. */
export const answerCache = createTRPCQueryUtils<AppRouter>({ queryClient: queryClient, client: api })

/** The types of the procedures' replies. */
export type RouterOutputs = inferRouterOutputs<AppRouter>

/** A query without input, as a prop of components that can show the result of several procedures. */
export interface QueryWithoutInput<T> {
  useQuery(): { data: T | undefined; isError: boolean; error: unknown; refetch: () => Promise<unknown> }
}

const unreachable: PublicError = {
  code: 'unreachable',
  kind: 'unexpected',
  message: 'The server cannot be reached.',
  fields: [],
  details: undefined,
}

/** An error that the client raises without asking the server, in the same shape as a refusal by the server. */
export class ClientRefusalError extends Error {
  readonly problem: PublicError
  constructor(message: string, fields: FieldProblem[]) {
    super(message)
    this.problem = { code: 'invalid', kind: 'invalid', message, fields, details: undefined }
  }
}

/**
 * Shown when the server has already received the idempotency key with other values, because the first reply was lost and the user edited
 * the form before saving again.
 */
const earlierSaveMessage =
  'Your first save succeeded, but its response was lost. The record is in the list: change it there instead of saving again.'

/** Converts any error to the message for the user, with the fields it concerns. */
export function toPublicError(error: unknown): PublicError {
  if (error instanceof ClientRefusalError) return error.problem
  if (error instanceof TRPCClientError) {
    const problem = readServerError(error) ?? unreachable
    return problem.code === 'otherBody' ? { ...problem, message: earlierSaveMessage } : problem
  }
  return { ...unreachable, code: 'unexpected', message: error instanceof Error ? error.message : 'Something went wrong.' }
}

/** Calls the REST API with the user's token and selection. Used for content that is not JSON, such as pictures. */
export function fetchRest(path: string, init?: RequestInit, ofNoOrganisation = false): Promise<Response> {
  return fetchWithToken(path, { ...init, headers: { ...init?.headers, ...(ofNoOrganisation ? { ApiVersion: '2' } : selectionHeaders()) } })
}

/**
 * Calls the REST API to change data. The call has an idempotency key, so that a retry takes effect only once.
 * @param name identifies the call together with its input
 */
export async function fetchRestOnce(
  path: string,
  { name, init, ofNoOrganisation = false }: { name: string; init: RequestInit; ofNoOrganisation?: boolean },
): Promise<Response> {
  const callName = JSON.stringify([path, ofNoOrganisation ? null : selectionHeaders(), name])
  const reply = await fetchRest(path, { ...init, headers: { 'Idempotency-Key': keys.keyOf(callName) } }, ofNoOrganisation)
  // A call that got 401 will be retried, and 409 means that the server is still running it. Neither is a final reply.
  if (reply.status < 500 && reply.status !== 401 && reply.status !== 409) keys.markAnswered(callName)
  return reply
}
