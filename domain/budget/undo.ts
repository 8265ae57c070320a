import { haveCommonPath, type ListShapes, listChangedPaths, mergeChanges } from '../changes/merge.ts'
import { listChangesInEffect, refuseChangeOfOthers } from '../changes/undoState.ts'
import { commentWritePermissions, hasAnyPermission, type Permission, type PermissionHolder } from '../people/permissions.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { displayList } from '../values/format.ts'
import type { UserId } from '../values/ids.ts'
import { conflict, type DomainError } from '../words/errors.ts'
import type { BudgetHead, StaffContract, StoredContract } from './budget.ts'
import { refuseLocked } from './decide.ts'
import { describeContractChanges } from './describeContract.ts'
import type { BudgetEvent, StoredEvent } from './events.ts'
import type { FieldChange, RecordNamer } from './fieldChange.ts'
import { describeItemChanges, itemKindNames } from './items/describeItems.ts'
import {
  areMutuallyExclusive,
  createItemDeletedEvent,
  createItemSavedEvent,
  getItemKind,
  type ItemKind,
  type ItemSavedEvent,
  isItemDeleted,
  isItemSaved,
  type StoredItem,
} from './items/item.ts'
import { markUndoneCounts } from './items/reportedPupils.ts'

/** The contract, item or budget name that a save changed, as it was at one version; undefined if it did not exist then. */
export interface UndoTarget {
  contract: StoredContract | undefined
  item: StoredItem | undefined
  name: string | undefined
}

/** The target of an undo as it is now, with later changes and possible conflicts. */
export interface CurrentUndoTarget extends UndoTarget {
  /** Later events that touched the same contract, item or name, in order. */
  since: readonly StoredEvent[]
  nameOf: (actorId: UserId) => string
  /** Other contracts of the same employees and other items of the same kinds, without those undone in the same call. */
  others: { contracts: readonly StoredContract[]; items: readonly StoredItem[] }
}

const permissionsByKind: Record<ItemKind, readonly Permission[]> = {
  entry: ['BudgetingNonStaffingReadUpdate'],
  calculation: ['BudgetingNonStaffingReadUpdate'],
  prediction: ['BudgetingNonStaffingReadUpdate'],
  pupils: ['BudgetingNonStaffingReadUpdate'],
  balance: ['BudgetingOverviewReadUpdate'],
  comment: commentWritePermissions,
  scenario: ['BudgetingOverviewReadUpdate', 'ConsoleBudgetManagementReadUpdate'],
}

/** Whether a user may make a change of this kind. Undoing it needs the same permission, even for its author. */
export function canMakeEvent(holder: PermissionHolder, type: string): boolean {
  const kind = getItemKind(type)
  if (kind) return hasAnyPermission(holder, permissionsByKind[kind])
  return hasAnyPermission(holder, [type.startsWith('StaffContract') ? 'BudgetingStaffingReadUpdate' : 'ConsoleBudgetManagementReadUpdate'])
}

/**
 * Undoes a user's own save, or a save by another system, unless a newer change touched the same fields or another item occupies the same
 * slot. An undo can itself be undone, without limit. Changes by others to other fields stay.
 * @param event the save to undo
 * @param ofSystems whether this user may undo changes by other systems, which have no user
 * @param before the target as it was before that save
 */
