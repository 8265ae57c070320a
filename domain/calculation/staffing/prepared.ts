import { assertDefined } from '../../values/assertDefined.ts'
import { type Day, findEffectiveRow, formatBudgetYear, listBudgetPeriods, type Period, toDay } from '../../values/calendar.ts'
import { div, type Exact, exactOne, parseDecimal, parsePercent, parsePounds, plus, times } from '../exact.ts'
import type { AllowanceInput, CalculationInputs, LeaveRule, PayPoint, PayScaleKind, PointReplacement } from '../inputs.ts'
import { type BandTable, buildBandTable } from './nationalInsurance.ts'
import { rateColumn } from './payTables.ts'

/** The inputs of a budget prepared once for all its contracts: dates as days, decimals as exact numbers, points by scale and increment. */
export interface PreparedCalculation {
  inputs: CalculationInputs
  periods: Period[]
  /** One for each year of the budget, such as `2026/27`. */
  yearNames: string[]
  payTables: Record<PayScaleKind, PreparedPayTable[]>
  /** The national insurance table in force on the last day of each period (rules.md §6). */
  niByPeriod: (BandTable | undefined)[]
  leaveTables: { from: Day; name: string; types: Map<string, { rate: Exact; floor: Exact | null }> }[]
  types: Map<string, PreparedType>
  allowances: Map<string, PreparedAllowance>
  leaveRules: Map<string, LeaveRule[]>
}

/** A pay point and its rate in the budget's pay area; null if the table has none for that area. */
interface PricedPoint {
  point: PayPoint
  rate: Exact | null
}

export interface PreparedPayTable {
  from: Day
  name: string
  /** By scale, then by increment. */
  points: Map<string, Map<number, PricedPoint>>
  moves: readonly PointReplacement[]
}

export interface PreparedType {
  calculationType: 1 | 2 | 3
  payScaleTypes: number
  fullTimeHours: Exact
  fullTimeWeeks: Exact
  incrementMonth: number | null
  inflation: DatedFactor[]
  /**
   * The factor that raises the rates of a pay table, by the table's date. Only for a date with an award that differs from what the table
   * already includes.
   */
  lifts: Map<Day, DatedFactor>
  /** Cached products of consecutive awards, keyed by the index of the first and of the one after the last. */
  products: Map<number, Exact>
  pension: { from: Day; rate: Exact; text: string }[]
}

export interface PreparedAllowance {
  input: AllowanceInput
  rates: { from: Day; value: Exact }[]
}

/** A pay award as a factor that multiplies pay from a day on (rules.md §3.4). */
export interface DatedFactor {
  from: Day
  factor: Exact
  text: string
}

