import { type Day, dayOf, effective, isoOf } from '../../calendar.ts'
import { displayDate } from '../../format.ts'
import { employerPension } from '../../lookupIds.ts'
import { must } from '../../must.ts'
import { type Exact, one, over, part, percent, plus, show, times, whole, zero } from '../exact.ts'
import type { AppliedLeave, ContractInput, Note, Problem, ProblemCode } from '../inputs.ts'
import type { Stretch, StretchLeave } from './month.ts'
import { allowanceRate, awards, type Prepared, type PreparedType } from './prepared.ts'
import { actualAnnual, noteAwards, type PreparedRow, prepareRow } from './salary.ts'

/** A contract with its days, and the stretches of days on which nothing changes (rules.md §5). */
export interface PreparedContract {
  contract: ContractInput
  type: PreparedType
  from: Day
  to: Day
  rows: PreparedRow[]
  leaves: PreparedLeave[]
}

interface PreparedLeave {
  from: Day
  to: Day
  leave: AppliedLeave
}

/** @throws RangeError when the contract names a contract type that the inputs do not have */
export function prepareContract(prepared: Prepared, contract: ContractInput, leaves: readonly AppliedLeave[]): PreparedContract {
  const type = prepared.types.get(contract.contractType)
  if (!type) throw new RangeError(`The inputs have no contract type ${contract.contractType}`)
  return {
    contract,
    type,
    from: dayOf(contract.startDate),
    to: contract.endDate === null ? Number.POSITIVE_INFINITY : dayOf(contract.endDate),
    rows: contract.rows.map((row) => prepareRow(type, contract.maximumScalePoint, row)),
    leaves: leaves.map((leave) => ({ from: dayOf(leave.startDate), to: dayOf(leave.endDate), leave })),
  }
}

/** Every day within the budget on which something about the contract may change, sorted, the first day of the budget first. */
export function changeDays(prepared: Prepared, contract: PreparedContract): Day[] {
  const first = must(prepared.periods[0]).first
  const last = must(prepared.periods[prepared.periods.length - 1]).last
  const days: Day[] = [contract.from, contract.to + 1]
  for (const { from, cease, row, increments } of contract.rows) {
    days.push(from, ...increments)
    if (cease !== null) days.push(cease + 1)
    if (row.scalePoint) for (const table of prepared.payTables[row.scalePoint.kind]) days.push(table.from)
    for (const name of row.allowances) for (const rate of prepared.allowances.get(name)?.rates ?? []) days.push(rate.from)
  }
  for (const rate of contract.type.inflation) days.push(rate.from)
  for (const rate of contract.type.pension) days.push(rate.from)
  for (const { from, to, leave } of contract.leaves) {
    days.push(from, to + 1)
    for (const rule of prepared.leaveRules.get(leave.ruleset) ?? []) days.push(from + (rule.firstWeek - 1) * 7, from + rule.lastWeek * 7)
    for (const table of prepared.leaveTables) days.push(table.from)
  }
  const changes: Day[] = [first]
  for (const day of days.filter((day) => day > first && day <= last).sort((a, b) => a - b))
    if (day !== changes[changes.length - 1]) changes.push(day)
  return changes
}

function unpaid(): Stretch {
  return { paid: false, problem: null, basic: zero, allowances: [], inPension: false, pensionRate: null, leave: null }
}

/** What holds on a day, and so until the next change. */
export function stretchOn(prepared: Prepared, { contract, day, note }: { contract: PreparedContract; day: Day; note?: Note }): Stretch {
  if (day < contract.from || day > contract.to) return unpaid()
  const salary = effective(contract.rows, day)
  if (!salary) return failed(problem('NO_SALARY_ROW', 'The contract has no salary row yet.', day))
  if (salary.cease !== null && day > salary.cease) return unpaid()
  const annual = actualAnnual(prepared, { type: contract.type, salary, day, note })
  if ('problem' in annual) return failed(problem(annual.problem, annual.detail, day), salary)
  const { row } = salary
  const leave = contract.leaves.find(({ from, to }) => day >= from && day <= to)
  const leaveOn = leave && leaveDay(prepared, { contract, leave, day, note })
  if (leaveOn && 'code' in leaveOn) return failed(leaveOn, salary)
  const rate = effective(contract.type.pension, day) ?? null
  const leaveWithoutPension = leaveOn !== undefined && (!leaveOn.rule || leaveOn.rule.erPensionCalculation === employerPension.none)
  const missingRate = row.erPension && !rate && !leaveWithoutPension
  return {
    paid: true,
    problem: missingRate
      ? problem('NO_PENSION_RATE', 'The assumptions have no employer pension rate for this contract type yet.', day)
      : null,
    basic: annual.pennies,
    allowances: allowancesOn(prepared, { contract, salary, day, note }),
    inPension: row.erPension,
    pensionRate: rate,
    leave: leaveOn ?? null,
  }
}

