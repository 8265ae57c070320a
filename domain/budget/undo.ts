import { changedPaths, haveCommonPath, type ListShapes, mergeChanges } from '../changes/merge.ts'
import { undoStateSince } from '../changes/undoState.ts'
import { commentWritePermissions, hasAnyPermission, type Permission, type PermissionHolder } from '../people/permissions.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { displayList } from '../values/format.ts'
import type { UserId } from '../values/ids.ts'
import { conflict, DomainError } from '../words/errors.ts'
import type { BudgetHead, StaffContract, StoredContract } from './budget.ts'
import { refuseLocked } from './decide.ts'
import { contractChanges } from './describeContract.ts'
import type { BudgetEvent, StoredEvent } from './events.ts'
import type { FieldChange, NameOf } from './fieldChange.ts'
import { itemChanges, itemWords } from './items/describeItems.ts'
import {
  deleted,
  type ItemKind,
  type ItemSaved,
  isItemDeleted,
  isItemSaved,
  itemKindOf,
  type StoredItem,
  saved,
  standsForSame,
} from './items/item.ts'
import { saidAfter } from './items/saidPupils.ts'

/** What a save was about, as it stands at some moment; undefined for what is not there. */
export interface Touched {
  contract: StoredContract | undefined
  item: StoredItem | undefined
  name: string | undefined
}

/** What a save was about as it stands now, what was done to it since, and what stands beside it. */
export interface TouchedNow extends Touched {
  /** What came after the save and touched the same contract, item or name, in order. */
  since: readonly StoredEvent[]
  /** What the people who did that are called. */
  nameOf: (actorId: UserId) => string
  /** The other contracts of the same employees and the other items of the same kinds, without those that are taken back with it. */
  others: { contracts: readonly StoredContract[]; items: readonly StoredItem[] }
}

/** Whose holders change each kind of item. */
const changers: Record<ItemKind, readonly Permission[]> = {
  entry: ['BudgetingNonStaffingReadUpdate'],
  calculation: ['BudgetingNonStaffingReadUpdate'],
  prediction: ['BudgetingNonStaffingReadUpdate'],
  pupils: ['BudgetingNonStaffingReadUpdate'],
  balance: ['BudgetingOverviewReadUpdate'],
  comment: commentWritePermissions,
  scenario: ['BudgetingOverviewReadUpdate', 'ConsoleBudgetManagementReadUpdate'],
}

/** Whether somebody may make by hand what an event of this type says: who may not, or not any more, takes none back either. */
export function mayMake(holder: PermissionHolder, type: string): boolean {
  const kind = itemKindOf(type)
  if (kind) return hasAnyPermission(holder, changers[kind])
  return hasAnyPermission(holder, [type.startsWith('StaffContract') ? 'BudgetingStaffingReadUpdate' : 'ConsoleBudgetManagementReadUpdate'])
}

/**
 * Takes back one's own save, or that of another system, as long as nothing newer that still stands touched the same fields, and nothing has taken
 * its place: back and back again, to the start. What others changed beside it stays as they left it.
 * @param event the save to take back
 * @param ofSystems whether this person may take back what another system did, which nobody made by hand
 * @param before what it was about as it stood before that save
 */
