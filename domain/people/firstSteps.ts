/** What a new organisation does until its first budget stands, in the order in which one thing needs another. */
export const firstSteps = [
  'locations',
  'codes',
  'contractTypes',
  'payrollCodes',
  'assumptions',
  'users',
  'budget',
  'contracts',
  'entries',
  'balances',
  'approval',
] as const
export type FirstStep = (typeof firstSteps)[number]
