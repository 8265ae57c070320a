import { budgetCodeCategory } from '../../../domain/lookups/lookupIds.ts'
import type { RecordValues } from '../../../domain/resources/schema.ts'
import { actualLines } from '../../../drizzle/monitoringTables.ts'
import { budgetGroups } from '../../../drizzle/schema.ts'
import { createAllowanceUsesFinder } from './groups.ts'
import { createActualsUsesFinder, findMonitoringUses } from './monitoring.ts'
import type { ResourceHooks } from './resourceHooks.ts'

const usesOfClaims = createAllowanceUsesFinder(budgetGroups.allowanceBudgetCodeId, 'budgetCodeId')
const usesOfLines = createActualsUsesFinder(actualLines.budgetCodeId)

/** Balance codes are not part of income and expenditure. */
const isBalance = ({ category }: RecordValues): boolean => category === budgetCodeCategory.balance

export const budgetCodeHooks: ResourceHooks = {
  uses: (ids) => [...usesOfLines(ids), ...findMonitoringUses(ids), ...usesOfClaims(ids)],
  describeFixedChange: (before, after) =>
    before.type !== after.type ? 'its type' : isBalance(before) !== isBalance(after) ? 'its category' : null,
  explainItemMisfit: (old, other) => (old.type === other.type ? null : 'one code is for income and the other for expenditure'),
}
