import { actualLines } from '../../../drizzle/monitoringTables.ts'
import { usesOfActuals, usesOfRemarks } from './monitoring.ts'
import type { ResourceHooks } from './resourceHooks.ts'

const usesOfLines = usesOfActuals(actualLines.budgetCodeId)

export const budgetCode: ResourceHooks = {
  uses: (ids) => [...usesOfLines(ids), ...usesOfRemarks(ids)],
  misfitOfItems: (old, other) => (old.type === other.type ? null : 'one code is for income and the other for expenditure'),
}
