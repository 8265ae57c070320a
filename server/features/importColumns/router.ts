import { z } from 'zod'
import { inOrganisation, router } from '../../core/calls/procedures.ts'
import { emptyReply } from '../../core/calls/reply.ts'
import { readChosenColumns } from '../../shared/importColumns/queries.ts'
import { storeColumns } from './commands.ts'
import * as replies from './replies.ts'

const entity = z.string().min(1).max(60)
const chosen = z.object({ heading: z.string().min(1).max(100), column: z.string().max(100).nullable() })

/**
 * Which import column each heading of an organisation's files was assigned to. Only choices of callers who may import for all locations are
 * stored.
 */
export const importColumnRouter = router({
  chosen: inOrganisation('signedIn', 'short')
    .input(z.object({ entity }))
    .output(replies.columns)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => readChosenColumns(tx, ctx.organisationId, input.entity))),
  keep: inOrganisation('signedIn', 'short')
    .input(z.object({ entity, columns: z.array(chosen).max(200) }))
    .output(emptyReply)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => storeColumns(tx, ctx, input))),
})
