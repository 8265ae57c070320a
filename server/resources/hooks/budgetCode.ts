import { budgetCodeCategory } from '../../../domain/lookups/lookupIds.ts'
import type { Values } from '../../../domain/resources/schema.ts'
import { actualLines } from '../../../drizzle/monitoringTables.ts'
import { budgetGroups } from '../../../drizzle/schema.ts'
import { findAllowanceUses } from './groups.ts'
import { findActualsUses, findRemarkUses } from './monitoring.ts'
import type { ResourceHooks } from './resourceHooks.ts'

const usesOfClaims = findAllowanceUses(budgetGroups.allowanceBudgetCodeId, 'budgetCodeId')
const usesOfLines = findActualsUses(actualLines.budgetCodeId)

/** Balance codes are not part of income and expenditure. */
const isBalance = ({ category }: Values): boolean => category === budgetCodeCategory.balance

export const budgetCodeHooks: ResourceHooks = {
  uses: (ids) => [...usesOfLines(ids), ...findRemarkUses(ids), ...usesOfClaims(ids)],
  fixedInUse: (before, after) => (before.type !== after.type ? 'its type' : isBalance(before) !== isBalance(after) ? 'its category' : null),
  misfitOfItems: (old, other) => (old.type === other.type ? null : 'one code is for income and the other for expenditure'),
}
