import { z } from 'zod'
import { inOrganisation, router } from '../../core/calls/procedures.ts'
import { feedPermissions, readEventFeed } from '../../shared/events/queries.ts'
import * as replies from './replies.ts'

/** The most commits that one call reads. */
const mostCommits = 500

const feedPosition = z.object({
  after: z
    .int()
    .min(0, 'The cursor must be 0 or more.')
    .max(Number.MAX_SAFE_INTEGER)
    .default(0)
    .describe('`next` from the last reply; 0 starts from the beginning.'),
  most: z
    .int()
    .min(1, 'Request 1 to 500.')
    .max(mostCommits, 'Request 1 to 500.')
    .default(100)
    .describe('The maximum number of commits to read; one commit can have several events.'),
})

/** The event feed for other systems, which follow it by cursor and then read what they need. */
export const eventRouter = router({
  feed: inOrganisation(feedPermissions, 'short', {
    method: 'GET',
    path: '/api/events',
    entity: 'Budget',
    summary: 'List events after a cursor: budgets saved, approved, locked or recalculated, months closed, payroll completed',
  })
    .input(feedPosition)
    .output(replies.feed)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => readEventFeed(tx, ctx, input))),
})
