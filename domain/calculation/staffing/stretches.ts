import { employerPension } from '../../lookups/lookupIds.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { type Day, findEffectiveRow, toDay, toIsoDate } from '../../values/calendar.ts'
import { displayDate } from '../../values/format.ts'
import {
  div,
  type Exact,
  exactOne,
  exactZero,
  formatExact,
  formatForDerivation,
  fromInteger,
  isGreater,
  multiplyByFraction,
  parseExact,
  parsePercent,
  plus,
  times,
} from '../exact.ts'
import type { AppliedLeave, ContractInput, EmployeeInput, LeaveRule, Problem, ProblemCode, StepRecorder } from '../inputs.ts'
import type { Stretch, StretchLeave } from './month.ts'
import { findAllowanceRate, multiplyAwards, type PreparedCalculation, type PreparedType } from './prepared.ts'
import { calculateActualSalary, type PreparedRow, prepareRow, recordAwards } from './salary.ts'

/** A contract with its dates as days and its leaves. A stretch is the time between two days on which something changes (rules.md §5). */
export interface PreparedContract {
  contract: ContractInput
  type: PreparedType
  from: Day
  to: Day
  rows: PreparedRow[]
  leaves: readonly PreparedLeave[]
}

/** A leave of an employee, shared by all contracts, because statutory pay is due to the employee (rules.md §8). */
interface PreparedLeave {
  from: Day
  to: Day
  leave: AppliedLeave
  contracts: readonly PreparedContract[]
  earnings?: Earnings | Problem
}

/**
 * Prepares the contracts of an employee with their leaves; an attrition contract has none.
 * @throws RangeError if a contract names a contract type that the inputs do not have
 */
export function prepareContracts(
  prepared: PreparedCalculation,
  { contracts, leaves }: Pick<EmployeeInput, 'contracts' | 'leaves'>,
): PreparedContract[] {
  const preparedContracts = contracts.map((contract) => prepareContract(prepared, contract))
  const employed = preparedContracts.filter(({ contract }) => !contract.attritionContract)
  const shared = leaves.map(
    (leave): PreparedLeave => ({ from: toDay(leave.startDate), to: toDay(leave.endDate), leave, contracts: employed }),
  )
  for (const contract of employed) contract.leaves = shared
  return preparedContracts
}

/** @throws RangeError if the contract names a contract type that the inputs do not have */
function prepareContract(prepared: PreparedCalculation, contract: ContractInput): PreparedContract {
  const type = prepared.types.get(contract.contractType)
  if (!type) throw new RangeError(`The inputs have no contract type ${contract.contractType}`)
  return {
    contract,
    type,
    from: toDay(contract.startDate),
    to: contract.endDate === null ? Number.POSITIVE_INFINITY : toDay(contract.endDate),
    rows: contract.rows.map((row) => prepareRow(type, contract.maximumScalePoint, row)),
    leaves: [],
  }
}

/** The sorted days within the budget on which the contract's pay may change, starting with the first day of the budget. */
export function listChangeDays(prepared: PreparedCalculation, contract: PreparedContract): Day[] {
  const first = assertDefined(prepared.periods[0]).first
  const last = assertDefined(prepared.periods[prepared.periods.length - 1]).last
  const days: Day[] = [contract.from, contract.to + 1]
  for (const { from, cease, row, increments } of contract.rows) {
    days.push(from, ...increments)
    if (cease !== null) days.push(cease + 1)
    if (row.scalePoint) for (const table of prepared.payTables[row.scalePoint.kind]) days.push(table.from)
    for (const name of row.allowances) for (const rate of prepared.allowances.get(name)?.rates ?? []) days.push(rate.from)
  }
  for (const rate of contract.type.inflation) days.push(rate.from)
  for (const rate of contract.type.pension) days.push(rate.from)
  for (const { from, to, leave, contracts } of contract.leaves) {
    days.push(from, to + 1)
    // The contracts that are paid share the statutory pay, so the dates of the employee's other contracts matter too.
    for (const other of contracts) {
      days.push(other.from, other.to + 1)
      for (const row of other.rows) days.push(row.from, ...(row.cease === null ? [] : [row.cease + 1]))
    }
    for (const rule of prepared.leaveRules.get(leave.ruleset) ?? []) days.push(from + (rule.firstWeek - 1) * 7, from + rule.lastWeek * 7)
    for (const table of prepared.leaveTables) days.push(table.from)
  }
  const changes: Day[] = [first]
  for (const day of days.filter((day) => day > first && day <= last).sort((a, b) => a - b))
    if (day !== changes[changes.length - 1]) changes.push(day)
  return changes
}

