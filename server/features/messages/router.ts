import { z } from 'zod'
import { requestType } from '../../../domain/lookups/lookupIds.ts'
import { resources } from '../../../domain/resources/all.ts'
import type { UserId } from '../../../domain/values/ids.ts'
import { notFound } from '../../../domain/words/errors.ts'
import { listBrokenLogs } from '../../audit/verify/selfCheck.ts'
import { acknowledgePasswordLink, listUnacknowledgedPasswordLinks } from '../../auth/passwords/invitations.ts'
import { global, router } from '../../core/calls/procedures.ts'
import { emptyReply } from '../../core/calls/reply.ts'
import type { RowScope } from '../../core/calls/scope.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { readUserNamesWithin } from '../../core/database/userNames.ts'
import * as queries from '../../resources/queries.ts'
import { createRecordReply } from '../../resources/replies.ts'
import { listFailingConnections } from '../../shared/integrations/connections/queries.ts'
import { listDisabledWebhooks } from '../../shared/integrations/webhooks/queries.ts'
import { readPublishedHelp } from '../../shared/messages/queries.ts'
import * as replies from './replies.ts'

async function listLinksToAcknowledge(tx: OrganisationTx, userId: UserId) {
  const links = await listUnacknowledgedPasswordLinks(tx, userId)
  const names = await readUserNamesWithin(
    tx,
    links.map((link) => link.byId),
  )
  return links.map(({ byId, isKnown: _isKnown, ...link }) => ({
    ...link,
    by: byId === null ? 'Bursar' : (names.get(byId) ?? 'Someone'),
  }))
}

/** Messages, news and help for the signed-in user. */
export const communicationRouter = router({
  /** The current messages and news for the caller in the selected organisation (behaviours B-251 and B-257). */
  now: global('signedIn', 'short')
    .output(replies.currentMessages)
    .query(async ({ ctx }) => {
      // Covers all organisations, so it cannot run in a transaction that is limited to one.
      const broken = ctx.principal.isAdministrator ? await ctx.services.store.asPlatform(listBrokenLogs) : []
      return ctx.inTransaction(async (tx) => {
        // Show administrators what other users see: only current messages, and none of other organisations.
        const { organisationId } = ctx.selection
        const rows: RowScope = { ...ctx.rows, organisationId, reaches: ctx.rows.reaches ?? [], shownOnly: true }
        const request = {
          sort: 'active',
          sortDirection: 'desc' as const,
          requestType: organisationId === null ? requestType.national : requestType.both,
        }
        const { userId } = ctx.principal
        return {
          messages: await queries.listAllRecords({ tx, scope: rows }, resources.flashMessage, request),
          /** Password links that others created for the caller, shown until the caller acknowledges them. */
          passwordLinks: userId === null ? [] : await listLinksToAcknowledge(tx, userId),
          brokenLogs: broken,
          disabledWebhooks: await listDisabledWebhooks(tx, { organisationId, holder: ctx.holder }),
          failingConnections: await listFailingConnections(tx, { organisationId, holder: ctx.holder }),
          news: (await queries.listAllRecords({ tx, scope: rows }, resources.newsArticle, request)).slice(0, 20),
        }
      })
    }),
  /** Acknowledges a password link that someone else created for the caller. */
  knowLink: global('signedIn', 'short')
    .input(z.object({ number: z.int().positive() }))
    .output(emptyReply)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        if (ctx.principal.userId !== null) await acknowledgePasswordLink({ ...ctx, tx }, ctx.principal.userId, input.number)
      }),
    ),
  /** The titles of all help articles, or of those that match a search, with the screens each belongs to. */
  help: global('signedIn', 'short')
    .input(z.object({ search: z.string().max(100, 'A search can have at most 100 characters.') }))
    .output(replies.help)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => readPublishedHelp(tx, ctx.rows, input.search))),
  /** The help article at an address, while it is published (behaviour B-038). */
  article: global('signedIn', 'short', {
    method: 'GET',
    path: '/api/Assist/slug/{slug}',
    entity: 'Assist',
    summary: 'Read a help article by its short name',
  })
    .input(
      z.object({
        slug: z
          .string()
          .max(80)
          .meta({ description: 'The short name of the article, as in its address.', examples: ['adding-a-budget-code'] }),
      }),
    )
    .output(createRecordReply(resources.assist))
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const filters = [{ filter: 'slug', filterType: 'text' as const, type: 'equals', value: input.slug }]
        const [found] = await queries.listAllRecords({ tx, scope: { ...ctx.rows, shownOnly: true } }, resources.assist, { filters })
        if (!found) throw notFound('Help article')
        return found
      }),
    ),
})
