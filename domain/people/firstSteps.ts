/** The steps for setting up a new organisation up to its first budget. Each step needs the steps before it. */
export const firstSteps = [
  'locations',
  'codes',
  'contractTypes',
  'payrollCodes',
  'assumptions',
  'users',
  'budget',
  'group',
  'contracts',
  'entries',
  'balances',
  'recalculation',
  'approval',
] as const
export type FirstStep = (typeof firstSteps)[number]
