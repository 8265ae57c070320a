import { assertDefined, elementAt } from '../../values/assertDefined.ts'
import type { ContractId } from '../../values/ids.ts'
import type { Candidate } from './candidates.ts'

/** Two causes that may hold together, with their places in the order of the law. */
export interface Pair {
  first: Candidate
  second: Candidate
  places: readonly [number, number]
}

/** A candidate with what every row comes to by it alone, in whole pennies. */
interface Tried {
  candidate: Candidate
  rows: ReadonlyMap<string, number>
}

/** Pairs of one employee that are costed at most; those that come nearest to the pay are costed. */
const mostCosted = 3000

/** Pennies on a row that an estimate may be off by because of rounding. */
const rounding = 25

/** How much of the effect of one cause on the other may be missed by its estimate. */
const uncertainty = 0.5

/** The smallest part of the pay that a contract is taken for. */
const smallestShare = 0.02

/** *Choice*: on one row alone, some pair among thousands meets any amount by chance. */
const fewestRows = 2

/**
 * The pairs of causes that may meet the pay together, the nearest first. What two causes come to is estimated from what each comes to alone, so
 * only few of many thousands need to be costed.
 * @param tried in the order of the law
 */
export function pairsWorthCosting(
  tried: readonly Tried[],
  {
    calculated,
    actual,
    shareOf,
  }: {
    calculated: ReadonlyMap<string, number>
    actual: ReadonlyMap<string, number>
    /** What part of all pay a contract is. */
    shareOf: (contractId: ContractId) => number
  },
): Pair[] {
  const names = [...new Set([...calculated.keys(), ...actual.keys(), ...tried.flatMap(({ rows }) => [...rows.keys()])])]
  const before = names.map((row) => calculated.get(row) ?? 0)
  if (before.filter((pennies) => pennies !== 0).length < fewestRows) return []
  const wanted = names.map((row, at) => (actual.get(row) ?? 0) - elementAt(before, at))
  const usable = tried.flatMap(({ candidate, rows }, place) => {
    if (isUnreportedAge(candidate, { rows, calculated, actual })) return []
    const moves = names.map((row, at) => (rows.get(row) ?? 0) - elementAt(before, at))
    return [{ candidate, place, moves, share: sum(moves) / (sum(before) || 1) }]
  })
  const shares = new Map<ContractId, number>()
  const shareKnown = (id: ContractId): number => {
    const share = shares.get(id) ?? Math.max(shareOf(id), smallestShare)
    shares.set(id, share)
    return share
  }
  const pairs: (Pair & { off: number })[] = []
  for (const [index, first] of usable.entries())
    for (let other = index + 1; other < usable.length; other++) {
      const second = assertDefined(usable[other])
      if (second.candidate.about === first.candidate.about) continue
      const off = missedBy(first, second)
      if (off !== null) pairs.push({ first: first.candidate, second: second.candidate, places: [first.place, second.place], off })
    }
  return pairs.sort((a, b) => a.off - b.off).slice(0, mostCosted)

  /** By how many pennies two causes together miss the pay on their worst row; null: by more than an estimate may be off. */
  function missedBy(first: (typeof usable)[number], second: (typeof usable)[number]): number | null {
    let worst = 0
    const own = contractOf(first.candidate)
    // Two changes of one contract affect each other on its own pay, which is a part of the row.
    const scale = own !== null && own === contractOf(second.candidate) ? 1 / shareKnown(own) : 1
    for (let at = 0; at < wanted.length; at++) {
      const [a, b, whole] = [elementAt(first.moves, at), elementAt(second.moves, at), elementAt(before, at)]
      // Two changes add up, or the one also scales what the other comes to.
      const cross = scale * (whole ? (a * b) / whole : a * second.share + b * first.share)
      const off = elementAt(wanted, at) - a - b
      const room = rounding + uncertainty * Math.abs(cross)
      if (off < Math.min(cross, 0) - room || off > Math.max(cross, 0) + room) return null
      worst = Math.max(worst, Math.min(Math.abs(off), Math.abs(off - cross)))
    }
    return worst
  }
}

const contractOf = ({ change }: Candidate): ContractId | null => ('contractId' in change ? change.contractId : null)

/** Whether an age empties a row that the payroll does not report: nothing then says that it was paid so. */
function isUnreportedAge(
  { change }: Candidate,
  {
    rows,
    calculated,
    actual,
  }: { rows: ReadonlyMap<string, number>; calculated: ReadonlyMap<string, number>; actual: ReadonlyMap<string, number> },
): boolean {
  return change.kind === 'age' && [...calculated].some(([row, pennies]) => pennies !== 0 && !rows.get(row) && !actual.has(row))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, pennies) => total + pennies, 0)
}
