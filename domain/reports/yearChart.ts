/** A chart by year, for the screen and for paper: whole pennies, as in a report. A value is null where it could not be calculated. */
export interface YearChart {
  /** `balance`: bars above and below zero. `reserves`: a line, and the policy as a second one. */
  type: 'balance' | 'reserves'
  title: string
  years: string[]
  values: (number | null)[]
  /** The minimum reserve of the organisation's policy; null without a policy. */
  policy: (number | null)[] | null
  /** The figures in words, for people who do not see the chart. */
  description: string
}
