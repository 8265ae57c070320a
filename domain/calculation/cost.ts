import { effective, isoOf, type Period, yearName } from '../calendar.ts'
import { displayDate } from '../format.ts'
import { show } from './exact.ts'
import type { ContractCost, EmployeeInput, Figure, Note, Problem, YearCost } from './inputs.ts'
import { type MonthFigures, monthOf, type StretchDays } from './month.ts'
import { bandFor, contribution } from './nationalInsurance.ts'
import type { Prepared } from './prepared.ts'
import { split } from './split.ts'
import { changeDays, type PreparedContract, prepareContract, stretchOn } from './stretches.ts'

/** Changes whenever a figure could: the event of a recalculation names it (calculation.md §16). */
export const engineVersion = '1.0.0'

/** Asks for the derivation of one month of one contract. `month` counts from the budget's first, from 0. */
export interface Explain {
  contract: number
  month: number
  note: Note
}

interface CostedContract {
  prepared: PreparedContract
  months: MonthFigures[]
  ni: Figure[]
  niProblems: Problem[]
}

/**
 * Costs all contracts of one employee in one budget, month by month, in whole pennies (calculation.md §2 to §8). National insurance is
 * worked out once for the employee and shared; an attrition contract counts as an employee of its own and is posted negative.
 * @param explain takes the derivation of one month while it is calculated
 * @throws RangeError when a contract names a contract type the inputs do not have
 */
export function costEmployee(prepared: Prepared, employee: EmployeeInput, explain?: Explain): ContractCost[] {
  const costed = employee.contracts.map((contract, index): CostedContract => {
    const leaves = contract.attritionContract ? [] : employee.leaves
    const ready = prepareContract(prepared, contract, leaves)
    const trace = explain?.contract === index ? explain : undefined
    return { prepared: ready, months: monthsOf(prepared, ready, trace), ni: [], niProblems: [] }
  })
  const attrition = costed.filter(({ prepared: { contract } }) => contract.attritionContract)
  const employed = costed.filter(({ prepared: { contract } }) => !contract.attritionContract)
  const explained = explain && costed[explain.contract]
  for (const group of [employed, ...attrition.map((contract) => [contract])])
    insure(prepared, employee, group, explained && group.includes(explained) ? explain : undefined)
  return costed.map((contract) => result(prepared, employee, contract))
}

function monthsOf(prepared: Prepared, contract: PreparedContract, explain?: Explain): MonthFigures[] {
  const days = changeDays(prepared, contract)
  const stretches = days.map((day) => stretchOn(prepared, contract, day))
  let at = 0
  return prepared.periods.map((period, month) => {
    while (at + 1 < days.length && days[at + 1]! <= period.first) at++
    const parts: StretchDays[] = []
    for (let index = at; index < days.length && days[index]! <= period.last; index++) {
      const from = Math.max(days[index]!, period.first)
      const to = index + 1 < days.length ? Math.min(days[index + 1]! - 1, period.last) : period.last
      if (explain?.month === month) {
        explain.note({
          figure: 'run',
          label: `${displayDate(isoOf(from))} to ${displayDate(isoOf(to))}`,
          value: `${to - from + 1} days`,
          rule: '§5',
        })
        stretchOn(prepared, contract, from, explain.note)
      }
      parts.push({ stretch: stretches[index]!, days: to - from + 1 })
    }
    return monthOf(parts, period, explain?.month === month ? explain.note : undefined)
  })
}

/** Employer national insurance of one employee, shared over the contracts by gross (calculation.md §6). */
function insure(prepared: Prepared, employee: EmployeeInput, group: CostedContract[], explain?: Explain): void {
  const reached = employee.ages ? Object.values(employee.ages) : []
  let last: { key: string; ni: Figure[] } | undefined
  prepared.periods.forEach((period, month) => {
    const note = explain?.month === month ? explain.note : undefined
    const grosses = group.map((contract) => contract.months[month]!.gross)
    const pension = group.some((contract) => contract.months[month]!.inPension)
    const table = effective(prepared.niTables, period.last)
    const known = reached.filter((date) => date <= period.lastDate).length
    const key = `${grosses.join()}|${pension}|${table?.from}|${known}`
    if (!note && last?.key === key) return group.forEach((contract, index) => contract.ni.push(last!.ni[index]!))
    const ni = insureMonth(prepared, employee, group, grosses, pension, period, note)
    group.forEach((contract, index) => contract.ni.push(ni[index]!))
    last = { key, ni }
  })
}