export function undo(
  head: BudgetHead,
  {
    event,
    actorId,
    ofSystems = false,
    before,
    now,
  }: { event: StoredEvent; actorId: UserId; ofSystems?: boolean; before: Touched; now: TouchedNow },
): BudgetEvent[] {
  refuseLocked(head)
  if (event.actorId !== actorId && !(ofSystems && event.actorId === null))
    throw new DomainError('forbidden', 'forbidden', 'Only the person who made a change can undo it.')
  const undoes = event.version
  const standing = undoStateSince(event, now.since)
  if (standing.isUndone) throw conflict('newer', 'This has been taken back already.')
  const newest = standing.since.at(-1)
  /** What comes back is as it was, with what others have changed beside it. */
  const asBefore = <Values extends object>(kept: Kept<Values>): Values => {
    if (!newest) return kept.was
    const own = changedPaths(kept.was, kept.made, kept.shapes)
    let last: Values = kept.made
    for (const later of now.since) {
      const left = kept.leftBy(later)
      const isInTheWay = standing.since.includes(later) && (!left || haveCommonPath(own, changedPaths(last, left, kept.shapes)))
      if (isInTheWay) throw newer(later, { event, actorId, now, fields: left ? kept.common(last, left) : [] })
      last = left ?? last
    }
    const { values, conflicts } = mergeChanges({ start: kept.made, mine: kept.was, theirs: kept.is }, { shapes: kept.shapes })
    if (conflicts.length) throw newer(newest, { event, actorId, now, fields: [] })
    return values
  }
  const refuseNewer = (): void => {
    if (newest) throw newer(newest, { event, actorId, now, fields: [] })
  }
  if (event.type === 'BudgetRenamed' && before.name !== undefined) {
    refuseNewer()
    return [{ type: 'BudgetRenamed', data: { name: before.name, undoes } }]
  }
  if (event.type === 'StaffContractSaved') {
    const { contract: is } = now
    if (!is || !before.contract) refuseNewer()
    if (!before.contract || !is) return [{ type: 'StaffContractDeleted', data: { id: event.data.id, undoes } }]
    const made = event.data.contract
    const contract = asBefore<StaffContract>({
      was: plain(before.contract),
      made,
      is: plain(is),
      shapes: contractShapes,
      leftBy: (later) => (later.type === 'StaffContractSaved' ? later.data.contract : null),
      common: (last, left) =>
        commonFields(contractChanges(plain(assertDefined(before.contract)), made, unnamed), contractChanges(last, left, unnamed)),
    })
    return [restored(contract, now, undoes)]
  }
  if (event.type === 'StaffContractDeleted' && before.contract) {
    refuseNewer()
    return [restored(plain(before.contract), now, undoes)]
  }
  if (isItemSaved(event)) {
    const { item: is } = now
    if (!is || !before.item) refuseNewer()
    const emptied = before.item || !is ? null : emptiedPupils(is, undoes, head)
    if (emptied) return [emptied]
    if (!before.item || !is) return [deleted(assertDefined(itemKindOf(event.type)), event.data.id, undoes)]
    return [restoredItem(itemAsBefore(before.item, { event, is, head, asBefore }), now, { undoes, head })]
  }
  if (isItemDeleted(event) && before.item) {
    refuseNewer()
    return [restoredItem(before.item, now, { undoes, head })]
  }
  throw conflict('cannotUndo', 'This change cannot be undone.')
}

/** A save of something that stands, by what it was before, what the save made of it and what it is now. */
interface Kept<Values extends object> {
  was: Values
  made: Values
  is: Values
  shapes: ListShapes
  /** What a later event left of it; null: nothing. */
  leftBy: (later: StoredEvent) => Values | null
  /** The fields that both the save and a later one changed, in words. */
  common: (last: Values, left: Values) => string[]
}

const contractShapes: ListShapes = { salary: { rowsBy: 'effectiveDate' }, fundCodes: { rowsBy: 'fundCodeId' } }

/** How what two people made of an item is put together, as where it is edited. */
const itemShapes: Partial<Record<ItemKind, ListShapes>> = {
  entry: { years: 'places', fundCodes: { rowsBy: 'fundCodeId' } },
  calculation: { fundCodes: { rowsBy: 'fundCodeId' } },
  pupils: { rows: { rowsBy: 'yearGroup', within: { years: 'places' } }, lessons: 'places' },
}