function createUnpaidStretch(): Stretch {
  return { paid: false, problem: null, basic: exactZero, allowances: [], inPension: false, pensionRate: null, leave: null }
}

/** The pay conditions on a day, which apply until the next change. */
export function buildStretch(
  prepared: PreparedCalculation,
  { contract, day, note }: { contract: PreparedContract; day: Day; note?: StepRecorder },
): Stretch {
  if (day < contract.from || day > contract.to) return createUnpaidStretch()
  const salary = findEffectiveRow(contract.rows, day)
  if (!salary) return createFailedStretch(createProblem('NO_SALARY_ROW', 'The contract has no salary row yet.', day))
  if (salary.cease !== null && day > salary.cease) return createUnpaidStretch()
  const annual = calculateActualSalary(prepared, { type: contract.type, salary, day, note })
  if ('problem' in annual) return createFailedStretch(createProblem(annual.problem, annual.detail, day), salary)
  const { row } = salary
  const leave = contract.leaves.find(({ from, to }) => day >= from && day <= to)
  const leaveOn = leave && leaveDay(prepared, { contract, leave, day, note })
  if (leaveOn && 'code' in leaveOn) return createFailedStretch(leaveOn, salary)
  const rate = findEffectiveRow(contract.type.pension, day) ?? null
  const leaveWithoutPension = leaveOn !== undefined && (!leaveOn.rule || leaveOn.rule.erPensionCalculation === employerPension.none)
  const missingRate = row.erPension && !rate && !leaveWithoutPension
  return {
    paid: true,
    problem: missingRate
      ? createProblem('NO_PENSION_RATE', 'The assumptions have no employer pension rate for this contract type yet.', day)
      : null,
    basic: annual.pennies,
    allowances: allowancesOn(prepared, { contract, salary, day, note }),
    inPension: row.erPension,
    pensionRate: rate,
    leave: leaveOn ?? null,
  }
}

function allowancesOn(
  prepared: PreparedCalculation,
  {
    contract: { type },
    salary: { row, share: worked },
    day,
    note,
  }: { contract: PreparedContract; salary: PreparedRow; day: Day; note?: StepRecorder },
): Stretch['allowances'] {
  return row.allowances.map((name) => {
    const allowance = prepared.allowances.get(name)
    const rate = allowance && findAllowanceRate(allowance, day)
    if (!allowance || !rate) return { name, annual: exactZero, pensionable: allowance?.input.erPension ?? false }
    const share = allowance.input.proRate ? worked : exactOne
    const award = allowance.input.inflationSetting === 'staff' ? multiplyAwards(type, rate.from, day) : exactOne
    note?.({
      figure: name,
      label: `${name}: rate of ${displayDate(toIsoDate(rate.from))}${allowance.input.proRate ? ', by share of full time' : ''}`,
      value: formatForDerivation(rate.value, 100),
      rule: '§5',
    })
    if (allowance.input.inflationSetting === 'staff') recordAwards(type, { after: rate.from, upTo: day, note, figure: name })
    return {
      name,
      annual: times(rate.value, share === exactOne ? award : award === exactOne ? share : times(share, award)),
      pensionable: allowance.input.erPension,
    }
  })
}

