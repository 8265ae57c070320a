import { z } from 'zod'
import { listRequest } from '../../../domain/lists/lists.ts'
import { listViewPermissions } from '../../../domain/people/permissions.ts'
import { forbidden } from '../../../domain/words/errors.ts'
import type { CallContext } from '../../core/calls/context.ts'
import { defineRestPaths, inOrganisation, router } from '../../core/calls/procedures.ts'
import { addActorNames, readRecordHistory } from '../../resources/referenceLog.ts'
import { history } from '../../resources/replies.ts'
import { apiClientInput, createApiClient, revokeApiClient, rotateApiClientSecret, updateApiClient } from './commands.ts'
import { readApiClient, readApiClientPage } from './queries.ts'
import * as replies from './replies.ts'

const reading = listViewPermissions('ConsoleUsers')
const writing = ['ConsoleUsersReadUpdate'] as const
const byId = z.object({ id: z.int().positive() })
const restRoute = defineRestPaths('/api/ApiClients', { entity: 'ApiClient', term: { singular: 'API client', plural: 'API clients' } })

/**
 * Clients may not create clients; otherwise a stolen secret could outlive its revocation.
 * @throws DomainError 403
 */
function refuseApiClient({ principal }: Pick<CallContext, 'principal'>): void {
  if (principal?.kind !== 'user') throw forbidden()
}

/** The external systems that sign in to one organisation, for its own users and for administrators. */
export const apiClientRouter = router({
  list: inOrganisation(reading, 'short', restRoute('POST', '/list', { summary: 'List API clients' }))
    .input(listRequest)
    .output(replies.clientPage)
    .query(({ ctx, input }) => ctx.services.store.asPlatform((tx) => readApiClientPage({ ...ctx, tx }, input))),
  get: inOrganisation(reading, 'short', restRoute('GET', '/{id:integer}', { summary: 'Read an API client' }))
    .input(byId)
    .output(replies.client)
    .query(({ ctx, input }) => ctx.services.store.asPlatform((tx) => readApiClient({ ...ctx, tx }, input.id))),
  create: inOrganisation(writing, 'rights', restRoute('POST', '', { status: 201, summary: 'Add an API client' }))
    .input(apiClientInput)
    .output(replies.clientWithSecret)
    .mutation(({ ctx, input }) => {
      refuseApiClient(ctx)
      return ctx.services.store.asPlatform((tx) => createApiClient({ ...ctx, tx }, input))
    }),
  update: inOrganisation(writing, 'rights', restRoute('PUT', '', { summary: 'Change an API client' }))
    .input(apiClientInput.extend({ id: z.int().positive(), version: z.int().nullish() }))
    .output(replies.client)
    .mutation(({ ctx, input }) => {
      refuseApiClient(ctx)
      return ctx.services.store.asPlatform((tx) => updateApiClient({ ...ctx, tx }, input))
    }),
  /** A new secret; the previous one stays valid for a day. */
  rotate: inOrganisation(
    writing,
    'rights',
    restRoute('POST', '/{id:integer}/secret', { status: 201, summary: 'Give a client a new secret' }),
  )
    .input(byId)
    .output(replies.clientWithSecret)
    .mutation(({ ctx, input }) => {
      refuseApiClient(ctx)
      return ctx.services.store.asPlatform((tx) => rotateApiClientSecret({ ...ctx, tx }, input.id))
    }),
  revoke: inOrganisation(writing, 'rights', restRoute('POST', '/{id:integer}/revoke', { summary: 'Revoke an API client permanently' }))
    .input(byId)
    .output(replies.client)
    .mutation(({ ctx, input }) => {
      if (ctx.principal.kind !== 'user') throw forbidden()
      return ctx.services.store.asPlatform((tx) => revokeApiClient({ ...ctx, tx }, input.id))
    }),
  history: inOrganisation(reading, 'short')
    .input(byId)
    .output(history)
    .query(async ({ ctx, input }) => {
      const entries = await ctx.services.store.asPlatform(async (tx) => {
        await readApiClient({ ...ctx, tx }, input.id)
        return readRecordHistory(tx, { name: 'apiClient' }, input.id)
      })
      return addActorNames(ctx.services.store, entries)
    }),
})
