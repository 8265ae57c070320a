import type { Pennies } from '../values/units.ts'
/** A month of a year's forecast as a screen has it; whole pennies. */
export interface ForecastMonth {
  value: Pennies
  /** Its actuals are in: nothing that is typed counts for it. */
  isActual: boolean
}

/** How a year ends with what is typed. Whole pennies. */
export interface Outcome {
  /** Of each month. */
  values: Pennies[]
  forecast: Pennies
  /** Positive is good (rules.md §17). */
  variance: Pennies
}

/**
 * The year as it ends with what somebody types, before it is saved: actuals as they are, the other months as typed (rules.md §17).
 * @param open what each month comes to where it is open
 * @param budget of the whole year @param adjustment kept for the code in the chosen month
 */
export function outcomeOf(
  months: readonly ForecastMonth[],
  open: readonly number[],
  { budget, adjustment, isIncome }: { budget: number; adjustment: number; isIncome: boolean },
): Outcome {
  const values = months.map(({ value, isActual }, period) => (isActual ? value : (open[period] ?? 0)))
  const forecast = values.reduce((sum, value) => sum + value, adjustment)
  const saved = budget - forecast
  return { values, forecast, variance: isIncome && saved ? -saved : saved }
}