/** The rule and statutory pay that apply on a day of leave, or the problem that prevents their calculation (rules.md §8). */
function leaveDay(
  prepared: PreparedCalculation,
  { contract, leave, day, note }: { contract: PreparedContract; leave: PreparedLeave; day: Day; note?: StepRecorder },
): StretchLeave | Problem {
  const week = Math.floor((day - leave.from) / 7) + 1
  const rules = prepared.leaveRules.get(leave.leave.ruleset) ?? []
  const rule = rules.find((candidate) => week >= candidate.firstWeek && week <= candidate.lastWeek)
  if (!rule || Number(rule.extendedLeaveRatePercentage) === 0) return { rule: rule ?? null, statutoryDaily: exactZero }
  const earnings = calculateEarningsBefore(prepared, leave)
  if ('code' in earnings) return { ...earnings, from: toIsoDate(day) }
  const { all, isBelowFloor } = earnings
  if (isBelowFloor || all === exactZero) return { rule, statutoryDaily: exactZero, isBelowFloor }
  const due = calculateStatutoryPay(prepared, { rule, leave, all, day, week, note })
  if ('code' in due) return due
  const weeklyEarnings = assertDefined(earnings.weekly.get(contract))
  const paying = leave.contracts.filter((one) => isPaidOn(one, day)).map((one) => assertDefined(earnings.weekly.get(one)))
  const together = paying.reduce((sum, one) => plus(sum, one), exactZero)
  const statutoryDaily = isGreater(together, exactZero) ? div(times(due.daily, weeklyEarnings), together) : exactZero
  if (paying.length > 1)
    note?.({
      figure: 'leavePay',
      label: `Share of this contract: ${formatForDerivation(weeklyEarnings, 100)} of ${formatForDerivation(together, 100)} a week`,
      value: formatForDerivation(statutoryDaily, 100),
      rule: '§8',
    })
  return { rule, statutoryDaily }
}

/** The statutory pay due to the employee on a day of leave, in unrounded pennies, or the problem that prevents its calculation. */
function calculateStatutoryPay(
  prepared: PreparedCalculation,
  {
    rule,
    leave: { leave },
    all,
    day,
    week,
    note,
  }: { rule: LeaveRule; leave: PreparedLeave; all: Exact; day: Day; week: number; note?: StepRecorder },
): { daily: Exact } | Problem {
  const say = (label: string, value: Exact): void =>
    note?.({ figure: 'leavePay', label, value: formatForDerivation(value, 100), rule: '§8' })
  say(`Week ${week}. Weekly earnings before the leave, of all contracts: a year ÷ 52`, all)
  let weekly = all
  if (!rule.useAWE) {
    const type = findEffectiveRow(prepared.leaveTables, day)?.types.get(leave.type)
    if (!type) return createProblem('NO_LEAVE_TABLE', `The budget has no weekly rate of ${leave.type} yet.`, day)
    weekly = type.rate
    say(`Weekly rate of ${leave.type}`, weekly)
    const cap = rule.rateCapPercentage == null ? null : times(all, parsePercent(rule.rateCapPercentage))
    if (cap && isGreater(weekly, cap)) {
      weekly = cap
      say(`No more than ${rule.rateCapPercentage}% of weekly earnings`, weekly)
    }
  }
  const daily = multiplyByFraction(times(weekly, parsePercent(rule.extendedLeaveRatePercentage)), 1, 7)
  say(`Statutory pay for a day: × ${rule.extendedLeaveRatePercentage}% ÷ 7`, daily)
  return { daily }
}

/** Weekly earnings before a leave: by contract, in total, and whether the total is below the earnings floor. */
interface Earnings {
  weekly: ReadonlyMap<PreparedContract, Exact>
  all: Exact
  isBelowFloor: boolean
}

/**
 * Calculates the earnings once for each leave.
 * @returns a problem if the earnings of any contract could not be calculated
 */
function calculateEarningsBefore(prepared: PreparedCalculation, leave: PreparedLeave): Earnings | Problem {
  leave.earnings ??= calculateEarnings(prepared, leave)
  return leave.earnings
}

