import { and, eq, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { viewPermissions } from '../../../domain/people/permissions.ts'
import { actualLines, monitoringItems } from '../../../drizzle/monitoringTables.ts'
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
      seen: onlyWith(viewPermissions('ConsoleMonitoring'), (sight) =>
        and(ofOwn(actualLines.organisationId, sight), atOwn(actualLines.locationId, sight.rows.locationIds)),
      ),
    },
  ]

/**
 * The notes and adjustments of months that name budget codes, of a group or of the whole organisation and of no place alone; and what the
 * locations forecast otherwise than by the budget.
 */
export const usesOfRemarks: NonNullable<ResourceHooks['uses']> = (ids) => [
  ...(
    [
      ['note', 'MonitoringNote'],
      ['adjustment', 'Adjustment'],
    ] as const
  ).map(([kind, key]) => ({
    table: monitoringItems,
    where: sql`${eq(monitoringItems.kind, kind)} and (${monitoringItems.item} ->> 'budgetCodeId')::int = any(${idList(ids)})`,
    key,
    seen: onlyWith(viewPermissions('ConsoleMonitoring'), (sight) => ofOwn(monitoringItems.organisationId, sight)),
  })),
  {
    table: monitoringItems,
    where: sql`${eq(monitoringItems.kind, 'forecast')} and ${monitoringItems.item} ->> 'method' <> 'budget'
      and (${monitoringItems.item} ->> 'budgetCodeId')::int = any(${idList(ids)})`,
    key: { singular: 'Forecast of its own', plural: 'Forecasts of its own' },
    seen: onlyWith(viewPermissions('ConsoleMonitoring'), (sight) =>
      and(ofOwn(monitoringItems.organisationId, sight), atOwn(monitoringItems.locationId, sight.rows.locationIds)),
    ),
  },
]
