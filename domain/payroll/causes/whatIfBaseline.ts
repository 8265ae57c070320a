import type { StaffContract } from '../../budget/budget.ts'
import type { CalculationInputs, ContractInput } from '../../calculation/inputs.ts'
import { costMonth } from '../../calculation/staffing/cost.ts'
import {
  combineInputs,
  type FrozenBudget,
  type FrozenPerson,
  type SharedInputs,
  toContractInput,
} from '../../calculation/staffing/frozen.ts'
import { type PreparedCalculation, prepareCalculation } from '../../calculation/staffing/prepared.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import type { Day, IsoDate, Period } from '../../values/calendar.ts'
import { toIsoDate } from '../../values/calendar.ts'
import type { Pennies } from '../../values/units.ts'
import {
  combinePayComponents,
  narrowToYear,
  type PayCalculationRequest,
  type PayShare,
  removeAssumedAwards,
  splitByServiceTerm,
} from '../calculatedPay.ts'

/** The calculated pay of an employee by row, in whole pennies; undefined if any part cannot be calculated. */
export type PayByRow = Map<string, Pennies> | undefined

/** Finds the row of the reconciliation that a part of pay belongs to. */
export type RowKeyFinder = (contract: StaffContract, share: Pick<PayShare, 'serviceTermId' | 'component'>) => string

export interface LeaveRuleSet {
  ruleset: string
  type: string
  name: string
}

/** A budget prepared for costing one month again and again with one change at a time. */
export interface WhatIfBaseline {
  prepared: PreparedCalculation
  labels: Readonly<Record<string, string>>
  /** Period of the month within the costed year, from 0. */
  at: number
  month: Period
  firstDate: IsoDate
  people: Readonly<Record<string, FrozenPerson>>
  leaveSets: readonly LeaveRuleSet[]
  /** The prepared budget without the awards from a date to the end of the month. */
  withoutAward: (from: Day) => PreparedCalculation
}

/** Prepares a budget for what-if costing. @returns undefined if the budget does not cover the month */
export function prepareWhatIfBaseline(
  frozen: FrozenBudget,
  {
    shared,
    question: { useInflation, ...month },
    leaveSets = [],
  }: { shared: SharedInputs; question: PayCalculationRequest; leaveSets?: readonly LeaveRuleSet[] },
): WhatIfBaseline | undefined {
  const year = narrowToYear(frozen.budget, month)
  if (!year) return undefined
  const inputs = combineInputs({ ...frozen, budget: year.budget }, useInflation ? shared : removeAssumedAwards(shared))
  const prepared = prepareCalculation(inputs)
  const period = assertDefined(prepared.periods[year.period])
  const preparedByDay = new Map<Day, PreparedCalculation>()
  const withoutAward = (from: Day): PreparedCalculation => {
    const known = preparedByDay.get(from) ?? prepareCalculation(removeAwardsBetween(inputs, toIsoDate(from), period.lastDate))
    preparedByDay.set(from, known)
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

/** Removes pay tables, assumed awards and allowance rates that begin within a range of dates. */
function removeAwardsBetween(inputs: CalculationInputs, from: IsoDate, to: IsoDate): CalculationInputs {
  const stays = ({ effectiveDate }: { effectiveDate: IsoDate }): boolean => effectiveDate < from || effectiveDate > to
  const { budgetElements: tables } = inputs
  const withoutLaterRows = <T extends { effectiveDate: IsoDate }>(rows: T[]): T[] => {
    const remaining = rows.filter(stays)
    // The first rate is not an award, so it stays.
    return remaining.some((row) => row.effectiveDate < from) ? remaining : rows
  }
  return {
    ...inputs,
    budgetElements: {
      ...tables,
      teacherPayScales: withoutLaterRows(tables.teacherPayScales),
      supportPayScales: withoutLaterRows(tables.supportPayScales),
      customTeacherPayScales: withoutLaterRows(tables.customTeacherPayScales),
      customSupportPayScales: withoutLaterRows(tables.customSupportPayScales),
    },
    assumptions: Object.fromEntries(
      Object.entries(inputs.assumptions).map(([type, rates]) => [type, { ...rates, inflation: rates.inflation.filter(stays) }]),
    ),
    allowances: Object.fromEntries(
      Object.entries(inputs.allowances).map(([name, allowance]) => [name, { ...allowance, rates: withoutLaterRows(allowance.rates) }]),
    ),
  }
}

export interface CostingCase {
  prepared: PreparedCalculation
  person: FrozenPerson
  contracts: readonly StaffContract[]
}

/** Converts a contract to an input of the calculation. Results are cached, because most candidates leave a contract unchanged. */
function cachedContractInput(contract: StaffContract): ContractInput {
  const known = contractInputCache.get(contract)
  if (known) return known
  const input = toContractInput(contract)
  contractInputCache.set(contract, input)
  return input
}

const contractInputCache = new WeakMap<StaffContract, ContractInput>()

export function calculatePayByRow({ at }: WhatIfBaseline, { prepared, person, contracts }: CostingCase, rowOf: RowKeyFinder): PayByRow {
  const rows = new Map<string, number>()
  const costs = costMonth(prepared, { ...person, contracts: contracts.map(cachedContractInput) }, at)
  for (const [index, cost] of costs.entries()) {
    const contract = assertDefined(contracts[index])
    for (const share of splitByServiceTerm(
      combinePayComponents({ ...cost, allowances: cost.allowances.values() }),
      contract.serviceTerms,
    )) {
      if (share.pennies === null) return undefined
      const row = rowOf(contract, share)
      rows.set(row, (rows.get(row) ?? 0) + share.pennies)
    }
  }
  return rows
}
