import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { type BudgetInput, type BudgetSettings, pickBudgetSettings, type settingsInput } from '../../../domain/budget/budget.ts'
import { listReferencedIds } from '../../../domain/budget/contractForms.ts'
import { chooseVersionType, createBudget, lockBudget, renameBudget, saveElements } from '../../../domain/budget/decide.ts'
import { getChangedKey } from '../../../domain/budget/describe.ts'
import type { BudgetEvent, StoredEvent } from '../../../domain/budget/events.ts'
import { type BudgetState, createEmptyBudget, evolve } from '../../../domain/budget/evolve.ts'
import { areMutuallyExclusive, isItemSaved, type StoredItem } from '../../../domain/budget/items/item.ts'
import { type CurrentUndoTarget, canMakeEvent, type UndoTarget, undoSave } from '../../../domain/budget/undo.ts'
import { versionType } from '../../../domain/lookups/lookupIds.ts'
import { hasAnyPermission, type PermissionHolder } from '../../../domain/people/permissions.ts'
import { getResource, resources } from '../../../domain/resources/all.ts'
import {
  budgetSettingFields,
  budgetTableKindNames,
  budgetTableKinds,
  buildRecordByTableKind,
} from '../../../domain/resources/entities/budget/budget.ts'
import { getSingularName, listReferringFields } from '../../../domain/resources/fields.ts'
import type { AnyResource, RecordOf } from '../../../domain/resources/resource.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { type BudgetId, type OrganisationId, toBudgetId, toContractId, toUserId, type UserId } from '../../../domain/values/ids.ts'
import { mongoIdFromBytes } from '../../../domain/values/mongoId.ts'
import { type FieldProblem, forbidden, invalid, notFound, staleRecord } from '../../../domain/words/errors.ts'
import { defaultTerms } from '../../../domain/words/terms.ts'
import type { Actor } from '../../core/calls/actor.ts'
import type { Call } from '../../core/calls/call.ts'
import type { RowScope } from '../../core/calls/scope.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import { readRecord } from '../../resources/queries.ts'
import { loadItems, loadItemsById } from '../../streams/budget/items.ts'
import {
  listBudgetNamesAtLocation,
  loadBudget,
  loadContracts,
  loadContractsOfEmployees,
  refuseWhileBusy,
} from '../../streams/budget/queries.ts'
import { commitEvents, readBudgetEvents } from '../../streams/budget/stream.ts'
import { addBudgetsToGroup } from '../budgetGroups/commands.ts'
import { findLaterChanges, readSavesWithBefore } from '../budgetHistory/queries.ts'
import { findContractSaves, postCostsToChangedYears, recalculateEmployees } from '../costing/costs/commands.ts'
import { markAddedAllowanceYears } from '../groupMoney/allowance/commands.ts'
import { repostLevy, withdrawEmploymentAllowance, withdrawOtherLevyShares } from '../groupMoney/levy/commands.ts'
import { postTransfersAsNotCalculated } from '../groupMoney/transfers/commands.ts'
import { refuseIfReferencesDeleted } from '../restoring/budgets/queries.ts'
import { refuseWithObstacles } from './obstacles/queries.ts'
import { getStartMonth } from './queries.ts'

type LocationRecord = RecordOf<typeof resources.location>

async function loadLocation(tx: OrganisationTx, scope: RowScope, id: number): Promise<LocationRecord> {
  return readRecord({ tx, scope }, resources.location, { id })
}

async function checkReferences({ tx, scope }: Call<'scope'>, settings: BudgetSettings): Promise<void> {
  const problems: FieldProblem[] = []
  const known = new Map<string, Map<number, number | undefined>>()
  for (const of of ['adminTable', 'topSliceTable', 'gagPoolTable'] as const) {
    const rows = await readResourceRecords(tx, resources[of])
    known.set(of, new Map(rows.map((row) => [row.id, 'type' in row ? row.type : undefined])))
  }
  for (const kind of budgetTableKindNames) {
    const { of, type } = budgetTableKinds[kind]
    const tables = assertDefined(known.get(of))
    if (settings.elements[kind].some(({ adminTableId: id }) => !tables.has(id) || (type !== null && tables.get(id) !== type)))
      problems.push({ field: kind, message: `${defaultTerms[resources[of].key].singular} was not found.` })
  }
  const exists = async (resource: AnyResource, id: number): Promise<boolean> =>
    readRecord({ tx, scope: { ...scope, locationIds: null } }, resource, { id }).then(
      () => true,
      () => false,
    )
  for (const { name, field } of listReferringFields(budgetSettingFields))
    for (const id of listReferencedIds(field, Reflect.get(settings, name)))
      if (!(await exists(getResource(field.to), id))) problems.push({ field: name, message: `${getSingularName(field)} was not found.` })
  if (problems.length) throw invalid(problems)
}

