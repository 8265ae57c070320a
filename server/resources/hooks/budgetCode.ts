import type { ResourceHooks } from './resourceHooks.ts'

export const budgetCode: ResourceHooks = {
  misfitOfItems: (old, other) => (old.type === other.type ? null : 'one code is for income and the other for expenditure'),
}
