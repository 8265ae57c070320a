import { z } from 'zod'
import { mongoId } from '../../../../domain/budget/budget.ts'
import { ieCalculationInput } from '../../../../domain/budget/items/ieCalculation.ts'
import { bulkSelection, listRequest } from '../../../../domain/lists/lists.ts'
import { listViewPermissions } from '../../../../domain/people/permissions.ts'
import { defineRestPaths, inBudget, router } from '../../../core/calls/procedures.ts'
import { deletedVersions, deletionResult } from '../../../resources/replies.ts'
import { runMoneyChange } from '../../../shared/nonStaffing/changingMoney/commands.ts'
import { runDeleteSources } from '../commands.ts'
import { runPostCalculation, runSaveCalculation } from './commands.ts'
import { readCalculation, readCalculationPage, resolveSelectedCalculations } from './queries.ts'
import * as replies from './replies.ts'

const reading = listViewPermissions('BudgetingNonStaffing')
const writing = ['BudgetingNonStaffingReadUpdate'] as const
const byId = z.object({ id: mongoId })
const at = defineRestPaths('/api/IncomeExpenditureCalculator', { entity: 'IncomeExpenditureCalculator' })

/** Income and expenditure calculations (rules.md §11). */
export const calculationRouter = router({
  list: inBudget(reading, 'short', at('POST', '/paginated', { summary: 'List income and expenditure calculations' }))
    .input(listRequest)
    .output(replies.page)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => readCalculationPage(tx, ctx, input))),
  get: inBudget(reading, 'short', at('GET', '/id/{id:mongoId}', { summary: 'Read an income and expenditure calculation' }))
    .input(byId)
    .output(replies.calculation)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => readCalculation(tx, ctx, input.id))),
  save: inBudget(writing, 'short', at('PUT', '/save', { summary: 'Add or change an income and expenditure calculation' }))
    .input(ieCalculationInput)
    .output(replies.calculation)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => readCalculation(tx, ctx, await runSaveCalculation({ ...ctx, tx }, input))),
    ),
  process: inBudget(writing, 'short', at('PUT', '/process', { summary: 'Post the result of a calculation as an entry' }))
    .input(z.object({ id: mongoId, years: z.int('Years must be a whole number.').min(1).max(5).nullish() }))
    .output(replies.calculation)
    .mutation(({ ctx, input }) =>
      runMoneyChange(ctx, async (tx) => {
        await runPostCalculation({ ...ctx, tx }, input.id, input.years)
        return readCalculation(tx, ctx, input.id)
      }),
    ),
  delete: inBudget(
    writing,
    'short',
    at('DELETE', '/id/{id:mongoId}', { status: 204, summary: 'Delete an income and expenditure calculation' }),
  )
    .input(byId)
    .output(deletedVersions)
    .mutation(({ ctx, input }) => runMoneyChange(ctx, (tx) => runDeleteSources({ ...ctx, tx }, 'calculation', [input.id]))),
  bulkDelete: inBudget(writing, 'short', at('POST', '/bulkDelete', { summary: 'Delete several income and expenditure calculations' }))
    .input(bulkSelection)
    .output(deletionResult)
    .mutation(({ ctx, input }) =>
      runMoneyChange(ctx, async (tx) => {
        const ids = await resolveSelectedCalculations(tx, ctx, input)
        return { deleted: ids.length, versions: await runDeleteSources({ ...ctx, tx }, 'calculation', ids) }
      }),
    ),
})
