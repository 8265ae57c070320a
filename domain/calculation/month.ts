import type { Period } from '../calendar.ts'
import { type Fraction, isGreater, part, plus, round, show, times, zero } from './exact.ts'
import type { LeaveRule, Note, Problem } from './inputs.ts'

/** Annual pay while nothing changes, in unrounded pennies; made once for a whole stretch of days. */
export interface Stretch {
  /** Whether anything is paid at all. */
  paid: boolean
  problem: Problem | null
  basic: Fraction
  allowances: { name: string; annual: Fraction; pensionable: boolean }[]
  inPension: boolean
  pensionRate: { rate: Fraction; text: string } | null
  leave: StretchLeave | null
  /** The result of a month that lies wholly within the stretch. */
  wholeMonth?: MonthFigures
}

/** What the leave rules give on each day of a stretch (calculation.md §8). A missing rule is unpaid leave. */
export interface StretchLeave {
  rule: LeaveRule | null
  /** The statutory amount of a day, in unrounded pennies. */
  statutoryDaily: Fraction
}

/** One month of one contract in whole pennies, before national insurance; null where it cannot be calculated. */
export interface MonthFigures {
  basic: number | null
  allowances: Map<string, number | null>
  leavePay: number | null
  leaveRecovery: number | null
  gross: number | null
  pension: number | null
  inPension: boolean
  problems: Problem[]
}

export interface StretchDays {
  stretch: Stretch
  days: number
}

/** One month of one contract from the stretches it is made of (calculation.md §5, §7 and §8). */
export function monthOf(stretches: readonly StretchDays[], period: Period, note?: Note): MonthFigures {
  const only = stretches.length === 1 ? stretches[0]!.stretch : undefined
  // Leave is paid by the day, so equal months differ with their length; all else is the same in every whole month.
  if (only?.wholeMonth && !only.leave && !note) return only.wholeMonth
  const figures = sumMonth(stretches, period, note)
  if (only && !only.leave) only.wholeMonth = figures
  return figures
}

function sumMonth(stretches: readonly StretchDays[], period: Period, note?: Note): MonthFigures {
  const problems: Problem[] = []
  const inPension = stretches.some(({ stretch }) => stretch.paid && stretch.inPension)
  for (const { stretch } of stretches) if (stretch.problem && stretch.problem.code !== 'NO_PENSION_RATE') problems.push(stretch.problem)
  if (problems.length) return emptyMonth(stretches, inPension, problems)
  const sums: Sums = { basic: zero, allowances: new Map(), leavePay: zero, leaveRecovery: zero, pension: zero }
  let pensionMissing = false
  for (const { stretch, days } of stretches) {
    if (!stretch.paid) continue
    addStretch(sums, stretch, days, period, note)
    if (stretch.problem) {
      pensionMissing = true
      problems.push(stretch.problem)
    }
  }
  const allowances = new Map([...sums.allowances].map(([name, sum]) => [name, round(sum)]))
  const [basic, leavePay, leaveRecovery] = [round(sums.basic), round(sums.leavePay), -round(sums.leaveRecovery)]
  let gross = basic + leavePay
  for (const amount of allowances.values()) gross += amount
  return {
    basic,
    allowances,
    leavePay,
    leaveRecovery: leaveRecovery === 0 ? 0 : leaveRecovery,
    gross,
    pension: pensionMissing ? null : round(sums.pension),
    inPension,
    problems,
  }
}

interface Sums {
  basic: Fraction
  allowances: Map<string, Fraction>
  leavePay: Fraction
  leaveRecovery: Fraction
  pension: Fraction
}

function addStretch(sums: Sums, stretch: Stretch, days: number, period: Period, note?: Note): void {
  const share = (annual: Fraction): Fraction => part(annual, days, 12 * period.days)
  const basic = share(stretch.basic)
  let normal = basic
  let pensionable = basic
  for (const allowance of stretch.allowances) {
    const amount = share(allowance.annual)
    normal = plus(normal, amount)
    if (allowance.pensionable) pensionable = plus(pensionable, amount)
    if (!stretch.leave) sums.allowances.set(allowance.name, plus(sums.allowances.get(allowance.name) ?? zero, amount))
    note?.({
      figure: allowance.name,
      label: `${allowance.name}: ${show(allowance.annual, 100)} ÷ 12${daysText(days, period)}`,
      value: show(amount, 100),
      rule: '§5',
    })
  }
  if (!stretch.leave) {
    sums.basic = plus(sums.basic, basic)
    note?.({ figure: 'basic', label: `${show(stretch.basic, 100)} ÷ 12${daysText(days, period)}`, value: show(basic, 100), rule: '§5' })
  } else {
    const { rule, statutoryDaily } = stretch.leave
    const percentOf = (text: string): Fraction => [BigInt(Math.round(Number(text) * 10_000)), 1_000_000n]
    const statutory = part(statutoryDaily, days, 1)
    const pay = rule ? times(normal, percentOf(rule.payPercentage)) : zero
    const both = plus(pay, statutory)
    const paid = !rule ? zero : rule.payInclusive ? (isGreater(pay, statutory) ? pay : statutory) : isGreater(both, normal) ? normal : both
    sums.leavePay = plus(sums.leavePay, paid)
    if (rule) {
      const recovered = plus(
        times(pay, percentOf(rule.payRecoveryPercentage)),
        times(statutory, percentOf(rule.extendedLeaveRateRecoveryPercentage)),
      )
      sums.leaveRecovery = plus(sums.leaveRecovery, recovered)
      note?.({
        figure: 'leavePay',
        label: `${rule.periodName}: ${days} days, occupational ${show(pay, 100)}, statutory ${show(statutory, 100)}`,
        value: show(paid, 100),
        rule: '§8',
      })
      note?.({ figure: 'leaveRecovery', label: `${rule.periodName}: recovered`, value: `− ${show(recovered, 100)}`, rule: '§8' })
    } else note?.({ figure: 'leavePay', label: `${days} days after the last rule`, value: 'unpaid', rule: '§8' })
    pensionable = !rule || rule.erPensionCalculation === 0 ? zero : rule.erPensionCalculation === 1 ? paid : pensionable
  }
  if (stretch.inPension && stretch.pensionRate) {
    const pension = times(pensionable, stretch.pensionRate.rate)
    sums.pension = plus(sums.pension, pension)
    note?.({
      figure: 'pension',
      label: `Pensionable ${show(pensionable, 100)} × ${stretch.pensionRate.text} %`,
      value: show(pension, 100),
      rule: '§7',
    })
  }
}

function daysText(days: number, period: Period): string {
  return days === period.days ? '' : ` × ${days} of ${period.days} days`
}

function emptyMonth(stretches: readonly StretchDays[], inPension: boolean, problems: Problem[]): MonthFigures {
  const names = stretches.flatMap(({ stretch }) => stretch.allowances.map((allowance) => allowance.name))
  const allowances = new Map<string, number | null>(names.map((name) => [name, null]))
  return { basic: null, allowances, leavePay: null, leaveRecovery: null, gross: null, pension: null, inPension, problems }
}