function insureMonth(
  prepared: Prepared,
  employee: EmployeeInput,
  group: CostedContract[],
  grosses: Figure[],
  pension: boolean,
  period: Period,
  note?: Note,
): Figure[] {
  const none = grosses.map(() => null)
  if (grosses.some((gross) => gross === null)) return none
  const whole = grosses as number[]
  const total = whole.reduce((sum, gross) => sum + gross, 0)
  if (total === 0) return whole.map(() => 0)
  const fail = (code: 'NO_NI_TABLE' | 'NO_NI_BAND', text: string): null[] => {
    for (const contract of group) contract.niProblems.push({ code, text, from: isoOf(period.first) })
    return none
  }
  const table = effective(prepared.niTables, period.last)?.table
  if (!table) return fail('NO_NI_TABLE', `The budget has no national insurance table on ${period.lastDate}.`)
  const apprentice = group.every((contract, index) => whole[index] === 0 || contract.prepared.contract.apprentice)
  const who = { ages: employee.ages, lastDay: period.last, lastDate: period.lastDate, apprentice, pension }
  const band = bandFor(table, who, total)
  if (!band) return fail('NO_NI_BAND', `${table.name} has no row for this employee's age and pay in ${period.lastDate.slice(0, 7)}.`)
  note?.({
    figure: 'ni',
    label: group.length > 1 ? `Gross pay of all ${group.length} contracts` : 'Gross pay',
    value: show([BigInt(total), 100n]),
    rule: '§6',
  })
  note?.({ figure: 'ni', label: `${table.name}: ${band.row.name}`, value: `${band.row.rate} %`, rule: '§6' })
  const due = contribution(band, total, note)
  note?.({ figure: 'ni', label: 'To the penny, halves down', value: show([BigInt(due), 100n]), rule: '§0' })
  const shares = split(due, whole)
  if (group.length > 1)
    note?.({
      figure: 'ni',
      label: 'Shared over the contracts by gross',
      value: shares.map((share) => show([BigInt(share), 100n])).join(' + '),
      rule: '§6',
    })
  return shares
}

function result(
  prepared: Prepared,
  employee: EmployeeInput,
  { prepared: { contract }, months, ni, niProblems }: CostedContract,
): ContractCost {
  const sign = contract.attritionContract ? -1 : 1
  const signed = (figure: Figure): Figure => (figure === null || figure === 0 ? figure : sign * figure)
  const names = [...new Set(contract.rows.flatMap((row) => row.allowances))]
  const { firstYear, years } = prepared.inputs.budget
  const problems = new Map<string, Problem>()
  for (const month of months) for (const problem of month.problems) if (!problems.has(problem.code)) problems.set(problem.code, problem)
  for (const problem of niProblems) if (!problems.has(problem.code)) problems.set(problem.code, problem)
  return {
    name: contract.name,
    problems: [...problems.values()],
    warnings: employee.ages === null ? ['NO_DATE_OF_BIRTH'] : [],
    years: Array.from({ length: years }, (_, year): YearCost => {
      const at = months.slice(year * 12, year * 12 + 12)
      const each = (pick: (month: MonthFigures) => Figure): Figure[] => at.map((month) => signed(pick(month)))
      return {
        year: yearName(firstYear, year),
        basic: each((month) => month.basic),
        allowances: Object.fromEntries(names.map((name) => [name, each((month) => allowanceFigure(month, name))])),
        leavePay: each((month) => month.leavePay),
        leaveRecovery: each((month) => month.leaveRecovery),
        gross: each((month) => month.gross),
        ni: ni.slice(year * 12, year * 12 + 12).map(signed),
        pension: each((month) => month.pension),
      }
    }),
  }
}

/** An allowance the row in force does not name costs nothing; in a month that cannot be calculated nothing of the contract can. */
function allowanceFigure(month: MonthFigures, name: string): Figure {
  if (month.basic === null) return null
  return month.allowances.get(name) ?? 0
}
