import { z } from 'zod'
import { canSeePayroll, listViewPermissions } from '../../../../domain/people/permissions.ts'
import type { BudgetGroupId, BudgetId, UserId } from '../../../../domain/values/ids.ts'
import { forbidden } from '../../../../domain/words/errors.ts'
import { inOrganisation, router } from '../../../core/calls/procedures.ts'
import { emptyReply } from '../../../core/calls/reply.ts'
import { readPayrollPeople } from '../../../shared/payroll/people/queries.ts'
import { toPayrollEditor } from '../changing.ts'
import { reconciliationRequest } from '../inputs.ts'
import { beginExplanation, cancelCauseSearch } from './commands.ts'
import { readExplanationOfCaller } from './queries.ts'
import * as replies from './replies.ts'
import { presentExplanation } from './rows.ts'

const seen = listViewPermissions('BudgetingPayrollReconciliation', 'ConsolePayrollReconciliation')
/** What a request covers: a budget, a group, or the whole organisation if neither is given. */
const toLevel = (request: { budgetId?: BudgetId | null; groupId?: BudgetGroupId | null }) =>
  request.budgetId || request.groupId ? 'part' : 'whole'
const byId = z.object({ id: z.uuid() })

/** @throws DomainError 403 for an API client, because results are stored for a user */
function requireUser({ principal }: { principal: { userId: UserId | null } }): UserId {
  if (principal.userId === null) throw forbidden()
  return principal.userId
}

/**
 * Explains why payrolls differ from the budgets' calculations, and what the controls of a month find (rules.md §18). A worker recalculates
 * the budgets many times; the caller can read its progress.
 */
export const payrollCausesRouter = router({
  begin: inOrganisation(seen, 'short')
    .input(reconciliationRequest)
    .output(replies.searchStarted)
    .mutation(async ({ ctx, input: { budgetGroupId, useInflation, payScaleTableIds, ...input } }) => {
      const request = { ...input, groupId: budgetGroupId, useInflation: useInflation ?? true, payScaleTableIds: payScaleTableIds ?? [] }
      if (!canSeePayroll(ctx.holder, toLevel(request))) throw forbidden()
      const job = await ctx.inTransaction((tx) => beginExplanation({ ...toPayrollEditor(ctx), tx }, requireUser(ctx), request))
      // If the job cannot be queued, the sweep starts the search.
      await ctx.services.queues.wakeExplain(job).catch(() => undefined)
      return { id: job.explanationId }
    }),
  /** The progress of one of the caller's searches, and its result once finished. */
  found: inOrganisation(seen, 'short')
    .input(byId)
    .output(replies.searchResult)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const row = await readExplanationOfCaller({ ...ctx, tx }, input.id, requireUser(ctx))
        if (!canSeePayroll(ctx.holder, toLevel(row.asked))) throw forbidden()
        return presentExplanation(row, await readPayrollPeople(tx, ctx.organisationId), ctx.holder.locationIds)
      }),
    ),
  cancel: inOrganisation(seen, 'short')
    .input(byId)
    .output(emptyReply)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await readExplanationOfCaller({ ...ctx, tx }, input.id, requireUser(ctx))
        await cancelCauseSearch(tx, ctx.organisationId, input.id)
      }),
    ),
})
