import type { ContractCost } from '../calculation/inputs.ts'
import { toDisplayedProblem } from '../calculation/staffing/displayProblem.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { type Day, findBudgetBounds, toDay, toIsoDate } from '../values/calendar.ts'
import { displayDate, displayDecimal } from '../values/format.ts'
import type { ContractId, StaffId } from '../values/ids.ts'
import type { BudgetHead, StaffContract } from './budget.ts'

/** Something about the staff of a budget that looks wrong, with the contract or person to correct. */
export interface StaffingFinding {
  code:
    | 'notCalculated'
    | 'noDateOfBirth'
    | 'overFull'
    | 'ended'
    | 'aboveMaximum'
    | 'noIncrements'
    | 'termTimeWeeks'
    | 'endsWithin'
    | 'leaveWithoutRule'
    | 'zeroPay'
    | 'duplicateEmployee'
    | 'archived'
  sentence: string
  contractId: ContractId | null
  staffId: StaffId | null
}

/** Schools teach at most 39 weeks a year. Term-time staff are also paid for holidays, 43 to 46 weeks in all. */
export const maximumTermWeeks = 39
/** Fewer weeks than this suggest occasional hours rather than a term-time post. */
export const minimumTermWeeks = 35

/** The facts about an employee that the checks need. The name is not among them. */
export interface CheckedPerson {
  id: StaffId
  hasDateOfBirth: boolean
  archived: boolean
  /**
   * A key that is equal for employee records that seem to be the same person: the same NI number or, if it is missing, the same name and
   * date of birth. Null if the record has neither.
   */
  likeness: string | null
  leaves: { startDate: string; endDate: string; lastRuleWeek: number }[]
}

export interface CheckedContract {
  contract: StaffContract
  /** From the latest costing; undefined if the contract was never costed. */
  costs: { problems: ContractCost['problems']; isPaid: boolean } | undefined
  /** FTE of each salary row, keyed by the effective date of the row. */
  shares: ReadonlyMap<string, number>
}

/** Lists staffing problems, the most serious first. It neither changes contracts nor recalculates costs. */
export function listStaffingFindings(
  head: BudgetHead,
  contracts: readonly CheckedContract[],
  people: readonly CheckedPerson[],
): StaffingFinding[] {
  const { first, last } = findBudgetBounds(head.firstYear, head.numberOfYears, head.startMonth)
  const byStaff = new Map<number, CheckedContract[]>()
  for (const checked of contracts) {
    const { staffId } = checked.contract
    if (staffId !== null) byStaff.set(staffId, [...(byStaff.get(staffId) ?? []), checked])
  }
  const present = people.filter((person) => byStaff.has(person.id))
  return [
    ...contracts.flatMap((one) => checkContract(one, first, last)),
    ...present.flatMap((person) => checkPerson(person, { held: assertDefined(byStaff.get(person.id)), first, last })),
    ...findDuplicateEmployees(present),
  ]
}

function checkContract({ contract, costs }: CheckedContract, first: Day, last: Day): StaffingFinding[] {
  const findings: StaffingFinding[] = []
  const add = (code: StaffingFinding['code'], sentence: string): void =>
    void findings.push({ code, sentence, contractId: contract.id, staffId: contract.staffId })
  for (const problem of costs?.problems.map(toDisplayedProblem) ?? [])
    add('notCalculated', `Not calculated from ${displayDate(problem.from)}: ${problem.text}`)
  if (contract.endDate && toDay(contract.endDate) < first)
    add('ended', `It ended on ${displayDate(contract.endDate)}, before the budget begins.`)
  const maximum = contract.maximumScalePoint
  for (const { scalePoint: point, effectiveDate } of contract.salary) {
    if (!point || !maximum) continue
    if (point.kind !== maximum.kind || point.scale !== maximum.scale)
      add(
        'aboveMaximum',
        `The salary row from ${displayDate(effectiveDate)} is on a different scale from the maximum, so it gets no increments.`,
      )
    else if (point.increment > maximum.increment)
      add('aboveMaximum', `The salary row from ${displayDate(effectiveDate)} is above the maximum scale point.`)
  }
  const paying = findPayingRows(contract, first, last)
  if (!maximum && paying.some(({ scalePoint }) => scalePoint))
    add('noIncrements', 'It has no maximum scale point, so the employee stays on their current point every year.')
  const weeks = paying.map((row) => row.weeksPerYear).find((one) => one !== null && one >= minimumTermWeeks && one <= maximumTermWeeks)
  if (weeks)
    add(
      'termTimeWeeks',
      `${displayDecimal(weeks)} paid weeks cover term time only. Term-time staff are also paid for holidays, usually 43 to 46 weeks in all.`,
    )
  if (contract.endDate && toDay(contract.endDate) >= first && toDay(contract.endDate) < last)
    add('endsWithin', `It ends on ${displayDate(contract.endDate)}: the post costs nothing from then on.`)
  if (isActive(contract, first, last) && costs && !costs.problems.length && !costs.isPaid)
    add('zeroPay', 'It is active in the budget but has no pay.')
  return findings
}

