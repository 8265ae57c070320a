import { HyperFormula } from 'hyperformula'
import type { CostCase } from '../../domain/calculation/staffing/case.ts'
import { calendarYear, findEffectiveRow, firstDayOfMonth, listBudgetPeriods, toDay } from '../../domain/values/calendar.ts'

type Cell = string | number

/**
 * Costs the bench’s teachers as a spreadsheet would: sheets of dated scale points, thresholds, pension rates and months with their awards,
 * and a row for each contract and month that looks up the values for its date.
 * @returns the milliseconds of one full recalculation, and the total in pounds
 */
export function calculateAsSpreadsheet(shared: CostCase, employees: readonly CostCase['employee'][]): { ms: number; total: number } {
  const { budget, budgetElements, tables, assumptions, allowances } = shared
  const from = <T extends { effectiveDate: string }>(rows: readonly T[]) => rows.map((one) => ({ ...one, from: toDay(one.effectiveDate) }))
  const scales = from(budgetElements.teacherPayScales)
  const { scale } = employees[0]!.contracts[0]!.rows[0]!.scalePoint!
  const points: Cell[][] = scales.map(({ table, from: since }) => [
    since,
    ...tables.payScales[table]!.points.filter((point) => point.scale === scale).map((point) => Number(point.mainRate)),
  ])
  const thresholds: Cell[][] = from(budgetElements.nationalInsurance).map(({ table, from: since }) => {
    const band = tables.nationalInsurance[table]!.find(
      (one) => one.maxAge === null && !one.apprentice && one.bandEnd === null && Number(one.rate) > 0,
    )!
    return [since, Math.round(Number(band.bandStart) / 12), Number(band.rate) / 100]
  })
  const names = employees[0]!.contracts[0]!.rows[0]!.allowances
  const type = assumptions[employees[0]!.contracts[0]!.contractType]!
  const pensions: Cell[][] = from(type.erPension).map((one) => [one.from, Number(one.rate) / 100])
  const awarded = (since: number, day: number): number =>
    from(type.inflation).reduce(
      (product, award) => (award.from > since && award.from <= day ? product * (1 + Number(award.rate) / 100) : product),
      1,
    )
  const periods = listBudgetPeriods(budget.firstYear, budget.years, budget.startMonth)
  const months: Cell[][] = periods.map(({ first, last }) => {
    const table = findEffectiveRow(scales, first)!
    return [
      first,
      last,
      awarded(table.from, first),
      calendarYear(first) - (firstDayOfMonth(calendarYear(first), 9) > first ? 1 : 0),
      ...names.map((name) => {
        const paid = findEffectiveRow(from(allowances[name]!.rates), first)!
        return Number(paid.value) * (allowances[name]!.inflationSetting === 'staff' ? awarded(paid.from, first) : 1)
      }),
    ]
  })
  const columns = 'EFGH'
  const rows = employees.flatMap(({ contracts: [contract] }): Cell[][] => {
    const row = contract!.rows[0]!
    return periods.map((_period, month) => {
      const at = (column: string): string => `Months!${column}${month + 1}`
      const inMonth = (index: number): string => {
        const allowance = allowances[names[index]!]!
        return `ROUND(${at(columns[index]!)}${allowance.proRate ? `*${row.fte}` : ''}/12,2)`
      }
      const increment = `MIN(${contract!.maximumScalePoint!.increment},${row.scalePoint!.increment}+${at('D')}-${row.effectiveDate.slice(0, 4)})`
      return [
        `=ROUND(INDEX(Points!$B$1:$G$${points.length},MATCH(${at('A')},Points!$A$1:$A$${points.length},1),${increment})*${at('C')}*${row.fte}/12,2)`,
        `=${names.map((_name, index) => inMonth(index)).join('+') || 0}`,
        `=${names.flatMap((name, index) => (allowances[name]!.erPension ? [inMonth(index)] : [])).join('+') || 0}`,
      ]
    })
  })
  const sheet = rows.map((row, index): Cell[] => {
    const [n, month] = [index + 1, (index % periods.length) + 1]
    const insured = (column: string): string =>
      `INDEX(Thresholds!$${column}$1:$${column}$${thresholds.length},MATCH(Months!B${month},Thresholds!$A$1:$A$${thresholds.length},1))`
    const rate = `INDEX(Pensions!$B$1:$B$${pensions.length},MATCH(Months!A${month},Pensions!$A$1:$A$${pensions.length},1))`
    return [
      ...row,
      `=A${n}+B${n}`,
      `=MAX(0,ROUND((D${n}-${insured('B')})*${insured('C')},2))`,
      `=ROUND((A${n}+C${n})*${rate},2)`,
      `=D${n}+E${n}+F${n}`,
    ]
  })
  const engine = HyperFormula.buildFromSheets(
    {
      Points: points,
      Thresholds: thresholds,
      Pensions: pensions,
      Months: months,
      Contracts: sheet,
      Total: [[`=SUM(Contracts!G1:G${sheet.length})`]],
    },
    { licenseKey: 'gpl-v3' },
  )
  const began = performance.now()
  engine.rebuildAndRecalculate()
  const ms = performance.now() - began
  const total = Number(engine.getCellValue({ sheet: engine.getSheetId('Total')!, row: 0, col: 0 }))
  engine.destroy()
  return { ms, total }
}
