import { z } from 'zod'
import { restorers } from '../../../domain/bin.ts'
import { pageSizes } from '../../../domain/notices.ts'
import { inOrganisationOrGlobal, router } from '../../core/calls/procedures.ts'
import { changeOfMany } from '../../resources/change.ts'
import { restoreFromBin } from './commands.ts'
import { listBin, sightOf, withPeople } from './queries.ts'
import * as replies from './replies.ts'

const kind = z.string().max(50)

/** Deleted records of the last days, to be looked through and restored by whoever may make such records. */
export const binRouter = router({
  list: inOrganisationOrGlobal(restorers)
    .input(
      z.object({
        kinds: z.array(kind).max(50).nullish(),
        search: z.string().max(200).nullish(),
        pageNumber: z.int().min(1).default(1),
        pageSize: z
          .int()
          .min(1)
          .max(Math.max(...pageSizes))
          .default(25),
      }),
    )
    .output(replies.page)
    .query(async ({ ctx, input }) => {
      const page = await ctx.inTransaction((tx) => listBin({ ...sightOf(ctx), tx }, input))
      return withPeople(ctx.services.store, page)
    }),
  restore: inOrganisationOrGlobal(restorers)
    .input(
      z.object({
        records: z
          .array(z.object({ kind, id: z.int().positive() }))
          .min(1, 'Choose something to restore.')
          .max(500, 'Choose at most 500.'),
        withNeeded: z.boolean().default(false),
      }),
    )
    .output(replies.restored)
    .mutation(({ ctx, input }) =>
      changeOfMany(ctx, async (tx) => {
        const changed = await restoreFromBin(tx, { sight: sightOf(ctx), actor: ctx.actor }, input)
        return { result: { restored: changed.reduce((sum, { records }) => sum + records.length, 0) }, changed }
      }),
    ),
})
