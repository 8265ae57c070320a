import { assertDefined } from '../../values/assertDefined.ts'
import { toContractId } from '../../values/ids.ts'
import { keysOf } from '../../values/keysOf.ts'
import type { StaffContract, StoredContract, StoredLeaveEarnings } from '../budget.ts'
import type { BudgetEvent } from '../events.ts'
import type { BudgetState } from '../evolve.ts'
import { addOrigin, createItemSavedEvent, type ItemKind, itemEvents, type StoredItem } from '../items/item.ts'
import type { StoredQuickCalculation } from '../quickCalculation.ts'

/** Comments and scenarios are about one budget and its figures, so copies do not get them. */
const kindsNotCopied: readonly ItemKind[] = ['comment', 'scenario']
const copiedKinds = keysOf(itemEvents).filter((kind) => !kindsNotCopied.includes(kind))

export function toStaffContract({ version: _version, savedAt: _at, created: _created, ...contract }: StoredContract): StaffContract {
  return contract
}

type Origins = BudgetState['origins']

/**
 * Assigns new ids in the order of the old ones. The earlier contract gets the leftover pennies of a shared contribution (rules.md §0, §6),
 * so the order must survive a copy.
 */
function mapToNewIds<Id extends string>(ids: readonly Id[], newId: () => Id): Map<Id, Id> {
  const fresh = ids.map(newId).sort()
  return new Map([...ids].sort().map((id, index) => [id, assertDefined(fresh[index])]))
}

export function copyContracts(contracts: Iterable<StaffContract>, origins: Origins, newId: () => string): BudgetEvent[] {
  const copied = [...contracts]
  const ids = mapToNewIds(
    copied.map((contract) => contract.id),
    () => toContractId(newId()),
  )
  return copied.map((contract) => {
    const id = assertDefined(ids.get(contract.id))
    return {
      type: 'StaffContractSaved',
      data: { id, contract: { ...contract, id }, origin: toContractId(origins.get(contract.id) ?? contract.id) },
    }
  })
}

/**
 * Copies stored leave earnings, keyed by the ids of the copied contracts. @param copies the result of `copyContracts` for these contracts,
 * in the same order
 */
export function copyLeaveEarnings(
  earnings: readonly StoredLeaveEarnings[],
  contracts: readonly Pick<StaffContract, 'id'>[],
  copies: readonly BudgetEvent[],
): BudgetEvent[] {
  if (!earnings.length) return []
  const ids = new Map<string, string>(
    copies.flatMap((event, index) => (event.type === 'StaffContractSaved' ? [[assertDefined(contracts[index]).id, event.data.id]] : [])),
  )
  const leaves = earnings.map((earned) => ({
    ...earned,
    weekly: Object.fromEntries(Object.entries(earned.weekly).map(([id, weekly]) => [ids.get(id) ?? id, weekly])),
  }))
  return [{ type: 'LeaveEarningsKept', data: { leaves } }]
}

export function copyQuickCalculations(calculations: Iterable<StoredQuickCalculation>, newId: () => string): BudgetEvent[] {
  return [...calculations].map(({ version: _version, created: _created, ...calculation }) => ({
    type: 'QuickCalculationSaved',
    data: { calculation: { ...calculation, id: newId() } },
  }))
}

/** Copies items under new ids. An entry that is linked to a calculation or prediction is linked to its copy. */
export function copyItems(items: Iterable<StoredItem>, origins: Origins, newId: () => string): BudgetEvent[] {
  const copied = [...items].filter((item) => copiedKinds.includes(item.kind))
  const ids = mapToNewIds(
    copied.map((item) => item.id),
    newId,
  )
  return copied.map(({ kind, id, item }) => {
    const copy = { ...item, id: assertDefined(ids.get(id)) }
    const source = 'source' in copy && copy.source ? { source: { ...copy.source, id: ids.get(copy.source.id) ?? copy.source.id } } : {}
    const event = createItemSavedEvent(kind, { id: copy.id, item: { ...copy, ...source } })
    return addOrigin(event, origins.get(id) ?? id)
  })
}

/**
 * Everything that a duplicate takes over (rules.md §15): contracts, quick calculations, entries and their sources, pupils, opening
 * balances, and the posted pools, top slices, levy shares and Employment Allowance.
 */
export function createDuplicateEvents(state: BudgetState, newId: () => string): BudgetEvent[] {
  const contracts = [...state.contracts.values()].map(toStaffContract)
  const copies = copyContracts(contracts, state.origins, newId)
  return [
    ...copies,
    ...copyLeaveEarnings(assertDefined(state.head).leaveEarnings ?? [], contracts, copies),
    ...copyQuickCalculations(state.quickCalculations.values(), newId),
    ...copyItems(state.items.values(), state.origins, newId),
    ...(state.transfers ? [{ type: 'TransfersPosted' as const, data: state.transfers }] : []),
    ...(state.levyShares ? [{ type: 'LevyAllowanceShared' as const, data: { shares: state.levyShares } }] : []),
    ...(state.employmentAllowance ? [{ type: 'EmploymentAllowancePosted' as const, data: state.employmentAllowance }] : []),
  ]
}
