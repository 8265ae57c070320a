import { randomBytes } from 'node:crypto'
import { type BudgetInput, type Elements, elementKinds, elementNames } from '../../domain/budget/budget.ts'
import { createBudget, lockBudget, renameBudget, saveElements, undo } from '../../domain/budget/decide.ts'
import { emptyBudget, evolve } from '../../domain/budget/evolve.ts'
import { type FieldProblem, invalid, notFound, stale } from '../../domain/errors.ts'
import { mongoIdFrom } from '../../domain/mongoId.ts'
import { resources } from '../../domain/resources/all.ts'
import type { RecordOf } from '../../domain/resources/resource.ts'
import { budgetNames, commit, loadBudget, refuseWhileRecalculating } from '../store/budgetStore.ts'
import { recalculateEmployees } from '../store/costStore.ts'
import type { OrganisationTx } from '../store/database.ts'
import { type Actor, budgetsOfRequest, eventsOfRequest, readEvents } from '../store/eventLog.ts'
import { get } from '../store/resourceQueries.ts'
import type { RowScope } from '../store/rowRules.ts'
import { tableFor } from '../store/tables.ts'

type Location = RecordOf<typeof resources.location>

async function locationOf(tx: OrganisationTx, scope: RowScope, id: number): Promise<Location> {
  return (await get(tx, resources.location, scope, id)) as unknown as Location
}

/** A trust's year starts in September, a maintained school's in April (calculation.md §1). */
export function startMonthOf(organisationType: number): number {
  return organisationType <= 2 ? 9 : 4
}

async function checkReferences(
  tx: OrganisationTx,
  scope: RowScope,
  elements: Elements,
  input: { staffAssumptionsId: number; contractTypeIds: number[] },
): Promise<void> {
  const problems: FieldProblem[] = []
  const tables = new Map(
    ((await tx.select().from(tableFor(resources.adminTable).table)) as unknown as { id: number; type: number }[]).map((table) => [
      table.id,
      table.type,
    ]),
  )
  for (const kind of elementNames)
    if (elements[kind].some((row) => tables.get(row.adminTableId) !== elementKinds[kind]))
      problems.push({ field: kind, message: 'Admin table was not found.' })
  const exists = async (resource: typeof resources.staffAssumptions | typeof resources.contractType, id: number): Promise<boolean> =>
    get(tx, resource, { ...scope, locationIds: null }, id).then(
      () => true,
      () => false,
    )
  if (!(await exists(resources.staffAssumptions, input.staffAssumptionsId)))
    problems.push({ field: 'staffAssumptionsId', message: 'Staff assumptions was not found.' })
  for (const id of input.contractTypeIds)
    if (!(await exists(resources.contractType as never, id)))
      problems.push({ field: 'contractTypeIds', message: 'Contract type was not found.' })
  if (problems.length) throw invalid(problems)
}

function elementsOf(input: Omit<BudgetInput, 'name' | 'locationIds'>): Elements {
  return Object.fromEntries(
    elementNames.map((kind) => [kind, [...input[kind]].sort((a, b) => a.effectiveDate.localeCompare(b.effectiveDate))]),
  ) as unknown as Elements
}

/** Makes one budget for each location, all or none; the same request again makes none. @returns their ids */
export async function runCreateBudgets(
  tx: OrganisationTx,
  organisationId: number,
  organisationType: number,
  scope: RowScope,
  input: BudgetInput,
  actor: Actor,
): Promise<string[]> {
  const done = await budgetsOfRequest(tx, organisationId, actor.requestId)
  if (done.length) return done
  const elements = elementsOf(input)
  await checkReferences(tx, scope, elements, input)
  const ids: string[] = []
  for (const locationId of [...new Set(input.locationIds)]) {
    const location = await locationOf(tx, scope, locationId)
    const id = mongoIdFrom(randomBytes(12))
    const head = {
      locationId,
      name: input.name,
      firstYear: input.firstYear,
      startMonth: startMonthOf(organisationType),
      numberOfYears: input.numberOfYears,
      staffAssumptionsId: input.staffAssumptionsId,
      contractTypeIds: input.contractTypeIds,
      elements,
    }
    await commit(
      tx,
      { organisationId, id, version: 0 },
      createBudget(head, location.maximumBudgetYears, await budgetNames(tx, organisationId, locationId)),
      actor,
    )
    ids.push(id)
  }
  return ids
}

