import type { StaffContract } from '../../budget/budget.ts'
import type { CalculationInputs, ContractInput } from '../../calculation/inputs.ts'
import { costMonth } from '../../calculation/staffing/cost.ts'
import { contractInput, type FrozenBudget, type FrozenPerson, inputsOf, type SharedInputs } from '../../calculation/staffing/frozen.ts'
import { type Prepared, prepare } from '../../calculation/staffing/prepared.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import type { Day, IsoDate, Period } from '../../values/calendar.ts'
import { toIsoDate } from '../../values/calendar.ts'
import type { Pennies } from '../../values/units.ts'
import { ofYear, type PayQuestion, type PayShare, payOfMonth, sharesOf, withoutAwards } from '../calculated.ts'

/** What is calculated of an employee, row by row in whole pennies; undefined where a part cannot be calculated. */
export type RowPay = Map<string, Pennies> | undefined

/** Which row of the reconciliation a part of the pay belongs to. */
export type RowOf = (contract: StaffContract, share: Pick<PayShare, 'serviceTermId' | 'component'>) => string

/** A rule set of extended leave that somebody may be on: its key, its type and what people call it. */
export interface LeaveSet {
  ruleset: string
  type: string
  name: string
}

/** A budget made ready to be costed again and again for one month, with one thing changed each time. */
export interface Ground {
  prepared: Prepared
  labels: Readonly<Record<string, string>>
  /** The place of the month in the year that is costed, from 0. */
  at: number
  month: Period
  /** The first day of the month as a date. */
  firstDate: IsoDate
  people: Readonly<Record<string, FrozenPerson>>
  leaveSets: readonly LeaveSet[]
  /** The same without the awards of a date and those after it, up to the month. */
  withoutAward: (from: Day) => Prepared
}

/** @returns nothing where the budget does not have the month */
export function payGround(
  frozen: FrozenBudget,
  {
    shared,
    question: { useInflation, ...month },
    leaveSets = [],
  }: { shared: SharedInputs; question: PayQuestion; leaveSets?: readonly LeaveSet[] },
): Ground | undefined {
  const year = ofYear(frozen.budget, month)
  if (!year) return undefined
  const inputs = inputsOf({ ...frozen, budget: year.budget }, useInflation ? shared : withoutAwards(shared))
  const prepared = prepare(inputs)
  const period = assertDefined(prepared.periods[year.period])
  const made = new Map<Day, Prepared>()
  const withoutAward = (from: Day): Prepared => {
    const known = made.get(from) ?? prepare(inputsBefore(inputs, toIsoDate(from), period.lastDate))
    made.set(from, known)
    return known
  }
  return {
    prepared,
    labels: shared.labels,
    at: year.period,
    month: period,
    firstDate: toIsoDate(period.first),
    people: frozen.people,
    leaveSets,
    withoutAward,
  }
}

/** Inputs in which nothing was awarded from a date up to another: no pay table, no assumed award and no rate of an allowance begins there. */
function inputsBefore(inputs: CalculationInputs, from: IsoDate, to: IsoDate): CalculationInputs {
  const stays = ({ effectiveDate }: { effectiveDate: IsoDate }): boolean => effectiveDate < from || effectiveDate > to
  const { budgetElements: tables } = inputs
  const before = <T extends { effectiveDate: IsoDate }>(rows: T[]): T[] => {
    const kept = rows.filter(stays)
    // What has no rate before stays as it is: it was not an award that made it.
    return kept.some((row) => row.effectiveDate < from) ? kept : rows
  }
  return {
    ...inputs,
    budgetElements: {
      ...tables,
      teacherPayScales: before(tables.teacherPayScales),
      supportPayScales: before(tables.supportPayScales),
      customTeacherPayScales: before(tables.customTeacherPayScales),
      customSupportPayScales: before(tables.customSupportPayScales),
    },
    assumptions: Object.fromEntries(
      Object.entries(inputs.assumptions).map(([type, rates]) => [type, { ...rates, inflation: rates.inflation.filter(stays) }]),
    ),
    allowances: Object.fromEntries(
      Object.entries(inputs.allowances).map(([name, allowance]) => [name, { ...allowance, rates: before(allowance.rates) }]),
    ),
  }
}

/** Everything that a month of an employee is costed from. */
export interface Costed {
  prepared: Prepared
  person: FrozenPerson
  contracts: readonly StaffContract[]
}

/** A contract as the calculation takes it: most of what is tried leaves it as it is. */
function inputOf(contract: StaffContract): ContractInput {
  const known = inputsKnown.get(contract)
  if (known) return known
  const made = contractInput(contract)
  inputsKnown.set(contract, made)
  return made
}

const inputsKnown = new WeakMap<StaffContract, ContractInput>()

/** What all contracts of an employee come to in the month, by row. */
export function payByRow({ at }: Ground, { prepared, person, contracts }: Costed, rowOf: RowOf): RowPay {
  const rows = new Map<string, number>()
  const costs = costMonth(prepared, { ...person, contracts: contracts.map(inputOf) }, at)
  for (const [index, cost] of costs.entries()) {
    const contract = assertDefined(contracts[index])
    for (const share of sharesOf(payOfMonth({ ...cost, allowances: cost.allowances.values() }), contract.serviceTerms)) {
      if (share.pennies === null) return undefined
      const row = rowOf(contract, share)
      rows.set(row, (rows.get(row) ?? 0) + share.pennies)
    }
  }
  return rows
}
