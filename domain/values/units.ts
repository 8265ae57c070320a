/*
 * Numbers that would be taken for each other: an amount is kept and calculated in whole pennies and goes over the wire in pounds, and beside it
 * stand percentages and counts of months. Each may say which it is. What comes of adding or multiplying is a plain number again, and a plain
 * number may become any of them, so that calculating asks for nothing; one that is known to be of one unit is not taken where another is meant.
 * A type and nothing else: as a value each is the plain number that it always was.
 */

/** Whole pennies. */
export type Pennies = number & { readonly unit?: 'pennies' }

/** Pounds, two decimals at most. */
export type Pounds = number & { readonly unit?: 'pounds' }

/** 2.5 means 2.5 %. */
export type Percent = number & { readonly unit?: 'percent' }

/** How many months. */
export type Months = number & { readonly unit?: 'months' }

/** What is kept in pennies as it goes over the wire, in pounds; all else stays what it is. */
export type InPounds<T> = T extends number
  ? T extends { readonly unit?: infer U }
    ? [U] extends ['pennies' | undefined]
      ? Pounds
      : T
    : T
  : T extends string | boolean | null | undefined
    ? T
    : { [K in keyof T]: InPounds<T[K]> }
