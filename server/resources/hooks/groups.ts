import { sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { listViewPermissions } from '../../../domain/people/permissions.ts'
import { budgetGroups, budgets } from '../../../drizzle/schema.ts'
import { buildCallerOrganisationCondition, buildIdArray, buildVisibleBudgetsCondition, requirePermissionToSee } from '../useSources.ts'
import type { ResourceHooks } from './resourceHooks.ts'

/**
 * Finds the budget groups that post their Employment Allowance to a code or cost centre, and the budgets that have already posted it there.
 * @param column the column of the budget group that refers to the record
 * @param name the field of a budget's stored claim that refers to the record
 */
export const createAllowanceUsesFinder =
  (column: AnyPgColumn, name: 'budgetCodeId' | 'costCentreId'): NonNullable<ResourceHooks['uses']> =>
  (ids) => [
    {
      table: budgets,
      where: sql`(${budgets.employmentAllowance} ->> ${name})::integer = any(${buildIdArray(ids)})`,
      key: 'Budget',
      visibilityFor: requirePermissionToSee(listViewPermissions('ConsoleBudgetManagement'), buildVisibleBudgetsCondition),
    },
    {
      table: budgetGroups,
      where: sql`${column} = any(${buildIdArray(ids)})`,
      key: 'BudgetGroup',
      visibilityFor: requirePermissionToSee(listViewPermissions('ConsoleBudgetGroup'), (viewer) =>
        buildCallerOrganisationCondition(budgetGroups.organisationId, viewer),
      ),
    },
  ]
