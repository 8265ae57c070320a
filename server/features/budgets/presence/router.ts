import { z } from 'zod'
import { inBudget, router } from '../../../core/calls/procedures.ts'
import { nothing } from '../../../core/calls/reply.ts'
import { publish } from '../../../core/live/announce.ts'
import { userNames } from '../../../resources/referenceLog.ts'
import { endPresence, setPresence } from './commands.ts'
import { othersIn } from './queries.ts'
import * as replies from './replies.ts'

const screen = z.object({ screenId: z.uuid() })

/** Who has the same budget open. Names are asked for here, by those who may see the budget; the hub only says that somebody came or went. */
export const presenceRouter = router({
  here: inBudget('signedIn')
    .input(screen.extend({ place: z.string().max(100) }))
    .output(replies.here)
    .mutation(async ({ ctx, input }) => {
      const { userId } = ctx.principal
      if (userId === null) return []
      const { news, others } = await ctx.inTransaction(async (tx) => ({
        news: await setPresence(tx, ctx.organisationId, { ...input, userId, budgetId: ctx.budgetId }, ctx.now),
        others: await othersIn(tx, ctx.organisationId, ctx.budgetId, userId, ctx.now),
      }))
      if (news) await publish(ctx.services, ctx.organisationId, { target: 'PresenceChanged', argument: { budgetId: ctx.budgetId } })
      const names = await userNames(
        ctx.services.store,
        others.map((other) => other.userId),
      )
      return others.map(({ userId: id, place }) => ({ name: names.get(id) ?? 'Somebody', place }))
    }),
  gone: inBudget('signedIn')
    .input(screen)
    .output(nothing)
    .mutation(async ({ ctx, input }) => {
      const { userId } = ctx.principal
      if (userId === null) return
      await ctx.inTransaction((tx) => endPresence(tx, ctx.organisationId, input.screenId, userId))
      await publish(ctx.services, ctx.organisationId, { target: 'PresenceChanged', argument: { budgetId: ctx.budgetId } })
    }),
})