function isActive({ startDate, endDate }: StaffContract, first: Day, last: Day): boolean {
  return toDay(startDate) <= last && (!endDate || toDay(endDate) >= first)
}

/** Salary rows that are paid on at least one day from `first` to `last`. */
export function findPayingRows(contract: StaffContract, first: Day, last: Day): StaffContract['salary'] {
  if (!isActive(contract, first, last)) return []
  return contract.salary.filter(({ effectiveDate, calculationCeaseDate }, index) => {
    const next = contract.salary[index + 1]
    const isOver = (next && toDay(next.effectiveDate) <= first) || (calculationCeaseDate && toDay(calculationCeaseDate) < first)
    return !isOver && toDay(effectiveDate) <= last
  })
}

function checkPerson(
  person: CheckedPerson,
  { held, first, last }: { held: readonly CheckedContract[]; first: Day; last: Day },
): StaffingFinding[] {
  const contracts = held.filter(({ contract }) => !contract.attritionContract)
  const findings: StaffingFinding[] = []
  const add = (code: StaffingFinding['code'], sentence: string): void =>
    void findings.push({ code, sentence, contractId: null, staffId: person.id })
  if (!person.hasDateOfBirth) add('noDateOfBirth', 'The date of birth is missing, so national insurance is calculated without an age band.')
  if (person.archived && contracts.length) add('archived', 'This person is archived and has a contract.')
  const over = findDayOverFullTime(contracts, first, last)
  if (over) add('overFull', `All contracts together are ${over.share.toFixed(2)} of full time from ${displayDate(toIsoDate(over.day))}.`)
  for (const leave of person.leaves) {
    const ruled = toDay(leave.startDate) + leave.lastRuleWeek * 7
    if (toDay(leave.endDate) >= ruled && toDay(leave.endDate) >= first)
      add(
        'leaveWithoutRule',
        leave.lastRuleWeek
          ? `The leave from ${displayDate(leave.startDate)} has no rule after week ${leave.lastRuleWeek}: it is unpaid from ${displayDate(toIsoDate(ruled))}.`
          : `The leave from ${displayDate(leave.startDate)} has no rule: it is unpaid.`,
      )
  }
  return findings
}

/** The first day on which a person's contracts add up to more than full time. */
function findDayOverFullTime(contracts: readonly CheckedContract[], first: Day, last: Day): { day: Day; share: number } | null {
  const days = new Set([
    first,
    ...contracts.flatMap(({ contract }) => [contract.startDate, ...contract.salary.map((row) => row.effectiveDate)]).map(toDay),
  ])
  for (const day of [...days].filter((one) => one >= first && one <= last).sort((a, b) => a - b)) {
    let share = 0
    for (const { contract, shares } of contracts) {
      if (day < toDay(contract.startDate) || (contract.endDate && day > toDay(contract.endDate))) continue
      const row = contract.salary.filter((one) => toDay(one.effectiveDate) <= day).at(-1)
      if (row && !(row.calculationCeaseDate && day > toDay(row.calculationCeaseDate))) share += shares.get(row.effectiveDate) ?? 0
    }
    if (share > 1.000_001) return { day, share }
  }
  return null
}

function findDuplicateEmployees(people: readonly CheckedPerson[]): StaffingFinding[] {
  const byLikeness = new Map<string, StaffId[]>()
  for (const { likeness, id } of people) if (likeness) byLikeness.set(likeness, [...(byLikeness.get(likeness) ?? []), id])
  return [...byLikeness.values()]
    .filter((ids) => ids.length > 1)
    .flatMap((ids) =>
      ids.slice(1).map(
        (staffId): StaffingFinding => ({
          code: 'duplicateEmployee',
          sentence: 'This person may also have another employee number: national insurance would be calculated twice.',
          contractId: null,
          staffId,
        }),
      ),
    )
}
