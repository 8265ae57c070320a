import { assertDefined } from '../../values/assertDefined.ts'
import { toContractId } from '../../values/ids.ts'
import { keysOf } from '../../values/keysOf.ts'
import type { KeptLeaveEarnings, StaffContract, StoredContract } from '../budget.ts'
import type { BudgetEvent } from '../events.ts'
import type { BudgetState } from '../evolve.ts'
import { type ItemKind, itemEvents, type StoredItem, saved, withOrigin } from '../items/item.ts'
import type { StoredQuickCalculation } from '../quickCalculation.ts'

/** What stays with the budget it was said of: comments and scenarios are about one budget and its figures. */
const staying: readonly ItemKind[] = ['comment', 'scenario']
const copiedKinds = keysOf(itemEvents).filter((kind) => !staying.includes(kind))

/** A contract without what storing it added. */
export function plainContract({ version: _version, savedAt: _at, created: _created, ...contract }: StoredContract): StaffContract {
  return contract
}

type Origins = BudgetState['origins']

/**
 * New ids in the order of the old ones: pennies that are left over when a contribution is shared go to the earlier contract (rules.md
 * §0, §6), and a copy keeps every penny where it is.
 */
function copiedIds<Id extends string>(ids: readonly Id[], newId: () => Id): Map<Id, Id> {
  const fresh = ids.map(newId).sort()
  return new Map([...ids].sort().map((id, index) => [id, assertDefined(fresh[index])]))
}

/** Contracts under ids of their own. */
export function contractCopies(contracts: Iterable<StaffContract>, origins: Origins, newId: () => string): BudgetEvent[] {
  const copied = [...contracts]
  const ids = copiedIds(
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

/** Kept earnings by the ids of the copied contracts. @param copies what `contractCopies` made of these contracts, in their order */
export function earningsCopies(
  earnings: readonly KeptLeaveEarnings[],
  contracts: readonly Pick<StaffContract, 'id'>[],
  copies: readonly BudgetEvent[],
): BudgetEvent[] {
  if (!earnings.length) return []
  const ids = new Map<string, string>(
    copies.flatMap((event, index) => (event.type === 'StaffContractSaved' ? [[assertDefined(contracts[index]).id, event.data.id]] : [])),
  )
  const leaves = earnings.map((one) => ({
    ...one,
    weekly: Object.fromEntries(Object.entries(one.weekly).map(([id, weekly]) => [ids.get(id) ?? id, weekly])),
  }))
  return [{ type: 'LeaveEarningsKept', data: { leaves } }]
}

/** Quick calculations under ids of their own. */
export function quickCopies(calculations: Iterable<StoredQuickCalculation>, newId: () => string): BudgetEvent[] {
  return [...calculations].map(({ version: _version, created: _created, ...calculation }) => ({
    type: 'QuickCalculationSaved',
    data: { calculation: { ...calculation, id: newId() } },
  }))
}

/** Items under ids of their own; what was linked to an item is linked to its copy. */
export function itemCopies(items: Iterable<StoredItem>, origins: Origins, newId: () => string): BudgetEvent[] {
  const copied = [...items].filter((item) => copiedKinds.includes(item.kind))
  const ids = copiedIds(
    copied.map((item) => item.id),
    newId,
  )
  return copied.map(({ kind, id, item }) => {
    const own = { ...item, id: assertDefined(ids.get(id)) }
    const source = 'source' in own && own.source ? { source: { ...own.source, id: ids.get(own.source.id) ?? own.source.id } } : {}
    const event = saved(kind, { id: own.id, item: { ...own, ...source } })
    return withOrigin(event, origins.get(id) ?? id)
  })
}

/**
 * Everything a duplicate takes over (rules.md §15): contracts, quick calculations, entries and what makes them, pupils, opening
 * balances, and its sides of pools, top slices, the levy and the Employment Allowance as they stand.
 */
export function duplicateEvents(state: BudgetState, newId: () => string): BudgetEvent[] {
  const contracts = [...state.contracts.values()].map(plainContract)
  const copies = contractCopies(contracts, state.origins, newId)
  return [
    ...copies,
    ...earningsCopies(assertDefined(state.head).leaveEarnings ?? [], contracts, copies),
    ...quickCopies(state.quickCalculations.values(), newId),
    ...itemCopies(state.items.values(), state.origins, newId),
    ...(state.transfers ? [{ type: 'TransfersPosted' as const, data: state.transfers }] : []),
    ...(state.levyShares ? [{ type: 'LevyAllowanceShared' as const, data: { shares: state.levyShares } }] : []),
    ...(state.employmentAllowance ? [{ type: 'EmploymentAllowancePosted' as const, data: state.employmentAllowance }] : []),
  ]
}
