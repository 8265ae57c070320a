import { z } from 'zod'
import { bulkEditRequest, bulkSelection, exportRequest, listRequest } from '../../../domain/lists/lists.ts'
import { user as declaration } from '../../../domain/resources/entities/organisation/user.ts'
import { forbidden, notFound } from '../../../domain/words/errors.ts'
import { createUserErasedError } from '../../auth/erasedUsers.ts'
import { unlinkFromIssuer } from '../../auth/outside/people.ts'
import { defineRestPaths, global, router } from '../../core/calls/procedures.ts'
import { csvReply, emptyReply } from '../../core/calls/reply.ts'
import { parsePatchValues } from '../../resources/change.ts'
import { logLeftOutRows } from '../../resources/import/leftOut.ts'
import { createProgressRecorder } from '../../resources/import/progress.ts'
import { importInput } from '../../resources/procedures.ts'
import { readRecordHistory } from '../../resources/referenceLog.ts'
import { bulkEditResult, deletionResult, history, importResult, template, uses } from '../../resources/replies.ts'
import { buildTemplate } from '../../resources/template.ts'
import type { RecordUse, UseCount } from '../../resources/uses.ts'
import {
  everyUserList,
  readUser,
  readUserPage,
  readUserRecords,
  resolveSelectedUsers,
  userInput,
  writeUserFile,
} from '../../shared/users/queries.ts'
import * as replies from '../../shared/users/replies.ts'
import { deleteUsers, editUsers, importUsers, saveUser } from './commands.ts'
import { eraseUser } from './erasing/commands.ts'
import { groupRuleRouter } from './groupRules/router.ts'
import { readUserHistory } from './history/queries.ts'
import { organisationUserRouter } from './ownUsers/router.ts'
import { secondStepGroupRouter } from './secondStepGroups/router.ts'
import { endSignIns, removePasskeys, resetSecondStep, sendInvitation } from './signIn/commands.ts'

const byId = z.object({ id: z.int().positive().brand<'UserId'>() })
const restRoute = defineRestPaths('/api/Users', { entity: 'User' })

