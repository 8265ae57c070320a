import { z } from 'zod'
import { inOrganisation, router } from '../../core/calls/procedures.ts'
import { emptyReply } from '../../core/calls/reply.ts'
import { openStoreWithin } from '../../core/database/database.ts'
import { listImportsWithLeftOutRows } from '../../resources/import/leftOut.ts'
import { readChosenColumns } from '../../shared/importColumns/queries.ts'
import { mayImport, storeImportColumns } from './commands.ts'
import * as replies from './replies.ts'

const entity = z.string().min(1).max(60)
const chosen = z.object({ heading: z.string().min(1).max(100), column: z.string().max(100).nullable() })

/**
 * How an organisation's earlier files were imported: which import column each heading was assigned to, and which rows were left out. Only
 * choices of callers who may import for all locations are stored.
 */
export const importColumnRouter = router({
  chosen: inOrganisation('signedIn', 'short')
    .input(z.object({ entity }))
    .output(replies.earlierFiles)
    .query(({ ctx, input: { entity } }) =>
      ctx.inTransaction(async (tx) => {
        const store = openStoreWithin(tx, ctx.services.store, ctx.organisationId)
        // A caller limited to some locations sees only their own imports, because the file of another location may name it.
        const ofUser = ctx.holder.locationIds ? ctx.principal.userId : null
        return {
          columns: await readChosenColumns(tx, ctx.organisationId, entity),
          leftOut: mayImport(ctx.holder, entity)
            ? await listImportsWithLeftOutRows({ tx, organisationId: ctx.organisationId, store }, entity, ofUser)
            : [],
        }
      }),
    ),
  keep: inOrganisation('signedIn', 'short')
    .input(z.object({ entity, columns: z.array(chosen).max(200) }))
    .output(emptyReply)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => storeImportColumns(tx, ctx, input))),
})