export function undoSave(
  head: BudgetHead,
  {
    event,
    actorId,
    ofSystems = false,
    before,
    now,
  }: { event: StoredEvent; actorId: UserId; ofSystems?: boolean; before: UndoTarget; now: CurrentUndoTarget },
): BudgetEvent[] {
  refuseLocked(head)
  refuseChangeOfOthers(event, actorId, ofSystems)
  const undoes = event.version
  const standing = listChangesInEffect(event, now.since)
  const newest = standing.at(-1)
  /** The value before the save, with the changes that others have since made to other fields. */
  const asBefore = <Values extends object>(save: UndoableSave<Values>): Values => {
    if (!newest) return save.was
    const changedHere = listChangedPaths(save.was, save.made, save.shapes)
    let last: Values = save.made
    for (const later of now.since) {
      const left = save.leftBy(later)
      const isInTheWay = standing.includes(later) && (!left || haveCommonPath(changedHere, listChangedPaths(last, left, save.shapes)))
      if (isInTheWay) throw newerChangeConflict(later, { event, actorId, now, fields: left ? save.common(last, left) : [] })
      last = left ?? last
    }
    const { values, conflicts } = mergeChanges({ start: save.made, mine: save.was, theirs: save.is }, { shapes: save.shapes })
    if (conflicts.length) throw newerChangeConflict(newest, { event, actorId, now, fields: [] })
    return values
  }
  const refuseNewer = (): void => {
    if (newest) throw newerChangeConflict(newest, { event, actorId, now, fields: [] })
  }
  if (event.type === 'BudgetRenamed' && before.name !== undefined) {
    refuseNewer()
    return [{ type: 'BudgetRenamed', data: { name: before.name, undoes } }]
  }
  if (event.type === 'StaffContractSaved') {
    const { contract: is } = now
    if (!is || !before.contract) refuseNewer()
    if (!before.contract || !is) return [{ type: 'StaffContractDeleted', data: { id: event.data.id, undoes } }]
    const createdContract = event.data.contract
    const contract = asBefore<StaffContract>({
      was: plain(before.contract),
      made: createdContract,
      is: plain(is),
      shapes: contractShapes,
      leftBy: (later) => (later.type === 'StaffContractSaved' ? later.data.contract : null),
      common: (last, left) =>
        commonFields(
          describeContractChanges(plain(assertDefined(before.contract)), createdContract, idAsName),
          describeContractChanges(last, left, idAsName),
        ),
    })
    return [restoreContract(contract, now, undoes)]
  }
  if (event.type === 'StaffContractDeleted' && before.contract) {
    refuseNewer()
    return [restoreContract(plain(before.contract), now, undoes)]
  }
  if (isItemSaved(event)) {
    const { item: is } = now
    if (!is || !before.item) refuseNewer()
    const emptied = before.item || !is ? null : emptyPupilNumbers(is, undoes, head)
    if (emptied) return [emptied]
    if (!before.item || !is) return [createItemDeletedEvent(assertDefined(getItemKind(event.type)), event.data.id, undoes)]
    return [restoreItem(itemAsBefore(before.item, { event, is, head, asBefore }), now, { undoes, head })]
  }
  if (isItemDeleted(event) && before.item) {
    refuseNewer()
    return [restoreItem(before.item, now, { undoes, head })]
  }
  throw conflict('cannotUndo', 'This change cannot be undone.')
}

/** A save to undo: the value before it (`was`), the value that it saved (`made`) and the current value (`is`). */
interface UndoableSave<Values extends object> {
  was: Values
  made: Values
  is: Values
  shapes: ListShapes
  /** The value that a later event left; null if the event deleted it. */
  leftBy: (later: StoredEvent) => Values | null
  /** Names of the fields that both the save and a later event changed. */
  common: (last: Values, left: Values) => string[]
}

const contractShapes: ListShapes = { salary: { rowsBy: 'effectiveDate' }, fundCodes: { rowsBy: 'fundCodeId' } }

/** How the lists in an item are merged when two people changed it; its editor merges in the same way. */
const itemShapes: Partial<Record<ItemKind, ListShapes>> = {
  entry: { years: 'places', fundCodes: { rowsBy: 'fundCodeId' } },
  calculation: { fundCodes: { rowsBy: 'fundCodeId' } },
  pupils: { rows: { rowsBy: 'yearGroup', within: { years: 'places' } }, lessons: 'places' },
}

