import { sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { either } from '../../../domain/permissions.ts'
import { budgetGroups } from '../../../drizzle/schema.ts'
import { idList, ofOwn, onlyWith } from '../useSources.ts'
import type { ResourceHooks } from './resourceHooks.ts'

/** The budget groups whose Employment Allowance is posted to a code or centre. */
export const usesOfAllowance =
  (column: AnyPgColumn): NonNullable<ResourceHooks['uses']> =>
  (ids) => [
    {
      table: budgetGroups,
      where: sql`${column} = any(${idList(ids)})`,
      key: 'BudgetGroup',
      seen: onlyWith(either('ConsoleBudgetGroup'), (sight) => ofOwn(budgetGroups.organisationId, sight)),
    },
  ]
