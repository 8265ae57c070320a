import { randomBytes } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { mongoId } from '../../domain/budget/budget.ts'
import { conflict, notFound } from '../../domain/errors.ts'
import { mongoIdFrom } from '../../domain/mongoId.ts'
import { either } from '../../domain/permissions.ts'
import { budgets } from '../../drizzle/schema.ts'
import type { OrganisationTx } from '../store/database.ts'
import { deleteGroup, getGroup, groupRow, groupsOf, progressOf, runningOf, saveGroup } from '../store/groupStore.ts'
import { beginRecalculation, cancelled, finishRecalculation } from '../store/recalculationStore.ts'
import { inOrganisation, router } from '../trpc/procedures.ts'
import { recalculationEvent } from './startup.ts'

const reading = either('ConsoleBudgetGroup')
const writing = ['ConsoleBudgetGroupReadUpdate'] as const
const alsoReadBy = [
  ...either(
    'BudgetingNonStaffing',
    'BudgetingOverview',
    'BudgetingStaffing',
    'BudgetingPayrollReconciliation',
    'BudgetingMonitoringBudgetActuals',
    'BudgetingMonitoringBudgetForecast',
  ),
  'BudgetingReportsRead' as const,
  ...either('ConsoleBudgetManagement', 'ConsoleMonitoringBudgetActuals', 'ConsoleMonitoringBudgetForecast'),
]
const byId = z.object({ id: mongoId })
const items = z.array(z.object({ budgetId: mongoId, order: z.int().nullish() })).max(2000)
const groupInput = z.object({
  id: mongoId.nullish(),
  version: z.int().nullish(),
  name: z.string('Name is required.').trim().min(1, 'Name is required.').max(100, 'Name can have at most 100 characters.'),
  description: z.string().max(200, 'Description can have at most 200 characters.').nullish(),
  items: items.default([]),
})

function ordered(list: z.infer<typeof items>): string[] {
  return [...list].sort((a, b) => (a.order ?? 0) - (b.order ?? 0)).map((item) => item.budgetId)
}

/** The groups whose budgets a limited user may see: at least one of their locations. */
async function groupOfBudget(tx: OrganisationTx, organisationId: number, budgetId: string) {
  return (await groupsOf(tx, organisationId)).find((group) => group.items.some((item) => item.budgetId === budgetId)) ?? null
}

/** A group that the caller may see: somebody limited to some locations must have a budget in it. @throws DomainError 404 */
async function visibleGroup(tx: OrganisationTx, ctx: { organisationId: number; holder: { locationIds: number[] | null } }, id: string) {
  const row = await groupRow(tx, ctx.organisationId, id)
  const { locationIds } = ctx.holder
  if (!locationIds) return row
  const own = row.budgetIds.length
    ? await tx
        .select({ id: budgets.id })
        .from(budgets)
        .where(
          and(eq(budgets.organisationId, ctx.organisationId), inArray(budgets.id, row.budgetIds), inArray(budgets.locationId, locationIds)),
        )
    : []
  if (!own.length) throw notFound('Budget group')
  return row
}

