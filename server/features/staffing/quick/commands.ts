import { randomBytes } from 'node:crypto'
import type { BudgetHead } from '../../../../domain/budget/budget.ts'
import { deleteQuickCalculations, type QuickFacts, saveQuickCalculation } from '../../../../domain/budget/decideQuick.ts'
import type { QuickCalculatorInput } from '../../../../domain/budget/quickCalculation.ts'
import { notFound, stale } from '../../../../domain/errors.ts'
import { mongoIdFrom } from '../../../../domain/mongoId.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { commit } from '../../../core/budget/commit.ts'
import { loadBudget, refuseWhileBusy } from '../../../core/budget/queries.ts'
import { loadQuick } from '../../../core/budget/quick.ts'
import { found, scalePoints } from '../../../core/budget/scalePoints.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import type { Actor } from '../../../core/events/eventLog.ts'

/** What a decision about a quick calculation needs to know of the rest of the organisation. */
export async function quickFacts(tx: OrganisationTx, head: BudgetHead, input: QuickCalculatorInput): Promise<QuickFacts> {
  const [type] = await found(tx, resources.contractType, [input.contractTypeId])
  const allowances = await found(tx, resources.allowance, input.allowanceIds)
  return {
    contractType: type,
    points: await scalePoints(tx, input.scalePointId === null ? [] : [input.scalePointId]),
    allowances: new Set(allowances.filter((one) => !one.locations.length || one.locations.includes(head.locationId)).map((one) => one.id)),
  }
}

/** Saves a quick calculation. @returns its id */
export async function runSaveQuick(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  input: QuickCalculatorInput,
  actor: Actor,
): Promise<string> {
  const row = await loadBudget(tx, organisationId, budgetId, true)
  await refuseWhileBusy(tx, organisationId, budgetId)
  const all = await loadQuick(tx, organisationId, budgetId)
  const before = input.id ? all.find((one) => one.id === input.id) : undefined
  if (input.id && !before) throw notFound('Quick calculation')
  if (before && input.version != null && input.version !== before.version) throw stale({ version: before.version, id: before.id })
  const id = input.id ?? mongoIdFrom(randomBytes(12))
  const others = all.filter((one) => one.id !== id).map((one) => one.name)
  await commit(tx, row, saveQuickCalculation(row.head, id, input, await quickFacts(tx, row.head, input), others), actor)
  return id
}

/** Deletes quick calculations, all or none. @throws DomainError 404 when one is not there */
export async function runDeleteQuick(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  ids: readonly string[],
  actor: Actor,
): Promise<number> {
  const row = await loadBudget(tx, organisationId, budgetId, true)
  await refuseWhileBusy(tx, organisationId, budgetId)
  const wanted = [...new Set(ids)]
  if ((await loadQuick(tx, organisationId, budgetId, wanted)).length < wanted.length) throw notFound('Quick calculation')
  if (wanted.length) await commit(tx, row, deleteQuickCalculations(row.head, wanted), actor)
  return wanted.length
}
