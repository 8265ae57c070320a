import { z } from 'zod'
import { defineRestPaths, inOrganisation, router } from '../../../core/calls/procedures.ts'
import { eraseLeavers } from './commands.ts'
import { listLeavers } from './queries.ts'
import * as replies from './replies.ts'

const erasing = ['ConsoleStaffMembersReadUpdate'] as const
const at = defineRestPaths('/api/Staff', { entity: 'StaffMember' })

/** The leavers who are due for erasure by the organisation's retention period. */
export const retentionRouter = router({
  list: inOrganisation(
    erasing,
    'long',
    at('GET', '/leavers', { summary: 'List leavers: who can be erased now, and who cannot be erased yet and why' }),
  )
    .output(replies.list)
    .query(({ ctx }) => ctx.inTransaction((tx) => listLeavers(tx, ctx.rows, ctx.now))),
  eraseMany: inOrganisation(
    erasing,
    'short',
    at('POST', '/leavers/erase', { summary: 'Erase the personal data of leavers whose retention period has ended' }),
  )
    .input(
      z.object({
        ids: z.array(z.int().positive().brand<'StaffId'>()).min(1, 'Choose someone.').max(500, 'Choose at most 500 people.'),
        confirmed: z.int(),
      }),
    )
    .output(replies.erasedLeavers)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => eraseLeavers({ ...ctx, tx, scope: ctx.rows }, input))),
})
