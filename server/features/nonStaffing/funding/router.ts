import { z } from 'zod'
import { mongoId } from '../../../../domain/budget/budget.ts'
import { fundingPredictionInput } from '../../../../domain/budget/items/fundingPrediction.ts'
import { fundingRules } from '../../../../domain/calculation/nonStaffing/fundingRules.ts'
import { getLookupName } from '../../../../domain/lookups/lookups.ts'
import { listViewPermissions } from '../../../../domain/people/permissions.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { defineRestPaths, inBudget, router } from '../../../core/calls/procedures.ts'
import { deletedVersions } from '../../../resources/replies.ts'
import { calculatePrediction, listFundingTables } from '../../../shared/funding/queries.ts'
import { runMoneyChange } from '../../../shared/nonStaffing/changingMoney/commands.ts'
import { runCreatePrediction, runPostPrediction, runUpdatePrediction } from '../../../shared/nonStaffing/funding/commands.ts'
import { loadItems } from '../../../streams/budget/items.ts'
import { runDeleteSources } from '../commands.ts'
import * as replies from './replies.ts'
import { loadPredictionForDisplay, presentPrediction } from './rows.ts'

const reading = listViewPermissions('BudgetingNonStaffing')
const writing = ['BudgetingNonStaffingReadUpdate'] as const
const byId = z.object({ id: mongoId })
const at = defineRestPaths('/api/FundingPredictor', { entity: 'FundingPredictor' })

/** The funding predictor (rules.md §12). */
export const fundingRouter = router({
  list: inBudget(reading, 'short', at('GET', '/list', { summary: 'List funding predictions' }))
    .output(replies.list)
    .query(({ ctx }) =>
      ctx.inTransaction(async (tx) => {
        const rows = []
        for (const one of await loadItems({ ...ctx, tx }, 'prediction')) rows.push(await presentPrediction(tx, ctx, one))
        return rows.sort((a, b) => a.name.localeCompare(b.name, 'en-GB'))
      }),
    ),
  /** The kinds of row that may be added or, for a prediction, its calculated rows. */
  calculations: inBudget(
    reading,
    'short',
    at('GET', '/calculations', { summary: 'List the rules of a funding prediction, or its calculated rows' }),
  )
    .input(z.object({ id: mongoId.nullish().describe('Id of a prediction, for its rows; without it the rules are listed.') }).optional())
    .output(replies.calculations)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        if (!input?.id) return fundingRules.map((rule) => ({ ...rule, years: null }))
        const { rows, worked } = await loadPredictionForDisplay(tx, ctx, input.id)
        return rows.map((row, index) => ({
          key: `${index + 1}`,
          description: row.description ?? getLookupName('localAuthorityFundingRateCategories', row.category ?? 0) ?? row.kind,
          formula: fundingRules.find((rule) => rule.key === row.kind)?.formula ?? '',
          years: assertDefined(worked[index]).years,
        }))
      }),
    ),
  /**
   * The funding tables with rates for the location's authority: those that the budget uses, or all active ones if it uses none (behaviour
   * B-154).
   */
  versions: inBudget(reading, 'short', at('GET', '/versions', { summary: 'List the funding rate tables available for predictions' }))
    .output(replies.fundingVersions)
    .query(({ ctx }) => ctx.inTransaction((tx) => listFundingTables(tx, ctx.budget.head, ctx.now))),
  get: inBudget(reading, 'short', at('GET', '/{id:mongoId}', { summary: 'Read a funding prediction' }))
    .input(byId)
    .output(replies.prediction)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => loadPredictionForDisplay(tx, ctx, input.id))),
  create: inBudget(writing, 'short', at('POST', '', { status: 201, summary: 'Add a funding prediction' }))
    .input(z.object({ id: z.int('Version is required.'), budgetCodeId: z.int('Budget code is required.') }))
    .output(replies.prediction)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => loadPredictionForDisplay(tx, ctx, await runCreatePrediction({ ...ctx, tx }, input))),
    ),
  update: inBudget(writing, 'short', at('POST', '/update', { summary: 'Change a funding prediction' }))
    .input(fundingPredictionInput)
    .output(replies.prediction)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await runUpdatePrediction({ ...ctx, tx }, input)
        return loadPredictionForDisplay(tx, ctx, input.id)
      }),
    ),
  /** Writes the result to the budget as a linked entry. */
  process: inBudget(writing, 'short')
    .input(byId)
    .output(replies.prediction)
    .mutation(({ ctx, input }) =>
      runMoneyChange(ctx, async (tx) => {
        await runPostPrediction({ ...ctx, tx }, input.id)
        return loadPredictionForDisplay(tx, ctx, input.id)
      }),
    ),
  /** The rates of a funding table, for calculating rows that are still being edited. */
  table: inBudget(reading, 'short')
    .input(z.object({ versionId: z.int() }))
    .output(replies.fundingTableRates)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const { rates, tableYear } = await calculatePrediction(tx, ctx.budget.head, {
          prediction: { versionId: input.versionId, rows: [] },
          pupils: [],
        })
        return { rates: Object.fromEntries(rates), tableYear }
      }),
    ),
  delete: inBudget(writing, 'short', at('DELETE', '/{id:mongoId}', { status: 204, summary: 'Delete a funding prediction' }))
    .input(byId)
    .output(deletedVersions)
    .mutation(({ ctx, input }) => runMoneyChange(ctx, (tx) => runDeleteSources({ ...ctx, tx }, 'prediction', [input.id]))),
})
