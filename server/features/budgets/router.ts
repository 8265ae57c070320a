import { z } from 'zod'
import { budgetInput, budgetMongoId, contractMongoId, mongoId } from '../../../domain/budget/budget.ts'
import { listRequest } from '../../../domain/lists/lists.ts'
import { listViewPermissions } from '../../../domain/people/permissions.ts'
import { toPounds } from '../../../domain/values/format.ts'
import { maximumListRows } from '../../../domain/words/notices.ts'
import { defineRestPaths, inBudget, inOrganisation, router } from '../../core/calls/procedures.ts'
import { emptyReply } from '../../core/calls/reply.ts'
import { openStoreWithin } from '../../core/database/database.ts'
import { readUserNames } from '../../core/database/userNames.ts'
import { announceRecalculationRequired } from '../../core/live/announce.ts'
import { moveBudgetToGroup } from '../../shared/budgetGroups/commands.ts'
import { loadGroupToChange } from '../../shared/budgetGroups/queries.ts'
import { readBudgetHistory } from '../../shared/budgetHistory/queries.ts'
import { runCreateBudgets, runLockBudget, runRenameBudget, runUndoSaves, runUpdateBudget } from '../../shared/budgets/commands.ts'
import {
  loadVisibleBudget,
  readBudgetDefaults,
  readBudgetPage,
  readGroupIdsByBudget,
  readOrganisationType,
  readShownBudget,
} from '../../shared/budgets/queries.ts'
import * as replies from '../../shared/budgets/replies.ts'
import { presentBudget } from '../../shared/budgets/rows.ts'
import { readCostSummaries, sumCostsOfYear } from '../../shared/costing/costs/queries.ts'
import { readHiddenCodes } from '../../shared/fewPeople/queries.ts'
import { runMoneyChange } from '../../shared/nonStaffing/changingMoney/commands.ts'
import { sumStaffLines } from '../../shared/staffing/lines/queries.ts'
import { markBudgetForRecalculation } from '../../streams/budget/marks.ts'
import { countContracts, loadBudget } from '../../streams/budget/queries.ts'

const management = listViewPermissions('ConsoleBudgetManagement')
const managing = ['ConsoleBudgetManagementReadUpdate'] as const
const byId = z.object({ id: budgetMongoId })

/** A history is paged from the newest entry: this asks for the entries before a version. */
const before = z.int().positive().nullish()

const elementsBody = budgetInput
  .omit({ locationIds: true, firstYear: true })
  .extend({ budgetId: budgetMongoId, version: z.int().nullish() })
const at = defineRestPaths('/api/')

