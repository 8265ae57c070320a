import { z } from 'zod'
import { isStaffRecord, openRecordPattern } from '../../../../domain/changes/live.ts'
import { canSeeStaff } from '../../../../domain/people/permissions.ts'
import { inBudget, router } from '../../../core/calls/procedures.ts'
import { readUserNames } from '../../../core/database/userNames.ts'
import { listOtherUsers } from '../../../shared/presence/queries.ts'
import * as replies from './replies.ts'

/**
 * Shows who has the same budget open. Browser windows report it through the hub (`server/hub/presence.ts`); callers who may see the budget
 * read the names here.
 */
export const presenceRouter = router({
  others: inBudget('signedIn', 'short')
    .input(z.object({ record: z.string().regex(openRecordPattern) }))
    .output(replies.otherUsers)
    .query(async ({ ctx, input }) => {
      const record = isStaffRecord(input.record) && !canSeeStaff(ctx.holder) ? '' : input.record
      const others = await ctx.inTransaction((tx) => listOtherUsers({ ...ctx, tx }, { userId: ctx.principal.userId, record }))
      const names = await readUserNames(
        ctx.services.store,
        others.map((other) => other.userId),
      )
      return others.map(({ userId, ...where }) => ({ name: names.get(userId) ?? 'Someone', ...where }))
    }),
})
