import Big from 'big.js'
import type { CostCase } from '../../domain/calculation/staffing/case.ts'
import { calendarYear, findEffectiveRow, firstDayOfMonth, listBudgetPeriods, toDay } from '../../domain/values/calendar.ts'

const dated = <T extends { effectiveDate: string }>(rows: readonly T[]) => rows.map((one) => ({ ...one, from: toDay(one.effectiveDate) }))

/**
 * Basic pay, allowances, national insurance and pension of a teacher with one contract, in big.js, month by month and straight from the
 * rules: a first implementation. It covers no leave, part months, problems or derivations.
 * @returns whole pennies over all months
 */
export function calculateNaiveCost(shared: CostCase, employee: CostCase['employee']): number {
  const { budget, budgetElements, tables, assumptions, allowances } = shared
  const [contract] = employee.contracts
  const row = contract!.rows[0]!
  const rates = assumptions[contract!.contractType]!
  const scales = dated(budgetElements.teacherPayScales)
  const insurance = dated(budgetElements.nationalInsurance)
  const [pensions, awards] = [dated(rates.erPension), dated(rates.inflation)]
  const began = toDay(row.effectiveDate)
  let total = new Big(0)
  for (const { first, last, days } of listBudgetPeriods(budget.firstYear, budget.years, budget.startMonth)) {
    const scale = findEffectiveRow(scales, first)!
    const years = calendarYear(first) - calendarYear(began) - (firstDayOfMonth(calendarYear(first), 9) > first ? 1 : 0)
    const increment = Math.min(contract!.maximumScalePoint!.increment, row.scalePoint!.increment + years)
    const point = tables.payScales[scale.table]!.points.find((one) => one.scale === row.scalePoint!.scale && one.increment === increment)!
    const awarded = (value: Big, since: number): Big =>
      awards
        .filter((award) => award.from > since && award.from <= first)
        .reduce((sum, award) => sum.times(new Big(1).plus(new Big(award.rate).div(100))), value)
    const ofMonth = (annual: Big): Big => annual.div(12).times(days).div(days).round(2, Big.roundHalfUp)
    const basic = ofMonth(awarded(new Big(point.mainRate), scale.from).times(row.fte!))
    let gross = basic
    let pensionable = basic
    for (const name of row.allowances) {
      const allowance = allowances[name]!
      const paid = findEffectiveRow(dated(allowance.rates), first)!
      const value = allowance.inflationSetting === 'staff' ? awarded(new Big(paid.value), paid.from) : new Big(paid.value)
      const amount = ofMonth(allowance.proRate ? value.times(row.fte!) : value)
      gross = gross.plus(amount)
      if (allowance.erPension) pensionable = pensionable.plus(amount)
    }
    const band = tables.nationalInsurance[findEffectiveRow(insurance, last)!.table]!.find(
      (one) => one.maxAge === null && !one.apprentice && one.bandEnd === null && Number(one.rate) > 0,
    )!
    const over = gross.minus(new Big(band.bandStart).div(12).round(0, Big.roundHalfUp))
    const due = over.lt(0) ? new Big(0) : over.times(band.rate).div(100).round(2, Big.roundHalfUp)
    const pension = pensionable.times(findEffectiveRow(pensions, first)!.rate).div(100).round(2, Big.roundHalfUp)
    total = total.plus(gross).plus(due).plus(pension)
  }
  return Number(total.times(100))
}
