import { and, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { either } from '../../../domain/permissions.ts'
import { actualLines } from '../../../drizzle/monitoringTables.ts'
import { atOwn, idList, ofOwn, onlyWith } from '../useSources.ts'
import type { ResourceHooks } from './resourceHooks.ts'

/** The lines of ledgers that name codes of a kind in a column. */
export const usesOfActuals =
  (column: AnyPgColumn): NonNullable<ResourceHooks['uses']> =>
  (ids) => [
    {
      table: actualLines,
      where: sql`${column} = any(${idList(ids)})`,
      key: 'ActualCommitment',
      seen: onlyWith(either('ConsoleMonitoring'), (sight) =>
        and(ofOwn(actualLines.organisationId, sight), atOwn(actualLines.locationId, sight.rows.locationIds)),
      ),
    },
  ]
