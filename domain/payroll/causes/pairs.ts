import { assertDefined, elementAt } from '../../values/assertDefined.ts'
import type { ContractId } from '../../values/ids.ts'
import type { CauseCandidate } from './candidates.ts'

/** Two causes that may explain a difference together, with their positions in the order of rules.md §18. */
export interface CandidatePair {
  first: CauseCandidate
  second: CauseCandidate
  places: readonly [number, number]
}

/** A candidate with the rows that it gives alone, in whole pennies. */
interface CostedCandidate {
  candidate: CauseCandidate
  rows: ReadonlyMap<string, number>
}

/** At most this many pairs are costed for each employee, the most promising first. */
const maximumPairsCosted = 3000

/** Allowance for rounding in an estimate of one row. */
const roundingInPennies = 25

/** Share of the interaction between two causes that an estimate may miss. */
const uncertainty = 0.5

/** Smallest share of pay that is assumed for a contract. */
const smallestShare = 0.02

/** *Choice*: with only one row, some pair among thousands would match by chance. */
const minimumRows = 2

/**
 * Selects pairs of causes to cost, the most promising first. A pair is estimated from its single effects, so that only a few of many
 * thousands are costed.
 * @param tried in the order of rules.md §18
 */
export function selectPairsToCost(
  tried: readonly CostedCandidate[],
  {
    calculated,
    actual,
    shareOf,
  }: {
    calculated: ReadonlyMap<string, number>
    actual: ReadonlyMap<string, number>
    /** Share of a contract in total pay. */
    shareOf: (contractId: ContractId) => number
  },
): CandidatePair[] {
  const names = [...new Set([...calculated.keys(), ...actual.keys(), ...tried.flatMap(({ rows }) => [...rows.keys()])])]
  const before = names.map((row) => calculated.get(row) ?? 0)
  if (before.filter((pennies) => pennies !== 0).length < minimumRows) return []
  const wanted = names.map((row, at) => (actual.get(row) ?? 0) - elementAt(before, at))
  const usable = tried.flatMap(({ candidate, rows }, place) => {
    if (isUnreportedAge(candidate, { rows, calculated, actual })) return []
    const effects = names.map((row, at) => (rows.get(row) ?? 0) - elementAt(before, at))
    return [{ candidate, place, moves: effects, share: sum(effects) / (sum(before) || 1) }]
  })
  const shares = new Map<ContractId, number>()
  const cachedShare = (id: ContractId): number => {
    const share = shares.get(id) ?? Math.max(shareOf(id), smallestShare)
    shares.set(id, share)
    return share
  }
  const pairs: (CandidatePair & { off: number })[] = []
  for (const [index, first] of usable.entries())
    for (let other = index + 1; other < usable.length; other++) {
      const second = assertDefined(usable[other])
      if (second.candidate.about === first.candidate.about) continue
      const off = estimateMiss(first, second)
      if (off !== null) pairs.push({ first: first.candidate, second: second.candidate, places: [first.place, second.place], off })
    }
  return pairs.sort((a, b) => a.off - b.off).slice(0, maximumPairsCosted)

  /** How many pennies two causes miss the actual pay by on their worst row; null if an estimate cannot be that far off. */
  function estimateMiss(first: (typeof usable)[number], second: (typeof usable)[number]): number | null {
    let worst = 0
    const contractId = contractOf(first.candidate)
    // Two changes of the same contract interact on its pay only, which is part of the row.
    const scale = contractId !== null && contractId === contractOf(second.candidate) ? 1 / cachedShare(contractId) : 1
    for (let at = 0; at < wanted.length; at++) {
      const [a, b, whole] = [elementAt(first.moves, at), elementAt(second.moves, at), elementAt(before, at)]
      // Two effects add up, or one also scales the other.
      const cross = scale * (whole ? (a * b) / whole : a * second.share + b * first.share)
      const off = elementAt(wanted, at) - a - b
      const room = roundingInPennies + uncertainty * Math.abs(cross)
      if (off < Math.min(cross, 0) - room || off > Math.max(cross, 0) + room) return null
      worst = Math.max(worst, Math.min(Math.abs(off), Math.abs(off - cross)))
    }
    return worst
  }
}

const contractOf = ({ change }: CauseCandidate): ContractId | null => ('contractId' in change ? change.contractId : null)

/** Whether an age removes a row that the payroll does not report, so that nothing confirms it. */
function isUnreportedAge(
  { change }: CauseCandidate,
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
