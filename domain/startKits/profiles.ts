import type { KitProfile } from './kit.ts'

export const profileSource =
  'Equal twelfths and the monthly grant are exact. The weights for utilities are an assumption: replace them with figures from your own bills. Term time counts 39 weeks, 38 with pupils and one of training days.'

const equal = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]

/** Weights are from September to August. */
export const kitProfiles: readonly KitProfile[] = [
  { name: 'Equal twelfths', description: 'The same amount every month', weights: equal },
  {
    name: 'Utilities by season',
    description: 'Most in the months when heating is on',
    weights: [5, 8, 10, 11, 12, 12, 11, 8, 7, 6, 6, 4],
  },
  { name: 'Term-time pay', description: 'In proportion to the weeks of term in each month', weights: [4, 4, 4, 3, 4, 3, 4, 2, 4, 4, 3, 0] },
]

/** Academies receive the general annual grant in twelve equal payments. */
export const grantProfile: KitProfile = {
  name: 'GAG monthly',
  description: 'The monthly payments of the general annual grant',
  weights: equal,
}
