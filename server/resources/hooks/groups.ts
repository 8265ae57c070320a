import { sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { viewPermissions } from '../../../domain/people/permissions.ts'
import { budgetGroups, budgets } from '../../../drizzle/schema.ts'
import { idArray, ofCallerOrganisation, visibleBudgets, visibleWith } from '../useSources.ts'
import type { ResourceHooks } from './resourceHooks.ts'

/**
 * The budget groups that post their Employment Allowance to a code or centre, and the budgets that have posted it
 * there.
 * @param column the column of the budget group
 * @param name the field of the budget
 */
export const usesOfAllowance =
  (column: AnyPgColumn, name: 'budgetCodeId' | 'costCentreId'): NonNullable<ResourceHooks['uses']> =>
  (ids) => [
    {
      table: budgets,
      where: sql`(${budgets.employmentAllowance} ->> ${name})::integer = any(${idArray(ids)})`,
      key: 'Budget',
      seen: visibleWith(viewPermissions('ConsoleBudgetManagement'), visibleBudgets),
    },
    {
      table: budgetGroups,
      where: sql`${column} = any(${idArray(ids)})`,
      key: 'BudgetGroup',
      seen: visibleWith(viewPermissions('ConsoleBudgetGroup'), (sight) => ofCallerOrganisation(budgetGroups.organisationId, sight)),
    },
  ]
