import { budgetCodeCategory } from '../../../domain/lookups/lookupIds.ts'
import type { Values } from '../../../domain/resources/schema.ts'
import { actualLines } from '../../../drizzle/monitoringTables.ts'
import { budgetGroups } from '../../../drizzle/schema.ts'
import { usesOfAllowance } from './groups.ts'
import { usesOfActuals, usesOfRemarks } from './monitoring.ts'
import type { ResourceHooks } from './resourceHooks.ts'

const usesOfClaims = usesOfAllowance(budgetGroups.allowanceBudgetCodeId, 'budgetCodeId')
const usesOfLines = usesOfActuals(actualLines.budgetCodeId)

/** Balance codes are not part of income and expenditure. */
const isBalance = ({ category }: Values): boolean => category === budgetCodeCategory.balance

export const budgetCode: ResourceHooks = {
  uses: (ids) => [...usesOfLines(ids), ...usesOfRemarks(ids), ...usesOfClaims(ids)],
  fixedInUse: (before, after) => (before.type !== after.type ? 'its type' : isBalance(before) !== isBalance(after) ? 'its category' : null),
  misfitOfItems: (old, other) => (old.type === other.type ? null : 'one code is for income and the other for expenditure'),
}
