import { and, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { budgetInput, elementsInput, mongoId } from '../../domain/budget/budget.ts'
import { rolledName } from '../../domain/budget/copies/rollForward.ts'
import { invalid, notFound } from '../../domain/errors.ts'
import { bulkEditRequest, bulkSelection, chosenOf } from '../../domain/lists.ts'
import { budgets } from '../../drizzle/schema.ts'
import { announceRequired } from '../announce.ts'
import { patchOf, runDeleteBudgets, runEditBudgets, runLockBudgets } from '../commands/budgetBulk.ts'
import { startMonthOf } from '../commands/budgets.ts'
import { runCopyBudgets } from '../commands/copyBudgets.ts'
import { fillSoon } from '../fillSoon.ts'
import { notFilled } from '../store/budgetJobs.ts'
import { type BudgetRow, loadBudget } from '../store/budgetStore.ts'
import type { OrganisationTx } from '../store/database.ts'
import { effectOf } from '../store/effectStore.ts'
import { markBudgetRequired, type Required } from '../store/groupStore.ts'
import { overviewOf } from '../store/overviewStore.ts'
import { reviewBudgets } from '../store/reviewStore.ts'
import type { Services } from '../trpc/context.ts'
import { inOrganisation, router } from '../trpc/procedures.ts'
import { budgetRows, groupIds, shownBudget, visibleBudget } from './budgets.ts'
import { organisationTypeOf } from './budgetTemplate.ts'

const managing = ['ConsoleBudgetManagementReadUpdate'] as const
const wishes = { name: budgetInput.shape.name.nullish(), versionType: budgetInput.shape.versionType }
const several = z.array(mongoId, 'Choose at least one budget.').min(1, 'Choose at least one budget.').max(1000)

interface Who {
  organisationId: number
  holder: { locationIds: number[] | null }
}

/** The budgets that a bulk action takes, of those the caller may see. @throws DomainError 404 when one that is named is not among them */
async function chosen(tx: OrganisationTx, ctx: Who, selection: z.infer<typeof bulkSelection>): Promise<BudgetRow[]> {
  const all = (await budgetRows(tx, ctx.organisationId, ctx.holder.locationIds)).map((row) => ({ ...row, id: row.mongoId }))
  const rows = chosenOf(all, selection, ['name'])
  if (!rows) throw notFound('Budget')
  if (!rows.length) throw invalid([{ field: 'state', message: 'Choose at least one budget.' }])
  return loaded(
    tx,
    ctx.organisationId,
    rows.map((row) => row.id),
  )
}

async function loaded(tx: OrganisationTx, organisationId: number, ids: readonly string[]): Promise<BudgetRow[]> {
  const rows = await tx
    .select()
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), inArray(budgets.id, [...ids])))
    .orderBy(budgets.name)
    .for('update')
  return rows
}

/** Budgets as they stand after they were made and, when they are few, filled. */
async function shownAll(services: Services, organisationId: number, ids: readonly string[]) {
  await fillSoon(services, organisationId, ids)
  return services.store.inOrganisation(organisationId, async (tx) => {
    const [groups, making] = [await groupIds(tx, organisationId), await notFilled(tx, organisationId)]
    return Promise.all(ids.map(async (id) => shownBudget(await loadBudget(tx, organisationId, id), groups.get(id) ?? null, making.get(id))))
  })
}

