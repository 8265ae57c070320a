import { z } from 'zod'
import { inOrganisation, router } from '../../core/calls/procedures.ts'
import { search } from './queries.ts'
import * as replies from './replies.ts'

const wanted = z.string().trim().min(2, 'A search needs at least two letters.').max(100, 'A search has at most 100 letters.')

/** The search over everything: everybody may ask, and hears of what their own permissions and locations let them see. */
export const searchRouter = router({
  find: inOrganisation('signedIn', 'short')
    .input(z.object({ search: wanted }))
    .output(replies.hits)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => search({ ...ctx, tx, store: ctx.services.store }, input.search))),
})