/** @throws RangeError for an invalid date or decimal. Inputs are validated on entry, so this would be a bug. */
export function prepareCalculation(inputs: CalculationInputs): PreparedCalculation {
  const { budget, budgetElements: elements, tables } = inputs
  const column = rateColumn[budget.payArea]
  const rateOf = (point: PayPoint): Exact | null => {
    const rate = point[column]
    return rate === null ? null : parsePounds(rate)
  }
  const byTable = new Map<string, PreparedPayTable['points']>()
  const payTables = (rows: CalculationInputs['budgetElements']['teacherPayScales']): PreparedPayTable[] =>
    rows.map(({ effectiveDate, table }) => {
      let points = byTable.get(table)
      if (!points) {
        points = new Map()
        for (const point of tables.payScales[table]?.points ?? []) {
          const scale = points.get(point.scale) ?? new Map<number, PricedPoint>()
          points.set(point.scale, scale.set(point.increment, { point, rate: rateOf(point) }))
        }
        byTable.set(table, points)
      }
      return { from: toDay(effectiveDate), name: table, points, moves: tables.payScales[table]?.moves ?? [] }
    })
  const periods = listBudgetPeriods(budget.firstYear, budget.years, budget.startMonth)
  const niTables = elements.nationalInsurance.map((row) => ({
    from: toDay(row.effectiveDate),
    table: buildBandTable(row.table, tables.nationalInsurance[row.table] ?? []),
  }))
  return {
    inputs,
    periods,
    yearNames: Array.from({ length: budget.years }, (_, year) => formatBudgetYear(budget.firstYear, year)),
    payTables: {
      teacher: payTables(elements.teacherPayScales),
      customTeacher: payTables(elements.customTeacherPayScales),
      support: payTables(elements.supportPayScales),
      customSupport: payTables(elements.customSupportPayScales),
    },
    niByPeriod: periods.map((period) => findEffectiveRow(niTables, period.last)?.table),
    leaveTables: elements.extendedLeave.map((row) => ({
      from: toDay(row.effectiveDate),
      name: row.table,
      types: new Map(
        (tables.extendedLeave[row.table] ?? []).map(({ name, rate, earningsFloor }) => [
          name,
          { rate: parsePounds(rate), floor: earningsFloor == null ? null : parsePounds(earningsFloor) },
        ]),
      ),
    })),
    types: new Map(Object.keys(inputs.contractTypes).map((name) => [name, prepareType(inputs, name)])),
    allowances: new Map(
      Object.entries(inputs.allowances).map(([name, input]) => [
        name,
        { input, rates: input.rates.map((rate) => ({ from: toDay(rate.effectiveDate), value: parsePounds(rate.value) })) },
      ]),
    ),
    leaveRules: new Map(Object.entries(inputs.leaveRulesets)),
  }
}

/** A contract type with its awards and pension rates. A calculation repeated with other assumptions replaces only the types they concern. */
export function prepareType(inputs: Pick<CalculationInputs, 'contractTypes' | 'assumptions'>, name: string): PreparedType {
  const type = assertDefined(inputs.contractTypes[name])
  const assumptions = inputs.assumptions[name] ?? { erPension: [], inflation: [] }
  return {
    calculationType: type.calculationType,
    payScaleTypes: type.payScaleTypes,
    fullTimeHours: parseDecimal(type.fullTimeHours ?? '37'),
    fullTimeWeeks: parseDecimal(type.fullTimeWeeks ?? '52.143'),
    incrementMonth: type.incrementMonth ?? null,
    inflation: assumptions.inflation
      .map((row) => ({ from: toDay(row.effectiveDate), factor: plus(exactOne, parsePercent(row.rate)), text: row.rate }))
      .sort((a, b) => a.from - b.from),
    lifts: new Map(
      assumptions.inflation.flatMap(({ effectiveDate, rate, inTable, liftedTo = rate }): [Day, DatedFactor][] => {
        if (inTable === undefined) return []
        const from = toDay(effectiveDate)
        return [
          [
            from,
            {
              from,
              factor: div(plus(exactOne, parsePercent(liftedTo)), plus(exactOne, parsePercent(inTable))),
              text: `${liftedTo}% in place of ${inTable}%`,
            },
          ],
        ]
      }),
    ),
    products: new Map(),
    pension: assumptions.erPension.map((row) => ({ from: toDay(row.effectiveDate), rate: parsePercent(row.rate), text: row.rate })),
  }
}

/** The product of a contract type's awards after `after`, up to and including `upTo` (rules.md §3.4). */
export function multiplyAwards({ inflation, products }: PreparedType, after: Day, upTo: Day): Exact {
  let [first, end] = [0, 0]
  for (const { from } of inflation) {
    if (from <= after) first++
    if (from <= upTo) end++
  }
  if (first >= end) return exactOne
  const key = first * inflation.length + end
  const known = products.get(key)
  if (known) return known
  const product = inflation.slice(first, end).reduce((sum, rate) => times(sum, rate.factor), exactOne)
  products.set(key, product)
  return product
}

/** The rate of an allowance on a day and the day on which the rate began; undefined before the first rate. */
export function findAllowanceRate(allowance: PreparedAllowance, day: Day): { from: Day; value: Exact } | undefined {
  return findEffectiveRow(allowance.rates, day)
}