/** What is done with budgets in the course of a year: copies, roll forward, locks, changes to many, deletion (spec 2 §7.5). */
export const budgetRoundRouter = router({
  duplicate: inOrganisation(managing, { method: 'POST', path: '/api/Budget/duplicate/{id:mongoId}', status: 201, entity: 'Budget' })
    .input(z.object({ id: mongoId, ...wishes }))
    .mutation(async ({ ctx, input }) => {
      const ids = await ctx.inTransaction(async (tx) => {
        await visibleBudget(tx, ctx, input.id)
        return runCopyBudgets(tx, ctx.organisationId, 'duplicate', [input.id], input, ctx.actor)
      })
      const [made] = await shownAll(ctx.services, ctx.organisationId, ids)
      return made!
    }),
  duplicateMany: inOrganisation(managing, { method: 'POST', path: '/api/Budget/duplicate', status: 201, entity: 'Budget' })
    .input(bulkSelection.extend(wishes))
    .mutation(async ({ ctx, input }) => {
      const ids = await ctx.inTransaction(async (tx) => {
        const sources = (await chosen(tx, ctx, input)).map((row) => row.id)
        return runCopyBudgets(tx, ctx.organisationId, 'duplicate', sources, input, ctx.actor)
      })
      return shownAll(ctx.services, ctx.organisationId, ids)
    }),
  rollForward: inOrganisation(managing, { method: 'POST', path: '/api/Budget/rollforward', status: 201, entity: 'Budget' })
    .input(z.object({ ids: several, ...wishes }))
    .mutation(async ({ ctx, input }) => {
      const ids = await ctx.inTransaction(async (tx) => {
        for (const id of input.ids) await visibleBudget(tx, ctx, id)
        return runCopyBudgets(tx, ctx.organisationId, 'rollForward', input.ids, input, ctx.actor)
      })
      return shownAll(ctx.services, ctx.organisationId, ids)
    }),
  /** What rolling budgets forward will make, and what was made of them before. Balances in whole pennies. */
  rollPreview: inOrganisation(managing)
    .input(z.object({ ids: several }))
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const all = await budgetRows(tx, ctx.organisationId, null)
        const preview = []
        for (const id of [...new Set(input.ids)].slice(0, 200)) {
          const row = await visibleBudget(tx, ctx, id)
          const { years } = await overviewOf(tx, row)
          const before = await rolledBefore(tx, ctx.organisationId, id)
          preview.push({
            id,
            name: row.name,
            newName: rolledName(row.head),
            locationId: row.locationId,
            opening: years[0]!.closing,
            missing: years[0]!.missing,
            before: all.filter((one) => before.has(one.mongoId)).map((one) => one.name),
          })
        }
        return preview
      }),
    ),
  /** What budgets that are about to be made would lack; nothing is saved. */
  review: inOrganisation(managing)
    .input(
      budgetInput.extend({ name: z.string().max(200), staffAssumptionsId: z.int().nullable(), locationIds: z.array(z.int()).max(500) }),
    )
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const startMonth = startMonthOf(await organisationTypeOf(tx, ctx.organisationId))
        return reviewBudgets(tx, ctx.organisationId, { ...input, startMonth })
      }),
    ),
  /** The pounds per year that other tables and assumptions would make, before they are saved. Whole pennies. */
  effect: inOrganisation(managing)
    .input(
      elementsInput.extend({
        budgetId: mongoId,
        ...budgetInput.pick({ numberOfYears: true, staffAssumptionsId: true, inflationId: true, contractTypeIds: true }).shape,
      }),
    )
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const row = await visibleBudget(tx, ctx, input.budgetId)
        const { budgetId: _id, numberOfYears, staffAssumptionsId, inflationId, contractTypeIds, ...elements } = input
        const changed = { numberOfYears, staffAssumptionsId, contractTypeIds, elements, inflationId: inflationId ?? null }
        return effectOf(tx, row, { ...row.head, ...changed })
      }),
    ),
  lockMany: inOrganisation(managing, { method: 'POST', path: '/api/Budget/fix', entity: 'Budget' })
    .input(bulkSelection)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const open = (await chosen(tx, ctx, input)).filter((row) => !row.head.locked).map((row) => row.id)
        await runLockBudgets(tx, ctx.organisationId, open, ctx.actor)
        return { updated: open.length }
      }),
    ),
  editMany: inOrganisation(managing, { method: 'POST', path: '/api/Budget/bulkedit', entity: 'Budget' })
    .input(bulkEditRequest)
    .mutation(({ ctx, input }) => editMany(ctx, input)),
  editElements: inOrganisation(managing, { method: 'POST', path: '/api/BudgetElements/bulk/edit', entity: 'BudgetElements' })
    .input(bulkEditRequest)
    .mutation(({ ctx, input }) => editMany(ctx, input)),
  delete: inOrganisation(managing, { method: 'DELETE', path: '/api/Budget/{id:mongoId}', status: 204, entity: 'Budget' })
    .input(z.object({ id: mongoId }))
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await visibleBudget(tx, ctx, input.id)
        await runDeleteBudgets(tx, ctx.organisationId, await loaded(tx, ctx.organisationId, [input.id]), ctx.actor)
      }),
    ),
  deleteMany: inOrganisation(managing, { method: 'POST', path: '/api/Budget/bulkDelete', entity: 'Budget' })
    .input(bulkSelection)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => ({
        deleted: await runDeleteBudgets(tx, ctx.organisationId, await chosen(tx, ctx, input), ctx.actor),
      })),
    ),
})

async function rolledBefore(tx: OrganisationTx, organisationId: number, sourceId: string): Promise<Set<string>> {
  const rows = await tx.select({ id: budgets.id, head: budgets.head }).from(budgets).where(eq(budgets.organisationId, organisationId))
  return new Set(rows.filter(({ head }) => head.source?.budgetId === sourceId && head.source.how === 'rollForward').map((row) => row.id))
}

type Editing = Who & {
  services: Services
  rows: Parameters<typeof runEditBudgets>[2]
  actor: Parameters<typeof runEditBudgets>[5]
  now: Date
  inTransaction: <T>(work: (tx: OrganisationTx) => Promise<T>) => Promise<T>
}

/** Changes many budgets alike and marks their groups as to be recalculated. */
async function editMany(ctx: Editing, { patch, ...selection }: z.infer<typeof bulkEditRequest>): Promise<{ updated: number }> {
  const wanted = patchOf(patch)
  const { updated, required } = await ctx.inTransaction(async (tx) => {
    const rows = await chosen(tx, ctx, selection)
    const changed = await runEditBudgets(tx, ctx.organisationId, ctx.rows, rows, wanted, ctx.actor)
    const required: Required[] = []
    for (const id of changed) required.push(...(await markBudgetRequired(tx, ctx.organisationId, id, 'Budget assumptions', ctx.now)))
    return { updated: rows.length, required }
  })
  await announceRequired(ctx.services, required)
  return { updated }
}
