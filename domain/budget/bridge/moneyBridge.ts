import type { Figure } from '../../calculation/inputs.ts'
import type { CodeFacts } from '../../calculation/nonStaffing/balances.ts'
import { budgetCodeCategory } from '../../lookups/lookupIds.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import type { Pennies } from '../../values/units.ts'
import { yearsOf } from '../items/budgetEntry.ts'
import type { StoredItem } from '../items/item.ts'
import type { Picture } from '../pictures/picture.ts'
import { isShared, sharedNames } from '../sharedSources.ts'
import { type BridgeItem, type Cause, noSums, type Sums } from './causes.ts'
import type { End } from './staffBridge.ts'

export type FactsOf = (budgetCodeId: number) => CodeFacts | undefined

/**
 * What a prediction would come to in a year of its picture with the pupils of another; null where nobody can say any more.
 * @returns whole pennies with its own pupils, and with the other ones
 */
export type WithPupils = (prediction: {
  picture: Picture
  id: string
  other: Picture
  year: number
}) => { own: Figure; other: Figure } | null

/** A penny amount on the side of its code; codes that carry balances are on neither. */
export function sumsOf(code: CodeFacts | undefined, pennies: Pennies): Sums {
  if (code?.category === budgetCodeCategory.balance) return noSums
  return code?.isIncome ? { ...noSums, income: pennies } : { ...noSums, other: pennies }
}

const causeOf = (entry: StoredItem<'entry'> | undefined): Cause | null =>
  entry?.item.source ? (entry.item.source.kind === 'prediction' ? 'funding' : 'calculations') : null

function entriesOf({ state }: Picture): Map<string, StoredItem<'entry'>> {
  return new Map([...state.items].flatMap(([id, item]) => (item.kind === 'entry' ? [[state.origins.get(id) ?? id, item] as const] : [])))
}

/** What moves entries from one year of a picture to one of another: what time does to each, then what was changed. */
export function entryBridge({
  from,
  to,
  targetYear,
  factsOf,
  withPupils,
}: {
  from: End
  to: End
  targetYear: number
  factsOf: FactsOf
  withPupils: WithPupils
}): BridgeItem[] {
  const items: BridgeItem[] = []
  const [before, after] = [entriesOf(from.picture), entriesOf(to.picture)]
  const amount = (entry: StoredItem<'entry'> | undefined, { head }: Picture, year: number): number =>
    entry ? (yearsOf(entry.item, head.numberOfYears)[year]?.amount ?? 0) : 0
  for (const root of new Set([...before.keys(), ...after.keys()])) {
    const [a, b] = [before.get(root), after.get(root)]
    const put = (cause: Cause, entry: StoredItem<'entry'>, pennies: Pennies): void => {
      const { description: name, budgetCodeId } = entry.item
      const sums = sumsOf(factsOf(budgetCodeId), pennies)
      if (sums.income || sums.other) items.push({ ...sums, cause, kind: 'entry', root, name, staffId: null, budgetCodeId })
    }
    const moved = a && b && a.item.budgetCodeId !== b.item.budgetCodeId
    const [start, then, end] = [amount(a, from.picture, from.year), amount(a, from.picture, targetYear), amount(b, to.picture, to.year)]
    if (a) put(causeOf(a) ?? 'prices', a, then - start)
    if (moved) {
      put('entries', a, -then)
      put('entries', b, end)
      continue
    }
    const cause = causeOf(b) ?? causeOf(a) ?? 'entries'
    const pupils =
      a && b && cause === 'funding' ? pupilEffect(a, { picture: from.picture, other: to.picture, year: targetYear, withPupils }) : 0
    if (a && pupils) put('pupils', a, pupils)
    const one = b ?? a
    if (one) put(cause, one, end - then - pupils)
  }
  return items
}

/** What other pupils would make of a prediction, everything else as it was. */
function pupilEffect(
  entry: StoredItem<'entry'>,
  { picture, other, year, withPupils }: { picture: Picture; other: Picture; year: number; withPupils: WithPupils },
): number {
  const worked = withPupils({ picture, id: assertDefined(entry.item.source).id, other, year })
  return worked && worked.own !== null && worked.other !== null ? worked.other - worked.own : 0
}

/** Compares pools, top slices, the levy and the Employment Allowance of one year with those of another. */
export function sharedBridge(from: End, to: End, factsOf: FactsOf): BridgeItem[] {
  const items = new Map<string, BridgeItem>()
  const put = ({ picture, year }: End, sign: number): void => {
    for (const line of picture.lines) {
      if (line.year !== year || (line.source !== 'transfer' && !isShared(line.source))) continue
      const { source, root, budgetCodeId, total } = line
      const shared = isShared(source) ? source : null
      const key = shared ?? `${root.split(' ').slice(0, 1)} ${budgetCodeId}`
      const sums = shared ? { ...noSums, staffing: total } : sumsOf(factsOf(assertDefined(budgetCodeId)), total)
      const name = shared ? sharedNames[shared] : root.startsWith('topSlice') ? 'Top slice' : 'GAG pool'
      const item = items.get(key) ?? {
        ...noSums,
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
  put(from, -1)
  put(to, 1)
  return [...items.values()].filter((item) => item.income || item.staffing || item.other)
}
