import { conflict, DomainError } from '../errors.ts'
import type { BudgetHead, StoredContract } from './budget.ts'
import { refuseLocked } from './decide.ts'
import type { BudgetEvent, StoredEvent } from './events.ts'
import { deleted, isItemDeleted, isItemSaved, itemKindOf, type StoredItem, saved } from './items/item.ts'

/** What a save was about, as it stands at some moment; undefined for what is not there. */
export interface Touched {
  contract: StoredContract | undefined
  item: StoredItem | undefined
  name: string | undefined
}

/**
 * Takes back one's own save, as long as nothing newer touched the same contract or the same field.
 * @param event the save to take back
 * @param before what it was about as it stood before that save
 * @param now what it is about as it stands
 */
export function undo(head: BudgetHead, event: StoredEvent, actorId: number, before: Touched, now: Touched): BudgetEvent[] {
  refuseLocked(head)
  if (event.actorId !== actorId) throw new DomainError('forbidden', 'forbidden', 'Only the person who made a change can undo it.')
  const undoes = event.version
  if (event.type === 'BudgetRenamed') {
    if (head.name !== event.data.name) throw newer()
    return [{ type: 'BudgetRenamed', data: { name: before.name!, undoes } }]
  }
  if (event.type === 'StaffContractSaved') {
    if (now.contract?.version !== event.version) throw newer()
    return before.contract ? [restored(before.contract, undoes)] : [{ type: 'StaffContractDeleted', data: { id: event.data.id, undoes } }]
  }
  if (event.type === 'StaffContractDeleted' && before.contract) {
    if (now.contract) throw newer()
    return [restored(before.contract, undoes)]
  }
  if (isItemSaved(event)) {
    if (now.item?.version !== event.version) throw newer()
    return [
      before.item
        ? saved(before.item.kind, before.item.id, before.item.item, undoes)
        : deleted(itemKindOf(event.type)!, event.data.id, undoes),
    ]
  }
  if (isItemDeleted(event) && before.item) {
    if (now.item) throw newer()
    return [saved(before.item.kind, before.item.id, before.item.item, undoes)]
  }
  throw conflict('cannotUndo', 'This change cannot be undone.')
}

function newer(): DomainError {
  return conflict('newer', 'Something newer has changed this since. Undo that first, or change it by hand.')
}

function restored({ version: _version, savedAt: _at, created: _created, ...contract }: StoredContract, undoes: number): BudgetEvent {
  return { type: 'StaffContractSaved', data: { id: contract.id, contract, undoes } }
}
