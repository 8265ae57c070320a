/** A chart by year, for screens and files: whole pennies. A value is null if it could not be calculated. */
export interface YearChart {
  /** `balance`: bars above and below zero. `reserves`: a line for the reserves and a line for the policy. */
  type: 'balance' | 'reserves'
  title: string
  years: string[]
  values: (number | null)[]
  /** The minimum reserve of the organisation's policy for each year; null without a policy. */
  policy: (number | null)[] | null
  /** The figures as text, for people who do not see the chart. */
  description: string
}
