import { assertDefined, requireItemAt } from '../../values/assertDefined.ts'
import { type Day, type Period, toIsoDate } from '../../values/calendar.ts'
import { displayCount, displayDate } from '../../values/format.ts'
import { formatForDerivation } from '../exact.ts'
import type { ContractCost, EmployeeInput, Figure, Problem, ProblemCode, StepRecorder, YearCost } from '../inputs.ts'
import { split } from '../split.ts'
import { calculateMonth, calculateWholeMonth, type MonthFigures, type Stretch, type StretchDays } from './month.ts'
import { calculateContribution, findBand } from './nationalInsurance.ts'
import type { PreparedCalculation } from './prepared.ts'
import { buildStretch, listChangeDays, type PreparedContract, prepareContracts } from './stretches.ts'

/** Requests the derivation of one month of one contract. `month` counts from 0, the budget's first. */
export interface DerivationRequest {
  contract: number
  month: number
  note: StepRecorder
}

interface CostedContract {
  prepared: PreparedContract
  months: MonthFigures[]
  ni: Figure[]
  niProblems: Problem[]
}

/**
 * Costs all contracts of one employee in one budget, month by month, in whole pennies (rules.md §2 to §8). National insurance is calculated
 * once for the employee and shared over the contracts. An attrition contract counts as a separate employee and is posted negative.
 * @param explain records the derivation of one month during the calculation
 * @throws RangeError if a contract names a contract type that the inputs do not have
 */
export function costEmployee(prepared: PreparedCalculation, employee: EmployeeInput, explain?: DerivationRequest): ContractCost[] {
  const contracts = prepareContracts(prepared, employee)
  const costed = employee.contracts.map((_contract, index): CostedContract => {
    const ready = assertDefined(contracts[index])
    const trace = explain?.contract === index ? explain : undefined
    return { prepared: ready, months: calculateMonths(prepared, ready, trace), ni: [], niProblems: [] }
  })
  const attrition = costed.filter(({ prepared: { contract } }) => contract.attritionContract)
  const employed = costed.filter(({ prepared: { contract } }) => !contract.attritionContract)
  const explained = explain && costed[explain.contract]
  for (const group of [employed, ...attrition.map((contract) => [contract])])
    addNationalInsurance(prepared, { employee, group, explain: explained && group.includes(explained) ? explain : undefined })
  return costed.map((contract) => buildContractCost(prepared, employee, contract))
}

/**
 * Costs one month of all contracts of an employee, to the same penny as `costEmployee`, for callers that recost a month many times. None of
 * the contracts may be an attrition contract.
 * @param month counted from 0, the budget's first
 */
export function costMonth(prepared: PreparedCalculation, employee: EmployeeInput, month: number): MonthCost[] {
  const group = prepareContracts(prepared, employee).map((ready): CostedContract => {
    const months: MonthFigures[] = []
    months[month] = monthsIn(prepared, ready)(assertDefined(prepared.periods[month]))
    return { prepared: ready, months, ni: [], niProblems: [] }
  })
  const ni = insureMonth(prepared, { employee, group, month })
  return group.map(({ months }, index): MonthCost => {
    const { basic, allowances, leavePay, pension } = assertDefined(months[month])
    return { basic, allowances, leavePay, ni: requireItemAt(ni, index), pension }
  })
}

/** One month of one contract in whole pennies; null where not calculated. */
export interface MonthCost {
  basic: Figure
  /** By name: the allowances of the salary row in force. */
  allowances: ReadonlyMap<string, Figure>
  leavePay: Figure
  ni: Figure
  pension: Figure
}

function calculateMonths(prepared: PreparedCalculation, contract: PreparedContract, explain?: DerivationRequest): MonthFigures[] {
  const monthIn = monthsIn(prepared, contract)
  return prepared.periods.map((period, month) => monthIn(period, explain?.month === month ? explain.note : undefined))
}

/**
 * Returns a function that calculates a contract's months. Call it in chronological order. It prepares a stretch of equal pay only when a
 * month first needs it.
 */
