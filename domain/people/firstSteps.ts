/** The set-up steps of a new organisation up to its first budget, in order of dependency. */
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
