import { assertDefined, requireItemAt } from '../../values/assertDefined.ts'
import type { ContractId } from '../../values/ids.ts'
import type { CauseCandidate } from './candidates.ts'

/** Two causes that may explain a difference together, with their positions in the order of causes (rules.md §18). */
export interface CandidatePair {
  first: CauseCandidate
  second: CauseCandidate
  indexes: readonly [number, number]
}

/** A candidate with the pay that results from it alone, by row in whole pennies. */
interface CostedCandidate {
  candidate: CauseCandidate
  rows: ReadonlyMap<string, number>
}

/** The most pairs that are costed for each employee, beginning with the most promising. */
const maximumPairsCosted = 3000

/** The error that rounding may cause in the estimate of one row. */
const roundingInPennies = 25

/** The part of the interaction between two causes by which an estimate may be wrong. */
const uncertainty = 0.5

/** The smallest proportion of pay that is assumed for a contract. */
const smallestShare = 0.02

/** Our choice: pairs are tried only with at least two rows, because with one row some pair among thousands would match by chance. */
const minimumRows = 2

/**
 * Selects pairs of causes to cost, the most promising first. The effect of a pair is estimated from the effects of its causes, so that only
 * a few of many thousands are costed.
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
    /** The proportion of total pay that a contract accounts for. */
    shareOf: (contractId: ContractId) => number
  },
): CandidatePair[] {
  const names = [...new Set([...calculated.keys(), ...actual.keys(), ...tried.flatMap(({ rows }) => [...rows.keys()])])]
  const before = names.map((row) => calculated.get(row) ?? 0)
  if (before.filter((pennies) => pennies !== 0).length < minimumRows) return []
  const wanted = names.map((row, at) => (actual.get(row) ?? 0) - requireItemAt(before, at))
  const usable = tried.flatMap(({ candidate, rows }, index) => {
    if (isUnreportedAge(candidate, { rows, calculated, actual })) return []
    const effects = names.map((row, at) => (rows.get(row) ?? 0) - requireItemAt(before, at))
    return [{ candidate, place: index, moves: effects, share: sum(effects) / (sum(before) || 1) }]
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
      if (off !== null) pairs.push({ first: first.candidate, second: second.candidate, indexes: [first.place, second.place], off })
    }
  return pairs.sort((a, b) => a.off - b.off).slice(0, maximumPairsCosted)

  /** The largest difference in pennies that two causes leave in any row; null if the estimate is off by more than its error. */
  function estimateMiss(first: (typeof usable)[number], second: (typeof usable)[number]): number | null {
    let worst = 0
    const contractId = contractOf(first.candidate)
    // Two changes of the same contract affect each other only in the pay of that contract, which is a part of the row.
    const scale = contractId !== null && contractId === contractOf(second.candidate) ? 1 / cachedShare(contractId) : 1
    for (let at = 0; at < wanted.length; at++) {
      const [a, b, whole] = [requireItemAt(first.moves, at), requireItemAt(second.moves, at), requireItemAt(before, at)]
      // The effects of two causes may add up, or one may also scale the other. `cross` is the difference between these cases.
      const cross = scale * (whole ? (a * b) / whole : a * second.share + b * first.share)
      const off = requireItemAt(wanted, at) - a - b
      const room = roundingInPennies + uncertainty * Math.abs(cross)
      if (off < Math.min(cross, 0) - room || off > Math.max(cross, 0) + room) return null
      worst = Math.max(worst, Math.min(Math.abs(off), Math.abs(off - cross)))
    }
    return worst
  }
}

const contractOf = ({ change }: CauseCandidate): ContractId | null => ('contractId' in change ? change.contractId : null)

/** Whether the candidate is an age whose only effect is to remove a row that the payroll does not report, so that no amount confirms it. */
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
