import { z } from 'zod'
import { inOrganisation, router } from '../../core/calls/procedures.ts'
import { search } from './queries.ts'
import * as replies from './replies.ts'

const wanted = z.string().trim().min(2, 'A search needs at least two characters.').max(100, 'A search can have at most 100 characters.')

/** Search across everything. Everyone may call it, and finds what their permissions and locations allow. */
export const searchRouter = router({
  find: inOrganisation('signedIn', 'short')
    .input(z.object({ search: wanted }))
    .output(replies.hits)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => search({ ...ctx, tx, store: ctx.services.store }, input.search))),
})
