/**
 * Units of numbers, so that the compiler does not accept a number of one unit for another: amounts are pennies in calculations and pounds
 * in the API, and there are percentages and months. The result of arithmetic is a plain number. The compiler accepts it for every unit, so
 * calculations need no conversion. At run time all units are plain numbers.
 */

export type Pennies = number & { readonly unit?: 'pennies' }

/** Pounds with at most two decimals. */
export type Pounds = number & { readonly unit?: 'pounds' }

/** A percentage: 2.5 means 2.5%. */
export type Percent = number & { readonly unit?: 'percent' }

/** A number of months. */
export type Months = number & { readonly unit?: 'months' }

/** The same type with every `Pennies` replaced by `Pounds`, as the API sends it. */
export type InPounds<T> = T extends number
  ? T extends { readonly unit?: infer U }
    ? [U] extends ['pennies' | undefined]
      ? Pounds
      : T
    : T
  : T extends string | boolean | null | undefined
    ? T
    : { [K in keyof T]: InPounds<T[K]> }
