import { findBudgetBounds, formatBudgetYear } from '../values/calendar.ts'
import { displayCount, displayList } from '../values/format.ts'
import type { BudgetHead, StaffContract } from './budget.ts'
import { findPayingRows } from './checks.ts'

export const obstaclePages = ['group', 'checks', 'entries'] as const
export type ObstaclePage = (typeof obstaclePages)[number]

export const obstacleCodes = [
  'recalculationRequired',
  'contractsNotCalculated',
  'noMaximumPoint',
  'entriesNotCalculated',
  'levyNotCalculated',
  'employmentAllowanceNotCalculated',
  'poolsNotCalculated',
  'topSlicesNotCalculated',
] as const

/** A problem to resolve before a budget is submitted, approved or locked. */
export interface Obstacle {
  code: (typeof obstacleCodes)[number]
  sentence: string
  page: ObstaclePage
  /** False if it is only a warning. A contract without a maximum point is only a warning: it is fully costed, and may be intended. */
  isRefused: boolean
}

/** Facts about a budget that may prevent its approval. Budget years count from 0. */
export interface ApprovalFacts {
  /** The group that the budget is recalculated with; null if it is in no group. */
  group: string | null
  /** Why the figures are out of date; null if they are current. */
  outOfDate: { reason: string } | null
  contractsNotCalculated: number
  contractsWithoutMaximum: number
  yearsWithoutEntries: readonly number[]
  yearsWithoutLevy: readonly number[]
  /** Other budgets of the group with contracts that are not calculated, which makes the levy shares of the whole group unknown. */
  budgetsNotCalculated: readonly string[]
  /** Years in which the Employment Allowance is posted but not calculated; `findAllowanceProblems` says why. */
  yearsWithoutAllowance: readonly number[]
  allowanceProblems: readonly string[]
  yearsWithoutPools: readonly number[]
  yearsWithoutTopSlices: readonly number[]
  /** Reasons, from the last recalculation, why pools and top slices could not be calculated. */
  transferProblems: readonly string[]
}

/**
 * What prevents submitting, approving or locking a budget. A locked budget never changes, so every year must be fully calculated (rules.md
 * §15).
 */
export function findObstacles({ firstYear }: Pick<BudgetHead, 'firstYear'>, facts: ApprovalFacts): Obstacle[] {
  const obstacles: Obstacle[] = []
  const add = (code: Obstacle['code'], page: ObstaclePage, sentence: string): void =>
    void obstacles.push({ code, page, sentence, isRefused: code !== 'noMaximumPoint' })
  const { group, outOfDate } = facts
  const inYears = (years: readonly number[]): string => displayList(years.map((year) => formatBudgetYear(firstYear, year)))
  const recalculate = group ? `Recalculate the group ${group} first.` : 'Add this budget to a group and recalculate the group first.'
  if (outOfDate) {
    const why = outOfDate.reason ? ` (${outOfDate.reason})` : ''
    const what = group ? `the group ${group}` : 'the budget'
    add('recalculationRequired', 'group', `The figures are not up to date${why}. Recalculate ${what} first.`)
  }
  const { contractsNotCalculated: unknown, contractsWithoutMaximum: endless } = facts
  if (unknown)
    add(
      'contractsNotCalculated',
      'checks',
      `${displayCount(unknown, 'contract is', 'contracts are')} not calculated. Correct the problems listed under Staffing checks first.`,
    )
  if (endless)
    add(
      'noMaximumPoint',
      'checks',
      `${displayCount(endless, 'contract has', 'contracts have')} no maximum scale point and so ${endless === 1 ? 'gets' : 'get'} no increments. If that is not intended, choose one. Staffing checks lists ${endless === 1 ? 'it' : 'them'}.`,
    )
  if (facts.yearsWithoutEntries.length)
    add(
      'entriesNotCalculated',
      'entries',
      `Some entries are not calculated in ${inYears(facts.yearsWithoutEntries)}. Correct them under Non-staffing first.`,
    )
  // The shared amounts are calculated with the group, so their problems are reported only once the group has been recalculated.
  if (outOfDate && group) return obstacles
  if (facts.yearsWithoutLevy.length) {
    const first = facts.budgetsNotCalculated.length
      ? `Correct the contracts of ${displayList(facts.budgetsNotCalculated)} that are not calculated. `
      : ''
    add(
      'levyNotCalculated',
      'group',
      `The apprenticeship levy is not calculated in ${inYears(facts.yearsWithoutLevy)}. ${first}${recalculate}`,
    )
  }
  if (facts.yearsWithoutAllowance.length) {
    const why = facts.allowanceProblems.length
      ? facts.allowanceProblems
      : [`The Employment Allowance is not calculated in ${inYears(facts.yearsWithoutAllowance)}.`]
    add('employmentAllowanceNotCalculated', 'group', [...why, recalculate].join(' '))
  }
  const reasons = facts.transferProblems.filter((problem) => !problem.includes('not calculated')).map((problem) => `${problem} `)
  const addTransfers = (code: Obstacle['code'], what: string, years: readonly number[]): void => {
    if (years.length) add(code, 'group', `${what} are not calculated in ${inYears(years)}. ${reasons.join('')}${recalculate}`)
  }
  addTransfers('poolsNotCalculated', 'Pools', facts.yearsWithoutPools)
  // Without a central budget, top slices cannot be paid to anybody. The school may accept that, so this is only a warning.
  const withoutCentral = facts.transferProblems.find((problem) => problem.includes('no budget of a central location'))
  if (!withoutCentral) addTransfers('topSlicesNotCalculated', 'Top slices', facts.yearsWithoutTopSlices)
  else if (facts.yearsWithoutTopSlices.length)
    obstacles.push({ code: 'topSlicesNotCalculated', page: 'group', sentence: withoutCentral, isRefused: false })
  return obstacles
}

/**
 * Whether a contract gets no increments only because it has no maximum scale point: it is paid below the top of its scale.
 * @param highest the top increment of each scale, by name
 */
export function lacksMaximumPoint(head: BudgetHead, contract: StaffContract, highest: ReadonlyMap<string, number>): boolean {
  if (contract.maximumScalePoint) return false
  const { first, last } = findBudgetBounds(head.firstYear, head.numberOfYears, head.startMonth)
  return findPayingRows(contract, first, last).some(
    ({ scalePoint }) => scalePoint && scalePoint.increment < (highest.get(scalePoint.scale) ?? scalePoint.increment),
  )
}
