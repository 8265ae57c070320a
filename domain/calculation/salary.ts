import { addMonths, type Day, dayOf, effective, isoOf } from '../calendar.ts'
import { displayDate } from '../format.ts'
import { decimal, type Fraction, one, over, plus, pounds, round, show, times } from './exact.ts'
import { type ContractInput, type Note, type PayScaleKind, type ProblemCode, payScaleFlags, type SalaryRow } from './inputs.ts'
import { awards, type Prepared, type PreparedType, pointKey } from './prepared.ts'

/** A salary row with its dates as days. */
export interface PreparedRow {
  from: Day
  cease: Day | null
  row: SalaryRow
}

/** A full-time or actual annual amount in unrounded pennies, or the reason there is none. */
export type Annual = { pennies: Fraction } | { problem: ProblemCode; detail: string }

const kindNames: Record<PayScaleKind, string> = {
  teacher: 'teacher',
  customTeacher: 'custom teacher',
  support: 'support',
  customSupport: 'custom support',
}

/** The actual annual salary on a day, in unrounded pennies (calculation.md §3 and §4). */
export function actualAnnual(
  prepared: Prepared,
  contract: ContractInput,
  type: PreparedType,
  salary: PreparedRow,
  day: Day,
  note?: Note,
): Annual {
  const { row } = salary
  const fullTime = fullTimeAnnual(prepared, contract, type, salary, day, note)
  if ('problem' in fullTime) return fullTime
  if (type.calculationType !== 3) {
    const share = shareOf(type, row)
    note?.({ figure: 'basic', label: shareLabel(type, row), value: `× ${show(share)}`, rule: '§4' })
    const pennies = times(fullTime.pennies, share)
    note?.({ figure: 'basic', label: 'Actual annual salary', value: show(pennies, 100), rule: '§4' })
    return { pennies }
  }
  const hourly: Fraction = row.scalePoint
    ? [BigInt(round(over(over(fullTime.pennies, type.fullTimeWeeks), type.fullTimeHours))), 1n]
    : fullTime.pennies
  note?.({ figure: 'basic', label: row.scalePoint ? 'Hourly rate, to the penny' : 'Hourly rate', value: show(hourly, 100), rule: '§4' })
  const pennies = times(hourly, times(hoursOf(type, row), weeksOf(type, row)))
  note?.({
    figure: 'basic',
    label: `Actual annual salary: ${row.hoursPerWeek} hours × ${row.weeksPerYear} weeks`,
    value: show(pennies, 100),
    rule: '§4',
  })
  return { pennies }
}

/** Full-time annual salary on a day; for hourly spot pay, the hourly rate (calculation.md §3). */
function fullTimeAnnual(
  prepared: Prepared,
  contract: ContractInput,
  type: PreparedType,
  salary: PreparedRow,
  day: Day,
  note?: Note,
): Annual {
  const { row } = salary
  const point = row.scalePoint
  if (!point) {
    if (row.spotAdjustment === null)
      return { problem: 'NO_PAY_POINT', detail: 'The salary row has neither a scale point nor a spot salary.' }
    const award = awards(type.inflation, salary.from, day)
    note?.({ figure: 'basic', label: `Spot salary from ${displayDate(row.effectiveDate)}`, value: row.spotAdjustment, rule: '§3.5' })
    noteAwards(type, salary.from, day, note)
    return { pennies: times(pounds(row.spotAdjustment), award) }
  }
  const kind = kindNames[point.kind]
  const table = type.payScaleTypes & payScaleFlags[point.kind] ? effective(prepared.payTables[point.kind], day) : undefined
  if (!table)
    return { problem: 'NO_PAY_TABLE', detail: `The budget has no ${kind} pay table on ${isoOf(day)} that this contract type may use.` }
  const increment = incrementOn(contract, type, salary, day)
  const found = table.points.get(pointKey(point.scale, increment))
  if (!found) return { problem: 'NO_PAY_POINT', detail: `${table.name} has no increment ${increment} on scale ${point.scale}.` }
  note?.({ figure: 'basic', label: `${table.name}: ${point.scale} ${found.point.point}`, value: show(found.rate, 100), rule: '§3.3' })
  noteAwards(type, table.from, day, note)
  let pennies = times(found.rate, awards(type.inflation, table.from, day))
  if (row.spotAdjustment !== null) {
    note?.({ figure: 'basic', label: 'Adjustment, not inflated', value: row.spotAdjustment, rule: '§3.5' })
    pennies = plus(pennies, pounds(row.spotAdjustment))
  }
  return { pennies }
}

function noteAwards(type: PreparedType, after: Day, upTo: Day, note?: Note): void {
  if (!note) return
  for (const rate of type.inflation)
    if (rate.from > after && rate.from <= upTo)
      note({ figure: 'basic', label: `Pay award of ${displayDate(isoOf(rate.from))}`, value: `× (1 + ${rate.text} %)`, rule: '§3.4' })
}

/** The increment on a day: up by one on each increment day after the row began, to the maximum (calculation.md §3.2). */
export function incrementOn(contract: ContractInput, type: PreparedType, salary: PreparedRow, day: Day): number {
  const point = salary.row.scalePoint!
  const maximum = contract.maximumScalePoint
  if (!maximum || maximum.kind !== point.kind || maximum.scale !== point.scale || point.increment >= maximum.increment)
    return point.increment
  let steps = 0
  for (const incrementDay of incrementDays(type, point.kind, salary.from, day)) if (incrementDay <= day) steps++
  return Math.min(maximum.increment, point.increment + steps)
}

/**
 * The increment days after a row began, up to a day: the 1st of the contract type's increment month, else 1 September for teachers and
 * 1 April for support staff, who must have been on the row for six months by then (Green Book; calculation.md §3.2).
 */
export function incrementDays(type: PreparedType, kind: PayScaleKind, rowFrom: Day, upTo: Day): Day[] {
  const support = kind === 'support' || kind === 'customSupport'
  const month = type.incrementMonth ?? (support ? 4 : 9)
  const earliest = support ? Math.max(rowFrom + 1, addMonths(rowFrom, 6)) : rowFrom + 1
  const days: Day[] = []
  for (let year = Number(isoOf(rowFrom).slice(0, 4)); ; year++) {
    const day = dayOf(`${year}-${String(month).padStart(2, '0')}-01`)
    if (day > upTo) return days
    if (day >= earliest) days.push(day)
  }
}

/** The part of full time that a row works: FTE, or hours and weeks (calculation.md §4). */
export function shareOf(type: PreparedType, row: SalaryRow): Fraction {
  if (type.calculationType === 1) return row.fte === null ? one : decimal(row.fte)
  return times(over(hoursOf(type, row), type.fullTimeHours), over(weeksOf(type, row), type.fullTimeWeeks))
}

function shareLabel(type: PreparedType, row: SalaryRow): string {
  return type.calculationType === 1
    ? `FTE ${row.fte ?? '1'}`
    : `${row.hoursPerWeek} of ${show(type.fullTimeHours)} hours × ${row.weeksPerYear} of ${show(type.fullTimeWeeks)} weeks`
}

function hoursOf(type: PreparedType, row: SalaryRow): Fraction {
  return row.hoursPerWeek === null ? type.fullTimeHours : decimal(row.hoursPerWeek)
}

function weeksOf(type: PreparedType, row: SalaryRow): Fraction {
  return row.weeksPerYear === null ? type.fullTimeWeeks : decimal(row.weeksPerYear)
}
