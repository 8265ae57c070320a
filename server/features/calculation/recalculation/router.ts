import { z } from 'zod'
import { budgetMongoId } from '../../../../domain/budget/budget.ts'
import { recalculationState } from '../../../../domain/lookups/lookupIds.ts'
import { budgetRecalculationPermissions } from '../../../../domain/people/permissions.ts'
import { conflict } from '../../../../domain/words/errors.ts'
import { defineRestPaths, inOrganisation, router } from '../../../core/calls/procedures.ts'
import { emptyReply } from '../../../core/calls/reply.ts'
import { publishLiveMessage } from '../../../core/live/announce.ts'
import { limitToVisibleGroups, listGroups } from '../../../shared/budgetGroups/queries.ts'
import { loadVisibleBudget } from '../../../shared/budgets/queries.ts'
import { announceRecalculationEnd } from '../../../shared/recalculation/announce.ts'
import { beginRecalculation, cancelRecalculation } from '../../../shared/recalculation/commands.ts'
import { findRunOfSingleBudget, readCostStates, upToDateState } from '../../../shared/recalculation/queries.ts'
import * as replies from '../../../shared/recalculation/replies.ts'
import { presentRecalculation } from '../../../shared/recalculation/rows.ts'

const byId = z.object({ id: budgetMongoId })
const at = defineRestPaths('/api/Budget/recalculate/staff-contracts', { entity: 'Budget' })

/** Recalculation of one budget outside any group. Budgets of a group are recalculated with the group. */
export const recalculatingRouter = router({
  start: inOrganisation(
    budgetRecalculationPermissions,
    'short',
    at('POST', '/{id:mongoId}', { status: 202, summary: 'Recalculate a budget' }),
  )
    .input(byId)
    .output(replies.recalculationEvent)
    .mutation(async ({ ctx, input }) => {
      const { run, budgetIds } = await ctx.inTransaction(async (tx) => {
        await loadVisibleBudget(tx, ctx, input.id)
        return beginRecalculation({ ...ctx, tx }, { budgetId: input.id })
      })
      const left = budgetIds.map((budgetId) => ({ budgetId, attempts: 0 }))
      await ctx.services.queues.wake({ organisationId: ctx.organisationId, id: run.id, left }).catch(() => undefined)
      const argument = { budgetGroupId: null, budgetId: input.id, done: 0, of: budgetIds.length }
      await publishLiveMessage(ctx.services, { target: 'RecalculationProgress', argument }, { organisationId: ctx.organisationId })
      return presentRecalculation(run, ctx.principal.name)
    }),
  /** Cancels the recalculation of a single budget, which keeps its current figures. */
  cancel: inOrganisation(budgetRecalculationPermissions, 'short')
    .input(byId)
    .output(emptyReply)
    .mutation(async ({ ctx, input }) => {
      const ended = await ctx.inTransaction(async (tx) => {
        await loadVisibleBudget(tx, ctx, input.id)
        const run = await findRunOfSingleBudget(tx, ctx.organisationId, input.id)
        return run ? cancelRecalculation({ ...ctx, tx }, run.id) : null
      })
      if (!ended) throw conflict('notRunning', 'This budget is not being recalculated on its own.')
      ctx.afterwards((line) => announceRecalculationEnd(line, ctx.organisationId, ended.id))
    }),
  required: inOrganisation(
    'signedIn',
    'short',
    at('GET', '/required/{id:mongoId}', { summary: 'Read whether a budget needs recalculating, and why' }),
  )
    .input(byId)
    .output(replies.requirementReply)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await loadVisibleBudget(tx, ctx, input.id)
        const { state, since, reason, groupId } = (await readCostStates(tx, ctx.organisationId)).get(input.id) ?? upToDateState
        return {
          required: state === recalculationState.required || state === recalculationState.failed,
          since,
          reason,
          budgetGroupId: groupId,
        }
      }),
    ),
  /** The state of a budget's costs as screens show it, and the group with which it is recalculated, if any. */
  state: inOrganisation('signedIn', 'short')
    .input(byId)
    .output(replies.state)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const [{ head }, groups, states] = await Promise.all([
          loadVisibleBudget(tx, ctx, input.id),
          listGroups(tx, ctx.organisationId),
          readCostStates(tx, ctx.organisationId),
        ])
        const group = groups.find((one) => one.items.some((item) => item.budgetId === input.id)) ?? null
        const seen = group && (await limitToVisibleGroups({ ...ctx, tx }, groups)).find((one) => one.id === group.id)
        const state = head.locked ? upToDateState : (states.get(input.id) ?? upToDateState)
        return {
          ...state,
          group: group && { id: group.id, name: group.name, budgets: group.items.length, isShared: !seen || seen.isShared },
        }
      }),
    ),
})
