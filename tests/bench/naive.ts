import Big from 'big.js'
import type { CostCase } from '../../domain/calculation/case.ts'
import { dayOf, effective, periodsOf } from '../../domain/calendar.ts'

/** What the same sums need of numbers. */
interface Numbers<N> {
  of(text: string | number): N
  plus(a: N, b: N): N
  minus(a: N, b: N): N
  times(a: N, b: N): N
  over(a: N, b: N): N
  /** To the penny, halves up. */
  round(a: N): N
  isNegative(a: N): boolean
  pennies(a: N): number
}

export const doubles: Numbers<number> = {
  of: Number,
  plus: (a, b) => a + b,
  minus: (a, b) => a - b,
  times: (a, b) => a * b,
  over: (a, b) => a / b,
  round: (a) => Math.round(a * 100) / 100,
  isNegative: (a) => a < 0,
  pennies: (a) => Math.round(a * 100),
}

export const bigs: Numbers<Big> = {
  of: (text) => new Big(text),
  plus: (a, b) => a.plus(b),
  minus: (a, b) => a.minus(b),
  times: (a, b) => a.times(b),
  over: (a, b) => a.div(b),
  round: (a) => a.round(2, Big.roundHalfUp),
  isNegative: (a) => a.lt(0),
  pennies: (a) => Math.round(Number(a.times(100))),
}

/**
 * Basic pay, allowances, national insurance and pension of one teacher with one contract, every month on its own and without any rule that
 * teachers of the bench do not need: what somebody would write first. @returns whole pennies of all months
 */
export function naiveCost<N>(n: Numbers<N>, shared: CostCase, employee: CostCase['employee']): number {
  const { budget, budgetElements, tables, assumptions, allowances } = shared
  const [contract] = employee.contracts
  const row = contract!.rows[0]!
  const rates = assumptions[contract!.contractType]!
  const dated = <T extends { effectiveDate: string }>(rows: readonly T[]) => rows.map((one) => ({ ...one, from: dayOf(one.effectiveDate) }))
  const scales = dated(budgetElements.teacherPayScales)
  const insurance = dated(budgetElements.nationalInsurance)
  const pensions = dated(rates.erPension)
  const awards = dated(rates.inflation)
  let total = 0
  periodsOf(budget.firstYear, budget.years, budget.startMonth).forEach((period, month) => {
    const scale = effective(scales, period.first)!
    const points = tables.payScales[scale.table]!.points.filter((point) => point.scale === row.scalePoint!.scale)
    const top = Math.max(...points.map((point) => point.increment))
    const years = Math.floor((month + budget.startMonth - 9) / 12) + budget.firstYear - Number(row.effectiveDate.slice(0, 4))
    const point = points.find((one) => one.increment === Math.min(top, row.scalePoint!.increment + years))!
    const awarded = (value: N, since: number): N =>
      awards.reduce(
        (sum, award) =>
          award.from > since && award.from <= period.first ? n.times(sum, n.plus(n.of(1), n.over(n.of(award.rate), n.of(100)))) : sum,
        value,
      )
    const rate = awarded(n.of(point.mainRate), scale.from)
    const share = n.of(row.fte!)
    const basic = n.round(n.over(n.times(rate, share), n.of(12)))
    let gross = basic
    let pensionable = basic
    for (const name of row.allowances) {
      const allowance = allowances[name]!
      const paid = effective(dated(allowance.rates), period.first)!
      const value = allowance.inflationSetting === 'staff' ? awarded(n.of(paid.value), paid.from) : n.of(paid.value)
      const amount = n.round(n.over(allowance.proRate ? n.times(value, share) : value, n.of(12)))
      gross = n.plus(gross, amount)
      if (allowance.erPension) pensionable = n.plus(pensionable, amount)
    }
    const band = tables.nationalInsurance[effective(insurance, period.last)!.table]!.find(
      (one) => one.maxAge === null && !one.apprentice && one.bandEnd === null && Number(one.rate) > 0,
    )!
    const over = n.minus(gross, n.of(Math.round(Number(band.bandStart) / 12)))
    const due = n.isNegative(over) ? n.of(0) : n.round(n.over(n.times(over, n.of(band.rate)), n.of(100)))
    const pension = n.round(n.over(n.times(pensionable, n.of(effective(pensions, period.first)!.rate)), n.of(100)))
    total += n.pennies(n.plus(n.plus(gross, due), pension))
  })
  return total
}
