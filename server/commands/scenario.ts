import { randomBytes } from 'node:crypto'
import { createBudget } from '../../domain/budget/decide.ts'
import type { BudgetEvent } from '../../domain/budget/events.ts'
import { type ItemKind, itemEvents, type StoredItem, saved } from '../../domain/budget/items/item.ts'
import { costContracts } from '../../domain/calculation/frozen.ts'
import { awardsWith, type TriedAward } from '../../domain/calculation/whatIf.ts'
import { displayDate } from '../../domain/format.ts'
import { mongoIdFrom } from '../../domain/mongoId.ts'
import { resources } from '../../domain/resources/all.ts'
import { budgetNames, commit, inputsNow, loadBudget, loadContracts } from '../store/budgetStore.ts'
import { storeCosts } from '../store/costStore.ts'
import type { OrganisationTx } from '../store/database.ts'
import { type Actor, budgetsOfRequest } from '../store/eventLog.ts'
import { keepInputs } from '../store/frozenStore.ts'
import { loadItems } from '../store/itemStore.ts'
import { loadQuick } from '../store/quickStore.ts'
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
  for (const { id: sourceId, head } of sources) {
    const id = mongoIdFrom(randomBytes(12))
    const { id: _id, locked: _locked, lockedAt: _at, lockedById: _by, ...copy } = head
    const planned = { ...copy, name, staffAssumptionsId: sets.get(head.staffAssumptionsId)! }
    const created = createBudget(planned, head.numberOfYears, await budgetNames(tx, organisationId, head.locationId))
    const contracts = await loadContracts(tx, organisationId, sourceId)
    const copies = contracts.map(({ version: _version, savedAt: _saved, created: _created, ...contract }) => {
      const copyId = mongoIdFrom(randomBytes(12))
      return { type: 'StaffContractSaved' as const, data: { id: copyId, contract: { ...contract, id: copyId } } }
    })
    const quick = (await loadQuick(tx, organisationId, sourceId)).map(({ version: _version, created: _created, ...calculation }) => ({
      type: 'QuickCalculationSaved' as const,
      data: { calculation: { ...calculation, id: mongoIdFrom(randomBytes(12)) } },
    }))
    const items = await copiedItems(tx, organisationId, sourceId)
    await commit(tx, { organisationId, id, version: 0 }, [...created, ...copies, ...quick, ...items], actor)
    await costAll(tx, organisationId, id, { ...actor, requestId: `${actor.requestId}-costs` })
    made.push(id)
  }
  return made
}

/** Copies of the entries, calculations, predictions, pupil numbers and balances of a budget; what was linked is linked to the copies. */
async function copiedItems(tx: OrganisationTx, organisationId: number, sourceId: string): Promise<BudgetEvent[]> {
  const items: StoredItem[] = []
  for (const kind of Object.keys(itemEvents) as ItemKind[]) items.push(...(await loadItems(tx, organisationId, sourceId, kind)))
  const ids = new Map(items.map((item) => [item.id, mongoIdFrom(randomBytes(12))]))
  return items.map(({ kind, id, item }) => {
    const own = { ...item, id: ids.get(id)! }
    const source = 'source' in own && own.source ? { source: { ...own.source, id: ids.get(own.source.id) ?? own.source.id } } : {}
    return saved(kind, own.id, { ...own, ...source } as typeof item)
  })
}

/** A copy of a set of assumptions with the award in it. */
async function assumptionsWith(
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

/** Costs every contract of a budget with the inputs as they stand now. */
async function costAll(tx: OrganisationTx, organisationId: number, budgetId: string, actor: Actor): Promise<void> {
  const row = await loadBudget(tx, organisationId, budgetId)
  const contracts = await loadContracts(tx, organisationId, budgetId)
  const { shared, frozen } = await inputsNow(tx, organisationId, row.head, contracts)
  const inputs = await keepInputs(tx, organisationId, shared, { [budgetId]: frozen })
  await storeCosts(tx, row, contracts, { costs: costContracts(contracts, frozen, shared), shared, inputs, cause: 'group' }, actor)
}
