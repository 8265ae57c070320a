import type { Figure } from '../../calculation/inputs.ts'
import { requireItemAt } from '../../values/assertDefined.ts'
import { type BudgetDriver, hasSpread, isStaffDriver } from './driver.ts'
import { type PlacedDriver, prepareMoneyDraws } from './moneyDraws.ts'
import { prepareStaffDraws } from './staffDraws.ts'
import { createEffect, type DrawEffect, type UncertainBudget } from './uncertainBudget.ts'

/** The closing reserve and the income of each year in one draw, in whole pennies; null where the draw cannot be calculated. */
export interface DrawnYears {
  closing: Figure[]
  income: Figure[]
}

/** A budget that is ready to be drawn any number of times. */
export interface BudgetDraws {
  /**
   * The effect of awards and pension rates, which costs the employees that they concern.
   * @param differences by how much each driver differs from its likely value, in the order of the placed drivers’ indexes
   */
  drawStaff(differences: readonly number[]): DrawEffect
  /** Calculates the years of a draw from its effect on staff costs. The rest, such as entries and pupils, is quick to calculate. */
  finish(differences: readonly number[], staff: DrawEffect): DrawnYears
  /** The drivers of `drawStaff` that have an effect. */
  staffDrivers: readonly PlacedDriver[]
  /** By id of a driver, a sentence that says why it changes nothing, or not everything that it names. */
  notes: ReadonlyMap<string, string>
  /** Whether a driver changes the budget at all. */
  hasEffect(driver: BudgetDriver): boolean
  /** The number of contracts that are not calculated, which no draw includes. */
  notCalculated: number
  /** The ids of drivers whose effect would reveal what one or two people are paid. */
  findDriversOfFewPeople(): ReadonlySet<string>
}

/** Prepares the draws of a budget. Draws without any difference give the budget’s own figures, to the penny. */
export function prepareBudgetDraws(budget: UncertainBudget, drivers: readonly PlacedDriver[]): BudgetDraws {
  const uncertain = drivers.filter(({ driver }) => hasSpread(driver))
  const staff = prepareStaffDraws(
    budget,
    uncertain.filter(({ driver }) => isStaffDriver(driver)),
  )
  const money = prepareMoneyDraws(
    budget,
    uncertain.filter(({ driver }) => !isStaffDriver(driver)),
  )
  const active = new Set([...staff.active, ...money.active])
  return {
    drawStaff(differences) {
      const effect = createEffect(budget.head.numberOfYears)
      staff.addDraw(differences, effect)
      return effect
    },
    finish(differences, staffEffect) {
      const effect = { reserve: [...staffEffect.reserve], income: [...staffEffect.income] }
      money.addDraw(differences, effect)
      let carried: Figure = 0
      return {
        closing: budget.planned.map(({ closing }, year) => {
          carried = plus(carried, requireItemAt(effect.reserve, year))
          return plus(closing, carried)
        }),
        income: budget.planned.map(({ income }, year) => plus(income, requireItemAt(effect.income, year))),
      }
    },
    staffDrivers: uncertain.filter(({ driver }) => staff.active.has(driver.id)),
    notes: new Map([...staff.notes, ...money.notes]),
    hasEffect: ({ id }) => active.has(id),
    notCalculated: staff.notCalculated,
    findDriversOfFewPeople: staff.findDriversOfFewPeople,
  }
}

const plus = (a: Figure, b: Figure): Figure => (a === null || b === null ? null : a + b)
