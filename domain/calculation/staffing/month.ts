import { employerPension } from '../../lookups/lookupIds.ts'
import type { Period } from '../../values/calendar.ts'
import type { Pennies } from '../../values/units.ts'
import {
  type Exact,
  exactZero,
  formatForDerivation,
  isGreater,
  minus,
  multiplyByFraction,
  parsePercent,
  plus,
  round,
  times,
} from '../exact.ts'
import type { LeaveRule, Problem, StepRecorder } from '../inputs.ts'

/** Days on which nothing about a contract's pay changes, with the annual pay in unrounded pennies. */
export interface Stretch {
  paid: boolean
  problem: Problem | null
  basic: Exact
  allowances: { name: string; annual: Exact; pensionable: boolean }[]
  inPension: boolean
  pensionRate: { rate: Exact; text: string } | null
  leave: StretchLeave | null
  /** The cached result for a month that lies entirely within the stretch. */
  wholeMonth?: MonthFigures
}

/** The leave rule of a stretch (rules.md §8). Without a rule the leave is unpaid. */
export interface StretchLeave {
  rule: LeaveRule | null
  /** The statutory pay of a day, in unrounded pennies. */
  statutoryDaily: Exact
  /** Whether the person earns less than the floor for this type of leave. */
  isBelowFloor?: boolean
}

/** One month of one contract in whole pennies, before national insurance; null where not calculated. */
export interface MonthFigures {
  basic: Pennies | null
  allowances: Map<string, Pennies | null>
  leavePay: Pennies | null
  leaveRecovery: Pennies | null
  gross: Pennies | null
  pension: Pennies | null
  inPension: boolean
  isBelowFloor: boolean
  problems: Problem[]
}

export interface StretchDays {
  stretch: Stretch
  days: number
  /** Records how the stretch was derived, before the steps of its days. */
  explain?: () => void
}

/** Calculates a month that lies entirely within one stretch, and caches the result for the other such months (rules.md §5). */
export function calculateWholeMonth(stretch: Stretch, period: Period): MonthFigures {
  // Leave is paid by the day, so the result depends on the length of the month.
  if (stretch.leave) return calculateMonth([{ stretch, days: period.days }], period)
  return (stretch.wholeMonth ??= calculateMonth([{ stretch, days: period.days }], period))
}

/** Calculates one month of one contract from its stretches (rules.md §5, §7 and §8). */
export function calculateMonth(stretches: readonly StretchDays[], period: Period, note?: StepRecorder): MonthFigures {
  const problems: Problem[] = []
  const inPension = stretches.some(({ stretch }) => stretch.paid && stretch.inPension)
  for (const { stretch } of stretches) if (stretch.problem && stretch.problem.code !== 'NO_PENSION_RATE') problems.push(stretch.problem)
  if (problems.length) {
    for (const { explain } of stretches) explain?.()
    return emptyMonth(stretches, inPension, problems)
  }
  const sums: MonthSums = { basic: exactZero, allowances: new Map(), leavePay: exactZero, leaveRecovery: exactZero, pension: exactZero }
  let pensionMissing = false
  for (const { stretch, days, explain } of stretches) {
    explain?.()
    if (!stretch.paid) continue
    addStretch(sums, { stretch, days, period, note })
    if (stretch.problem) {
      pensionMissing = true
      problems.push(stretch.problem)
    }
  }
  const basic = round(sums.basic)
  const leavePay = round(sums.leavePay)
  const leaveRecovery = -round(sums.leaveRecovery)
  const allowances = new Map<string, number>()
  let gross = basic + leavePay
  for (const [name, sum] of sums.allowances) {
    const amount = round(sum)
    allowances.set(name, amount)
    gross += amount
  }
  const pension = pensionMissing ? null : round(sums.pension)
  if (note) recordRounding(note, { basic, leavePay, leaveRecovery, pension, ...Object.fromEntries(allowances) })
  return {
    basic,
    allowances,
    leavePay,
    leaveRecovery: leaveRecovery === 0 ? 0 : leaveRecovery,
    gross,
    pension,
    inPension,
    isBelowFloor: stretches.some(({ stretch }) => stretch.leave?.isBelowFloor),
    problems,
  }
}

/** Each figure of the month is rounded once, over all its stretches (rules.md §0 and §5). */
function recordRounding(note: StepRecorder, figures: Readonly<Record<string, number | null>>): void {
  for (const [figure, pennies] of Object.entries(figures))
    if (pennies) note({ figure, label: 'The month, to the penny', value: formatForDerivation(pennies, 100), rule: '§0' })
}

