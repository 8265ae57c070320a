import { randomBytes } from 'node:crypto'
import { duplicateEvents } from '../../domain/budget/copies/duplicate.ts'
import { createBudget } from '../../domain/budget/decide.ts'
import { emptyBudget, evolve } from '../../domain/budget/evolve.ts'
import { awardsWith, type TriedAward } from '../../domain/calculation/whatIf.ts'
import { displayDate } from '../../domain/format.ts'
import { mongoIdFrom } from '../../domain/mongoId.ts'
import { resources } from '../../domain/resources/all.ts'
import { budgetNames, commit, loadBudget } from '../store/budgetStore.ts'
import { recalculateAll } from '../store/costStore.ts'
import type { OrganisationTx } from '../store/database.ts'
import { type Actor, budgetsOfRequest, readEvents } from '../store/eventLog.ts'
import { create } from '../store/resourceStore.ts'
import type { RowScope } from '../store/rowRules.ts'
import { rowsOf } from '../store/tables.ts'

/**
 * Keeps a tried award as a scenario: new staff assumptions with the award, and a duplicate of each budget that is calculated with them. The
 * same request again changes nothing.
 * @returns the ids of the new budgets
 * @throws DomainError 409 when the name is used
 */
export async function runSaveScenario(
  tx: OrganisationTx,
  scope: RowScope & { organisationId: number },
  budgetIds: readonly string[],
  name: string,
  award: TriedAward,
  actor: Actor,
): Promise<string[]> {
  const { organisationId } = scope
  const done = await budgetsOfRequest(tx, organisationId, actor.requestId)
  if (done.length) return done
  const sources = []
  for (const id of budgetIds) sources.push(await loadBudget(tx, organisationId, id))
  const sets = new Map<number, number>()
  for (const set of new Set(sources.map((row) => row.head.staffAssumptionsId)))
    sets.set(set, await assumptionsWith(tx, scope, set, sets.size ? `${name} (${sets.size + 1})` : name, award, actor))
  const made: string[] = []
  for (const { id: sourceId, head, version } of sources) {
    const id = mongoIdFrom(randomBytes(12))
    const { id: _id, locked: _locked, lockedAt: _at, lockedById: _by, moments: _moments, approval: _approval, ...copy } = head
    const source = { budgetId: sourceId, version, how: 'duplicate' as const }
    const planned = { ...copy, name, versionType: 4, source, staffAssumptionsId: sets.get(head.staffAssumptionsId)! }
    const created = createBudget(planned, head.numberOfYears, await budgetNames(tx, organisationId, head.locationId))
    const state = emptyBudget()
    for (const event of await readEvents(tx, organisationId, sourceId)) evolve(state, event)
    const copies = duplicateEvents(state, () => mongoIdFrom(randomBytes(12)))
    await commit(tx, { organisationId, id, version: 0 }, [...created, ...copies], actor)
    await recalculateAll(tx, organisationId, id, { ...actor, requestId: `${actor.requestId}-costs` })
    made.push(id)
  }
  return made
}

/** A copy of a set of assumptions with the award in it. */
export async function assumptionsWith(
  tx: OrganisationTx,
  scope: RowScope & { organisationId: number },
  setId: number,
  name: string,
  award: TriedAward,
  actor: Actor,
): Promise<number> {
  const add = (
    resource: (typeof resources)['staffErPensionRate' | 'staffInflationRate' | 'staffAssumptions'],
    values: Record<string, unknown>,
  ) => create(tx, resource, scope, values, actor)
  const description = `Pay award of ${award.rate} % from ${displayDate(award.effectiveDate)}, tried out and kept`
  const { id } = await add(resources.staffAssumptions, { name, description })
  for (const { contractTypeId, effectiveDate, rate } of await rowsOf(tx, resources.staffErPensionRate, 'staffAssumptionsId', [setId]))
    await add(resources.staffErPensionRate, { staffAssumptionsId: id, contractTypeId, effectiveDate, rate })
  const before = await rowsOf(tx, resources.staffInflationRate, 'staffAssumptionsId', [setId])
  for (const type of await rowsOf(tx, resources.contractType)) {
    const own = before
      .filter((row) => row.contractTypeId === type.id)
      .map((row) => ({ effectiveDate: row.effectiveDate, rate: String(row.rate) }))
    const awards = award.contractTypeIds.includes(type.id) ? awardsWith(own, award) : own
    for (const { effectiveDate, rate } of awards)
      await add(resources.staffInflationRate, { staffAssumptionsId: id, contractTypeId: type.id, effectiveDate, rate: Number(rate) })
  }
  return id
}