export const groupRouter = router({
  list: inOrganisation([...reading, ...alsoReadBy], { method: 'GET', path: '/api/BudgetGroup/list', entity: 'BudgetGroup' }).query(
    ({ ctx }) => ctx.inTransaction((tx) => groupsOf(tx, ctx.organisationId)),
  ),
  names: inOrganisation('signedIn', { method: 'GET', path: '/api/BudgetGroup/names', entity: 'BudgetGroup' }).query(({ ctx }) =>
    ctx.inTransaction(async (tx) => (await groupsOf(tx, ctx.organisationId)).map(({ id, name }) => ({ id, name }))),
  ),
  get: inOrganisation(reading, { method: 'GET', path: '/api/BudgetGroup/edit/id/{id:mongoId}', entity: 'BudgetGroup' })
    .input(byId)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => getGroup(tx, ctx.organisationId, input.id))),
  byBudget: inOrganisation('signedIn', { method: 'GET', path: '/api/BudgetGroup/budgetId/{id:mongoId}', entity: 'BudgetGroup' })
    .input(byId)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const [budget] = await tx
          .select({ locationId: budgets.locationId })
          .from(budgets)
          .where(and(eq(budgets.organisationId, ctx.organisationId), eq(budgets.id, input.id)))
        if (!budget || (ctx.holder.locationIds && !ctx.holder.locationIds.includes(budget.locationId))) throw notFound('Budget')
        return groupOfBudget(tx, ctx.organisationId, input.id)
      }),
    ),
  create: inOrganisation(writing, { method: 'POST', path: '/api/BudgetGroup/create', status: 201, entity: 'BudgetGroup' })
    .input(groupInput)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction((tx) =>
        saveGroup(
          tx,
          ctx.organisationId,
          mongoIdFrom(randomBytes(12)),
          { name: input.name, description: input.description ?? null, budgetIds: ordered(input.items) },
          null,
          ctx.actor,
          true,
        ),
      ),
    ),
  update: inOrganisation(writing, { method: 'PUT', path: '/api/BudgetGroup/update', entity: 'BudgetGroup' })
    .input(groupInput.extend({ id: mongoId }))
    .mutation(({ ctx, input }) =>
      ctx.inTransaction((tx) =>
        saveGroup(
          tx,
          ctx.organisationId,
          input.id,
          { name: input.name, description: input.description ?? null, budgetIds: ordered(input.items) },
          input.version ?? null,
          ctx.actor,
          false,
        ),
      ),
    ),
  items: inOrganisation(writing, { method: 'PATCH', path: '/api/BudgetGroup/items', entity: 'BudgetGroup' })
    .input(z.object({ id: mongoId, items }))
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const { name, description } = await groupRow(tx, ctx.organisationId, input.id)
        return saveGroup(tx, ctx.organisationId, input.id, { name, description, budgetIds: ordered(input.items) }, null, ctx.actor, false)
      }),
    ),
  delete: inOrganisation(writing, { method: 'DELETE', path: '/api/BudgetGroup/{id:mongoId}', status: 204, entity: 'BudgetGroup' })
    .input(byId)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => deleteGroup(tx, ctx.organisationId, input.id, ctx.actor))),
  recalculate: inOrganisation(['BudgetingStaffingReadUpdate', 'ConsoleBudgetGroupReadUpdate'], {
    method: 'POST',
    path: '/api/BudgetGroup/recalculate/staff-contracts/{id:mongoId}',
    status: 202,
    entity: 'BudgetGroup',
  })
    .input(byId)
    .mutation(async ({ ctx, input }) => {
      const { run, budgetIds } = await ctx.inTransaction(async (tx) => {
        await visibleGroup(tx, ctx, input.id)
        return beginRecalculation(tx, ctx.organisationId, input.id, ctx.actor)
      })
      // The row is the truth: a wake-up that is lost here is made good by the sweep of the workers.
      await ctx.services.queues.wake({ organisationId: ctx.organisationId, id: run.id, budgetIds }).catch(() => undefined)
      await ctx.services.fanOut
        .publish(ctx.organisationId, {
          target: 'RecalculationProgress',
          argument: { budgetGroupId: input.id, done: 0, of: budgetIds.length },
        })
        .catch(() => undefined)
      return recalculationEvent(run, ctx.principal.name)
    }),
  /** Ends a recalculation that is running: budgets that are done keep their new figures, the others their old ones. */
  cancel: inOrganisation(['BudgetingStaffingReadUpdate', 'ConsoleBudgetGroupReadUpdate'])
    .input(byId)
    .mutation(async ({ ctx, input }) => {
      const ended = await ctx.inTransaction(async (tx) => {
        await visibleGroup(tx, ctx, input.id)
        const [run] = await runningOf(tx, ctx.organisationId, input.id)
        return run ? finishRecalculation(tx, ctx.organisationId, run.id, ctx.now, cancelled) : null
      })
      if (!ended) throw conflict('notRunning', 'This budget group is not being recalculated.')
      const argument = { budgetGroupId: input.id, budgetIds: [], totals: [], position: ended.position ?? 0, failed: true, cancelled: true }
      await ctx.services.fanOut.publish(ctx.organisationId, { target: 'BudgetsRecalculated', argument }).catch(() => undefined)
    }),
  required: inOrganisation('signedIn', {
    method: 'GET',
    path: '/api/BudgetGroup/recalculate/staff-contracts/required/{id:mongoId}',
    entity: 'BudgetGroup',
  })
    .input(byId)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const row = await visibleGroup(tx, ctx, input.id)
        const open = row.budgetIds.length
          ? await tx
              .select({ id: budgets.id, head: budgets.head })
              .from(budgets)
              .where(and(eq(budgets.organisationId, ctx.organisationId), inArray(budgets.id, row.budgetIds)))
          : []
        const required = row.requiredSince !== null
        return {
          required,
          since: row.requiredSince && new Date(row.requiredSince).toISOString(),
          reason: row.requiredReason,
          budgetIds: required ? open.filter((budget) => !budget.head.locked).map((budget) => budget.id) : [],
        }
      }),
    ),
  progress: inOrganisation('signedIn')
    .input(byId)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await visibleGroup(tx, ctx, input.id)
        const [run] = await runningOf(tx, ctx.organisationId, input.id)
        return run ? progressOf(tx, ctx.organisationId, run.id) : null
      }),
    ),
})