export const budgetRouter = router({
  list: inOrganisation(management, 'short', at('POST', 'Budget/paginated', { entity: 'Budget', summary: 'List budgets' }))
    .input(listRequest)
    .output(replies.page)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => readBudgetPage(tx, { ...ctx, locationIds: ctx.holder.locationIds }, input))),
  listByLocation: inOrganisation(
    'signedIn',
    'short',
    at('POST', 'Budget/paginated/location', { entity: 'Budget', summary: 'List the budgets of selected locations' }),
  )
    .input(z.object({ ids: z.array(z.int().brand<'LocationId'>()).max(5000), payload: listRequest.optional() }))
    .output(replies.page)
    .query(({ ctx, input }) =>
      ctx.inTransaction((tx) => {
        const locationIds = input.ids.filter((id) => !ctx.holder.locationIds || ctx.holder.locationIds.includes(id))
        return readBudgetPage(tx, { ...ctx, locationIds }, input.payload ?? { pageNumber: 1, pageSize: maximumListRows })
      }),
    ),
  get: inOrganisation('signedIn', 'short', at('GET', 'Budget/id/{id:mongoId}', { entity: 'Budget', summary: 'Read a budget' }))
    .input(byId)
    .output(replies.budgetReply)
    .query(({ ctx, input }) => ctx.inTransaction(async (tx) => readShownBudget(tx, await loadVisibleBudget(tx, ctx, input.id)))),
  elements: inOrganisation(
    [...listViewPermissions('BudgetingOverview'), ...management],
    'short',
    at('GET', 'Budget/elements/{id:mongoId}', { entity: 'BudgetElements', summary: 'Read the tables used to cost a budget' }),
  )
    .input(byId)
    .output(replies.budgetElements)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const row = await loadVisibleBudget(tx, ctx, input.id)
        const groupId = (await readGroupIdsByBudget(tx, ctx.organisationId)).get(input.id) ?? null
        const { mongoId: id, locationId, ...budget } = presentBudget(row, { groupId })
        return { ...budget, id, budgetId: id, locationIds: [locationId] }
      }),
    ),
  /** The defaults of a new budget: the newest tables, the first set of assumptions, and all contract types of its locations. */
  template: inOrganisation(
    management,
    'short',
    at('POST', 'BudgetElements/template', { entity: 'BudgetElements', summary: 'Read the initial values of a new budget' }),
  )
    .input(z.object({ locations: z.array(z.int().brand<'LocationId'>()).max(5000).default([]) }))
    .output(replies.template)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => readBudgetDefaults({ ...ctx, tx }, input.locations))),
  create: inOrganisation(
    managing,
    'short',
    at('POST', 'BudgetElements/create', { status: 201, entity: 'BudgetElements', summary: 'Add a budget' }),
  )
    .input(budgetInput)
    .output(replies.budgetListReply)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        if (input.budgetGroupId) await loadGroupToChange({ ...ctx, tx }, input.budgetGroupId)
        const ids = await runCreateBudgets(
          tx,
          {
            organisationId: ctx.organisationId,
            organisationType: await readOrganisationType(tx, ctx.organisationId),
            scope: ctx.rows,
            actor: ctx.actor,
          },
          input,
        )
        return Promise.all(ids.map(async (id) => readShownBudget(tx, await loadBudget({ ...ctx, tx }, id))))
      }),
    ),
  update: inOrganisation(managing, 'short', at('PUT', 'BudgetElements/update', { entity: 'BudgetElements', summary: 'Change a budget' }))
    .input(elementsBody)
    .output(replies.budgetReply)
    .mutation(async ({ ctx, input }) => {
      const { shown, required } = await ctx.inTransaction(async (tx) => {
        await loadVisibleBudget(tx, ctx, input.budgetId)
        const changed = await runUpdateBudget(
          { tx, organisationId: ctx.organisationId, scope: ctx.rows, actor: ctx.actor },
          { id: input.budgetId, version: input.version ?? null },
          input,
        )
        if (input.budgetGroupId !== undefined) await moveBudgetToGroup({ ...ctx, tx, budgetId: input.budgetId }, input.budgetGroupId)
        const required = changed ? await markBudgetForRecalculation({ ...ctx, tx, budgetId: input.budgetId }, 'Budget assumptions') : []
        return { shown: await readShownBudget(tx, await loadBudget({ ...ctx, tx }, input.budgetId)), required }
      })
      await announceRecalculationRequired(ctx.services, required)
      return shown
    }),
  rename: inOrganisation(managing, 'short')
    .input(z.object({ id: budgetMongoId, name: budgetInput.shape.name }))
    .output(replies.budgetReply)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await loadVisibleBudget(tx, ctx, input.id)
        await runRenameBudget({ ...ctx, tx }, input.id, input.name)
        return readShownBudget(tx, await loadBudget({ ...ctx, tx }, input.id))
      }),
    ),
  lock: inOrganisation(managing, 'short', at('POST', 'Budget/fix/{id:mongoId}', { entity: 'Budget', summary: 'Lock a budget permanently' }))
    .input(byId)
    .output(replies.budgetReply)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await loadVisibleBudget(tx, ctx, input.id)
        await runLockBudget({ ...ctx, tx }, input.id)
        return readShownBudget(tx, await loadBudget({ ...ctx, tx }, input.id))
      }),
    ),
  history: inBudget([...listViewPermissions('BudgetingOverview', 'BudgetingStaffing', 'BudgetingNonStaffing'), ...management], 'short')
    .input(z.object({ contractId: contractMongoId.nullish(), itemId: mongoId.nullish(), before }))
    .output(replies.history)
    .query(({ ctx, input }) => readBudgetHistory(ctx, ctx.budgetId, input)),
  /** The history of any budget that the caller may see, for the console, where no budget is selected. */
  historyById: inOrganisation(management, 'short')
    .input(byId.extend({ before }))
    .output(replies.history)
    .query(async ({ ctx, input: { id, before } }) => {
      await ctx.inTransaction((tx) => loadVisibleBudget(tx, ctx, id))
      return readBudgetHistory(ctx, id, { before })
    }),
  /**
   * Undoes the caller's own changes, by version, all or none. Budget managers may also undo changes made by other
   * systems.
   */
  undo: inBudget(['BudgetingStaffingReadUpdate', 'BudgetingNonStaffingReadUpdate', 'BudgetingOverviewReadUpdate', ...managing], 'short')
    .input(z.object({ versions: z.array(z.int().positive()).min(1).max(5000) }))
    .output(emptyReply)
    .mutation(({ ctx, input }) =>
      runMoneyChange(ctx, (tx) =>
        runUndoSaves({ ...ctx, tx }, input.versions, {
          holder: ctx.holder,
          namesOf: (ids) => readUserNames(openStoreWithin(tx, ctx.services.store, ctx.organisationId), ids),
        }),
      ),
    ),
  /** Summarises a budget: staff costs by year, contracts that are not calculated, the last recalculation. */
  summary: inBudget(listViewPermissions('BudgetingOverview', 'BudgetingStaffing'), 'short')
    .output(replies.summary)
    .query(async ({ ctx }) => {
      const { costs, contracts, groupId, levy } = await ctx.inTransaction(async (tx) => {
        await readHiddenCodes({ ...ctx, tx }, [ctx.budgetId])
        return {
          levy: (await sumStaffLines({ ...ctx, tx }, 'component', ctx.budget.head.numberOfYears)).find((sum) => sum.key === 'levy'),
          costs: [...(await readCostSummaries({ ...ctx, tx })).values()].map((row) => row.yearTotals),
          contracts: await countContracts(tx, ctx.organisationId, ctx.budgetId),
          groupId: (await readGroupIdsByBudget(tx, ctx.organisationId)).get(ctx.budgetId) ?? null,
        }
      })
      const years = Array.from({ length: ctx.budget.head.numberOfYears }, (_unused, year) => {
        const { total, missing } = sumCostsOfYear(costs, contracts, year)
        const yearOfLevy = levy?.years[year]
        // Without lines there is no levy. An uncalculated levy is null, not zero.
        return {
          total: total === null ? null : toPounds(total),
          missing,
          levy: yearOfLevy ? (yearOfLevy.missing > 0 ? null : yearOfLevy.total) : 0,
        }
      })
      const savedBy =
        ctx.budget.savedById === null
          ? null
          : ((await readUserNames(ctx.services.store, [ctx.budget.savedById])).get(ctx.budget.savedById) ?? null)
      return {
        budget: presentBudget(ctx.budget, { groupId }),
        savedBy,
        contracts,
        years,
        notCalculated: Math.max(0, ...years.map((year) => year.missing)),
      }
    }),
})
