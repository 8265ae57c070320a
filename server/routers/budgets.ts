import { and, asc, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { budgetInput, elementsInput, mongoId } from '../../domain/budget/budget.ts'
import { notFound } from '../../domain/errors.ts'
import { poundsOf } from '../../domain/format.ts'
import { listRequest, pageOf } from '../../domain/lists.ts'
import { either } from '../../domain/permissions.ts'
import { budgetGroups, budgets } from '../../drizzle/schema.ts'
import { announceRequired } from '../announce.ts'
import { runCreateBudgets, runLockBudget, runRenameBudget, runUndo, runUpdateBudget } from '../commands/budgets.ts'
import { notFilled } from '../store/budgetJobs.ts'
import { type BudgetRow, loadBudget, loadContracts } from '../store/budgetStore.ts'
import { costSummaries, yearOnRecord } from '../store/costStore.ts'
import type { OrganisationTx } from '../store/database.ts'
import { moveToGroup } from '../store/groupMembers.ts'
import { markBudgetRequired } from '../store/groupStore.ts'
import { sumLines } from '../store/lineQueries.ts'
import { userNames } from '../store/referenceLog.ts'
import { inBudget, inOrganisation, router } from '../trpc/procedures.ts'
import { organisationTypeOf, template } from './budgetTemplate.ts'
import { historyOf } from './history.ts'

const management = either('ConsoleBudgetManagement')
const managing = ['ConsoleBudgetManagementReadUpdate'] as const
const byId = z.object({ id: mongoId })

/** A budget as the API shows it (entities.json Budget). */
export function shownBudget(row: BudgetRow, groupId: string | null = null, making: string | null | undefined = undefined) {
  const { elements, locked, ...head } = row.head
  return {
    mongoId: row.id,
    name: head.name,
    locationId: head.locationId,
    budgetGroupId: groupId,
    firstYear: head.firstYear,
    startMonth: head.startMonth,
    numberOfYears: head.numberOfYears,
    state: locked ? 2 : 1,
    lockedAt: head.lockedAt,
    lockedById: head.lockedById,
    sourceBudgetId: head.source?.budgetId ?? null,
    versionType: head.versionType,
    approval: head.approval?.state ?? null,
    moments: head.moments,
    /** It is still being filled from its source; `notMade` says why it could not be. */
    isBeingMade: making === null,
    notMade: making ?? null,
    staffAssumptionsId: head.staffAssumptionsId,
    inflationId: head.inflationId,
    contractTypeIds: head.contractTypeIds,
    ...elements,
    savedAt: new Date(row.savedAt).toISOString(),
    savedById: row.savedById,
    recalculatedAt: row.recalculated?.at ?? null,
    created: new Date(row.created).toISOString().slice(0, 10),
    version: row.version,
  }
}

export async function groupIds(tx: OrganisationTx, organisationId: number): Promise<Map<string, string>> {
  const rows = await tx
    .select({ id: budgetGroups.id, budgetIds: budgetGroups.budgetIds })
    .from(budgetGroups)
    .where(eq(budgetGroups.organisationId, organisationId))
  return new Map(rows.flatMap((row) => row.budgetIds.map((budgetId) => [budgetId, row.id] as const)))
}

export async function budgetRows(tx: OrganisationTx, organisationId: number, locationIds: readonly number[] | null) {
  const rows = await tx
    .select()
    .from(budgets)
    .where(
      and(
        eq(budgets.organisationId, organisationId),
        locationIds ? inArray(budgets.locationId, locationIds.length ? [...locationIds] : [-1]) : undefined,
      ),
    )
    .orderBy(asc(budgets.name))
  const groups = await groupIds(tx, organisationId)
  const making = await notFilled(tx, organisationId)
  return rows.map((row) => shownBudget(row, groups.get(row.id) ?? null, making.get(row.id)))
}

/** A budget that the caller may see. @throws DomainError 404 */
export async function visibleBudget(
  tx: OrganisationTx,
  ctx: { organisationId: number; holder: { locationIds: number[] | null } },
  id: string,
): Promise<BudgetRow> {
  const row = await loadBudget(tx, ctx.organisationId, id)
  if (ctx.holder.locationIds && !ctx.holder.locationIds.includes(row.locationId)) throw notFound('Budget')
  return row
}

const elementsBody = elementsInput.extend({
  budgetId: mongoId,
  version: z.int().nullish(),
  ...budgetInput.omit({ locationIds: true, firstYear: true }).shape,
})

export const budgetRouter = router({
  list: inOrganisation(management, { method: 'POST', path: '/api/Budget/paginated', entity: 'Budget' })
    .input(listRequest)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => pageOf(await budgetRows(tx, ctx.organisationId, ctx.holder.locationIds), input, ['name'], 'name')),
    ),
  listByLocation: inOrganisation('signedIn', { method: 'POST', path: '/api/Budget/paginated/location', entity: 'Budget' })
    .input(z.object({ ids: z.array(z.int()).max(5000), payload: listRequest.optional() }))
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const allowed = input.ids.filter((id) => !ctx.holder.locationIds || ctx.holder.locationIds.includes(id))
        return pageOf(await budgetRows(tx, ctx.organisationId, allowed), input.payload ?? { pageSize: 5000 }, ['name'], 'name')
      }),
    ),
  get: inOrganisation('signedIn', { method: 'GET', path: '/api/Budget/id/{id:mongoId}', entity: 'Budget' })
    .input(byId)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) =>
        shownBudget(
          await visibleBudget(tx, ctx, input.id),
          (await groupIds(tx, ctx.organisationId)).get(input.id) ?? null,
          (await notFilled(tx, ctx.organisationId)).get(input.id),
        ),
      ),
    ),
  elements: inOrganisation([...either('BudgetingOverview'), ...management], {
    method: 'GET',
    path: '/api/Budget/elements/{id:mongoId}',
    entity: 'BudgetElements',
  })
    .input(byId)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const row = await visibleBudget(tx, ctx, input.id)
        const groupId = (await groupIds(tx, ctx.organisationId)).get(input.id) ?? null
        const { mongoId: id, locationId, ...budget } = shownBudget(row, groupId)
        return { ...budget, id, budgetId: id, locationIds: [locationId] }
      }),
    ),
  /** What a new budget starts from: the newest tables, the first assumptions, all contract types of the locations. */
  template: inOrganisation(management, { method: 'POST', path: '/api/BudgetElements/template', entity: 'BudgetElements' })
    .input(z.object({ locations: z.array(z.int()).max(5000).default([]) }))
    .query(({ ctx, input }) => ctx.inTransaction((tx) => template(tx, ctx.organisationId, input.locations, ctx.now))),
  create: inOrganisation(managing, { method: 'POST', path: '/api/BudgetElements/create', status: 201, entity: 'BudgetElements' })
    .input(budgetInput)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const ids = await runCreateBudgets(
          tx,
          ctx.organisationId,
          await organisationTypeOf(tx, ctx.organisationId),
          ctx.rows,
          input,
          ctx.actor,
        )
        return Promise.all(ids.map(async (id) => shownBudget(await loadBudget(tx, ctx.organisationId, id))))
      }),
    ),
  update: inOrganisation(managing, { method: 'PUT', path: '/api/BudgetElements/update', entity: 'BudgetElements' })
    .input(elementsBody)
    .mutation(async ({ ctx, input }) => {
      const { shown, required } = await ctx.inTransaction(async (tx) => {
        await visibleBudget(tx, ctx, input.budgetId)
        const changed = await runUpdateBudget(tx, ctx.organisationId, ctx.rows, input.budgetId, input.version ?? null, input, ctx.actor)
        if (input.budgetGroupId !== undefined) await moveToGroup(tx, ctx.organisationId, input.budgetId, input.budgetGroupId, ctx.actor)
        const required = changed ? await markBudgetRequired(tx, ctx.organisationId, input.budgetId, 'Budget assumptions', ctx.now) : []
        return { shown: shownBudget(await loadBudget(tx, ctx.organisationId, input.budgetId)), required }
      })
      await announceRequired(ctx.services, required)
      return shown
    }),
  rename: inOrganisation(managing)
    .input(z.object({ id: mongoId, name: budgetInput.shape.name }))
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await visibleBudget(tx, ctx, input.id)
        await runRenameBudget(tx, ctx.organisationId, input.id, input.name, ctx.actor)
        return shownBudget(await loadBudget(tx, ctx.organisationId, input.id))
      }),
    ),
  lock: inOrganisation(managing, { method: 'POST', path: '/api/Budget/fix/{id:mongoId}', entity: 'Budget' })
    .input(byId)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await visibleBudget(tx, ctx, input.id)
        await runLockBudget(tx, ctx.organisationId, input.id, ctx.actor)
        return shownBudget(await loadBudget(tx, ctx.organisationId, input.id))
      }),
    ),
  history: inBudget([...either('BudgetingOverview', 'BudgetingStaffing', 'BudgetingNonStaffing'), ...management])
    .input(z.object({ contractId: mongoId.nullish(), itemId: mongoId.nullish() }))
    .query(({ ctx, input }) => historyOf(ctx, ctx.budgetId, input)),
  /** The history of any budget one may see, for the console, which has none selected. */
  historyById: inOrganisation(management)
    .input(byId)
    .query(async ({ ctx, input }) => {
      await ctx.inTransaction((tx) => visibleBudget(tx, ctx, input.id))
      return historyOf(ctx, input.id, {})
    }),
  undo: inBudget(['BudgetingStaffingReadUpdate', 'BudgetingNonStaffingReadUpdate', 'BudgetingOverviewReadUpdate', ...managing])
    .input(z.object({ version: z.int().positive() }))
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => runUndo(tx, ctx.organisationId, ctx.budgetId, [input.version], ctx.actor))),
  /** The state of a budget at a glance: what staff cost by year, what is not calculated, when it was recalculated. */
  summary: inBudget(either('BudgetingOverview', 'BudgetingStaffing')).query(async ({ ctx }) => {
    const { costs, contracts, groupId, levy } = await ctx.inTransaction(async (tx) => ({
      levy: (await sumLines(tx, ctx, 'component', ctx.budget.head.numberOfYears)).find((sum) => sum.key === 'levy'),
      costs: [...(await costSummaries(tx, ctx.organisationId, ctx.budgetId)).values()].map((row) => row.yearTotals),
      contracts: (await loadContracts(tx, ctx.organisationId, ctx.budgetId)).length,
      groupId: (await groupIds(tx, ctx.organisationId)).get(ctx.budgetId) ?? null,
    }))
    const years = Array.from({ length: ctx.budget.head.numberOfYears }, (_unused, year) => {
      const { total, missing } = yearOnRecord(costs, contracts, year)
      return { total: total === null ? null : poundsOf(total), missing, levy: levy?.years[year]?.total ?? 0 }
    })
    const savedBy =
      ctx.budget.savedById === null
        ? null
        : ((await userNames(ctx.services.store, [ctx.budget.savedById])).get(ctx.budget.savedById) ?? null)
    return {
      budget: shownBudget(ctx.budget, groupId),
      savedBy,
      contracts,
      years,
      notCalculated: Math.max(0, ...years.map((year) => year.missing)),
    }
  }),
})
