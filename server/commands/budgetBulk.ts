import type { z } from 'zod'
import { budgetInput, elementsInput } from '../../domain/budget/budget.ts'
import { deleteBudget } from '../../domain/budget/decide.ts'
import { conflict, invalid } from '../../domain/errors.ts'
import { displayCount } from '../../domain/format.ts'
import type { BulkEditRequest } from '../../domain/lists.ts'
import { notFilled } from '../store/budgetJobs.ts'
import { type BudgetRow, commit, loadBudget, refuseWhileBusy } from '../store/budgetStore.ts'
import type { OrganisationTx } from '../store/database.ts'
import { type Actor, eventsOfRequest } from '../store/eventLog.ts'
import { takeOutOfGroups } from '../store/groupMembers.ts'
import type { RowScope } from '../store/rowRules.ts'
import { runLockBudget, runUpdateBudget } from './budgets.ts'

/** What several budgets can be given at once: nothing that has to differ from one to the next. */
const patchable = elementsInput
  .extend(
    budgetInput.pick({ versionType: true, numberOfYears: true, staffAssumptionsId: true, inflationId: true, contractTypeIds: true }).shape,
  )
  .partial()
export type BudgetPatch = z.infer<typeof patchable>

/** The patch of a bulk edit. @throws DomainError 400 for a field that cannot be changed this way, or a value that is none */
export function patchOf(items: BulkEditRequest['patch']): BudgetPatch {
  const given: Record<string, unknown> = {}
  for (const { op, path, value } of items) {
    const field = path.replace(/^\//, '')
    if (op !== 'replace') throw invalid([{ field, message: 'Only the operation replace is known.' }])
    if (!(field in patchable.shape)) throw invalid([{ field, message: `${field} cannot be changed for several budgets at once.` }])
    given[field] = value
  }
  const read = patchable.parse(given)
  // Kinds of tables that were not named stay as they are, though their schema has a default.
  return Object.fromEntries(Object.entries(read).filter(([field]) => field in given)) as BudgetPatch
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

/** Changes several budgets alike, all or none. @returns those whose figures may depend on the change */
export async function runEditBudgets(
  tx: OrganisationTx,
  organisationId: number,
  scope: RowScope,
  rows: readonly BudgetRow[],
  patch: BudgetPatch,
  actor: Actor,
): Promise<string[]> {
  refuseLockedOnes(rows, 'changed')
  const changed: string[] = []
  for (const { id, head } of rows) {
    const { name, versionType, numberOfYears, staffAssumptionsId, inflationId, contractTypeIds, elements } = head
    const now = { name, versionType, numberOfYears, staffAssumptionsId, inflationId, contractTypeIds, ...elements }
    if (await runUpdateBudget(tx, organisationId, scope, id, null, { ...now, ...patch }, actor)) changed.push(id)
  }
  return changed
}

/** Locks several budgets, all or none; those that are locked stay as they are. */
export async function runLockBudgets(tx: OrganisationTx, organisationId: number, ids: readonly string[], actor: Actor): Promise<void> {
  for (const id of ids) await runLockBudget(tx, organisationId, id, actor)
}

/** Takes budgets out of use and out of their groups, all or none. A locked one stays (behaviour B-160). @returns how many went */
export async function runDeleteBudgets(
  tx: OrganisationTx,
  organisationId: number,
  rows: readonly BudgetRow[],
  actor: Actor,
): Promise<number> {
  refuseLockedOnes(rows, 'deleted')
  const failed = await notFilled(tx, organisationId)
  // One that could not be filled may go; one that is being filled may not.
  for (const row of rows) if (!failed.get(row.id)) await refuseWhileBusy(tx, organisationId, row.id)
  await takeOutOfGroups(
    tx,
    organisationId,
    rows.map((row) => row.id),
    actor,
  )
  for (const { id } of rows) {
    if ((await eventsOfRequest(tx, organisationId, id, actor.requestId)).length) continue
    const row = await loadBudget(tx, organisationId, id, true)
    await commit(tx, row, deleteBudget(row.head), actor)
  }
  return rows.length
}
