import { randomBytes } from 'node:crypto'
import { createDuplicateEvents } from '../../../domain/budget/copies/duplicate.ts'
import { createBudget } from '../../../domain/budget/decide.ts'
import { createEmptyBudget, evolve } from '../../../domain/budget/evolve.ts'
import type { AwardPlacement } from '../../../domain/calculation/staffing/awardsInForce.ts'
import { placeTrialAward, replaceAward, type TrialAward } from '../../../domain/calculation/staffing/whatIf.ts'
import { resources } from '../../../domain/resources/all.ts'
import { displayDate } from '../../../domain/values/format.ts'
import { type BudgetId, type OrganisationId, toBudgetId } from '../../../domain/values/ids.ts'
import { mongoIdFromBytes } from '../../../domain/values/mongoId.ts'
import type { Actor } from '../../core/calls/actor.ts'
import type { Call } from '../../core/calls/call.ts'
import type { RowScope } from '../../core/calls/scope.ts'
import type { BudgetRow } from '../../core/calls/selectedBudget.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import { createRecord } from '../../resources/commands.ts'
import { listBudgetNamesAtLocation, loadBudget } from '../../streams/budget/queries.ts'
import { commitEvents, readBudgetEvents } from '../../streams/budget/stream.ts'
import { recalculateAllContracts } from '../costing/costs/commands.ts'
import { readCurrentInputs } from '../costing/inputs/queries.ts'

/**
 * Saves a trial award as a scenario: for each budget, a duplicate that is costed with staff assumptions that include the award.
 * @returns the ids of the new budgets
 * @throws DomainError 409 if the name is taken
 */
export async function runSaveScenario(
  call: Call & { scope: RowScope & { organisationId: OrganisationId }; actor: Actor },
  budgetIds: readonly BudgetId[],
  { name, award }: { name: string; award: TrialAward },
): Promise<BudgetId[]> {
  const { tx, scope, actor } = call
  const { organisationId } = scope
  const sources: BudgetRow[] = []
  for (const id of budgetIds) sources.push(await loadBudget({ tx, organisationId }, id))
  // Budgets with the same assumptions share the new ones, if the same part of the award is already in their pay tables.
  const sets = new Map<string, number>()
  const setOf = async ({ head }: BudgetRow): Promise<number> => {
    const { frozen, shared } = await readCurrentInputs({ tx, organisationId }, head, { contracts: [] })
    const placed = placeTrialAward(frozen, shared, award)
    const key = JSON.stringify([head.staffAssumptionsId, [...placed].map(([id, { inTable }]) => [id, inTable])])
    const uniqueName = sets.size ? `${name} (${sets.size + 1})` : name
    const id =
      sets.get(key) ?? (await copyAssumptionsWithAward(call, head.staffAssumptionsId, { name: uniqueName, award: { ...award, placed } }))
    sets.set(key, id)
    return id
  }
  const newBudgetIds: BudgetId[] = []
  for (const row of sources) {
    const { id: sourceId, head, version } = row
    const id = toBudgetId(mongoIdFromBytes(randomBytes(12)))
    const { id: _id, locked: _locked, lockedAt: _at, lockedById: _by, moments: _moments, approval: _approval, ...copy } = head
    const source = { budgetId: sourceId, version, how: 'duplicate' as const }
    const planned = { ...copy, name, versionType: 4, source, staffAssumptionsId: await setOf(row) }
    const created = createBudget(
      planned,
      head.numberOfYears,
      await listBudgetNamesAtLocation({ tx, organisationId, locationId: head.locationId }),
    )
    const state = createEmptyBudget()
    for (const event of await readBudgetEvents({ tx, organisationId, budgetId: sourceId })) evolve(state, event)
    const copies = createDuplicateEvents(state, () => mongoIdFromBytes(randomBytes(12)))
    await commitEvents(call, { organisationId, id, version: 0 }, { events: [...created, ...copies] })
    await recalculateAllContracts({ tx, organisationId, budgetId: id, actor })
    newBudgetIds.push(id)
  }
  return newBudgetIds
}

/** A copy of a set of assumptions with the award added. */
export async function copyAssumptionsWithAward(
  { tx, scope, actor }: Call & { scope: RowScope & { organisationId: OrganisationId }; actor: Actor },
  setId: number,
  { name, award }: { name: string; award: TrialAward & { placed: ReadonlyMap<number, AwardPlacement> } },
): Promise<number> {
  const add = (
    resource: (typeof resources)['staffErPensionRate' | 'staffInflationRate' | 'staffAssumptions'],
    values: Record<string, unknown>,
  ) => createRecord({ tx, resource, scope, actor }, values)
  const description = `Pay award of ${award.rate}% from ${displayDate(award.effectiveDate)}, saved from the what-if`
  const { id } = await add(resources.staffAssumptions, { name, description })
  for (const { contractTypeId, effectiveDate, rate } of await readResourceRecords(tx, resources.staffErPensionRate, {
    column: 'staffAssumptionsId',
    ids: [setId],
  }))
    await add(resources.staffErPensionRate, { staffAssumptionsId: id, contractTypeId, effectiveDate, rate })
  const before = await readResourceRecords(tx, resources.staffInflationRate, { column: 'staffAssumptionsId', ids: [setId] })
  for (const type of await readResourceRecords(tx, resources.contractType)) {
    const ratesOfType = before
      .filter((row) => row.contractTypeId === type.id)
      .map(({ effectiveDate, rate, inTable, liftedTo }) => ({
        effectiveDate,
        rate: String(rate),
        ...(inTable !== null && { inTable: String(inTable) }),
        ...(liftedTo !== null && { liftedTo: String(liftedTo) }),
      }))
    const placed = award.placed.get(type.id)
    const awards = placed ? replaceAward(ratesOfType, award, placed.inTable) : ratesOfType
    for (const { effectiveDate, rate, inTable, liftedTo } of awards)
      await add(resources.staffInflationRate, {
        staffAssumptionsId: id,
        contractTypeId: type.id,
        effectiveDate,
        rate: Number(rate),
        inTable: inTable === undefined ? null : Number(inTable),
        liftedTo: liftedTo === undefined ? null : Number(liftedTo),
      })
  }
  return id
}
