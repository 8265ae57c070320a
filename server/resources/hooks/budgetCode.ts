import { actualLines } from '../../../drizzle/monitoringTables.ts'
import { usesOfActuals } from './actuals.ts'
import type { ResourceHooks } from './resourceHooks.ts'

export const budgetCode: ResourceHooks = {
  uses: usesOfActuals(actualLines.budgetCodeId),
  misfitOfItems: (old, other) => (old.type === other.type ? null : 'one code is for income and the other for expenditure'),
}
