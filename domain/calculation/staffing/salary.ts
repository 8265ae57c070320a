import { calculationType } from '../../lookups/lookupIds.ts'
import { addMonths, calendarYear, type Day, findEffectiveRow, firstDayOfMonth, toDay, toIsoDate } from '../../values/calendar.ts'
import { displayDate } from '../../values/format.ts'
import { div, type Exact, exactOne, formatForDerivation, fromInteger, parseDecimal, parsePounds, plus, round, times } from '../exact.ts'
import { type PayScaleKind, type ProblemCode, payScaleFlags, type SalaryRow, type ScalePoint, type StepRecorder } from '../inputs.ts'
import { areaNames } from './payTables.ts'
import { multiplyAwards, type PreparedCalculation, type PreparedPayTable, type PreparedType } from './prepared.ts'

/** A salary row with its dates as days and its decimals as exact numbers. */
export interface PreparedRow {
  from: Day
  cease: Day | null
  row: SalaryRow
  hours: Exact
  weeks: Exact
  /** The share of full time: FTE, or hours and weeks (rules.md §4). */
  share: Exact
  /** The days on which the point rises by one, up to the contract's maximum (rules.md §3.2). */
  increments: Day[]
}

/** @throws RangeError for an invalid date or decimal */
export function prepareRow(type: PreparedType, maximum: ScalePoint | null, row: SalaryRow): PreparedRow {
  const from = toDay(row.effectiveDate)
  const byFte = type.calculationType === calculationType.fte
  const hours = byFte || row.hoursPerWeek === null ? type.fullTimeHours : parseDecimal(row.hoursPerWeek)
  const weeks = byFte || row.weeksPerYear === null ? type.fullTimeWeeks : parseDecimal(row.weeksPerYear)
  return {
    from,
    cease: row.calculationCeaseDate === null ? null : toDay(row.calculationCeaseDate),
    row,
    hours,
    weeks,
    share: byFte
      ? row.fte === null
        ? exactOne
        : parseDecimal(row.fte)
      : times(div(hours, type.fullTimeHours), div(weeks, type.fullTimeWeeks)),
    increments: incrementDays(type.incrementMonth, { maximum, point: row.scalePoint, rowFrom: from }),
  }
}

/** An annual amount in unrounded pennies, or the reason it could not be calculated. */
export type AnnualAmount = { pennies: Exact } | { problem: ProblemCode; detail: string }

const kindNames: Record<PayScaleKind, string> = {
  teacher: 'teacher',
  customTeacher: 'custom teacher',
  support: 'support',
  customSupport: 'custom support',
}

/** The actual annual salary on a day, in unrounded pennies (rules.md §3 and §4). */
export function calculateActualSalary(
  prepared: PreparedCalculation,
  { type, salary, day, note }: { type: PreparedType; salary: PreparedRow; day: Day; note?: StepRecorder },
): AnnualAmount {
  const { row } = salary
  const fullTime = calculateFullTimeSalary(prepared, { type, salary, day, note })
  if ('problem' in fullTime) return fullTime
  if (type.calculationType !== calculationType.hourly) {
    note?.({ figure: 'basic', label: shareLabel(type, row), value: `× ${formatForDerivation(salary.share)}`, rule: '§4' })
    const pennies = times(fullTime.pennies, salary.share)
    note?.({ figure: 'basic', label: 'Actual annual salary', value: formatForDerivation(pennies, 100), rule: '§4' })
    return { pennies }
  }
  const hourly = row.scalePoint ? fromInteger(round(div(div(fullTime.pennies, type.fullTimeWeeks), type.fullTimeHours))) : fullTime.pennies
  note?.({
    figure: 'basic',
    label: row.scalePoint ? 'Hourly rate, to the penny' : 'Hourly rate',
    value: formatForDerivation(hourly, 100),
    rule: '§4',
  })
  const pennies = times(hourly, times(salary.hours, salary.weeks))
  note?.({
    figure: 'basic',
    label: `Actual annual salary: ${row.hoursPerWeek} hours × ${row.weeksPerYear} weeks`,
    value: formatForDerivation(pennies, 100),
    rule: '§4',
  })
  return { pennies }
}

/**
 * The increment of a salary row on a day, from only the inputs that affect it (rules.md §3.2).
 * @param incrementMonth of the contract type; null uses the month for the kind of pay scale
 * @param day `2026-11-24`
 */
export function findRowIncrement(
  incrementMonth: number | null,
  { maximum, scalePoint, effectiveDate, day }: { maximum: ScalePoint | null; scalePoint: ScalePoint; effectiveDate: string; day: string },
): number {
  const ups = incrementDays(incrementMonth, { maximum, point: scalePoint, rowFrom: toDay(effectiveDate) })
  return scalePoint.increment + ups.filter((up) => up <= toDay(day)).length
}

/** The increment on a day: one more for each increment day up to then (rules.md §3.2). */
export function findIncrement(salary: PreparedRow, point: ScalePoint, day: Day): number {
  let increment = point.increment
  for (const up of salary.increments) if (up <= day) increment++
  return increment
}

/**
 * Follows a point through the pay tables that replaced it, in date order, with at most one replacement by each table (rules.md §3.2). `by`
 * names the last table that replaced it.
 */