function allowancesOn(
  prepared: Prepared,
  {
    contract: { type },
    salary: { row, share: worked },
    day,
    note,
  }: { contract: PreparedContract; salary: PreparedRow; day: Day; note?: Note },
): Stretch['allowances'] {
  return row.allowances.map((name) => {
    const allowance = prepared.allowances.get(name)
    const rate = allowance && allowanceRate(allowance, day)
    if (!allowance || !rate) return { name, annual: zero, pensionable: allowance?.input.erPension ?? false }
    const share = allowance.input.proRate ? worked : one
    const award = allowance.input.inflationSetting === 'staff' ? awards(type, rate.from, day) : one
    note?.({
      figure: name,
      label: `${name}: rate of ${displayDate(isoOf(rate.from))}${allowance.input.proRate ? ', by share of full time' : ''}`,
      value: show(rate.value, 100),
      rule: '§5',
    })
    if (allowance.input.inflationSetting === 'staff') noteAwards(type, { after: rate.from, upTo: day, note, figure: name })
    return {
      name,
      annual: times(rate.value, share === one ? award : award === one ? share : times(share, award)),
      pensionable: allowance.input.erPension,
    }
  })
}

/** The rule of a leave day and its statutory amount, or the problem that stands in the way (rules.md §8). */
function leaveDay(
  prepared: Prepared,
  { contract, leave: { from, leave }, day, note }: { contract: PreparedContract; leave: PreparedLeave; day: Day; note?: Note },
): StretchLeave | Problem {
  const week = Math.floor((day - from) / 7) + 1
  const rule = (prepared.leaveRules.get(leave.ruleset) ?? []).find((candidate) => week >= candidate.firstWeek && week <= candidate.lastWeek)
  if (!rule || Number(rule.extendedLeaveRatePercentage) === 0) return { rule: rule ?? null, statutoryDaily: zero }
  const weekly = rule.useAWE ? weeklyEarnings(prepared, contract, from) : effective(prepared.leaveTables, day)?.rates.get(leave.type)
  // Earnings before the leave that are not known are a matter of the salary rows, not of a table.
  if (!weekly && rule.useAWE)
    return problem(
      'NO_SALARY_ROW',
      'The contract has no salary row or pay on the day before the leave, by which its pay is worked out.',
      day,
    )
  if (!weekly) return problem('NO_LEAVE_TABLE', `The budget has no weekly rate of ${leave.type} yet.`, day)
  const statutoryDaily = part(times(weekly, percent(rule.extendedLeaveRatePercentage)), 1, 7)
  const earned = rule.useAWE ? 'Weekly earnings before the leave: a year × 7 ÷ 365' : `Weekly rate of ${leave.type}`
  note?.({ figure: 'leavePay', label: `Week ${week}. ${earned}`, value: show(weekly, 100), rule: '§8' })
  note?.({
    figure: 'leavePay',
    label: `Statutory of a day: × ${rule.extendedLeaveRatePercentage}% ÷ 7`,
    value: show(statutoryDaily, 100),
    rule: '§8',
  })
  return { rule, statutoryDaily }
}

/** Annual gross on the day before the leave × 7 / 365; a contract that begins with the leave is taken as it begins. */
function weeklyEarnings(prepared: Prepared, contract: PreparedContract, leaveFrom: Day): Exact | undefined {
  const before = { ...contract, leaves: [] }
  const on = stretchOn(prepared, { contract: before, day: leaveFrom - 1 })
  const stretch = on.paid || on.problem ? on : stretchOn(prepared, { contract: before, day: leaveFrom })
  if (stretch.problem && stretch.problem.code !== 'NO_PENSION_RATE') return undefined
  const annual = stretch.allowances.reduce((sum, allowance) => plus(sum, allowance.annual), stretch.basic)
  return over(times(annual, whole(7)), whole(365))
}

function problem(code: ProblemCode, text: string, day: Day): Problem {
  return { code, text, from: isoOf(day) }
}

function failed(cause: Problem, salary?: PreparedRow): Stretch {
  const allowances = salary?.row.allowances.map((name) => ({ name, annual: zero, pensionable: false })) ?? []
  return { ...unpaid(), paid: true, problem: cause, allowances, inPension: salary?.row.erPension ?? false }
}
