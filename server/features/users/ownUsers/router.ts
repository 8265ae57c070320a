import { z } from 'zod'
import { exportRequest, listRequest } from '../../../../domain/lists/lists.ts'
import { listViewPermissions } from '../../../../domain/people/permissions.ts'
import { userFile } from '../../../../domain/resources/personFile.ts'
import { defineRestPaths, inOrganisation, router } from '../../../core/calls/procedures.ts'
import { csvReply, emptyReply } from '../../../core/calls/reply.ts'
import { logLeftOutRows } from '../../../resources/import/leftOut.ts'
import { createProgressRecorder } from '../../../resources/import/progress.ts'
import { importInput } from '../../../resources/procedures.ts'
import { history, importResult, template } from '../../../resources/replies.ts'
import { buildTemplate } from '../../../resources/template.ts'
import { readUser, userInput, writeUserFile } from '../../../shared/users/queries.ts'
import { endedSignIns, invitation, page, userReply } from '../../../shared/users/replies.ts'
import { importUsersOfOrganisation, lockUserChanges, saveUser } from '../commands.ts'
import { eraseUser } from '../erasing/commands.ts'
import { readUserHistory } from '../history/queries.ts'
import { endSignIns, removePasskeys, resetSecondStep, sendInvitation } from '../signIn/commands.ts'
import { prepareChangedUserOfOrganisation, prepareNewUserOfOrganisation } from './commands.ts'
import {
  listUsersOfOrganisation,
  loadUsersOfOrganisation,
  readUserOfOrganisation,
  readUserPageOfOrganisation,
  refuseMorePrivilegedUser,
  refuseSharedAccount,
} from './queries.ts'

const reading = listViewPermissions('ConsoleUsers')
const writing = ['ConsoleUsersReadUpdate'] as const
const byId = z.object({ id: z.int().positive().brand<'UserId'>() })
const restRoute = defineRestPaths('/api/MyUsers', { entity: 'User' })

