import { describeContractChanges } from '../../../domain/budget/describeContract.ts'
import type { StoredEvent } from '../../../domain/budget/events.ts'
import type { BudgetState } from '../../../domain/budget/evolve.ts'
import type { RecordNamer } from '../../../domain/budget/fieldChange.ts'
import { calculateEntryYears } from '../../../domain/budget/items/budgetEntry.ts'
import { describeItemChanges, formatItemName, itemKindNames } from '../../../domain/budget/items/describeItems.ts'
import type { StoredItem } from '../../../domain/budget/items/item.ts'
import { calculateYearTotals } from '../../../domain/calculation/staffing/frozen.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { type ContractId, toContractId, type UserId } from '../../../domain/values/ids.ts'
import { sumIfAllKnown } from '../../../domain/values/knownSum.ts'
import type { Pennies } from '../../../domain/values/units.ts'
import type { InputsReader } from '../replay/logSource.ts'
import { type ReplayedBudget, replayLog } from '../replay/replayLog.ts'

export interface BudgetDifference {
  contractId: ContractId
  contractName: string
  what: 'added' | 'removed' | 'changed' | 'recosted'
  fields: string[]
  /** Whole pennies over all years; null if any amount could not be calculated. */
  before: Pennies | null
  after: number | null
  actorIds: (UserId | null)[]
}

/** Lists what changed in a budget between two versions: items, amounts, and who made the changes. */
export function listChangesBetweenVersions(
  events: readonly StoredEvent[],
  { inputsOf, from, to }: { inputsOf: InputsReader; from: number; to: number },
): BudgetDifference[] {
  const [before, after] = [replayLog(events, inputsOf, from), replayLog(events, inputsOf, to)]
  const differences: BudgetDifference[] = []
  for (const id of new Set([...before.state.contracts.keys(), ...after.state.contracts.keys()])) {
    const [a, b] = [before.state.contracts.get(id), after.state.contracts.get(id)]
    const [costBefore, costAfter] = [totalContract(before, id), totalContract(after, id)]
    const fields =
      a && b ? describeContractChanges(a, b, plainName).map(({ field, before: was, after: is }) => `${field}: ${was} → ${is}`) : []
    if (a && b && !fields.length && costBefore === costAfter) continue
    const actorIds = events
      .filter((event) => event.version > from && event.version <= to && 'id' in event.data && event.data.id === id)
      .map((event) => event.actorId)
    const what = !a ? 'added' : !b ? 'removed' : fields.length ? 'changed' : 'recosted'
    differences.push({
      contractId: id,
      contractName: assertDefined(b ?? a).contractName,
      what,
      fields,
      before: costBefore,
      after: costAfter,
      actorIds: [...new Set(actorIds)],
    })
  }
  return [...differences, ...itemDifferences(events, { before: before.state, after: after.state, from, to })]
}

/** Lists differences in entries, calculations, predictions, pupil numbers and balances; only entries and balances have amounts. */
function itemDifferences(
  events: readonly StoredEvent[],
  { before, after, from, to }: { before: BudgetState; after: BudgetState; from: number; to: number },
): BudgetDifference[] {
  return [...new Set([...before.items.keys(), ...after.items.keys()])].flatMap((id): BudgetDifference[] => {
    const [a, b] = [before.items.get(id), after.items.get(id)]
    const fields =
      a && b
        ? describeItemChanges(a, { after: b, head: assertDefined(after.head), nameOf: plainName }).map(
            ({ field, before: was, after: is }) => `${field}: ${was} → ${is}`,
          )
        : []
    if (a && b && !fields.length) return []
    const actorIds = events
      .filter((event) => event.version > from && event.version <= to && 'id' in event.data && event.data.id === id)
      .map((event) => event.actorId)
    return [
      {
        contractId: toContractId(id),
        contractName: itemLabel(assertDefined(b ?? a)),
        what: !a ? 'added' : !b ? 'removed' : 'changed',
        fields,
        before: a ? itemAmount(a, before) : 0,
        after: b ? itemAmount(b, after) : 0,
        actorIds: [...new Set(actorIds)],
      },
    ]
  })
}

/** The item's name; for kinds without names, such as comments, the kind. */
function itemLabel(stored: StoredItem): string {
  const words = itemKindNames[stored.kind]
  return formatItemName(stored) || `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** Whole pennies over all years; null if a year could not be calculated; 0 for kinds without an amount. */
function itemAmount(stored: StoredItem, { head }: BudgetState): Pennies | null {
  if (stored.kind === 'balance') return stored.item.value
  if (stored.kind !== 'entry') return 0
  return calculateEntryYears(stored.item, assertDefined(head).numberOfYears).reduce<number | null>(
    (sum, { amount }) => (sum === null || amount === null ? null : sum + amount),
    0,
  )
}

/** Names each record by its kind and id: the log stores only ids, and the names of people are encrypted. */
const plainName: RecordNamer = (kind, id) => `${kind} ${id}`

function totalContract({ costs, state }: ReplayedBudget, id: ContractId): number | null {
  if (!state.contracts.has(id)) return 0
  const cost = costs.get(id)
  if (!cost) return null
  return sumIfAllKnown(calculateYearTotals(cost.cost))
}
