import type { z } from 'zod'
import { budgetInput, pickBudgetSettings, settingsInput } from '../../../../domain/budget/budget.ts'
import { deleteBudget } from '../../../../domain/budget/decide.ts'
import type { BulkEditRequest, bulkEditRequest } from '../../../../domain/lists/lists.ts'
import { displayCount } from '../../../../domain/values/format.ts'
import type { BudgetId, OrganisationId } from '../../../../domain/values/ids.ts'
import { isKeyOf } from '../../../../domain/values/keysOf.ts'
import { conflict, invalid } from '../../../../domain/words/errors.ts'
import type { Actor } from '../../../core/calls/actor.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { Services } from '../../../core/calls/context.ts'
import type { CallTools } from '../../../core/calls/oneTransaction.ts'
import type { RowScope } from '../../../core/calls/scope.ts'
import type { BudgetRow } from '../../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { announceRecalculationRequired, type RecalculationRequired } from '../../../core/live/announce.ts'
import { removeBudgetsFromGroups } from '../../../shared/budgetGroups/commands.ts'
import { runLockBudget, runUpdateBudget } from '../../../shared/budgets/commands.ts'
import { readGroupIdsByBudget } from '../../../shared/budgets/queries.ts'
import { presentBudget } from '../../../shared/budgets/rows.ts'
import { listUnfilledBudgets } from '../../../streams/budget/jobs.ts'
import { markBudgetForRecalculation } from '../../../streams/budget/marks.ts'
import { loadBudget, refuseWhileBusy } from '../../../streams/budget/queries.ts'
import { commitEvents } from '../../../streams/budget/stream.ts'
import { fillOrQueueBudgets } from '../filling/fillSoon.ts'
import { type BudgetsCaller, findChosenBudgets } from './queries.ts'

/** The fields that can be set on several budgets at once. Fields that must differ between budgets are left out. */
const patchable = settingsInput.extend(budgetInput.pick({ versionType: true }).shape).partial()
export type BudgetPatch = z.infer<typeof patchable>

/** Parses the patch of a bulk edit. @throws DomainError 400 for a field that cannot be changed this way, or an invalid value */
function parsePatch(items: BulkEditRequest['patch']): BudgetPatch {
  const given: Record<string, unknown> = {}
  for (const { op, path, value } of items) {
    const field = path.replace(/^\//, '')
    if (op !== 'replace') throw invalid([{ field, message: 'Only replace is supported.' }])
    if (!isKeyOf(patchable.shape, field)) throw invalid([{ field, message: `${field} cannot be changed for several budgets at once.` }])
    given[field] = value
  }
  const read = patchable.parse(given)
  // A kind of table that the caller omitted stays unchanged, although parsing gives it a default.
  return Object.fromEntries(Object.entries(read).filter(([field]) => field in given))
}

function refuseLockedOnes(rows: readonly BudgetRow[], what: string): void {
  const locked = rows.filter((row) => row.head.locked)
  if (locked.length)
    throw conflict(
      'locked',
      `${displayCount(locked.length, 'budget is', 'budgets are')} locked and cannot be ${what}: ${locked
        .slice(0, 5)
        .map((row) => row.name)
        .join(', ')}${locked.length > 5 ? ' …' : ''}. Leave ${locked.length === 1 ? 'it' : 'them'} out.`,
    )
}

/** Makes the same change to several budgets, all or none. @returns the budgets whose figures may depend on the change */
async function runEditBudgets(
  call: Call<'organisationId' | 'scope' | 'actor'>,
  rows: readonly BudgetRow[],
  patch: BudgetPatch,
): Promise<BudgetId[]> {
  refuseLockedOnes(rows, 'changed')
  const changed: BudgetId[] = []
  for (const { id, head } of rows) {
    const { elements, ...settings } = pickBudgetSettings(head)
    const now = { name: head.name, versionType: head.versionType, ...settings, ...elements }
    if (await runUpdateBudget(call, { id, version: null }, { ...now, ...patch })) changed.push(id)
  }
  return changed
}

/** Locks several budgets, all or none. Budgets that are already locked are skipped. */
export async function runLockBudgets(call: Call<'organisationId' | 'actor'>, ids: readonly BudgetId[]): Promise<void> {
  for (const id of ids) await runLockBudget(call, id)
}

/**
 * Deletes budgets and removes them from their groups, all or none. Locked budgets cannot be deleted (behaviour B-160).
 * @returns how many were deleted
 */
export async function runDeleteBudgets(call: Call<'organisationId' | 'actor'>, rows: readonly BudgetRow[]): Promise<number> {
  const { tx, organisationId } = call
  refuseLockedOnes(rows, 'deleted')
  const failed = await listUnfilledBudgets(tx, organisationId)
  // A budget whose filling failed may be deleted, but not a budget that is being filled.
  for (const row of rows) if (!failed.get(row.id)) await refuseWhileBusy(tx, organisationId, row.id)
  const groups = await readGroupIdsByBudget(tx, organisationId)
  await removeBudgetsFromGroups(
    call,
    rows.map((row) => row.id),
  )
  for (const { id } of rows) {
    const row = await loadBudget(call, id, true)
    await commitEvents(call, row, { events: deleteBudget(row.head, groups.get(id) ?? null) })
  }
  return rows.length
}

type NewBudgetTools = Pick<CallTools, 'services' | 'afterwards'> & { organisationId: OrganisationId }

/** Fills new budgets if they are few, and returns them as screens show them. */
export async function fillAndReadNewBudgets(ctx: NewBudgetTools, ids: readonly BudgetId[]) {
  const { organisationId, services } = ctx
  await fillOrQueueBudgets(ctx, organisationId, ids)
  return services.store.inOrganisation(organisationId, async (tx) => {
    const [groups, making] = [await readGroupIdsByBudget(tx, organisationId), await listUnfilledBudgets(tx, organisationId)]
    return Promise.all(
      ids.map(async (id) =>
        presentBudget(await loadBudget({ tx, organisationId }, id), { groupId: groups.get(id) ?? null, making: making.get(id) }),
      ),
    )
  })
}

type BulkEditTools = BudgetsCaller & {
  services: Services
  rows: RowScope
  actor: Actor
  now: Date
  inTransaction: <T>(work: (tx: OrganisationTx) => Promise<T>) => Promise<T>
}

/** Changes many budgets and marks their groups as requiring recalculation. */
export async function editBudgets(
  ctx: BulkEditTools,
  { patch, ...selection }: z.infer<typeof bulkEditRequest>,
): Promise<{ updated: number }> {
  const wanted = parsePatch(patch)
  const { updated, required } = await ctx.inTransaction(async (tx) => {
    const rows = await findChosenBudgets({ ...ctx, tx }, selection)
    const changed = await runEditBudgets({ tx, organisationId: ctx.organisationId, scope: ctx.rows, actor: ctx.actor }, rows, wanted)
    const required: RecalculationRequired[] = []
    for (const id of changed) required.push(...(await markBudgetForRecalculation({ ...ctx, tx, budgetId: id }, 'Budget assumptions')))
    return { updated: rows.length, required }
  })
  await announceRecalculationRequired(ctx.services, required)
  return { updated }
}
