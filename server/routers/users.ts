import { z } from 'zod'
import { forbidden, notFound } from '../../domain/errors.ts'
import { type BulkSelection, bulkEditRequest, bulkSelection, chosenOf, exportRequest, listRequest, pageOf } from '../../domain/lists.ts'
import { columnsOf } from '../../domain/resources/columns.ts'
import { user as declaration } from '../../domain/resources/entities/user.ts'
import type { OrganisationTx } from '../store/database.ts'
import { progressOf } from '../store/importProgress.ts'
import { historyOf } from '../store/referenceLog.ts'
import { termsOf } from '../store/termStore.ts'
import { importUsers } from '../store/userImport.ts'
import { allUsers, deleteUsers, getUser, saveUser, type User, userInput } from '../store/userStore.ts'
import type { Use, UsedBy } from '../store/uses.ts'
import { global, type RestMeta, router } from '../trpc/procedures.ts'
import { ownUserRouter } from './ownUsers.ts'
import { importInput } from './resourceCalls.ts'
import { patched } from './resourceChange.ts'
import { csvFile } from './resourceFiles.ts'
import { searchedOfUser, sendInvitation, userFile, userHistory } from './userCalls.ts'

const byId = z.object({ id: z.int().positive() })
const place = (method: RestMeta['method'], path: string, more: Partial<RestMeta> = {}): RestMeta => ({
  method,
  path: `/api/Users${path}`,
  entity: 'User',
  ...more,
})

async function chosen(tx: OrganisationTx, selection: BulkSelection): Promise<User[]> {
  const users = chosenOf(await allUsers(tx), selection, searchedOfUser)
  if (!users) throw notFound('User')
  return users
}

/** Users, for administrators; `own` is for the console users of one organisation. */
export const userRouter = router({
  list: global('administrator', place('POST', '/list'))
    .input(listRequest)
    .query(({ ctx, input }) => ctx.inTransaction(async (tx) => pageOf(await allUsers(tx), input, searchedOfUser, 'surname'))),
  get: global('administrator', place('GET', '/{id:integer}'))
    .input(byId)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => getUser(tx, input.id))),
  create: global('administrator', place('POST', '', { status: 201 }))
    .input(userInput)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => saveUser(tx, { ...input, id: null }, ctx.actor))),
  update: global('administrator', place('PUT', ''))
    .input(userInput.extend({ id: z.int().positive() }))
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => saveUser(tx, input, ctx.actor))),
  delete: global('administrator', place('DELETE', '/{id:integer}', { status: 204 }))
    .input(byId)
    .mutation(async ({ ctx, input }) => void (await ctx.inTransaction((tx) => deleteUsers(tx, [input.id], ctx.actor)))),
  bulkDelete: global('administrator', place('POST', '/delete'))
    .input(bulkSelection)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const ids = (await chosen(tx, input)).map((user) => user.id)
        return { deleted: await deleteUsers(tx, ids, ctx.actor) }
      }),
    ),
  import: global('administrator', place('POST', '/import', { also: ['/api/Users/bulk'] }))
    .input(importInput)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction((tx) =>
        importUsers(tx, ctx.rows, input.rows, ctx.actor, progressOf(ctx.services.store, input.progressKey, ctx.actor.userId)),
      ),
    ),
  edit: global('administrator', place('PATCH', '/edit'))
    .input(bulkEditRequest)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const patch = patched(declaration, input.patch, ['email', 'lastSignIn'])
        const found = await chosen(tx, input)
        for (const { memberships: _own, ...user } of found) await saveUser(tx, { ...user, ...patch }, ctx.actor)
        return { updated: found.length }
      }),
    ),
  export: global('administrator', place('POST', '/export'))
    .input(exportRequest)
    .query(({ ctx, input }) => ctx.inTransaction(async (tx) => userFile(tx, ctx.rows, await allUsers(tx), input, ctx.now))),
  template: global('administrator').query(({ ctx }) =>
    ctx.inTransaction(async (tx) => {
      const headings = columnsOf(declaration).map((column) => column.heading)
      return csvFile(`${(await termsOf(tx, null)).User.plural} template.csv`, headings, [])
    }),
  ),
  history: global('administrator')
    .input(byId)
    .query(({ ctx, input }) => userHistory(ctx.services, input.id)),
  restore: global('administrator')
    .input(byId.extend({ version: z.int().positive() }))
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const earlier = (await historyOf(tx, { name: 'user' }, input.id)).find((entry) => entry.version === input.version)?.after
        if (!earlier) throw notFound('Version')
        return saveUser(tx, { ...earlier, id: input.id, version: null } as z.infer<typeof userInput>, ctx.actor)
      }),
    ),
  /** Nothing points to a user but what they did: the history. */
  uses: global('administrator')
    .input(byId)
    .query((): Promise<{ counts: Use[]; used: UsedBy[] }> => Promise.resolve({ counts: [], used: [] })),
  invite: global('administrator')
    .input(byId)
    .mutation(async ({ ctx, input }) => {
      const person = await ctx.inTransaction((tx) => getUser(tx, input.id))
      if (!person.active) throw forbidden()
      return sendInvitation(ctx.services, input.id, ctx.now)
    }),
  own: ownUserRouter,
})
