import { z } from 'zod'
import { endPresence, othersIn, setPresence } from '../store/presenceStore.ts'
import { userNames } from '../store/referenceLog.ts'
import { inBudget, router } from '../trpc/procedures.ts'

const screen = z.object({ screenId: z.uuid() })

/** Who has the same budget open. Names are asked for here, by those who may see the budget; the hub only says that somebody came or went. */
export const presenceRouter = router({
  here: inBudget('signedIn')
    .input(screen.extend({ place: z.string().max(100) }))
    .mutation(async ({ ctx, input }) => {
      const { userId } = ctx.principal
      if (userId === null) return []
      const { news, others } = await ctx.inTransaction(async (tx) => ({
        news: await setPresence(tx, ctx.organisationId, { ...input, userId, budgetId: ctx.budgetId }, ctx.now),
        others: await othersIn(tx, ctx.organisationId, ctx.budgetId, userId, ctx.now),
      }))
      if (news)
        await ctx.services.fanOut
          .publish(ctx.organisationId, { target: 'PresenceChanged', argument: { budgetId: ctx.budgetId } })
          .catch(() => undefined)
      const names = await userNames(
        ctx.services.store,
        others.map((other) => other.userId),
      )
      return others.map(({ userId: id, place }) => ({ name: names.get(id) ?? 'Somebody', place }))
    }),
  gone: inBudget('signedIn')
    .input(screen)
    .mutation(async ({ ctx, input }) => {
      const { userId } = ctx.principal
      if (userId === null) return
      await ctx.inTransaction((tx) => endPresence(tx, ctx.organisationId, input.screenId, userId))
      await ctx.services.fanOut
        .publish(ctx.organisationId, { target: 'PresenceChanged', argument: { budgetId: ctx.budgetId } })
        .catch(() => undefined)
    }),
})