/** Users of all organisations, for administrators. `own` serves the console of one organisation. */
export const userRouter = router({
  list: global('administrator', 'short', restRoute('POST', '/list', { summary: 'List users' }))
    .input(listRequest)
    .output(replies.page)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => readUserPage(tx, input))),
  get: global('administrator', 'short', restRoute('GET', '/{id:integer}', { summary: 'Read a user' }))
    .input(byId)
    .output(replies.userReply)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => readUser(tx, input.id))),
  create: global('administrator', 'rights', restRoute('POST', '', { status: 201, summary: 'Add a user' }))
    .input(userInput)
    .output(replies.userReply)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => saveUser(tx, { ...input, id: null }, ctx.actor))),
  update: global('administrator', 'rights', restRoute('PUT', '', { summary: 'Change a user' }))
    .input(userInput.extend({ id: z.int().positive().brand<'UserId'>() }))
    .output(replies.userReply)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => saveUser(tx, input, ctx.actor))),
  delete: global('administrator', 'rights', restRoute('DELETE', '/{id:integer}', { status: 204, summary: 'Delete a user' }))
    .input(byId)
    .output(emptyReply)
    .mutation(async ({ ctx, input }) => void (await ctx.inTransaction((tx) => deleteUsers(tx, [input.id], ctx.actor)))),
  bulkDelete: global('administrator', 'rights', restRoute('POST', '/delete', { summary: 'Delete several users' }))
    .input(bulkSelection)
    .output(deletionResult)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => ({ deleted: await deleteUsers(tx, await resolveSelectedUsers(tx, input), ctx.actor) })),
    ),
  import: global('administrator', 'rightsImport', restRoute('POST', '/import', { also: ['/api/Users/bulk'], summary: 'Import users' }))
    .input(importInput)
    .output(importResult)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await logLeftOutRows({ ...ctx, tx }, { entity: declaration.name, organisationId: null, leftOut: input.leftOut })
        return importUsers(
          { ...ctx, tx, scope: ctx.rows },
          input.rows,
          createProgressRecorder(ctx.aside, input.progressKey, ctx.actor.userId),
        )
      }),
    ),
  edit: global('administrator', 'rights', restRoute('PATCH', '/edit', { summary: 'Change the same fields of several users' }))
    .input(bulkEditRequest)
    .output(bulkEditResult)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const patch = parsePatchValues(declaration, input.patch, ['email', 'lastSignIn'])
        return { updated: await editUsers({ ...ctx, tx }, input, patch) }
      }),
    ),
  export: global('administrator', 'export', restRoute('POST', '/export', { summary: 'Export users' }))
    .input(exportRequest)
    .output(csvReply)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) =>
        writeUserFile({ ...ctx, tx }, ctx.rows, { list: everyUserList, request: input, load: (ids) => readUserRecords(tx, ids) }),
      ),
    ),
  template: global('administrator', 'short')
    .output(template)
    .query(({ ctx }) => ctx.inTransaction((tx) => buildTemplate(tx, declaration, ctx))),
  history: global('administrator', 'short')
    .input(byId)
    .output(history)
    .query(({ ctx, input }) => readUserHistory(ctx.services, input.id)),
  restore: global('administrator', 'rights')
    .input(byId.extend({ version: z.int().positive() }))
    .output(replies.userReply)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const earlier = (await readRecordHistory(tx, { name: 'user' }, input.id)).find((entry) => entry.version === input.version)?.after
        if (!earlier) throw notFound('Version')
        return saveUser(tx, { ...earlier, id: input.id, version: null }, ctx.actor)
      }),
    ),
  /** Always empty: only the history refers to users. */
  uses: global('administrator', 'short')
    .input(byId)
    .output(uses)
    .query(
      (): Promise<{ counts: UseCount[]; used: RecordUse[]; hidden: boolean }> => Promise.resolve({ counts: [], used: [], hidden: false }),
    ),
  invite: global('administrator', 'rights')
    .input(byId)
    .output(replies.invitation)
    .mutation(async ({ ctx, input }) => {
      const person = await ctx.inTransaction((tx) => readUser(tx, input.id))
      if (person.isErased) throw createUserErasedError()
      if (!person.active) throw forbidden()
      return sendInvitation(ctx.services, input.id, ctx.actor)
    }),
  /** Removes the second step of a user who has lost their phone. */
  resetSecondStep: global('administrator', 'rights')
    .input(byId)
    .output(emptyReply)
    .mutation(async ({ ctx, input }) => {
      await ctx.inTransaction((tx) => readUser(tx, input.id))
      await resetSecondStep(ctx, input.id)
    }),
  /** Unlinks a user from an account at the external issuer that was recreated. */
  unlinkOutside: global('administrator', 'rights')
    .input(byId)
    .output(emptyReply)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => unlinkFromIssuer(tx, input.id, ctx.actor))),
  /** Removes the passkeys of a user who has lost a device. */
  removePasskeys: global('administrator', 'rights')
    .input(byId)
    .output(emptyReply)
    .mutation(async ({ ctx, input }) => {
      await ctx.inTransaction((tx) => readUser(tx, input.id))
      await removePasskeys(ctx, input.id)
    }),
  /** Signs a user out everywhere. */
  endSignIns: global('administrator', 'rights')
    .input(byId)
    .output(replies.endedSignIns)
    .mutation(async ({ ctx, input }) => {
      await ctx.inTransaction((tx) => readUser(tx, input.id))
      return endSignIns(ctx, input.id)
    }),
  /** Permanently removes the user's identity. Their actions remain. */
  erase: global(
    'administrator',
    'rights',
    restRoute('POST', '/{id:integer}/erase', {
      status: 204,
      summary: 'Permanently erase a user’s personal data; the record of their actions remains',
    }),
  )
    .input(byId.extend({ email: z.string().max(254) }))
    .output(emptyReply)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => eraseUser({ ...ctx, tx }, input.id, input.email))),
  own: organisationUserRouter,
  groupRules: groupRuleRouter,
  secondStepGroups: secondStepGroupRouter,
})
