import type { ContractCost } from '../calculation/inputs.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { budgetBounds, type Day, toDay, toIsoDate } from '../values/calendar.ts'
import { displayDate, displayDecimal } from '../values/format.ts'
import type { ContractId, StaffId } from '../values/ids.ts'
import type { BudgetHead, StaffContract } from './budget.ts'

/** Something about the staff of a budget that looks wrong, and where to mend it. */
export interface Finding {
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

/** Schools teach 39 weeks at most; who works in term alone is paid for holidays beside those, 43 to 46 weeks together. */
export const mostTermWeeks = 39
/** Below this it is no post of a whole year of term: an hour here and there is paid as it is worked. */
export const leastTermWeeks = 35

/** What the checks need to know of a person: nobody's name, and whether two records look like one person. */
export interface CheckedPerson {
  id: StaffId
  hasDateOfBirth: boolean
  archived: boolean
  /** Equal for records that look like the same person: by NI number, else by name and date of birth. */
  likeness: string | null
  leaves: { startDate: string; endDate: string; lastRuleWeek: number }[]
}

export interface CheckedContract {
  contract: StaffContract
  /** What its costing on record says; undefined where there is none. */
  costs: { problems: ContractCost['problems']; isPaid: boolean } | undefined
  /** Part of full time of each salary row, by effective date. */
  shares: ReadonlyMap<string, number>
}

/** Lists what looks wrong about the staff of a budget, the gravest first. It changes nothing and costs nothing. */
export function checksOf(head: BudgetHead, contracts: readonly CheckedContract[], people: readonly CheckedPerson[]): Finding[] {
  const { first, last } = budgetBounds(head.firstYear, head.numberOfYears, head.startMonth)
  const byStaff = new Map<number, CheckedContract[]>()
  for (const one of contracts) {
    const { staffId } = one.contract
    if (staffId !== null) byStaff.set(staffId, [...(byStaff.get(staffId) ?? []), one])
  }
  const present = people.filter((person) => byStaff.has(person.id))
  return [
    ...contracts.flatMap((one) => ofContract(one, first, last)),
    ...present.flatMap((person) => ofPerson(person, { held: assertDefined(byStaff.get(person.id)), first, last })),
    ...duplicates(present),
  ]
}

function ofContract({ contract, costs }: CheckedContract, first: Day, last: Day): Finding[] {
  const findings: Finding[] = []
  const add = (code: Finding['code'], sentence: string): void =>
    void findings.push({ code, sentence, contractId: contract.id, staffId: contract.staffId })
  for (const problem of costs?.problems ?? []) add('notCalculated', `Not calculated from ${displayDate(problem.from)}: ${problem.text}`)
  if (contract.endDate && toDay(contract.endDate) < first)
    add('ended', `It ended on ${displayDate(contract.endDate)}, before the budget begins.`)
  const maximum = contract.maximumScalePoint
  for (const { scalePoint: point, effectiveDate } of contract.salary) {
    if (!point || !maximum) continue
    if (point.kind !== maximum.kind || point.scale !== maximum.scale)
      add('aboveMaximum', `The row of ${displayDate(effectiveDate)} is on another scale than the maximum, so it gets no increments.`)
    else if (point.increment > maximum.increment)
      add('aboveMaximum', `The row of ${displayDate(effectiveDate)} is above the maximum scale point.`)
  }
  const paying = payingRows(contract, first, last)
  if (!maximum && paying.some(({ scalePoint }) => scalePoint))
    add('noIncrements', 'It has no maximum scale point, so whoever holds it stays on their current point every year.')
  const weeks = paying.map((row) => row.weeksPerYear).find((one) => one !== null && one >= leastTermWeeks && one <= mostTermWeeks)
  if (weeks)
    add(
      'termTimeWeeks',
      `${displayDecimal(weeks)} paid weeks cover term time only. Term-time staff are also paid for holidays, usually 43 to 46 weeks in all.`,
    )
  if (contract.endDate && toDay(contract.endDate) >= first && toDay(contract.endDate) < last)
    add('endsWithin', `It ends on ${displayDate(contract.endDate)}: nobody is paid for the post from then on.`)
  if (isActive(contract, first, last) && costs && !costs.problems.length && !costs.isPaid)
    add('zeroPay', 'It is active in the budget and pays nothing.')
  return findings
}

function isActive({ startDate, endDate }: StaffContract, first: Day, last: Day): boolean {
  return toDay(startDate) <= last && (!endDate || toDay(endDate) >= first)
}

/** The salary rows of a contract that pay in a budget: one that has ended before it is history, and one of after it is of no budget yet. */
export function payingRows(contract: StaffContract, first: Day, last: Day): StaffContract['salary'] {
  if (!isActive(contract, first, last)) return []
  return contract.salary.filter(({ effectiveDate, calculationCeaseDate }, index) => {
    const next = contract.salary[index + 1]
    const isOver = (next && toDay(next.effectiveDate) <= first) || (calculationCeaseDate && toDay(calculationCeaseDate) < first)
    return !isOver && toDay(effectiveDate) <= last
  })
}

function ofPerson(person: CheckedPerson, { held, first, last }: { held: readonly CheckedContract[]; first: Day; last: Day }): Finding[] {
  const own = held.filter(({ contract }) => !contract.attritionContract)
  const findings: Finding[] = []
  const add = (code: Finding['code'], sentence: string): void =>
    void findings.push({ code, sentence, contractId: null, staffId: person.id })
  if (!person.hasDateOfBirth)
    add('noDateOfBirth', 'There is no date of birth: national insurance is worked out as for somebody of any age.')
  if (person.archived && own.length) add('archived', 'This person is archived and has a contract.')
  const over = fullest(own, first, last)
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

/** The first day on which a person's contracts together are more than full time. */
function fullest(own: readonly CheckedContract[], first: Day, last: Day): { day: Day; share: number } | null {
  const days = new Set([
    first,
    ...own.flatMap(({ contract }) => [contract.startDate, ...contract.salary.map((row) => row.effectiveDate)]).map(toDay),
  ])
  for (const day of [...days].filter((one) => one >= first && one <= last).sort((a, b) => a - b)) {
    let share = 0
    for (const { contract, shares } of own) {
      if (day < toDay(contract.startDate) || (contract.endDate && day > toDay(contract.endDate))) continue
      const row = contract.salary.filter((one) => toDay(one.effectiveDate) <= day).at(-1)
      if (row && !(row.calculationCeaseDate && day > toDay(row.calculationCeaseDate))) share += shares.get(row.effectiveDate) ?? 0
    }
    if (share > 1.000_001) return { day, share }
  }
  return null
}

function duplicates(people: readonly CheckedPerson[]): Finding[] {
  const byLikeness = new Map<string, StaffId[]>()
  for (const { likeness, id } of people) if (likeness) byLikeness.set(likeness, [...(byLikeness.get(likeness) ?? []), id])
  return [...byLikeness.values()]
    .filter((ids) => ids.length > 1)
    .flatMap((ids) =>
      ids.slice(1).map(
        (staffId): Finding => ({
          code: 'duplicateEmployee',
          sentence: 'This person looks like somebody who has another employee number: national insurance is worked out twice.',
          contractId: null,
          staffId,
        }),
      ),
    )
}