function followReplacedPoint(
  tables: readonly Pick<PreparedPayTable, 'from' | 'name' | 'moves'>[],
  point: { scale: string; increment: number },
  day: Day,
): { scale: string; increment: number; by?: string } {
  let now: { scale: string; increment: number; by?: string } = point
  for (const { name, moves } of tables.filter(({ from }) => from <= day).sort((a, b) => a.from - b.from)) {
    const move = moves.find(({ scale, increment }) => scale === now.scale && increment === now.increment)
    if (move) now = { scale: move.toScale, increment: move.toIncrement, by: name }
  }
  return now
}

/** The full-time annual salary on a day; for hourly spot pay, the hourly rate (rules.md §3). */
export function calculateFullTimeSalary(
  prepared: PreparedCalculation,
  { type, salary, day, note }: { type: PreparedType; salary: PreparedRow; day: Day; note?: StepRecorder },
): AnnualAmount {
  const { row } = salary
  const point = row.scalePoint
  if (!point) {
    if (row.spotAdjustment === null)
      return { problem: 'NO_PAY_POINT', detail: 'The salary row has neither a scale point nor a spot salary.' }
    const award = multiplyAwards(type, salary.from, day)
    note?.({ figure: 'basic', label: `Spot salary from ${displayDate(row.effectiveDate)}`, value: row.spotAdjustment, rule: '§3.5' })
    recordAwards(type, { after: salary.from, upTo: day, note, figure: 'basic' })
    return { pennies: times(parsePounds(row.spotAdjustment), award) }
  }
  const kind = kindNames[point.kind]
  const table = type.payScaleTypes & payScaleFlags[point.kind] ? findEffectiveRow(prepared.payTables[point.kind], day) : undefined
  if (!table)
    return { problem: 'NO_PAY_TABLE', detail: `The budget has no ${kind} pay table on ${toIsoDate(day)} that this contract type may use.` }
  const increment = findIncrement(salary, point, day)
  const paid = followReplacedPoint(prepared.payTables[point.kind], { scale: point.scale, increment }, day)
  const found = table.points.get(paid.scale)?.get(paid.increment)
  if (!found) return { problem: 'NO_PAY_POINT', detail: `${table.name} has no increment ${paid.increment} on scale ${paid.scale}.` }
  if (!found.rate) {
    const area = areaNames[prepared.inputs.budget.payArea]
    return { problem: 'NO_PAY_POINT', detail: `${table.name} has no ${area} rate for ${paid.scale} ${found.point.point}.` }
  }
  if (increment > point.increment)
    note?.({
      figure: 'basic',
      label: `Increments since ${displayDate(row.effectiveDate)}`,
      value: `+ ${increment - point.increment}`,
      rule: '§3.2',
    })
  note?.({
    figure: 'basic',
    label: `${table.name}: ${paid.scale} ${found.point.point}${paid.by ? `, since ${paid.by} moved the point before` : ''}`,
    value: formatForDerivation(found.rate, 100),
    rule: '§3.3',
  })
  const lift = type.lifts.get(table.from)
  if (lift)
    note?.({
      figure: 'basic',
      label: `Pay award of ${displayDate(toIsoDate(lift.from))}, part of which is in the table`,
      value: lift.text,
      rule: '§3.4',
    })
  recordAwards(type, { after: table.from, upTo: day, note, figure: 'basic' })
  const rate = lift ? times(found.rate, lift.factor) : found.rate
  let pennies = times(rate, multiplyAwards(type, table.from, day))
  if (row.spotAdjustment !== null) {
    note?.({ figure: 'basic', label: 'Adjustment, not inflated', value: row.spotAdjustment, rule: '§3.5' })
    pennies = plus(pennies, parsePounds(row.spotAdjustment))
  }
  return { pennies }
}

/** Records the awards that raised an amount. @param figure the amount */
export function recordAwards(
  type: PreparedType,
  { after, upTo, note, figure }: { after: Day; upTo: Day; note: StepRecorder | undefined; figure: string },
): void {
  if (!note) return
  for (const rate of type.inflation)
    if (rate.from > after && rate.from <= upTo)
      note({ figure, label: `Pay award of ${displayDate(toIsoDate(rate.from))}`, value: `× (1 + ${rate.text}%)`, rule: '§3.4' })
}

/**
 * The days on which a point rises: the 1st of the contract type's increment month, or else of September for teachers and April for support
 * staff. Support staff must have been on the row for six months (Green Book; rules.md §3.2). A maximum on another scale allows no rise.
 */
function incrementDays(
  incrementMonth: number | null,
  { maximum, point, rowFrom }: { maximum: ScalePoint | null; point: ScalePoint | null; rowFrom: Day },
): Day[] {
  if (!point || !maximum || maximum.kind !== point.kind || maximum.scale !== point.scale) return []
  const support = point.kind === 'support' || point.kind === 'customSupport'
  const month = incrementMonth ?? (support ? 4 : 9)
  const earliest = support ? Math.max(rowFrom + 1, addMonths(rowFrom, 6)) : rowFrom + 1
  let year = calendarYear(earliest)
  if (firstDayOfMonth(year, month) < earliest) year++
  const steps = Math.max(0, maximum.increment - point.increment)
  return Array.from({ length: steps }, (_, step) => firstDayOfMonth(year + step, month))
}

function shareLabel(type: PreparedType, row: SalaryRow): string {
  return type.calculationType === calculationType.fte
    ? `FTE ${row.fte ?? '1'}`
    : `${row.hoursPerWeek ?? formatForDerivation(type.fullTimeHours)} of ${formatForDerivation(type.fullTimeHours)} hours × ${row.weeksPerYear ?? formatForDerivation(type.fullTimeWeeks)} of ${formatForDerivation(type.fullTimeWeeks)} weeks`
}