interface MonthSums {
  basic: Exact
  allowances: Map<string, Exact>
  leavePay: Exact
  leaveRecovery: Exact
  pension: Exact
}

function addStretch(
  sums: MonthSums,
  { stretch, days, period, note }: { stretch: Stretch; days: number; period: Period; note?: StepRecorder },
): void {
  const months = 12 * period.days
  const basic = multiplyByFraction(stretch.basic, days, months)
  let normal = basic
  let pensionable = basic
  for (const allowance of stretch.allowances) {
    const amount = multiplyByFraction(allowance.annual, days, months)
    normal = plus(normal, amount)
    if (allowance.pensionable) pensionable = plus(pensionable, amount)
    if (!stretch.leave) {
      const before = sums.allowances.get(allowance.name)
      sums.allowances.set(allowance.name, before ? plus(before, amount) : amount)
    }
    if (!stretch.leave)
      note?.({
        figure: allowance.name,
        label: `${allowance.name}: ${formatForDerivation(allowance.annual, 100)} ÷ 12${daysText(days, period)}`,
        value: formatForDerivation(amount, 100),
        rule: '§5',
      })
  }
  if (!stretch.leave) {
    sums.basic = sums.basic === exactZero ? basic : plus(sums.basic, basic)
    note?.({
      figure: 'basic',
      label: `${formatForDerivation(stretch.basic, 100)} ÷ 12${daysText(days, period)}`,
      value: formatForDerivation(basic, 100),
      rule: '§5',
    })
  } else {
    const { rule, statutoryDaily } = stretch.leave
    note?.({
      figure: 'leavePay',
      label: `Normal pay of ${days} of ${period.days} days`,
      value: formatForDerivation(normal, 100),
      rule: '§8',
    })
    const statutory = multiplyByFraction(statutoryDaily, days, 1)
    const pay = rule ? times(normal, parsePercent(rule.payPercentage)) : exactZero
    const paid = !rule ? exactZero : rule.payInclusive ? larger(pay, statutory) : larger(statutory, smaller(normal, plus(pay, statutory)))
    sums.leavePay = plus(sums.leavePay, paid)
    if (rule) {
      const occupational = rule.payInclusive ? pay : minus(paid, statutory)
      const recovered = plus(
        times(occupational, parsePercent(rule.payRecoveryPercentage)),
        times(statutory, parsePercent(rule.extendedLeaveRateRecoveryPercentage)),
      )
      sums.leaveRecovery = plus(sums.leaveRecovery, recovered)
      note?.({
        figure: 'leavePay',
        label: `${rule.periodName}: ${days} days, occupational ${formatForDerivation(pay, 100)}, statutory ${formatForDerivation(statutory, 100)}`,
        value: formatForDerivation(paid, 100),
        rule: '§8',
      })
      note?.({
        figure: 'leaveRecovery',
        label: `${rule.periodName}: recovered`,
        value: `− ${formatForDerivation(recovered, 100)}`,
        rule: '§8',
      })
    } else note?.({ figure: 'leavePay', label: `${days} days after the last rule`, value: 'unpaid', rule: '§8' })
    pensionable =
      !rule || rule.erPensionCalculation === employerPension.none
        ? exactZero
        : rule.erPensionCalculation === employerPension.onPayReceived
          ? paid
          : pensionable
  }
  if (stretch.inPension && stretch.pensionRate) {
    const pension = times(pensionable, stretch.pensionRate.rate)
    sums.pension = sums.pension === exactZero ? pension : plus(sums.pension, pension)
    note?.({
      figure: 'pension',
      label: `Pensionable ${formatForDerivation(pensionable, 100)} × ${stretch.pensionRate.text}%`,
      value: formatForDerivation(pension, 100),
      rule: '§7',
    })
  }
}

function larger(one: Exact, other: Exact): Exact {
  return isGreater(one, other) ? one : other
}

function smaller(one: Exact, other: Exact): Exact {
  return isGreater(one, other) ? other : one
}

function daysText(days: number, period: Period): string {
  return days === period.days ? '' : ` × ${days} of ${period.days} days`
}

function emptyMonth(stretches: readonly StretchDays[], inPension: boolean, problems: Problem[]): MonthFigures {
  const names = stretches.flatMap(({ stretch }) => stretch.allowances.map((allowance) => allowance.name))
  const allowances = new Map<string, number | null>(names.map((name) => [name, null]))
  return {
    basic: null,
    allowances,
    leavePay: null,
    leaveRecovery: null,
    gross: null,
    pension: null,
    inPension,
    isBelowFloor: false,
    problems,
  }
}
