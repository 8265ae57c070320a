import type { Figure } from '../../calculation/inputs.ts'
import type { CodeFacts } from '../../calculation/nonStaffing/balances.ts'
import { budgetCodeCategory } from '../../lookups/lookupIds.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import type { Pennies } from '../../values/units.ts'
import { calculateEntryYears } from '../items/budgetEntry.ts'
import type { StoredItem } from '../items/item.ts'
import { isSharedSource, sharedSourceNames } from '../sharedSources.ts'
import type { BudgetSnapshot } from '../snapshots/snapshot.ts'
import { type BridgeAmounts, type BridgeCause, type BridgeItem, zeroAmounts } from './causes.ts'
import type { BridgeYear } from './staffBridge.ts'

export type CodeLookup = (budgetCodeId: number) => CodeFacts | undefined

/**
 * Recalculates one year of a prediction, once with its own pupils and once with those of another snapshot.
 * @returns whole pennies with its own pupils (`own`) and with the other pupils (`other`); null if it can no longer be calculated
 */
export type PredictionRecalculator = (prediction: {
  snapshot: BudgetSnapshot
  id: string
  other: BudgetSnapshot
  year: number
}) => { own: Figure; other: Figure } | null

/** Puts an amount under income or other expenditure, by its budget code. Balance codes count as neither. */
export function classifyAmount(code: CodeFacts | undefined, pennies: Pennies): BridgeAmounts {
  if (code?.category === budgetCodeCategory.balance) return zeroAmounts
  return code?.isIncome ? { ...zeroAmounts, income: pennies } : { ...zeroAmounts, other: pennies }
}

const causeOfLinkedEntry = (entry: StoredItem<'entry'> | undefined): BridgeCause | null =>
  entry?.item.source ? (entry.item.source.kind === 'prediction' ? 'funding' : 'calculations') : null

function entriesByRoot({ state }: BudgetSnapshot): Map<string, StoredItem<'entry'>> {
  return new Map([...state.items].flatMap(([id, item]) => (item.kind === 'entry' ? [[state.origins.get(id) ?? id, item] as const] : [])))
}

/** Bridges entries from one year of a snapshot to a year of another: first the effect of time, then what was edited. */
export function bridgeEntries({
  from,
  to,
  targetYear,
  factsOf,
  withPupils,
}: {
  from: BridgeYear
  to: BridgeYear
  targetYear: number
  factsOf: CodeLookup
  withPupils: PredictionRecalculator
}): BridgeItem[] {
  const items: BridgeItem[] = []
  const [before, after] = [entriesByRoot(from.snapshot), entriesByRoot(to.snapshot)]
  const amount = (entry: StoredItem<'entry'> | undefined, { head }: BudgetSnapshot, year: number): number =>
    entry ? (calculateEntryYears(entry.item, head.numberOfYears)[year]?.amount ?? 0) : 0
  for (const root of new Set([...before.keys(), ...after.keys()])) {
    const [a, b] = [before.get(root), after.get(root)]
    const addItem = (cause: BridgeCause, entry: StoredItem<'entry'>, pennies: Pennies): void => {
      const { description: name, budgetCodeId } = entry.item
      const sums = classifyAmount(factsOf(budgetCodeId), pennies)
      if (sums.income || sums.other) items.push({ ...sums, cause, kind: 'entry', root, name, staffId: null, budgetCodeId })
    }
    const moved = a && b && a.item.budgetCodeId !== b.item.budgetCodeId
    const [start, then, end] = [amount(a, from.snapshot, from.year), amount(a, from.snapshot, targetYear), amount(b, to.snapshot, to.year)]
    if (a) addItem(causeOfLinkedEntry(a) ?? 'prices', a, then - start)
    if (moved) {
      addItem('entries', a, -then)
      addItem('entries', b, end)
      continue
    }
    const cause = causeOfLinkedEntry(b) ?? causeOfLinkedEntry(a) ?? 'entries'
    const pupils =
      a && b && cause === 'funding' ? pupilEffect(a, { snapshot: from.snapshot, other: to.snapshot, year: targetYear, withPupils }) : 0
    if (a && pupils) addItem('pupils', a, pupils)
    const entry = b ?? a
    if (entry) addItem(cause, entry, end - then - pupils)
  }
  return items
}

/** How much a prediction changes if only the pupil numbers change; whole pennies. */
function pupilEffect(
  entry: StoredItem<'entry'>,
  {
    snapshot,
    other,
    year,
    withPupils,
  }: { snapshot: BudgetSnapshot; other: BudgetSnapshot; year: number; withPupils: PredictionRecalculator },
): number {
  const result = withPupils({ snapshot, id: assertDefined(entry.item.source).id, other, year })
  return result && result.own !== null && result.other !== null ? result.other - result.own : 0
}

/**
 * Bridges the lines that a budget shares with its group from one year to another: pools, top slices, the levy and the Employment Allowance.
 */
export function bridgeSharedLines(from: BridgeYear, to: BridgeYear, factsOf: CodeLookup): BridgeItem[] {
  const items = new Map<string, BridgeItem>()
  const addLines = ({ snapshot, year }: BridgeYear, sign: number): void => {
    for (const line of snapshot.lines) {
      if (line.year !== year || (line.source !== 'transfer' && !isSharedSource(line.source))) continue
      const { source, root, budgetCodeId, total } = line
      const shared = isSharedSource(source) ? source : null
      const key = shared ?? `${root.split(' ').slice(0, 1)} ${budgetCodeId}`
      const sums = shared ? { ...zeroAmounts, staffing: total } : classifyAmount(factsOf(assertDefined(budgetCodeId)), total)
      const name = shared ? sharedSourceNames[shared] : root.startsWith('topSlice') ? 'Top slice' : 'GAG pool'
      const item = items.get(key) ?? {
        ...zeroAmounts,
        cause: shared ?? 'transfers',
        kind: source,
        root: key,
        name,
        staffId: null,
        budgetCodeId,
      }
      items.set(key, {
        ...item,
        income: item.income + sign * sums.income,
        staffing: item.staffing + sign * sums.staffing,
        other: item.other + sign * sums.other,
      })
    }
  }
  addLines(from, -1)
  addLines(to, 1)
  return [...items.values()].filter((item) => item.income || item.staffing || item.other)
}
