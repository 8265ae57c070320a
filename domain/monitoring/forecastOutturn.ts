import type { Pennies } from '../values/units.ts'
/** A month of a forecast on a screen; whole pennies. */
export interface ForecastMonth {
  value: Pennies
  /** Whether the actuals of the month have been imported, so that an entered value has no effect. */
  isActual: boolean
}

/** The forecast outturn of a year while its values are being entered. Whole pennies. */
export interface ForecastOutturn {
  values: Pennies[]
  forecast: Pennies
  /** Positive is favourable (rules.md §17). */
  variance: Pennies
}

/**
 * Forecasts the outturn while a user enters values, before they are saved. Closed months have their actuals, other months the entered
 * values (rules.md §17).
 * @param open value of each month, used if the month is open
 * @param budget of the whole year
 * @param adjustment of the code in the chosen month
 */
export function calculateForecastOutturn(
  months: readonly ForecastMonth[],
  open: readonly number[],
  { budget, adjustment, isIncome }: { budget: number; adjustment: number; isIncome: boolean },
): ForecastOutturn {
  const values = months.map(({ value, isActual }, period) => (isActual ? value : (open[period] ?? 0)))
  const forecast = values.reduce((sum, value) => sum + value, adjustment)
  const saved = budget - forecast
  return { values, forecast, variance: isIncome && saved ? -saved : saved }
}
