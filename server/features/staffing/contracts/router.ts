import { z } from 'zod'
import { contractMongoId, staffContractInput } from '../../../../domain/budget/budget.ts'
import { bulkSelection, listRequest } from '../../../../domain/lists/lists.ts'
import { listViewPermissions } from '../../../../domain/people/permissions.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { formatBudgetYear } from '../../../../domain/values/calendar.ts'
import { toPounds } from '../../../../domain/values/format.ts'
import { noUserId } from '../../../../domain/values/ids.ts'
import { forbidden } from '../../../../domain/words/errors.ts'
import { defineRestPaths, inBudget, router } from '../../../core/calls/procedures.ts'
import { reply } from '../../../core/calls/reply.ts'
import { bulkEditResult, createRecordShape, deletionResult } from '../../../resources/replies.ts'
import { addReminderAbout } from '../../../shared/reminders/commands.ts'
import { readRemindersAbout } from '../../../shared/reminders/queries.ts'
import {
  readChangesSinceRecalculation,
  readContractPage,
  readContractRow,
  readEditingInputs,
  resolveSelectedContracts,
} from '../../../shared/staffing/contracts/queries.ts'
import { listStaffFindings } from './checks/queries.ts'
import { contractPatch, runDeleteContracts, runEditContracts, runSaveContractWithReminder } from './commands.ts'
import { readContractForecast } from './forecast.ts'
import * as replies from './replies.ts'

const reading = listViewPermissions('BudgetingStaffing')
const writing = ['BudgetingStaffingReadUpdate'] as const
const byId = z.object({ id: contractMongoId })
const reminderAbout = { description: z.string().nullish(), when: z.string().nullish(), notes: z.string().nullish() }
const at = defineRestPaths('/api/StaffContract', { entity: 'StaffContract' })

export const contractRouter = router({
  list: inBudget(reading, 'short', at('POST', '/paginated', { summary: 'List staff contracts' }))
    .input(listRequest)
    .output(replies.page)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const { rows, totals } = await readContractPage({ ...ctx, tx }, input)
        return {
          rows,
          total: totals.total,
          firstYearCost: toPounds(totals.firstYear),
          notCalculated: totals.notCalculated,
          firstYearName: formatBudgetYear(ctx.budget.head.firstYear, 0),
        }
      }),
    ),
  get: inBudget(reading, 'short', at('GET', '/id/{id:mongoId}', { summary: 'Read a staff contract' }))
    .input(byId)
    .output(replies.contract)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => readContractRow({ ...ctx, tx }, input.id, ctx.principal.userId))),
  save: inBudget(writing, 'short', at('PUT', '', { summary: 'Add or change a staff contract' }))
    .input(staffContractInput)
    .output(replies.savedContract)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction((tx) =>
        runSaveContractWithReminder(tx, { organisationId: ctx.organisationId, budgetId: ctx.budgetId, input, actor: ctx.actor }),
      ),
    ),
  bulkDelete: inBudget(writing, 'short', at('POST', '/bulkDelete', { summary: 'Delete several staff contracts' }))
    .input(bulkSelection)
    .output(deletionResult)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const ids = await resolveSelectedContracts({ ...ctx, tx }, input)
        const versions = await runDeleteContracts({ ...ctx, tx }, ids)
        return { deleted: versions.length, versions }
      }),
    ),
  /** Changes the same fields of many contracts. */
  edit: inBudget(writing, 'short')
    .input(bulkSelection.extend({ patch: contractPatch }))
    .output(bulkEditResult)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const ids = await resolveSelectedContracts({ ...ctx, tx }, input)
        return {
          updated: await runEditContracts(
            { tx, organisationId: ctx.organisationId, budgetId: ctx.budgetId, actor: ctx.actor },
            ids,
            input.patch,
          ),
        }
      }),
    ),
  /** Returns an unsaved copy of a contract (behaviour B-182). */
  duplicate: inBudget(writing, 'short', at('GET', '/duplicate/id/{id:mongoId}', { summary: 'Read an unsaved copy of a contract' }))
    .input(byId)
    .output(replies.unsavedCopy)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const { id: _id, version: _version, ...copy } = await readContractRow({ ...ctx, tx }, input.id)
        return { ...copy, contractName: `${copy.contractName} (copy)`.slice(0, 100), costYears: null, problems: [] }
      }),
    ),
  /** The reminders that the caller has set on a contract. */
  reminders: inBudget(reading, 'short')
    .input(byId)
    .output(reply(z.array(createRecordShape(resources.reminder))))
    .query(({ ctx, input }) =>
      ctx.inTransaction((tx) => readRemindersAbout({ ...ctx, tx }, ctx.principal.userId ?? noUserId, `contract:${input.id}`)),
    ),
  addReminder: inBudget(reading, 'short')
    .input(byId.extend(reminderAbout))
    .output(reply(createRecordShape(resources.reminder)))
    .mutation(({ ctx, input: { id, ...input } }) => {
      const { userId } = ctx.principal
      if (userId === null) throw forbidden()
      return ctx.inTransaction(async (tx) => {
        await readContractRow({ ...ctx, tx }, id)
        return addReminderAbout({ tx, organisationId: ctx.organisationId, userId, actor: ctx.actor }, `contract:${id}`, input)
      })
    }),
  /** Findings about the staff of the budget, in blocks. */
  checks: inBudget(reading, 'short')
    .input(z.object({ after: z.string().max(50).nullish() }))
    .output(replies.findingsBlock)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => listStaffFindings({ ...ctx, tx }, ctx.budget, { after: input.after }))),
  /** Changes since the last full recalculation: contracts saved after it, and whether shared inputs changed. */
  sinceRecalculation: inBudget(reading, 'short')
    .output(replies.sinceRecalculation)
    .query(({ ctx }) => ctx.inTransaction((tx) => readChangesSinceRecalculation(tx, ctx))),
  forecast: inBudget(
    reading,
    'short',
    at('GET', '/forecast/id/{id:mongoId}', { summary: 'Read the cost of a contract month by month, with how each month is calculated' }),
  )
    .input(byId.extend({ withSteps: z.boolean().optional().describe('False leaves out how each month is calculated.') }))
    .output(replies.contractForecast)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => readContractForecast({ ...ctx, tx }, input, ctx.holder.locationIds))),
  /** The inputs with which the browser calculates a contract while the user edits it: current rates and the employee's other contracts. */
  inputs: inBudget(reading, 'short')
    .input(
      z.object({
        contractId: contractMongoId.nullish(),
        employeeNumber: z.string().max(30).nullish(),
        known: z.string().max(64).nullish().describe('The digest of the budget’s shared data that the caller already has.'),
      }),
    )
    .output(replies.editingInputs)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => readEditingInputs(tx, ctx, input))),
})
