import { z } from 'zod'
import { listViewPermissions } from '../../../../domain/people/permissions.ts'
import { staffFile } from '../../../../domain/resources/staffFile.ts'
import { defineRestPaths, inBudget, inLocation, router } from '../../../core/calls/procedures.ts'
import { emptyReply } from '../../../core/calls/reply.ts'
import { readUserNames } from '../../../core/database/userNames.ts'
import { logLeftOutRows } from '../../../resources/import/leftOut.ts'
import { importInput } from '../../../resources/procedures.ts'
import { template } from '../../../resources/replies.ts'
import { buildTemplate } from '../../../resources/template.ts'
import { acceptStaffChanges, deleteStaffFile, dismissStaffChanges, storeStaffFile } from '../../../shared/staffFiles/commands.ts'
import { compareStaffFile, readStaffFileHead } from '../../../shared/staffFiles/queries.ts'
import * as replies from './replies.ts'

const reading = listViewPermissions('BudgetingStaffing')
const writing = ['BudgetingStaffingReadUpdate'] as const
const token = z
  .string()
  .regex(/^[0-9a-f]{32}$/, 'A change id must have 32 hexadecimal digits.')
  .meta({ examples: ['374a00988461a398243cba79f1ac47d1'] })
const mostAtOnce = 5000
const at = defineRestPaths('/api/integrations/staff', { term: { singular: 'Staff file', plural: 'Staff files' } })

/** Files from an HR system that list who works at a location, and applying them to a budget. */
export const staffFileRouter = router({
  head: inBudget(reading, 'short')
    .output(replies.latestFile)
    .query(({ ctx }) =>
      ctx.inTransaction(async (tx) => {
        const file = await readStaffFileHead(tx, ctx.organisationId, ctx.locationId)
        return file ? { name: file.name, day: file.day, takenAt: file.takenAt } : null
      }),
    ),
  changes: inBudget(reading, 'short', at('GET', '/changes', { summary: 'List the differences between a staff file and the budget' }))
    .output(replies.changes)
    .query(({ ctx }) =>
      ctx.inTransaction(async (tx) => {
        const found = await compareStaffFile(tx, { ...ctx.rows, organisationId: ctx.organisationId }, ctx.budget)
        if (!found) return null
        const { name, day, takenAt, takenById, rowCount } = found.file
        const names = await readUserNames(ctx.services.store, [takenById])
        return {
          file: { name, day, takenAt, takenBy: takenById === null ? null : (names.get(takenById) ?? 'Unknown'), rows: rowCount },
          changes: found.proposals.map(
            ({ kind, token: key, rows, employeeNumber, personName, contractId, contractName, changes, notes, problems, isLeft }) => ({
              kind,
              token: key,
              rows,
              employeeNumber,
              personName,
              contractId,
              contractName,
              changes,
              notes,
              problems,
              isLeft,
            }),
          ),
          same: found.same,
          withoutNumber: found.withoutNumber,
        }
      }),
    ),
  import: inLocation(writing, 'import', at('PUT', '', { summary: 'Import staff files' }))
    .input(
      z.object({
        ...importInput.pick({ rows: true, leftOut: true }).shape,
        name: z
          .string()
          .trim()
          .min(1, 'Name is required.')
          .max(200, 'Name can have at most 200 characters.')
          .describe('The name of the file or of its source system.'),
        day: z.iso.date('Enter the day as 2026-11-24.').describe('The date of the data.'),
      }),
    )
    .output(replies.importedFile)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const scope = { ...ctx.rows, organisationId: ctx.organisationId }
        await logLeftOutRows({ ...ctx, tx }, { entity: staffFile.name, organisationId: ctx.organisationId, leftOut: input.leftOut })
        await storeStaffFile({ ...ctx, tx }, scope, { ...input, locationId: ctx.locationId })
        return { rows: input.rows.length }
      }),
    ),
  accept: inBudget(writing, 'short', at('POST', '/changes/accept', { summary: 'Apply changes that a staff file proposes to the budget' }))
    .input(
      z.object({
        items: z
          .array(z.object({ token, endDate: z.iso.date('Enter the day as 2026-11-24.').nullish().describe('For a leaver: the last day.') }))
          .min(1, 'Choose the changes to accept.')
          .max(mostAtOnce),
      }),
    )
    .output(replies.acceptedChanges)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction((tx) => acceptStaffChanges({ ...ctx, tx }, { ...ctx.rows, organisationId: ctx.organisationId }, input.items)),
    ),
  leave: inBudget(
    writing,
    'short',
    at('POST', '/changes/leave', { status: 204, summary: 'Dismiss changes that a staff file proposes, or reopen them' }),
  )
    .input(
      z.object({
        tokens: z.array(token).min(1, 'Choose the changes to dismiss.').max(mostAtOnce),
        leave: z.boolean().describe('False to show it again.'),
      }),
    )
    .output(emptyReply)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction((tx) => dismissStaffChanges({ ...ctx, tx }, { ...ctx.rows, organisationId: ctx.organisationId }, input)),
    ),
  drop: inLocation(writing, 'short', at('DELETE', '', { status: 204, summary: 'Delete the staff file of a location' }))
    .output(emptyReply)
    .mutation(({ ctx }) => ctx.inTransaction((tx) => deleteStaffFile(tx, ctx.organisationId, ctx.locationId))),
  template: inBudget(reading, 'short')
    .output(template)
    .query(({ ctx }) => ctx.inTransaction((tx) => buildTemplate(tx, staffFile, ctx))),
})
