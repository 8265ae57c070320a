import { z } from 'zod'
import { notFound } from '../../domain/errors.ts'
import { resources } from '../../domain/resources/all.ts'
import * as queries from '../store/resourceQueries.ts'
import type { RowScope } from '../store/rowRules.ts'
import { global, router } from '../trpc/procedures.ts'

/** What the product says to the person who is signed in. */
export const communicationRouter = router({
  /** The messages and the news that show now and are meant for the caller in the selected organisation (behaviours B-251 and B-257). */
  now: global('signedIn').query(({ ctx }) =>
    ctx.inTransaction(async (tx) => {
      // Administrators too see what people see: only what shows, and not what another organisation says to its own.
      const { organisationId } = ctx.selection
      const rows: RowScope = { ...ctx.rows, organisationId, organisationIds: ctx.rows.organisationIds ?? [], shownOnly: true }
      const request = { sort: 'active', sortDirection: 'desc' as const, requestType: organisationId === null ? (2 as const) : (3 as const) }
      return {
        messages: await queries.all(tx, resources.flashMessage, rows, request),
        news: (await queries.all(tx, resources.newsArticle, rows, request)).slice(0, 20),
      }
    }),
  ),
  /** The help article at an address, while it shows (behaviour B-038). */
  article: global('signedIn', { method: 'GET', path: '/api/Assist/slug/{slug}', entity: 'Assist' })
    .input(z.object({ slug: z.string().max(80) }))
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const filters = [{ filter: 'slug', filterType: 'text' as const, type: 'equals', value: input.slug }]
        const [found] = await queries.all(tx, resources.assist, { ...ctx.rows, shownOnly: true }, { filters })
        if (!found) throw notFound('Help article')
        return found
      }),
    ),
})
