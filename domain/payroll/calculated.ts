import type { Elements, StaffContract } from '../budget/budget.ts'
import { engine as newestEngine } from '../calculation/engine.ts'
import { engineOf } from '../calculation/engines/engines.ts'
import type { CalculationInputs, ContractCost, Figure, PayScaleKind, Problem, YearCost } from '../calculation/inputs.ts'
import { split } from '../calculation/split.ts'
import type { FrozenBudget, SharedInputs } from '../calculation/staffing/frozen.ts'
import type { CalendarMonth } from '../monitoring/monitoring.ts'
import { assertDefined, elementAt } from '../values/assertDefined.ts'
import { budgetYearOfDate, firstDayOfMonth, type IsoDate, toIsoDate } from '../values/calendar.ts'
import type { ContractId, StaffId } from '../values/ids.ts'
import { entriesOf } from '../values/keysOf.ts'

/** What payroll pays and the budget calculates, part by part (rules.md §18). All allowances are one; recovered statutory pay is not pay. */
export const payComponents = ['basic', 'allowance', 'leavePay', 'ni', 'pension'] as const
export type PayComponent = (typeof payComponents)[number]

/** Whole pennies of one month; null where it could not be calculated, never 0. */
export type Pay = Record<PayComponent, Figure>

/** The part of a component that one of the contract's payroll codes takes. */
export interface PayShare {
  serviceTermId: number
  component: PayComponent
  pennies: Figure
}

/** The pay of one month of one contract. */
export interface ContractPay {
  contractId: ContractId
  staffId: StaffId
  pay: Pay
  /** By payroll code; the shares of a component add up to it to the penny. What is nothing is left out. */
  shares: PayShare[]
  /** What stood in the way of a figure anywhere in that budget year. */
  problems: Problem[]
}

export interface PayQuestion extends CalendarMonth {
  /** Off: the awards of the assumptions are left out (rules.md §18). */
  useInflation: boolean
}

/**
 * The pay of a month of a budget's contracts, by the calculation that its costs come from (rules.md §18). Posts that nobody holds and planned
 * savings (attrition) are no pay and left out.
 * @param engine the version of the engine that the budget was last recalculated with; without one, the newest
 * @returns nothing where the budget does not have the month: which budgets are asked is of rules.md §17
 * @throws DomainError 409 for an engine that this version of the product does not have
 */
export function calculatedPay(
  contracts: Iterable<StaffContract>,
  {
    frozen,
    shared,
    engine,
    question: { useInflation, ...month },
  }: { frozen: FrozenBudget; shared: SharedInputs; engine?: string; question: PayQuestion },
): ContractPay[] {
  const year = ofYear(frozen.budget, month)
  if (!year) return []
  const paid = [...contracts].filter((contract) => contract.staffId !== null && !contract.attritionContract)
  const { costContracts } = engine === undefined ? newestEngine : engineOf(engine)
  const costs = costContracts(paid, { ...frozen, budget: year.budget }, useInflation ? shared : withoutAwards(shared))
  return paid.map((contract): ContractPay => {
    const cost = assertDefined(costs.get(contract.id))
    const pay = payOf(cost, year.period)
    return {
      contractId: contract.id,
      staffId: assertDefined(contract.staffId),
      pay,
      shares: sharesOf(pay, contract.serviceTerms),
      problems: cost.problems,
    }
  })
}

/**
 * A budget as the one year of it that holds a month, so that no more than that is calculated, and the place of the month in it, from 0. No figure
 * of a month depends on the years around it.
 */
export function ofYear(
  budget: CalculationInputs['budget'],
  { year, month }: CalendarMonth,
): { budget: CalculationInputs['budget']; period: number } | undefined {
  const firstYear = budgetYearOfDate(toIsoDate(firstDayOfMonth(year, month)), budget.startMonth)
  if (firstYear < budget.firstYear || firstYear >= budget.firstYear + budget.years) return undefined
  return { budget: { ...budget, firstYear, years: 1 }, period: (month - budget.startMonth + 12) % 12 }
}

/** One month of a contract that was costed for the one year that holds it. @param period from 0 */
function payOf({ years: [year] }: ContractCost, period: number): Pay {
  const at = (name: keyof YearCost & ('basic' | 'leavePay' | 'ni' | 'pension')): Figure => elementAt(assertDefined(year)[name], period)
  const allowances = Object.values(assertDefined(year).allowances).map((figures) => elementAt(figures, period))
  return payOfMonth({ basic: at('basic'), allowances, leavePay: at('leavePay'), ni: at('ni'), pension: at('pension') })
}

/** The pay of a month of which the parts are known. @param allowances each of them */
export function payOfMonth({ basic, allowances, leavePay, ni, pension }: Omit<Pay, 'allowance'> & { allowances: Iterable<Figure> }): Pay {
  // An allowance is only unknown where the pay of the month is.
  let allowance: Figure = basic === null ? null : 0
  if (allowance !== null) for (const figure of allowances) allowance += assertDefined(figure)
  return { basic, allowance, leavePay, ni, pension }
}

/** The sum of all components; known only when each of them is. */
export function payTotal(pay: Pay): Figure {
  return payComponents.reduce<Figure>((sum, component) => (sum === null || pay[component] === null ? null : sum + pay[component]), 0)
}

/**
 * Shares each component over the payroll codes of a contract, which carry no weights and so have equal parts (rules.md §0 `split`, §18: split as
 * §9 splits, *choice* of ours).
 */
export function sharesOf(pay: Pay, serviceTerms: readonly number[]): PayShare[] {
  const weights = serviceTerms.map(() => 1)
  return payComponents.flatMap((component) => {
    const whole = pay[component]
    const parts = whole === null ? undefined : split(whole, weights)
    return serviceTerms
      .map((serviceTermId, index): PayShare => ({ serviceTermId, component, pennies: parts ? assertDefined(parts[index]) : null }))
      .filter(({ pennies }) => pennies !== 0)
  })
}

/** The same inputs with no awards assumed: pay is what the tables and the contracts say. */
export function withoutAwards(shared: SharedInputs): SharedInputs {
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

/** A pay table that is tried in place of those of a budget, from its own effective date. */
export interface PayTableInPlace {
  adminTableId: number
  /** The kinds of pay it has points of. */
  kinds: readonly PayScaleKind[]
  effectiveDate: IsoDate
}

const elementOf = {
  teacher: 'teacherPayScales',
  support: 'supportPayScales',
  customTeacher: 'customTeacherPayScales',
  customSupport: 'customSupportPayScales',
} as const satisfies Record<PayScaleKind, keyof Elements>

/**
 * The tables of a budget with some pay tables in the place of its own of the same kind (rules.md §18 `payScaleTableIds`); a kind that is not among
 * them keeps what it has. The inputs are then read for these tables.
 */
export function elementsWith(elements: Elements, tables: readonly PayTableInPlace[]): Elements {
  const replaced: Elements = { ...elements }
  for (const [kind, element] of entriesOf(elementOf)) {
    const own = tables.filter(({ kinds }) => kinds.includes(kind))
    if (own.length) replaced[element] = own.map(({ adminTableId, effectiveDate }) => ({ adminTableId, effectiveDate }))
  }
  return replaced
}
