import type { CostCase } from '../../domain/calculation/staffing/case.ts'
import { calendarYear, findEffectiveRow, firstDayOfMonth, listBudgetPeriods, toDay } from '../../domain/values/calendar.ts'

const dated = <T extends { effectiveDate: string }>(rows: readonly T[]) => rows.map((one) => ({ ...one, from: toDay(one.effectiveDate) }))
const penny = (pounds: number): number => Math.round(pounds * 100) / 100
const asItIs = (pounds: number): number => pounds

/**
 * Costs a teacher with one contract in plain doubles, calculating a run of equal months only once: the baseline for the exact engine. It
 * covers no leave, part months, problems or derivations.
 */
export function createDoubleCosting(shared: CostCase, rounded: boolean): (employee: CostCase['employee']) => number {
  const { budget, budgetElements, tables, assumptions, allowances } = shared
  const periods = listBudgetPeriods(budget.firstYear, budget.years, budget.startMonth)
  const scales = dated(budgetElements.teacherPayScales).map((scale) => ({
    from: scale.from,
    rates: new Map(tables.payScales[scale.table]!.points.map((point) => [`${point.scale} ${point.increment}`, Number(point.mainRate)])),
  }))
  const bands = dated(budgetElements.nationalInsurance).map((table) => {
    const band = tables.nationalInsurance[table.table]!.find(
      (one) => one.maxAge === null && !one.apprentice && one.bandEnd === null && Number(one.rate) > 0,
    )!
    return { from: table.from, start: Math.round(Number(band.bandStart) / 12), rate: Number(band.rate) / 100 }
  })
  const paid = Object.fromEntries(
    Object.entries(allowances).map(([name, one]) => [
      name,
      { ...one, rates: dated(one.rates).map(({ from, value }) => ({ from, value: Number(value) })) },
    ]),
  )
  const types = new Map(
    Object.entries(assumptions).map(([name, rates]) => [
      name,
      {
        pensions: dated(rates.erPension).map(({ from, rate }) => ({ from, rate: Number(rate) / 100 })),
        awards: dated(rates.inflation).map(({ from, rate }) => ({ from, factor: 1 + Number(rate) / 100 })),
      },
    ]),
  )
  const changes = periods.map(
    ({ first, last }, month) =>
      month === 0 ||
      firstDayOfMonth(calendarYear(first), 9) === first ||
      [...scales, ...bands, ...Object.values(paid).flatMap((one) => one.rates)].some((one) => one.from >= first && one.from <= last) ||
      [...types.values()].some((type) => [...type.pensions, ...type.awards].some((one) => one.from >= first && one.from <= last)),
  )
  const toPenny = rounded ? penny : asItIs
  return ({ contracts: [contract] }) => {
    const row = contract!.rows[0]!
    const type = types.get(contract!.contractType)!
    const share = Number(row.fte)
    const began = toDay(row.effectiveDate)
    const figures = { basic: new Float64Array(60), ni: new Float64Array(60), pension: new Float64Array(60), gross: new Float64Array(60) }
    let [basic, gross, due, pension, total] = [0, 0, 0, 0, 0]
    for (let month = 0; month < periods.length; month++) {
      if (changes[month]) {
        const { first, last } = periods[month]!
        const scale = findEffectiveRow(scales, first)!
        const years = calendarYear(first) - calendarYear(began) - (firstDayOfMonth(calendarYear(first), 9) > first ? 1 : 0)
        const increment = Math.min(contract!.maximumScalePoint!.increment, row.scalePoint!.increment + years)
        let rate = scale.rates.get(`${row.scalePoint!.scale} ${increment}`)!
        for (const award of type.awards) if (award.from > scale.from && award.from <= first) rate *= award.factor
        basic = toPenny((rate * share) / 12)
        gross = basic
        let pensionable = basic
        for (const name of row.allowances) {
          const allowance = paid[name]!
          const current = findEffectiveRow(allowance.rates, first)!
          let value = current.value
          if (allowance.inflationSetting === 'staff')
            for (const award of type.awards) if (award.from > current.from && award.from <= first) value *= award.factor
          const amount = toPenny((allowance.proRate ? value * share : value) / 12)
          gross += amount
          if (allowance.erPension) pensionable += amount
        }
        const band = findEffectiveRow(bands, last)!
        due = Math.max(0, toPenny((gross - band.start) * band.rate))
        pension = toPenny(pensionable * findEffectiveRow(type.pensions, first)!.rate)
      }
      figures.basic[month] = basic
      figures.gross[month] = gross
      figures.ni[month] = due
      figures.pension[month] = pension
      total += gross + due + pension
    }
    return Math.round(total * 100)
  }
}