/** The calculation settings in an input, with its tables in order of date. */
export function toBudgetSettings(input: z.infer<typeof settingsInput>): BudgetSettings {
  const elements = buildRecordByTableKind((kind) => [...input[kind]].sort((a, b) => a.effectiveDate.localeCompare(b.effectiveDate)))
  return pickBudgetSettings({ ...input, inflationId: input.inflationId ?? null, elements })
}

/**
 * Creates one budget for each location, all or none.
 * @returns their ids
 */
export async function runCreateBudgets(
  tx: OrganisationTx,
  {
    organisationId,
    organisationType,
    scope,
    actor,
  }: { organisationId: OrganisationId; organisationType: number; scope: RowScope; actor: Actor },
  input: BudgetInput,
): Promise<BudgetId[]> {
  const settings = toBudgetSettings(input)
  await checkReferences({ tx, scope }, settings)
  const ids: BudgetId[] = []
  for (const locationId of [...new Set(input.locationIds)]) {
    const location = await loadLocation(tx, scope, locationId)
    const id = toBudgetId(mongoIdFromBytes(randomBytes(12)))
    const head = {
      locationId,
      name: input.name,
      firstYear: input.firstYear,
      startMonth: getStartMonth(organisationType),
      ...settings,
      versionType: input.versionType ?? versionType.working,
      source: null,
    }
    await commitEvents(
      { tx, actor },
      { organisationId, id, version: 0 },
      { events: createBudget(head, location.maximumBudgetYears, await listBudgetNamesAtLocation({ tx, organisationId, locationId })) },
    )
    ids.push(id)
  }
  if (input.budgetGroupId) await addBudgetsToGroup({ tx, organisationId, actor }, input.budgetGroupId, ids)
  await postTransfersAsNotCalculated({ tx, organisationId, actor }, ids, { isInGroup: Boolean(input.budgetGroupId), keeps: false })
  return ids
}

/**
 * Changes the name, years, tables and assumptions of a budget.
 * @returns whether figures may depend on the change
 */
export async function runUpdateBudget(
  call: Call<'organisationId' | 'scope' | 'actor'>,
  { id, version }: { id: BudgetId; version: number | null },
  input: Omit<BudgetInput, 'locationIds' | 'firstYear' | 'budgetGroupId'>,
): Promise<boolean> {
  const { tx, organisationId, scope, actor } = call
  const row = await loadBudget(call, id, true)
  await refuseWhileBusy(tx, organisationId, id)
  if (version !== null && version !== row.version) {
    const touched = (await readBudgetEvents({ tx, organisationId, budgetId: id }, version)).some(
      (event) => event.type === 'BudgetRenamed' || event.type === 'BudgetElementsSaved' || event.type === 'BudgetLocked',
    )
    if (touched) throw staleRecord({ version: row.version })
  }
  const location = await loadLocation(tx, { ...scope, locationIds: null }, row.locationId)
  const settings = toBudgetSettings({ ...input, inflationId: input.inflationId === undefined ? row.head.inflationId : input.inflationId })
  const renamed = renameBudget(
    row.head,
    input.name,
    await listBudgetNamesAtLocation({ tx, organisationId, locationId: row.locationId }, id),
  )
  const same = saveElements(row.head, settings, location.maximumBudgetYears)
  if (same.length) await checkReferences(call, settings)
  const typed = input.versionType ? chooseVersionType(row.head, input.versionType) : []
  await commitEvents(call, row, { events: [...renamed, ...typed, ...same] })
  if (input.numberOfYears !== row.head.numberOfYears) {
    await postCostsToChangedYears({ tx, organisationId, budgetId: id }, row.head.numberOfYears)
    const now = await loadBudget(call, id, true)
    await repostLevy(tx, now)
    await markAddedAllowanceYears({ tx, organisationId, actor }, now)
  }
  // Removing a year can remove pay, whose share of the levy allowance then becomes free.
  if (input.numberOfYears < row.head.numberOfYears) {
    await withdrawOtherLevyShares({ tx, organisationId, budgetId: id, actor })
    await withdrawEmploymentAllowance({ tx, organisationId, budgetId: id, actor })
  }
  return same.length > 0
}

export async function runRenameBudget(call: Call<'organisationId' | 'actor'>, id: BudgetId, name: string): Promise<void> {
  const { tx, organisationId } = call
  const row = await loadBudget(call, id, true)
  await refuseWhileBusy(tx, organisationId, id)
  await commitEvents(call, row, {
    events: renameBudget(row.head, name, await listBudgetNamesAtLocation({ tx, organisationId, locationId: row.locationId }, id)),
  })
}

/**
 * Locks a budget permanently.
 * @throws DomainError 409 while anything prevents its approval
 */
export async function runLockBudget(call: Call<'organisationId' | 'actor'>, id: BudgetId): Promise<void> {
  const { tx, organisationId, actor } = call
  const row = await loadBudget(call, id, true)
  await refuseWhileBusy(tx, organisationId, id)
  if (!row.head.locked) await refuseWithObstacles(tx, row)
  await commitEvents(call, row, { events: lockBudget(row.head, actor.userId ?? toUserId(0), actor.now.toISOString()) })
}