function monthsIn(prepared: PreparedCalculation, contract: PreparedContract): (period: Period, note?: StepRecorder) => MonthFigures {
  const days = listChangeDays(prepared, contract)
  const stretches: Stretch[] = []
  const stretchAt = (index: number): Stretch => {
    stretches[index] ??= buildStretch(prepared, { contract, day: assertDefined(days[index]) })
    return stretches[index]
  }
  const last = days.length - 1
  let at = 0
  return (period, note) => {
    while (at < last && assertDefined(days[at + 1]) <= period.first) at++
    if (!note && (at === last || assertDefined(days[at + 1]) > period.last)) return calculateWholeMonth(stretchAt(at), period)
    const parts: StretchDays[] = []
    for (let index = at; index <= last && assertDefined(days[index]) <= period.last; index++) {
      const from = Math.max(assertDefined(days[index]), period.first)
      const to = index < last ? Math.min(assertDefined(days[index + 1]) - 1, period.last) : period.last
      const explainIt = note && (() => explainRun(prepared, { contract, from, to, note }))
      parts.push({ stretch: stretchAt(index), days: to - from + 1, explain: explainIt })
    }
    return calculateMonth(parts, period, note)
  }
}

function explainRun(
  prepared: PreparedCalculation,
  { contract, from, to, note }: { contract: PreparedContract; from: Day; to: Day; note: StepRecorder },
): void {
  note({
    figure: 'run',
    label: `${displayDate(toIsoDate(from))} to ${displayDate(toIsoDate(to))}`,
    value: `${to - from + 1} days`,
    rule: '§5',
  })
  buildStretch(prepared, { contract, day: from, note })
}

/** Adds employer national insurance of one employee, shared over the contracts by gross (rules.md §6). */
function addNationalInsurance(
  prepared: PreparedCalculation,
  { employee, group, explain }: { employee: EmployeeInput; group: CostedContract[]; explain?: DerivationRequest },
): void {
  const birthdays = employee.ages ? Object.values(employee.ages).filter((date) => date !== 'always' && date !== 'never') : []
  let before: Figure[] | undefined
  for (let month = 0; month < prepared.periods.length; month++) {
    const note = explain?.month === month ? explain.note : undefined
    if (!before || note || !sameAsBefore(prepared, { group, birthdays, month }))
      before = insureMonth(prepared, { employee, group, month, note })
    for (let index = 0; index < group.length; index++) assertDefined(group[index]).ni.push(requireItemAt(before, index))
  }
}

/**
 * Whether every input to national insurance is the same as in the month before. False for a month without a table, so that each such month
 * reports its problem.
 */
function sameAsBefore(
  { niByPeriod, periods }: PreparedCalculation,
  { group, birthdays, month }: { group: CostedContract[]; birthdays: readonly string[]; month: number },
): boolean {
  if (niByPeriod[month] === undefined || niByPeriod[month] !== niByPeriod[month - 1]) return false
  for (let index = 0; index < group.length; index++) {
    const { months } = assertDefined(group[index])
    if (months[month] !== months[month - 1]) return false
  }
  if (!birthdays.length) return true
  const [then, now] = [assertDefined(periods[month - 1]).lastDate, assertDefined(periods[month]).lastDate]
  return !birthdays.some((date) => date > then && date <= now)
}

function insureMonth(
  prepared: PreparedCalculation,
  { employee, group, month, note }: { employee: EmployeeInput; group: CostedContract[]; month: number; note?: StepRecorder },
): Figure[] {
  const period = assertDefined(prepared.periods[month])
  const whole: number[] = []
  for (const { months } of group) {
    const { gross } = assertDefined(months[month])
    if (gross === null) return group.map(() => null)
    whole.push(gross)
  }
  const total = whole.reduce((sum, gross) => sum + gross, 0)
  if (total <= 0) return whole.map(() => 0)
  const table = prepared.niByPeriod[month]
  if (!table)
    return withoutInsurance(group, {
      period,
      code: 'NO_NI_TABLE',
      text: `The budget has no national insurance table on ${period.lastDate}.`,
    })
  const apprentice = group.every((contract, index) => whole[index] === 0 || contract.prepared.contract.apprentice)
  const pension = group.some((contract) => assertDefined(contract.months[month]).inPension)
  const insured = { ages: employee.ages, lastDay: period.last, lastDate: period.lastDate, apprentice, pension }
  const band = findBand(table, insured, total)
  if (!band)
    return withoutInsurance(group, {
      period,
      code: 'NO_NI_BAND',
      text: `${table.name} has no row for this employee's age and pay in ${period.lastDate.slice(0, 7)}.`,
    })
  note?.({
    figure: 'ni',
    label: group.length > 1 ? `Gross pay of all ${displayCount(group.length, 'contract')}` : 'Gross pay',
    value: formatForDerivation(total, 100),
    rule: '§6',
  })
  note?.({ figure: 'ni', label: `${table.name}: ${band.row.name}`, value: `${band.row.rate}%`, rule: '§6' })
  const due = calculateContribution(band, total, note)
  note?.({ figure: 'ni', label: 'To the penny, halves down', value: formatForDerivation(due, 100), rule: '§0' })
  const shares = split(
    due,
    whole.map((gross) => Math.max(0, gross)),
  )
  if (group.length > 1)
    note?.({
      figure: 'ni',
      label: 'Shared over the contracts by gross',
      value: shares.map((share) => formatForDerivation(share, 100)).join(' + '),
      rule: '§6',
    })
  return shares
}

