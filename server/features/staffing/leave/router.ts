import { z } from 'zod'
import { listViewPermissions } from '../../../../domain/people/permissions.ts'
import { defineRestPaths, inBudget, inOrganisation, router } from '../../../core/calls/procedures.ts'
import { emptyReply } from '../../../core/calls/reply.ts'
import { announceRecalculationRequired } from '../../../core/live/announce.ts'
import { leaveInput, readLeavesOfPerson } from '../../../shared/costing/leave/queries.ts'
import { readStaffMember } from '../../../shared/staff/queries.ts'
import { deleteLeave, saveLeave } from './commands.ts'
import * as replies from './replies.ts'
import { buildLeaveTimelines } from './timelines.ts'

const reading = listViewPermissions('BudgetingStaffing', 'ConsoleStaffMembers')
const writing = ['BudgetingStaffingReadUpdate', 'ConsoleStaffMembersReadUpdate'] as const
const restRoute = defineRestPaths('/api/AppliedExtendedLeave', { entity: 'AppliedExtendedLeave' })
const byId = z.object({ id: z.int().positive() })
const ofStaff = z.object({ id: z.int().positive().brand<'StaffId'>().describe('Id of the staff member.') })

/** Extended leave: maternity, adoption and other long leave, paid by the rules of a rule set. */
export const leaveRouter = router({
  listByStaff: inOrganisation(reading, 'short', restRoute('GET', '/staff/{id:integer}', { summary: 'List the extended leave of a person' }))
    .input(ofStaff)
    .output(replies.list)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => readLeavesOfPerson(tx, ctx.rows, input.id))),
  create: inOrganisation(writing, 'short', restRoute('POST', '', { status: 201, summary: 'Add extended leave for a person' }))
    .input(leaveInput)
    .output(replies.leave)
    .mutation(async ({ ctx, input }) => {
      const { saved, required } = await ctx.inTransaction((tx) => saveLeave({ ...ctx, tx, scope: ctx.rows }, { ...input, id: null }))
      await announceRecalculationRequired(ctx.services, required)
      return saved
    }),
  update: inOrganisation(writing, 'short', restRoute('PUT', '', { summary: 'Change the extended leave of a person' }))
    .input(leaveInput.extend({ id: z.int().positive() }))
    .output(replies.leave)
    .mutation(async ({ ctx, input }) => {
      const { saved, required } = await ctx.inTransaction((tx) => saveLeave({ ...ctx, tx, scope: ctx.rows }, input))
      await announceRecalculationRequired(ctx.services, required)
      return saved
    }),
  /** A person's leaves, each with the periods of its rules and their weekly pay in the selected budget. */
  periods: inBudget(listViewPermissions('BudgetingStaffing'), 'short')
    .input(ofStaff)
    .output(replies.periods)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await readStaffMember({ ...ctx, tx }, input.id, ctx.holder.locationIds)
        return buildLeaveTimelines({ ...ctx, tx }, ctx.budget, input.id)
      }),
    ),
  delete: inOrganisation(
    writing,
    'short',
    restRoute('DELETE', '/{id:integer}', { status: 204, summary: 'Delete the extended leave of a person' }),
  )
    .input(byId)
    .output(emptyReply)
    .mutation(async ({ ctx, input }) => {
      await announceRecalculationRequired(
        ctx.services,
        await ctx.inTransaction((tx) => deleteLeave({ ...ctx, tx, scope: ctx.rows }, input.id)),
      )
    }),
})