/** The users of one organisation, for its console. Only administrators delete users. */
export const organisationUserRouter = router({
  list: inOrganisation(reading, 'short', restRoute('POST', '/list', { summary: 'List users, limited to the selected organisation' }))
    .input(listRequest)
    .output(page)
    .query(({ ctx, input }) => ctx.services.store.asPlatform((tx) => readUserPageOfOrganisation(tx, ctx, input))),
  get: inOrganisation(reading, 'short', restRoute('GET', '/{id:integer}', { summary: 'Read a user, limited to the selected organisation' }))
    .input(byId)
    .output(userReply)
    .query(({ ctx, input }) => ctx.services.store.asPlatform((tx) => readUserOfOrganisation(tx, ctx, input.id))),
  update: inOrganisation(writing, 'rights', restRoute('PUT', '', { summary: 'Change a user, limited to the selected organisation' }))
    .input(userInput.extend({ id: z.int().positive().brand<'UserId'>() }))
    .output(userReply)
    .mutation(({ ctx, input }) =>
      ctx.services.store.asPlatform(async (tx) => {
        await saveUser(tx, { ...(await prepareChangedUserOfOrganisation(tx, ctx, input)) }, ctx.actor)
        return readUserOfOrganisation(tx, ctx, input.id)
      }),
    ),
  /** Adds a user to the organisation. Not part of REST, where only administrators create users. */
  create: inOrganisation(writing, 'newUser')
    .input(userInput)
    .output(userReply)
    .mutation(({ ctx, input }) =>
      ctx.services.store.asPlatform(async (tx) => {
        const { id } = await saveUser(tx, await prepareNewUserOfOrganisation(tx, ctx, input), ctx.actor)
        return readUserOfOrganisation(tx, ctx, id)
      }),
    ),
  export: inOrganisation(reading, 'export', restRoute('POST', '/export', { summary: 'Export users, limited to the selected organisation' }))
    .input(exportRequest)
    .output(csvReply)
    .query(({ ctx, input }) =>
      ctx.services.store.asPlatform((tx) =>
        writeUserFile({ ...ctx, tx }, ctx.rows, {
          list: listUsersOfOrganisation(ctx),
          request: input,
          load: (ids) => loadUsersOfOrganisation(tx, ctx, ids),
        }),
      ),
    ),
  /** Adds people to the organisation with the membership in each row. */
  import: inOrganisation('administrator', 'rightsImport')
    .input(importInput)
    .output(importResult)
    .mutation(({ ctx, input }) =>
      ctx.services.store.asPlatform(async (tx) => {
        await logLeftOutRows({ ...ctx, tx }, { entity: userFile.name, organisationId: ctx.organisationId, leftOut: input.leftOut })
        return importUsersOfOrganisation(
          { ...ctx, tx, scope: ctx.rows },
          input.rows,
          createProgressRecorder(ctx.aside, input.progressKey, ctx.actor.userId),
        )
      }),
    ),
  template: inOrganisation('administrator', 'short')
    .output(template)
    .query(({ ctx }) => ctx.services.store.asPlatform((tx) => buildTemplate(tx, userFile, ctx))),
  history: inOrganisation(reading, 'short')
    .input(byId)
    .output(history)
    .query(async ({ ctx, input }) => {
      const user = await ctx.services.store.asPlatform((tx) => readUserOfOrganisation(tx, ctx, input.id).then(() => readUser(tx, input.id)))
      // The history of a shared user would reveal their other organisations.
      return user.memberships.length > 1 ? [] : readUserHistory(ctx.services, input.id)
    }),
  /** Creates a password link. Refused for people with more permissions than the caller, because a holder of the link can act as them. */
  invite: inOrganisation(writing, 'rights')
    .input(byId)
    .output(invitation)
    .mutation(async ({ ctx, input }) => {
      await ctx.services.store.asPlatform((tx) => refuseMorePrivilegedUser(tx, ctx, input.id))
      return sendInvitation(ctx.services, input.id, ctx.actor)
    }),
  /** Removes the second step of a user who has lost their phone. Refused for people with more permissions than the caller. */
  resetSecondStep: inOrganisation(writing, 'rights')
    .input(byId)
    .output(emptyReply)
    .mutation(async ({ ctx, input }) => {
      await ctx.services.store.asPlatform((tx) => refuseMorePrivilegedUser(tx, ctx, input.id))
      await resetSecondStep(ctx, input.id)
    }),
  /** Removes the passkeys of a user who has lost a device. Refused for people with more permissions than the caller. */
  removePasskeys: inOrganisation(writing, 'rights')
    .input(byId)
    .output(emptyReply)
    .mutation(async ({ ctx, input }) => {
      await ctx.services.store.asPlatform((tx) => refuseMorePrivilegedUser(tx, ctx, input.id))
      await removePasskeys(ctx, input.id)
    }),
  /** Signs a user out everywhere. Refused for people with more permissions than the caller. */
  endSignIns: inOrganisation(writing, 'rights')
    .input(byId)
    .output(endedSignIns)
    .mutation(async ({ ctx, input }) => {
      await ctx.services.store.asPlatform((tx) => refuseMorePrivilegedUser(tx, ctx, input.id))
      return endSignIns(ctx, input.id)
    }),
  /** Erases a user. Refused if they belong to another organisation or have more permissions than the caller. */
  erase: inOrganisation(
    writing,
    'rights',
    restRoute('POST', '/{id:integer}/erase', {
      status: 204,
      summary: 'Permanently erase the personal data of a user of the organisation; the record of their actions remains',
    }),
  )
    .input(byId.extend({ email: z.string().max(254) }))
    .output(emptyReply)
    .mutation(({ ctx, input }) =>
      ctx.services.store.asPlatform(async (tx) => {
        // Prevents changes to memberships between the checks and the erasure.
        await lockUserChanges(tx)
        await refuseSharedAccount(tx, ctx, input.id)
        await refuseMorePrivilegedUser(tx, ctx, input.id)
        await eraseUser({ ...ctx, tx }, input.id, input.email)
      }),
    ),
})
