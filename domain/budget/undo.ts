import { conflict, DomainError } from '../errors.ts'
import type { UserId } from '../ids.ts'
import { type Holder, may, type Permission, writingComments } from '../permissions.ts'
import type { BudgetHead, StoredContract } from './budget.ts'
import { refuseLocked } from './decide.ts'
import type { BudgetEvent, StoredEvent } from './events.ts'
import { itemWords } from './items/describeItems.ts'
import { deleted, type ItemKind, isItemDeleted, isItemSaved, itemKindOf, type StoredItem, saved, standsForSame } from './items/item.ts'
import { saidAfter } from './items/saidPupils.ts'

/** What a save was about, as it stands at some moment; undefined for what is not there. */
export interface Touched {
  contract: StoredContract | undefined
  item: StoredItem | undefined
  name: string | undefined
}

/** What a save was about as it stands now, and what stands beside it. */
export interface TouchedNow extends Touched {
  /** The version at which the budget was last renamed; 0: never. */
  named: number
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
  comment: writingComments,
  scenario: ['BudgetingOverviewReadUpdate', 'ConsoleBudgetManagementReadUpdate'],
}

/** Whether somebody may make by hand what an event of this type says: who may not, or not any more, takes none back either. */
export function mayMake(holder: Holder, type: string): boolean {
  const kind = itemKindOf(type)
  if (kind) return may(holder, changers[kind])
  return may(holder, [type.startsWith('StaffContract') ? 'BudgetingStaffingReadUpdate' : 'ConsoleBudgetManagementReadUpdate'])
}

/**
 * Takes back one's own save, or that of another system, as long as nothing newer touched the same contract or the same field, and nothing has taken its place.
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
  if (event.type === 'BudgetRenamed' && before.name !== undefined) {
    if (now.named !== event.version) throw newer()
    return [{ type: 'BudgetRenamed', data: { name: before.name, undoes } }]
  }
  if (event.type === 'StaffContractSaved') {
    if (now.contract?.version !== event.version) throw newer()
    return [
      before.contract ? restored(before.contract, now, undoes) : { type: 'StaffContractDeleted', data: { id: event.data.id, undoes } },
    ]
  }
  if (event.type === 'StaffContractDeleted' && before.contract) {
    if (now.contract) throw newer()
    return [restored(before.contract, now, undoes)]
  }
  if (isItemSaved(event)) {
    if (now.item?.version !== event.version) throw newer()
    const emptied = before.item ? null : emptiedPupils(now.item, undoes, head)
    if (emptied) return [emptied]
    return [before.item ? restoredItem(before.item, now, { undoes, head }) : deleted(now.item.kind, event.data.id, undoes)]
  }
  if (isItemDeleted(event) && before.item) {
    if (now.item) throw newer()
    return [restoredItem(before.item, now, { undoes, head })]
  }
  throw conflict('cannotUndo', 'This change cannot be undone.')
}

function newer(): DomainError {
  return conflict('newer', 'Something newer has changed this since. Undo that first, or change it by hand.')
}

function restored(stored: StoredContract, { others }: TouchedNow, undoes: number): BudgetEvent {
  const { version: _version, savedAt: _at, created: _created, ...contract } = stored
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
