import { type Day, dayOf, effective, type Period, periodsOf } from '../calendar.ts'
import { decimal, type Fraction, one, percent, plus, pounds, times } from './exact.ts'
import type { AllowanceInput, CalculationInputs, LeaveRule, PayPoint, PayScaleKind } from './inputs.ts'
import { type BandTable, bandTable } from './nationalInsurance.ts'

/** Inputs made ready once for all contracts of a budget: dates as days, decimals as fractions, points by scale and increment. */
export interface Prepared {
  inputs: CalculationInputs
  periods: Period[]
  payTables: Record<PayScaleKind, PreparedPayTable[]>
  niTables: { from: Day; table: BandTable }[]
  leaveTables: { from: Day; name: string; rates: Map<string, Fraction> }[]
  types: Map<string, PreparedType>
  allowances: Map<string, PreparedAllowance>
  leaveRules: Map<string, LeaveRule[]>
}

export interface PreparedPayTable {
  from: Day
  name: string
  points: Map<string, { point: PayPoint; rate: Fraction }>
}

export interface PreparedType {
  calculationType: 1 | 2 | 3
  payScaleTypes: number
  fullTimeHours: Fraction
  fullTimeWeeks: Fraction
  incrementMonth: number | null
  inflation: DatedFactor[]
  pension: { from: Day; rate: Fraction; text: string }[]
}

export interface PreparedAllowance {
  input: AllowanceInput
  rates: { from: Day; value: Fraction }[]
}

/** A pay award: from a day on, multiply by the factor (calculation.md §3.4). */
export interface DatedFactor {
  from: Day
  factor: Fraction
  text: string
}

const rateColumn = { main: 'mainRate', inner: 'innerRate', outer: 'outerRate', fringe: 'fringeRate' } as const

/** @throws RangeError when an input is no date or no decimal: inputs are checked where they enter, so this is a fault of ours */
export function prepare(inputs: CalculationInputs): Prepared {
  const { budget, budgetElements: elements, tables } = inputs
  const column = rateColumn[budget.payArea]
  const byTable = new Map<string, PreparedPayTable['points']>()
  const payTables = (rows: CalculationInputs['budgetElements']['teacherPayScales']): PreparedPayTable[] =>
    rows.map(({ effectiveDate, table }) => {
      let points = byTable.get(table)
      if (!points) {
        points = new Map()
        for (const point of tables.payScales[table]?.points ?? [])
          points.set(pointKey(point.scale, point.increment), { point, rate: pounds(point[column]) })
        byTable.set(table, points)
      }
      return { from: dayOf(effectiveDate), name: table, points }
    })
  return {
    inputs,
    periods: periodsOf(budget.firstYear, budget.years, budget.startMonth),
    payTables: {
      teacher: payTables(elements.teacherPayScales),
      customTeacher: payTables(elements.customTeacherPayScales),
      support: payTables(elements.supportPayScales),
      customSupport: payTables(elements.customSupportPayScales),
    },
    niTables: elements.nationalInsurance.map((row) => ({
      from: dayOf(row.effectiveDate),
      table: bandTable(row.table, tables.nationalInsurance[row.table] ?? []),
    })),
    leaveTables: elements.extendedLeave.map((row) => ({
      from: dayOf(row.effectiveDate),
      name: row.table,
      rates: new Map((tables.extendedLeave[row.table] ?? []).map((type) => [type.name, pounds(type.rate)])),
    })),
    types: new Map(Object.keys(inputs.contractTypes).map((name) => [name, preparedType(inputs, name)])),
    allowances: new Map(
      Object.entries(inputs.allowances).map(([name, input]) => [
        name,
        { input, rates: input.rates.map((rate) => ({ from: dayOf(rate.effectiveDate), value: pounds(rate.value) })) },
      ]),
    ),
    leaveRules: new Map(Object.entries(inputs.leaveRulesets)),
  }
}

export function pointKey(scale: string, increment: number): string {
  return `${scale}\u0000${increment}`
}

function preparedType(inputs: CalculationInputs, name: string): PreparedType {
  const type = inputs.contractTypes[name]!
  const assumptions = inputs.assumptions[name] ?? { erPension: [], inflation: [] }
  return {
    calculationType: type.calculationType,
    payScaleTypes: type.payScaleTypes,
    fullTimeHours: decimal(type.fullTimeHours ?? '37'),
    fullTimeWeeks: decimal(type.fullTimeWeeks ?? '52.143'),
    incrementMonth: type.incrementMonth ?? null,
    inflation: assumptions.inflation
      .map((row) => ({ from: dayOf(row.effectiveDate), factor: plus(one, percent(row.rate)), text: row.rate }))
      .sort((a, b) => a.from - b.from),
    pension: assumptions.erPension.map((row) => ({ from: dayOf(row.effectiveDate), rate: percent(row.rate), text: row.rate })),
  }
}

/** The awards after one day and up to another, multiplied (calculation.md §3.4). */
export function awards(rates: readonly DatedFactor[], after: Day, upTo: Day): Fraction {
  let product = one
  for (const rate of rates) if (rate.from > after && rate.from <= upTo) product = times(product, rate.factor)
  return product
}

/** The rate of an allowance on a day and the day it began, or undefined when it has none yet. */
export function allowanceRate(allowance: PreparedAllowance, day: Day): { from: Day; value: Fraction } | undefined {
  return effective(allowance.rates, day)
}
