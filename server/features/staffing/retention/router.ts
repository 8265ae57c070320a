import { z } from 'zod'
import { inOrganisation, router } from '../../../core/calls/procedures.ts'
import { eraseLeavers } from './commands.ts'
import { leavers } from './queries.ts'
import * as replies from './replies.ts'

const erasing = ['ConsoleStaffMembersReadUpdate'] as const

/** The leavers to erase, by the organisation's retention period. */
export const retentionRouter = router({
  list: inOrganisation(erasing, 'long', { method: 'GET', path: '/api/Staff/leavers', entity: 'StaffMember' })
    .output(replies.list)
    .query(({ ctx }) => ctx.inTransaction((tx) => leavers(tx, ctx.rows, ctx.now))),
  eraseMany: inOrganisation(erasing, 'short', { method: 'POST', path: '/api/Staff/leavers/erase', entity: 'StaffMember' })
    .input(
      z.object({
        ids: z.array(z.int().positive().brand<'StaffId'>()).min(1, 'Choose somebody.').max(500, 'Choose at most 500.'),
        confirmed: z.int(),
      }),
    )
    .output(replies.erased)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => eraseLeavers({ ...ctx, tx, scope: ctx.rows }, input))),
})