/**
 * Undoes the caller's own saves, by version, all or none. A save is refused if a later change affected the same records.
 * @param holder must have the permission for each change that is undone; budget managers may also undo changes made by other systems. Omit
 * it if the permissions have already been checked
 * @param namesOf reads the names of people who changed the same records since
 * @throws DomainError 403 for changes by others, or that the holder may not make; 409 if restored data refers to deleted records
 */
export async function runUndoSaves(
  call: Call<'organisationId' | 'budgetId' | 'actor'>,
  versions: readonly number[],
  {
    holder,
    namesOf,
  }: { holder?: PermissionHolder; namesOf?: (ids: readonly (UserId | null)[]) => Promise<ReadonlyMap<number, string>> } = {},
): Promise<void> {
  const { tx, organisationId, budgetId, actor } = call
  const row = await loadBudget(call, budgetId, true)
  await refuseWhileBusy(tx, organisationId, budgetId)
  const wanted = new Set(versions)
  const undone = await readSavesWithBefore(tx, { organisationId, budgetId }, [...wanted])
  if (undone.length < wanted.size || actor.userId === null) throw notFound('Version')
  if (holder && !undone.every(({ event }) => canMakeEvent(holder, event.type))) throw forbidden()
  const ofSystems = holder !== undefined && hasAnyPermission(holder, ['ConsoleBudgetManagementReadUpdate'])
  const ids = undone.flatMap(({ event }) => ('id' in event.data ? [event.data.id] : []))
  const since = await findLaterChanges(
    tx,
    { organisationId, budgetId },
    undone.map(({ event }) => event),
  )
  const names = await namesOf?.([...since.values()].flat().map((event) => event.actorId))
  const others = await readPossibleConflicts(call, undone, new Set(ids))
  const state: BudgetState = { ...createEmptyBudget(), head: { ...row.head }, version: row.version }
  for (const contract of await loadContracts(call, ids.map(toContractId))) state.contracts.set(contract.id, contract)
  for (const item of await loadItemsById(call, ids)) state.items.set(item.id, item)
  const stood = new Map(state.contracts)
  const back: BudgetEvent[] = []
  for (const { event, before } of undone.toReversed()) {
    const id = 'id' in event.data ? event.data.id : ''
    const touches = assertDefined(since.get(getChangedKey(event) ?? ''))
    const now: CurrentUndoTarget = {
      contract: state.contracts.get(toContractId(id)),
      item: state.items.get(id),
      name: row.head.name,
      since: touches.filter((later) => later.version > event.version),
      nameOf: (actorId) => names?.get(actorId) ?? 'Someone',
      others,
    }
    for (const undoEvent of undoSave(row.head, { event, actorId: actor.userId, ofSystems, before, now })) {
      back.push(undoEvent)
      // The version that this event will have in the log, needed if an earlier save of the same record is undone next.
      const version = row.version + back.length
      const stored: StoredEvent = { ...event, ...undoEvent, version, actorId: actor.userId, occurredAt: actor.now.toISOString() }
      touches.push(stored)
      evolve(state, stored)
    }
  }
  const contracts = undone.flatMap(({ event, before }) => [
    before.contract,
    'id' in event.data ? stood.get(toContractId(event.data.id)) : undefined,
  ])
  await commitEvents(call, row, { events: back })
  const comesBack = back.some((event) => event.type === 'StaffContractSaved' || isItemSaved(event))
  if (comesBack)
    await refuseIfReferencesDeleted(call, { since: assertDefined(undone[0]).event.occurredAt, refusal: 'This cannot be undone' })
  const employees = new Set(contracts.flatMap((one) => (one ? [one.staffId ?? one.id] : [])))
  const areSomeGone = back.some((event) => event.type === 'StaffContractDeleted')
  if (employees.size) await recalculateEmployees(call, [...employees], { areSomeGone, saves: findContractSaves(back, stood.values()) })
}

/** Records that the restored ones may now conflict with: other contracts of the same employees, and other items of the same kinds. */
async function readPossibleConflicts(
  call: Call<'organisationId' | 'budgetId'>,
  undone: readonly { before: UndoTarget }[],
  ownRequests: ReadonlySet<string>,
): Promise<CurrentUndoTarget['others']> {
  const employees = [...new Set(undone.flatMap(({ before }) => before.contract?.staffId ?? []))]
  const kinds = [...new Set(undone.flatMap(({ before: { item } }) => (item && areMutuallyExclusive(item, item) ? [item.kind] : [])))]
  const contracts = await loadContractsOfEmployees(call, employees)
  const items: StoredItem[] = []
  for (const kind of kinds) items.push(...(await loadItems(call, kind)))
  return { contracts: contracts.filter((one) => !ownRequests.has(one.id)), items: items.filter((one) => !ownRequests.has(one.id)) }
}
