import { QueryClient } from '@tanstack/react-query'
import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client'
import superjson from 'superjson'
import type { AppRouter } from '../../server/routers/app.ts'
import type { PublicError } from '../../server/trpc/procedures.ts'
import { currentSelection } from '../state/selection.ts'
import { sessionEnded } from '../state/sessionEnd.ts'
import { accessToken, renew } from './session.ts'

function selectionHeaders(): Record<string, string> {
  const { organisationId, locationId, budgetId } = currentSelection()
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

const link = httpBatchLink({
  url: '/trpc',
  transformer: superjson,
  maxURLLength: 4000,
  headers: () => ({ ...selectionHeaders(), 'X-Request-Id': crypto.randomUUID() }),
  fetch: call as typeof fetch,
})

/** Every procedure of the server, typed. */
export const api = createTRPCClient<AppRouter>({ links: [link] })

export const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, staleTime: 5000 }, mutations: { retry: false } },
})

const unreachable: PublicError = {
  code: 'unreachable',
  kind: 'unexpected',
  message: 'The server cannot be reached.',
  fields: [],
  details: undefined,
}

/** What an error says to people, and the fields it belongs to. */
export function problemOf(error: unknown): PublicError {
  if (error instanceof TRPCClientError) return (error.data as { problem?: PublicError } | undefined)?.problem ?? unreachable
  return { ...unreachable, code: 'unexpected', message: error instanceof Error ? error.message : 'Something went wrong.' }
}

/** A call of the REST API with the caller's token and selection, for what is no JSON: pictures. */
export function rest(path: string, init?: RequestInit, ofNoOrganisation = false): Promise<Response> {
  return call(path, { ...init, headers: ofNoOrganisation ? { ApiVersion: '2' } : selectionHeaders() })
}
