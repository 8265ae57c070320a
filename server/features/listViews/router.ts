import { inOrganisation, router } from '../../core/calls/procedures.ts'
import { emptyReply } from '../../core/calls/reply.ts'
import { deleteView, importBrowserViews, renameView, saveView } from '../../shared/listViews/commands.ts'
import { browserViewsInput, listNameInput, viewIdInput, viewInput, viewRenameInput } from '../../shared/listViews/inputs.ts'
import { listUserViews } from '../../shared/listViews/queries.ts'
import * as replies from './replies.ts'

/** Named views of lists that a user saves for themselves. They are kept per organisation and available in any browser. */
export const listViewRouter = router({
  list: inOrganisation('signedIn', 'short')
    .input(listNameInput)
    .output(replies.views)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => listUserViews({ ...ctx, tx }, ctx.actor.userId, input.list))),
  keep: inOrganisation('signedIn', 'short')
    .input(viewInput)
    .output(replies.viewReply)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => saveView({ ...ctx, tx }, input))),
  rename: inOrganisation('signedIn', 'short')
    .input(viewRenameInput)
    .output(replies.viewReply)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => renameView({ ...ctx, tx }, input))),
  delete: inOrganisation('signedIn', 'short')
    .input(viewIdInput)
    .output(emptyReply)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => deleteView({ ...ctx, tx }, input.id))),
  takeOver: inOrganisation('signedIn', 'short')
    .input(browserViewsInput)
    .output(replies.importedNames)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => importBrowserViews({ ...ctx, tx }, input))),
})
