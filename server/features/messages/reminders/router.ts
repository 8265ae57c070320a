import { z } from 'zod'
import { listRequest } from '../../../../domain/lists/lists.ts'
import { resources } from '../../../../domain/resources/all.ts'
import type { UserId } from '../../../../domain/values/ids.ts'
import { DomainError } from '../../../../domain/words/errors.ts'
import type { CallContext } from '../../../core/calls/context.ts'
import { defineRestPaths, global, router } from '../../../core/calls/procedures.ts'
import { emptyReply } from '../../../core/calls/reply.ts'
import { createRecordReply } from '../../../resources/replies.ts'
import { createReminder, deleteReminder, updateReminder } from '../../../shared/reminders/commands.ts'
import { listReminders, readRemindersOfMonth } from '../../../shared/reminders/queries.ts'
import * as replies from './replies.ts'

const restRoute = defineRestPaths('/api/MyReminders', { entity: 'Reminder' })

/** Reminders belong to people, so API clients have none. @throws DomainError 403 for an API client */
function personOf({ principal }: CallContext): UserId {
  if (principal?.userId == null) throw new DomainError('forbidden', 'forbidden', 'API clients have no reminders. Sign in as a person.')
  return principal.userId
}

/** The signed-in user's reminders: their own, and those addressed to them. */
export const reminderRouter = router({
  byMonth: global(
    'signedIn',
    'short',
    restRoute('GET', '/year/{year:integer}/month/{month:integer}', {
      summary: 'List the signed-in user’s reminders that are due in a month',
    }),
  )
    .input(z.object({ year: z.int().min(2000).max(2100), month: z.int().min(1).max(12) }))
    .output(replies.dueReminders)
    .query(({ ctx, input }) => {
      const { organisationId } = ctx.selection
      const organisations = organisationId !== null ? [organisationId] : ctx.principal.memberships.map((one) => one.organisationId)
      return ctx.inTransaction((tx) => readRemindersOfMonth(tx, personOf(ctx), { organisations, ...input }))
    }),
  list: global('signedIn', 'short', restRoute('POST', '/List', { summary: 'List the signed-in user’s reminders' }))
    .input(listRequest)
    .output(replies.list)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => listReminders(tx, personOf(ctx), input))),
  create: global('signedIn', 'short', restRoute('POST', '', { status: 201, summary: 'Add a reminder for the signed-in user' }))
    .input(z.record(z.string(), z.unknown()))
    .output(createRecordReply(resources.reminder))
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => createReminder({ ...ctx, tx }, personOf(ctx), input))),
  update: global('signedIn', 'short', restRoute('PUT', '', { summary: 'Change one of the signed-in user’s reminders' }))
    .input(z.looseObject({ id: z.int().positive(), version: z.int().nullish() }))
    .output(createRecordReply(resources.reminder))
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => updateReminder({ ...ctx, tx }, personOf(ctx), input))),
  delete: global(
    'signedIn',
    'short',
    restRoute('POST', '/delete', { status: 204, summary: 'Delete one of the signed-in user’s reminders' }),
  )
    .input(z.object({ id: z.int().positive() }))
    .output(emptyReply)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => deleteReminder({ ...ctx, tx }, personOf(ctx), input.id))),
})
