import type { BudgetElements, StaffContract } from '../budget/budget.ts'
import { engine as newestEngine } from '../calculation/engine.ts'
import { getEngine } from '../calculation/engines/engines.ts'
import type { CalculationInputs, ContractCost, Figure, PayScaleKind, Problem, YearCost } from '../calculation/inputs.ts'
import { split } from '../calculation/split.ts'
import type { FrozenBudget, SharedInputs } from '../calculation/staffing/frozen.ts'
import type { CalendarMonth } from '../monitoring/monitoring.ts'
import { assertDefined, requireItemAt } from '../values/assertDefined.ts'
import { findBudgetYearOfDate, firstDayOfMonth, type IsoDate, toIsoDate } from '../values/calendar.ts'
import type { ContractId, StaffId } from '../values/ids.ts'
import { entriesOf } from '../values/keysOf.ts'

/**
 * Components of pay that both a payroll and a budget have (rules.md §18). All allowances together are one component; recovered statutory
 * pay is excluded.
 */
export const payComponents = ['basic', 'allowance', 'leavePay', 'ni', 'pension'] as const
export type PayComponent = (typeof payComponents)[number]

/** Whole pennies of one month; null, never 0, if it could not be calculated. */
export type MonthlyPay = Record<PayComponent, Figure>

/** The part of a component under one of the contract's payroll codes (service terms). */
export interface PayShare {
  serviceTermId: number
  component: PayComponent
  pennies: Figure
}

export interface ContractPay {
  contractId: ContractId
  staffId: StaffId
  pay: MonthlyPay
  /** By payroll code, without zeros. The shares of a component add up to it exactly. */
  shares: PayShare[]
  problems: Problem[]
}

export interface PayCalculationRequest extends CalendarMonth {
  /** If false, assumed pay awards are ignored (rules.md §18). */
  useInflation: boolean
}

/**
 * Calculates one month's pay of a budget's contracts, in the same way as its costs (rules.md §18). Vacancies and planned savings
 * (attrition) are not pay and are left out.
 * @param engine the engine version of the last recalculation; if absent, the newest
 * @returns empty if the budget does not cover the month; rules.md §17 says which budget applies
 * @throws DomainError 409 if this version of Bursar does not have the engine
 */
export function calculatePay(
  contracts: Iterable<StaffContract>,
  {
    frozen,
    shared,
    engine,
    question: { useInflation, ...month },
  }: { frozen: FrozenBudget; shared: SharedInputs; engine?: string; question: PayCalculationRequest },
): ContractPay[] {
  const year = narrowToYear(frozen.budget, month)
  if (!year) return []
  const paid = [...contracts].filter((contract) => contract.staffId !== null && !contract.attritionContract)
  const { costContracts } = engine === undefined ? newestEngine : getEngine(engine)
  const costs = costContracts(paid, { ...frozen, budget: year.budget }, useInflation ? shared : removeAssumedAwards(shared))
  return paid.map((contract): ContractPay => {
    const cost = assertDefined(costs.get(contract.id))
    const pay = extractPeriodPay(cost, year.period)
    return {
      contractId: contract.id,
      staffId: assertDefined(contract.staffId),
      pay,
      shares: splitByServiceTerm(pay, contract.serviceTerms),
      problems: cost.problems,
    }
  })
}

/**
 * Narrows a budget to the year that contains a month, which saves time and changes nothing, because a month never depends on other years.
 * `period` is the month's period in that year, from 0. Undefined if the budget does not cover the month.
 */
export function narrowToYear(
  budget: CalculationInputs['budget'],
  { year, month }: CalendarMonth,
): { budget: CalculationInputs['budget']; period: number } | undefined {
  const firstYear = findBudgetYearOfDate(toIsoDate(firstDayOfMonth(year, month)), budget.startMonth)
  if (firstYear < budget.firstYear || firstYear >= budget.firstYear + budget.years) return undefined
  return { budget: { ...budget, firstYear, years: 1 }, period: (month - budget.startMonth + 12) % 12 }
}

/** Extracts one month of a contract that was costed for one year. @param period from 0 */
function extractPeriodPay({ years: [year] }: ContractCost, period: number): MonthlyPay {
  const at = (name: keyof YearCost & ('basic' | 'leavePay' | 'ni' | 'pension')): Figure => requireItemAt(assertDefined(year)[name], period)
  const allowances = Object.values(assertDefined(year).allowances).map((figures) => requireItemAt(figures, period))
  return combinePayComponents({ basic: at('basic'), allowances, leavePay: at('leavePay'), ni: at('ni'), pension: at('pension') })
}

/**
 * Combines the components of one month's pay.
 * @param allowances one figure for each allowance
 */
export function combinePayComponents({
  basic,
  allowances,
  leavePay,
  ni,
  pension,
}: Omit<MonthlyPay, 'allowance'> & { allowances: Iterable<Figure> }): MonthlyPay {
  // If basic pay is known, so is every allowance.
  let allowance: Figure = basic === null ? null : 0
  if (allowance !== null) for (const figure of allowances) allowance += assertDefined(figure)
  return { basic, allowance, leavePay, ni, pension }
}

/** The sum of all components; null if any component is null. */
export function sumPayComponents(pay: MonthlyPay): Figure {
  return payComponents.reduce<Figure>((sum, component) => (sum === null || pay[component] === null ? null : sum + pay[component]), 0)
}

/**
 * Splits each component equally over the payroll codes of a contract, because the codes have no weights (rules.md §0 `split`). Our choice:
 * §18 refers to the split of §9, which does not cover this case.
 */
export function splitByServiceTerm(pay: MonthlyPay, serviceTerms: readonly number[]): PayShare[] {
  const weights = serviceTerms.map(() => 1)
  return payComponents.flatMap((component) => {
    const whole = pay[component]
    const parts = whole === null ? undefined : split(whole, weights)
    return serviceTerms
      .map((serviceTermId, index): PayShare => ({ serviceTermId, component, pennies: parts ? assertDefined(parts[index]) : null }))
      .filter(({ pennies }) => pennies !== 0)
  })
}

/** Removes assumed pay awards from the inputs, so that pay follows from tables and contracts alone. */
export function removeAssumedAwards(shared: SharedInputs): SharedInputs {
  return {
    ...shared,
    assumptions: Object.fromEntries(
      Object.entries(shared.assumptions).map(([set, types]) => [
        set,
        Object.fromEntries(Object.entries(types).map(([type, rates]) => [type, { ...rates, inflation: [] }])),
      ]),
    ),
  }
}

/** A pay table that replaces the budget's own from its effective date. */
export interface SubstitutePayTable {
  adminTableId: number
  kinds: readonly PayScaleKind[]
  effectiveDate: IsoDate
}

const elementByKind = {
  teacher: 'teacherPayScales',
  support: 'supportPayScales',
  customTeacher: 'customTeacherPayScales',
  customSupport: 'customSupportPayScales',
} as const satisfies Record<PayScaleKind, keyof BudgetElements>

/**
 * Replaces the budget's pay tables that are of the same kinds as `tables` (rules.md §18 `payScaleTableIds`). The caller then loads inputs
 * for the new tables.
 */
export function substitutePayTables(elements: BudgetElements, tables: readonly SubstitutePayTable[]): BudgetElements {
  const replaced: BudgetElements = { ...elements }
  for (const [kind, element] of entriesOf(elementByKind)) {
    const substitutes = tables.filter(({ kinds }) => kinds.includes(kind))
    if (substitutes.length) replaced[element] = substitutes.map(({ adminTableId, effectiveDate }) => ({ adminTableId, effectiveDate }))
  }
  return replaced
}