function calculateEarnings(prepared: PreparedCalculation, { from, contracts, leave }: PreparedLeave): Earnings | Problem {
  const weekly = new Map<PreparedContract, Exact>()
  const isActive = (day: Day) => (one: PreparedContract) => day >= one.from && day <= one.to
  const before = from - 1
  // If no contract is active on that day, use the first later day on which a contract is.
  const later = contracts.flatMap((one) => (one.from > before && one.from <= one.to ? [one.from] : []))
  const day = contracts.some(isActive(before)) || !later.length ? before : Math.min(...later)
  for (const contract of contracts) {
    const storedEarnings = leave.weekly && readStoredPounds(leave.weekly[contract.contract.name] ?? '0')
    const weeklyEarnings = storedEarnings ?? calculateWeeklyEarningsOn(prepared, contract, day)
    if ('code' in weeklyEarnings) return weeklyEarnings
    weekly.set(contract, weeklyEarnings)
  }
  // Stored earnings include contracts that a roll-forward has dropped.
  const each = leave.weekly ? Object.values(leave.weekly).map(readStoredPounds) : [...weekly.values()]
  const all = each.reduce((sum, one) => plus(sum, one), exactZero)
  const floor = findEffectiveRow(prepared.leaveTables, from)?.types.get(leave.type)?.floor ?? null
  return { weekly, all: isGreater(all, exactZero) ? all : exactZero, isBelowFloor: floor !== null && isGreater(floor, all) }
}

const readStoredPounds = (text: string): Exact => times(parseExact(text), fromInteger(100))

/**
 * Exact weekly earnings before a leave in pounds by contract, to store when a budget is rolled forward (rules.md §8).
 * @returns null if a contract's earnings could not be calculated
 */
export function calculateWeeklyEarnings(
  prepared: PreparedCalculation,
  employee: EmployeeInput,
  leave: AppliedLeave,
): Record<string, string> | null {
  if (leave.weekly) return leave.weekly
  const contracts = prepareContracts(prepared, { ...employee, leaves: [leave] })
  const shared = contracts.find(({ leaves }) => leaves.length)?.leaves[0]
  const earnings = shared && calculateEarningsBefore(prepared, shared)
  if (!earnings || 'code' in earnings) return null
  return Object.fromEntries(
    [...earnings.weekly].map(([{ contract }, weekly]) => [contract.name, formatExact(div(weekly, fromInteger(100)))]),
  )
}

/**
 * Annual gross ÷ 52 on a day, or on the first later day with a salary row and a pay table; zero if the contract is not active or has
 * ceased.
 */
function calculateWeeklyEarningsOn(prepared: PreparedCalculation, contract: PreparedContract, day: Day): Exact | Problem {
  if (day < contract.from || day > contract.to) return exactZero
  const tables = contract.rows.flatMap(({ row }) => (row.scalePoint ? prepared.payTables[row.scalePoint.kind] : []))
  const later = [...contract.rows, ...tables].map(({ from }) => from).filter((from) => from > day && from <= contract.to)
  const alone = { ...contract, leaves: [] }
  let last: Problem | undefined
  for (const on of [day, ...later.sort((a, b) => a - b)]) {
    const { paid, problem: found, basic, allowances } = buildStretch(prepared, { contract: alone, day: on })
    if (found && found.code !== 'NO_PENSION_RATE') {
      last ??= found
      if (found.code === 'NO_PAY_POINT') return found
      continue
    }
    if (!paid) return exactZero
    const annual = allowances.reduce((sum, allowance) => plus(sum, allowance.annual), basic)
    return isGreater(annual, exactZero) ? div(annual, fromInteger(52)) : exactZero
  }
  return assertDefined(last)
}

/** Whether a contract is paid on a day: it is active, has a salary row, and has not ceased. */
function isPaidOn({ from, to, rows }: PreparedContract, day: Day): boolean {
  const row = day >= from && day <= to ? findEffectiveRow(rows, day) : undefined
  return row !== undefined && (row.cease === null || day <= row.cease)
}

function createProblem(code: ProblemCode, text: string, day: Day): Problem {
  return { code, text, from: toIsoDate(day) }
}

function createFailedStretch(cause: Problem, salary?: PreparedRow): Stretch {
  const allowances = salary?.row.allowances.map((name) => ({ name, annual: exactZero, pensionable: false })) ?? []
  return { ...createUnpaidStretch(), paid: true, problem: cause, allowances, inPension: salary?.row.erPension ?? false }
}
