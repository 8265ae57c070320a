import { describeContractChanges } from '../../../domain/budget/describeContract.ts'
import type { StoredEvent } from '../../../domain/budget/events.ts'
import type { BudgetState } from '../../../domain/budget/evolve.ts'
import type { RecordNamer } from '../../../domain/budget/fieldChange.ts'
import { calculateEntryYears } from '../../../domain/budget/items/budgetEntry.ts'
import { describeItemChanges, itemKindNames, itemName } from '../../../domain/budget/items/describeItems.ts'
import type { StoredItem } from '../../../domain/budget/items/item.ts'
import { yearTotals } from '../../../domain/calculation/staffing/frozen.ts'
import { type ContractId, contractIdOf, type UserId } from '../../../domain/values/ids.ts'
import { knownSum } from '../../../domain/values/knownSum.ts'
import { must } from '../../../domain/values/must.ts'
import type { Pennies } from '../../../domain/values/units.ts'
import { type Replayed, replayLog } from '../replay/replayLog.ts'
import type { InputsOf } from '../replay/source.ts'

/** How one contract, entry or other item differs between two versions of a budget. */
export interface Difference {
  contractId: ContractId
  contractName: string
  what: 'added' | 'removed' | 'changed' | 'recosted'
  fields: string[]
  /** Whole pennies of all years; null where one could not be calculated. */
  before: Pennies | null
  after: number | null
  actorIds: (UserId | null)[]
}

/** What changed in a budget between two versions, by item and by pounds, and who did it. */
export function diffLog(
  events: readonly StoredEvent[],
  { inputsOf, from, to }: { inputsOf: InputsOf; from: number; to: number },
): Difference[] {
  const [before, after] = [replayLog(events, inputsOf, from), replayLog(events, inputsOf, to)]
  const differences: Difference[] = []
  for (const id of new Set([...before.state.contracts.keys(), ...after.state.contracts.keys()])) {
    const [a, b] = [before.state.contracts.get(id), after.state.contracts.get(id)]
    const [costBefore, costAfter] = [total(before, id), total(after, id)]
    const fields =
      a && b ? describeContractChanges(a, b, plainName).map(({ field, before: was, after: is }) => `${field}: ${was} → ${is}`) : []
    if (a && b && !fields.length && costBefore === costAfter) continue
    const actorIds = events
      .filter((event) => event.version > from && event.version <= to && 'id' in event.data && event.data.id === id)
      .map((event) => event.actorId)
    const what = !a ? 'added' : !b ? 'removed' : fields.length ? 'changed' : 'recosted'
    differences.push({
      contractId: id,
      contractName: must(b ?? a).contractName,
      what,
      fields,
      before: costBefore,
      after: costAfter,
      actorIds: [...new Set(actorIds)],
    })
  }
  return [...differences, ...itemDifferences(events, { before: before.state, after: after.state, from, to })]
}

/** Entries, calculations, predictions, pupil numbers and balances that differ; pounds are those of entries and balances. */
function itemDifferences(
  events: readonly StoredEvent[],
  { before, after, from, to }: { before: BudgetState; after: BudgetState; from: number; to: number },
): Difference[] {
  return [...new Set([...before.items.keys(), ...after.items.keys()])].flatMap((id): Difference[] => {
    const [a, b] = [before.items.get(id), after.items.get(id)]
    const fields =
      a && b
        ? describeItemChanges(a, { after: b, head: must(after.head), nameOf: plainName }).map(
            ({ field, before: was, after: is }) => `${field}: ${was} → ${is}`,
          )
        : []
    if (a && b && !fields.length) return []
    const actorIds = events
      .filter((event) => event.version > from && event.version <= to && 'id' in event.data && event.data.id === id)
      .map((event) => event.actorId)
    return [
      {
        contractId: contractIdOf(id),
        contractName: nameOf(must(b ?? a)),
        what: !a ? 'added' : !b ? 'removed' : 'changed',
        fields,
        before: a ? poundsOfItem(a, before) : 0,
        after: b ? poundsOfItem(b, after) : 0,
        actorIds: [...new Set(actorIds)],
      },
    ]
  })
}

/** What an item is called; what has no name by what it is, as a comment. */
function nameOf(stored: StoredItem): string {
  const words = itemKindNames[stored.kind]
  return itemName(stored) || `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** Whole pennies of all years; null where one is not calculated. What is no money of the budget by itself is nothing. */
function poundsOfItem(stored: StoredItem, { head }: BudgetState): Pennies | null {
  if (stored.kind === 'balance') return stored.item.value
  if (stored.kind !== 'entry') return 0
  return calculateEntryYears(stored.item, must(head).numberOfYears).reduce<number | null>(
    (sum, { amount }) => (sum === null || amount === null ? null : sum + amount),
    0,
  )
}

/** The log knows things by id; people's names stay in the vault. */
const plainName: RecordNamer = (kind, id) => `${kind} ${id}`

function total({ costs, state }: Replayed, id: ContractId): number | null {
  if (!state.contracts.has(id)) return 0
  const cost = costs.get(id)
  if (!cost) return null
  return knownSum(yearTotals(cost.cost))
}