function withoutInsurance(group: CostedContract[], { period, code, text }: { period: Period; code: ProblemCode; text: string }): Figure[] {
  return group.map((contract) => {
    contract.niProblems.push({ code, text, from: toIsoDate(period.first) })
    return null
  })
}

function buildContractCost(
  prepared: PreparedCalculation,
  employee: EmployeeInput,
  { prepared: { contract }, months, ni, niProblems }: CostedContract,
): ContractCost {
  const names =
    contract.rows.length === 1 ? assertDefined(contract.rows[0]).allowances : [...new Set(contract.rows.flatMap((row) => row.allowances))]
  const problems = new Map<string, Problem>()
  for (const month of months)
    if (month.problems.length) for (const problem of month.problems) if (!problems.has(problem.code)) problems.set(problem.code, problem)
  for (const problem of niProblems) if (!problems.has(problem.code)) problems.set(problem.code, problem)
  const years = prepared.yearNames.map((name, year) => yearOfMonths(name, { months, ni, names, first: year * 12 }))
  return {
    name: contract.name,
    problems: [...problems.values()],
    warnings: [
      ...(employee.ages === null ? (['NO_DATE_OF_BIRTH'] as const) : []),
      ...(months.some(({ isBelowFloor }) => isBelowFloor) ? (['BELOW_EARNINGS_FLOOR'] as const) : []),
    ],
    years: contract.attritionContract ? years.map(toSaving) : years,
  }
}

function yearOfMonths(
  year: string,
  { months, ni, names, first }: { months: readonly MonthFigures[]; ni: readonly Figure[]; names: readonly string[]; first: number },
): YearCost {
  const [basic, leavePay, leaveRecovery, gross, pension] = [
    createTwelveZeros(),
    createTwelveZeros(),
    createTwelveZeros(),
    createTwelveZeros(),
    createTwelveZeros(),
  ]
  for (let at = 0; at < 12; at++) {
    const month = assertDefined(months[first + at])
    basic[at] = month.basic
    leavePay[at] = month.leavePay
    leaveRecovery[at] = month.leaveRecovery
    gross[at] = month.gross
    pension[at] = month.pension
  }
  const allowances: YearCost['allowances'] = {}
  for (const name of names) {
    const figures = createTwelveZeros()
    allowances[name] = figures
    let before: MonthFigures | undefined
    for (let at = 0; at < 12; at++) {
      const month = assertDefined(months[first + at])
      figures[at] = month === before ? requireItemAt(figures, at - 1) : findAllowanceFigure(month, name)
      before = month
    }
  }
  return { year, basic, allowances, leavePay, leaveRecovery, gross, ni: ni.slice(first, first + 12), pension }
}

/** Zero if the row in force does not include the allowance; null if the month could not be calculated. */
function findAllowanceFigure(month: MonthFigures, name: string): Figure {
  return month.basic === null ? null : (month.allowances.get(name) ?? 0)
}

function createTwelveZeros(): Figure[] {
  return [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
}

/** Turns costs into savings: an attrition contract is posted negative (rules.md §2). */
function toSaving(cost: YearCost): YearCost {
  return {
    year: cost.year,
    basic: cost.basic.map(negate),
    allowances: Object.fromEntries(Object.entries(cost.allowances).map(([name, figures]) => [name, figures.map(negate)])),
    leavePay: cost.leavePay.map(negate),
    leaveRecovery: cost.leaveRecovery.map(negate),
    gross: cost.gross.map(negate),
    ni: cost.ni.map(negate),
    pension: cost.pension.map(negate),
  }
}

/** Avoids negative zero. */
function negate(figure: Figure): Figure {
  return figure === null || figure === 0 ? figure : -figure
}