/** An item as it was before a save, with what others have changed beside it. */
function itemAsBefore(
  before: StoredItem,
  {
    event,
    is,
    head,
    asBefore,
  }: { event: ItemSaved; is: StoredItem; head: BudgetHead; asBefore: <Values extends object>(kept: Kept<Values>) => Values },
): StoredItem {
  // The fields are those of an item of this kind: each was taken from one.
  const withItem = (item: object): StoredItem => ({ ...before, item }) as StoredItem
  const item = asBefore<object>({
    was: before.item,
    made: event.data.item,
    is: is.item,
    shapes: itemShapes[before.kind] ?? {},
    leftBy: (later) => (isItemSaved(later) ? later.data.item : null),
    common: (last, left) =>
      commonFields(
        itemChanges(before, { after: withItem(event.data.item), head, nameOf: unnamed }),
        itemChanges(withItem(last), { after: withItem(left), head, nameOf: unnamed }),
      ),
  })
  return withItem(item)
}

/** Fields are told apart by what they are called; what their values are called does not matter. */
const unnamed: NameOf = (kind, id) => `${kind} ${id}`

function commonFields(some: readonly FieldChange[], others: readonly FieldChange[]): string[] {
  return some.flatMap(({ field }) => (others.some((other) => other.field === field) ? [field] : []))
}

/** @param fields what both changed, in words, as far as it is known */
function newer(
  later: StoredEvent,
  { event, actorId, now, fields }: { event: StoredEvent; actorId: UserId; now: TouchedNow; fields: readonly string[] },
): DomainError {
  if (later.actorId === actorId || later.actorId === event.actorId)
    return conflict('newer', 'Something newer has changed this since. Undo that first, or change it by hand.')
  const who = later.actorId === null ? 'Another system' : now.nameOf(later.actorId)
  const isGone = later.type === 'StaffContractDeleted' || isItemDeleted(later)
  const what = fields.length ? displayList(fields.slice(0, 3)) : 'this'
  return conflict(
    'newer',
    `${who} has ${isGone ? 'deleted' : 'changed'} ${what} since. Change it by hand, or ask them to undo their change first.`,
  )
}

const plain = ({ version: _version, savedAt: _at, created: _created, ...contract }: StoredContract): StaffContract => contract

function restored(contract: StaffContract, { others }: TouchedNow, undoes: number): BudgetEvent {
  const hasName = (other: StoredContract): boolean =>
    other.staffId === contract.staffId && other.contractName.toLowerCase() === contract.contractName.toLowerCase()
  if (contract.staffId !== null && others.contracts.some(hasName))
    throw conflict(
      'taken',
      `Another contract of this employee is called ${contract.contractName} by now. Give that one another name first.`,
    )
  return { type: 'StaffContractSaved', data: { id: contract.id, contract, undoes } }
}

function restoredItem(
  before: StoredItem,
  { item, others }: TouchedNow,
  { undoes, head }: { undoes: number; head: BudgetHead },
): BudgetEvent {
  if (others.items.some((other) => standsForSame(other, before)))
    throw conflict(
      'taken',
      `Another ${before.kind === 'pupils' ? 'set of ' : ''}${itemWords[before.kind]} stands in its place by now. Change or delete that one first.`,
    )
  if (before.kind !== 'pupils' || item?.kind !== 'pupils' || !item.item.said)
    return saved(before.kind, { id: before.id, item: before.item, undoes })
  // What another system said was said, whatever is taken back of it.
  const said = saidAfter(item.item.said, { before: item.item.rows, after: before.item.rows }, head)
  return saved('pupils', { id: before.id, item: { ...before.item, said }, undoes })
}

/** Pupil numbers of which all is taken back that another system said: without rows, but with what it said, so that it is not written again. */
function emptiedPupils(now: StoredItem, undoes: number, head: BudgetHead): BudgetEvent | null {
  if (now.kind !== 'pupils' || !now.item.said) return null
  const said = saidAfter(now.item.said, { before: now.item.rows, after: [] }, head)
  return saved('pupils', { id: now.id, item: { id: now.id, rows: [], said }, undoes })
}