/** Changes name, years, tables and assumptions of a budget. @returns whether figures may depend on the change */
export async function runUpdateBudget(
  tx: OrganisationTx,
  organisationId: number,
  scope: RowScope,
  id: string,
  version: number | null,
  input: Omit<BudgetInput, 'locationIds' | 'firstYear'>,
  actor: Actor,
): Promise<boolean> {
  const row = await loadBudget(tx, organisationId, id, true)
  await refuseWhileRecalculating(tx, organisationId, id)
  if (version !== null && version !== row.version) {
    const touched = (await readEvents(tx, organisationId, id, version)).some(
      (event) => event.type === 'BudgetRenamed' || event.type === 'BudgetElementsSaved' || event.type === 'BudgetLocked',
    )
    if (touched) throw stale({ version: row.version })
  }
  const location = await locationOf(tx, { ...scope, locationIds: null }, row.locationId)
  const elements = elementsOf({ ...input, firstYear: row.head.firstYear })
  const renamed = renameBudget(row.head, input.name, await budgetNames(tx, organisationId, row.locationId, id))
  const same = saveElements(
    row.head,
    { numberOfYears: input.numberOfYears, staffAssumptionsId: input.staffAssumptionsId, contractTypeIds: input.contractTypeIds, elements },
    location.maximumBudgetYears,
  )
  if (same.length) await checkReferences(tx, scope, elements, input)
  await commit(tx, row, [...renamed, ...same], actor)
  return same.length > 0
}

export async function runRenameBudget(tx: OrganisationTx, organisationId: number, id: string, name: string, actor: Actor): Promise<void> {
  const row = await loadBudget(tx, organisationId, id, true)
  await commit(tx, row, renameBudget(row.head, name, await budgetNames(tx, organisationId, row.locationId, id)), actor)
}

export async function runLockBudget(tx: OrganisationTx, organisationId: number, id: string, actor: Actor): Promise<void> {
  const row = await loadBudget(tx, organisationId, id, true)
  await refuseWhileRecalculating(tx, organisationId, id)
  await commit(tx, row, lockBudget(row.head, actor.userId ?? 0, actor.now.toISOString()), actor)
}

/** Takes back one's own save, by its version, as long as nothing newer touched the same thing. */
export async function runUndo(tx: OrganisationTx, organisationId: number, budgetId: string, version: number, actor: Actor): Promise<void> {
  const row = await loadBudget(tx, organisationId, budgetId, true)
  if ((await eventsOfRequest(tx, organisationId, budgetId, actor.requestId)).length) return
  await refuseWhileRecalculating(tx, organisationId, budgetId)
  const events = await readEvents(tx, organisationId, budgetId)
  const event = events.find((one) => one.version === version)
  if (!event || actor.userId === null) throw notFound('Version')
  const state = emptyBudget()
  for (const one of events) if (one.version < version) evolve(state, one)
  const id = event.type === 'StaffContractSaved' || event.type === 'StaffContractDeleted' ? event.data.id : null
  const contract = id ? state.contracts.get(id) : undefined
  const name = state.head?.name
  for (const one of events) if (one.version >= version) evolve(state, one)
  const now = id ? state.contracts.get(id) : undefined
  await commit(tx, row, undo(row.head, event, actor.userId, { contract, name }, now), actor)
  const employees = new Set([contract, now].flatMap((one) => (one ? [one.staffId ?? one.id] : [])))
  if (employees.size) await recalculateEmployees(tx, organisationId, budgetId, [...employees], actor)
}