/** The item as it was before a save, with the changes that others have since made to other fields. */
function itemAsBefore(
  before: StoredItem,
  {
    event,
    is,
    head,
    asBefore,
  }: { event: ItemSavedEvent; is: StoredItem; head: BudgetHead; asBefore: <Values extends object>(save: UndoableSave<Values>) => Values },
): StoredItem {
  // `asBefore` returns an item of the same kind as the one it was given.
  const withItem = (item: object): StoredItem => ({ ...before, item }) as StoredItem
  const item = asBefore<object>({
    was: before.item,
    made: event.data.item,
    is: is.item,
    shapes: itemShapes[before.kind] ?? {},
    leftBy: (later) => (isItemSaved(later) ? later.data.item : null),
    common: (last, left) =>
      commonFields(
        describeItemChanges(before, { after: withItem(event.data.item), head, nameOf: idAsName }),
        describeItemChanges(withItem(last), { after: withItem(left), head, nameOf: idAsName }),
      ),
  })
  return withItem(item)
}

/** Only field names are compared, so the names of records do not matter. */
const idAsName: RecordNamer = (kind, id) => `${kind} ${id}`

function commonFields(some: readonly FieldChange[], others: readonly FieldChange[]): string[] {
  return some.flatMap(({ field }) => (others.some((other) => other.field === field) ? [field] : []))
}

/** @param fields names of the fields that both changes touched, if known */
function newerChangeConflict(
  later: StoredEvent,
  { event, actorId, now, fields }: { event: StoredEvent; actorId: UserId; now: CurrentUndoTarget; fields: readonly string[] },
): DomainError {
  if (later.actorId === actorId || later.actorId === event.actorId)
    return conflict('newer', 'A newer change affects this. Undo that first, or make the change yourself.')
  const laterActorName = later.actorId === null ? 'Another system' : now.nameOf(later.actorId)
  const isGone = later.type === 'StaffContractDeleted' || isItemDeleted(later)
  const what = fields.length ? displayList(fields.slice(0, 3)) : 'this'
  return conflict(
    'newer',
    `${laterActorName} has ${isGone ? 'deleted' : 'changed'} ${what} since. Make the change yourself, or ask them to undo theirs first.`,
  )
}

const plain = ({ version: _version, savedAt: _at, created: _created, ...contract }: StoredContract): StaffContract => contract

function restoreContract(contract: StaffContract, { others }: CurrentUndoTarget, undoes: number): BudgetEvent {
  const hasName = (other: StoredContract): boolean =>
    other.staffId === contract.staffId && other.contractName.toLowerCase() === contract.contractName.toLowerCase()
  if (contract.staffId !== null && others.contracts.some(hasName))
    throw conflict('taken', `Another contract of this employee is now called ${contract.contractName}. Rename that one first.`)
  return { type: 'StaffContractSaved', data: { id: contract.id, contract, undoes } }
}

function restoreItem(
  before: StoredItem,
  { item, others }: CurrentUndoTarget,
  { undoes, head }: { undoes: number; head: BudgetHead },
): BudgetEvent {
  if (others.items.some((other) => areMutuallyExclusive(other, before)))
    throw conflict(
      'taken',
      `Another ${before.kind === 'pupils' ? 'set of ' : ''}${itemKindNames[before.kind]} has taken its place. Change or delete that one first.`,
    )
  if (before.kind !== 'pupils' || item?.kind !== 'pupils' || !item.item.said)
    return createItemSavedEvent(before.kind, { id: before.id, item: before.item, undoes })
  // The reported counts come from another system, so an undo does not remove them.
  const reportedCounts = markUndoneCounts(item.item.said, { before: item.item.rows, after: before.item.rows }, head)
  return createItemSavedEvent('pupils', { id: before.id, item: { ...before.item, said: reportedCounts }, undoes })
}

/** When a whole import is undone, the pupil numbers lose their rows but keep the reported counts, so that those are not imported again. */
function emptyPupilNumbers(now: StoredItem, undoes: number, head: BudgetHead): BudgetEvent | null {
  if (now.kind !== 'pupils' || !now.item.said) return null
  const reportedCounts = markUndoneCounts(now.item.said, { before: now.item.rows, after: [] }, head)
  return createItemSavedEvent('pupils', { id: now.id, item: { id: now.id, rows: [], said: reportedCounts }, undoes })
}
