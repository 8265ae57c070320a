import { type Day, findEffectiveRow, type IsoDate, toIsoDate } from '../../values/calendar.ts'
import type { Pennies } from '../../values/units.ts'
import type { AppliedLeave, EmployeeInput, Problem } from '../inputs.ts'
import { calculateMonth } from './month.ts'
import type { PreparedCalculation } from './prepared.ts'
import { buildStretch, prepareContracts } from './stretches.ts'

/** The weeks of a leave under one rule, with the pay of one week over all contracts of the person. */
export interface LeavePeriod {
  /** The rule's name; null after the last rule, when the leave is unpaid. */
  name: string | null
  from: IsoDate
  to: IsoDate
  firstWeek: number
  weeks: number
  /** Whole pennies of the first full week; null if it could not be calculated. */
  paid: Pennies | null
  recovered: number | null
  /** Whether the person earns less than the floor for this type of leave. */
  isBelowFloor: boolean
  problem: Problem | null
}

/**
 * Divides one leave into periods, one for each rule, with a week's pay in each, calculated by the rules that cost its months (rules.md §8).
 */
export function buildLeavePeriods(
  prepared: PreparedCalculation,
  employee: EmployeeInput,
  leave: AppliedLeave & { from: Day; to: Day },
): LeavePeriod[] {
  const rules = [...(prepared.leaveRules.get(leave.ruleset) ?? [])].sort((a, b) => a.firstWeek - b.firstWeek)
  const periods: LeavePeriod[] = []
  for (let from = leave.from; from <= leave.to; ) {
    const week = Math.floor((from - leave.from) / 7) + 1
    const rule = rules.find((one) => week >= one.firstWeek && week <= one.lastWeek)
    const next = rules.find((one) => one.firstWeek > week)
    const end = rule ? leave.from + rule.lastWeek * 7 - 1 : next ? leave.from + (next.firstWeek - 1) * 7 - 1 : leave.to
    const to = Math.min(end, leave.to)
    const name = rule?.periodName ?? null
    periods.push({
      name,
      from: toIsoDate(from),
      to: toIsoDate(to),
      firstWeek: week,
      weeks: Math.ceil((to - from + 1) / 7),
      ...calculateLeaveWeek(prepared, employee, from),
    })
    from = to + 1
  }
  return periods
}

function calculateLeaveWeek(
  prepared: PreparedCalculation,
  employee: EmployeeInput,
  day: Day,
): Pick<LeavePeriod, 'paid' | 'recovered' | 'isBelowFloor' | 'problem'> {
  const period = findEffectiveRow(
    prepared.periods.map((one) => ({ ...one, from: one.first })),
    day,
  )
  // Outside the budget there are no tables, so there is no problem to report.
  if (!period || day > period.last) return { paid: null, recovered: null, isBelowFloor: false, problem: null }
  let [paid, recovered] = [0, 0]
  let isBelowFloor = false
  for (const contract of prepareContracts(prepared, employee)) {
    if (contract.contract.attritionContract) continue
    const stretch = buildStretch(prepared, { contract, day })
    if (stretch.problem && stretch.problem.code !== 'NO_PENSION_RATE')
      return { paid: null, recovered: null, isBelowFloor: false, problem: stretch.problem }
    const figures = calculateMonth([{ stretch, days: 7 }], period)
    isBelowFloor ||= figures.isBelowFloor
    paid += figures.leavePay ?? 0
    recovered -= figures.leaveRecovery ?? 0
  }
  return { paid, recovered, isBelowFloor, problem: null }
}
