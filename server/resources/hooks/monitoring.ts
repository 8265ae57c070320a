import { and, eq, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { viewPermissions } from '../../../domain/people/permissions.ts'
import { actualLines, monitoringItems } from '../../../drizzle/monitoringTables.ts'
import { atCallerLocations, idArray, ofCallerOrganisation, visibleWith } from '../useSources.ts'
import type { ResourceHooks } from './resourceHooks.ts'

/** The ledger lines that refer to codes of one kind in a column. */
export const usesOfActuals =
  (column: AnyPgColumn): NonNullable<ResourceHooks['uses']> =>
  (ids) => [
    {
      table: actualLines,
      where: sql`${column} = any(${idArray(ids)})`,
      key: 'ActualCommitment',
      seen: visibleWith(viewPermissions('ConsoleMonitoring'), (sight) =>
        and(ofCallerOrganisation(actualLines.organisationId, sight), atCallerLocations(actualLines.locationId, sight.rows.locationIds)),
      ),
    },
  ]

/**
 * Month notes and adjustments that refer to budget codes, for a budget group or the whole organisation rather than one
 * location; and the locations' own forecasts.
 */
export const usesOfRemarks: NonNullable<ResourceHooks['uses']> = (ids) => [
  ...(
    [
      ['note', 'MonitoringNote'],
      ['adjustment', 'Adjustment'],
    ] as const
  ).map(([kind, key]) => ({
    table: monitoringItems,
    where: sql`${eq(monitoringItems.kind, kind)} and (${monitoringItems.item} ->> 'budgetCodeId')::int = any(${idArray(ids)})`,
    key,
    seen: visibleWith(viewPermissions('ConsoleMonitoring'), (sight) => ofCallerOrganisation(monitoringItems.organisationId, sight)),
  })),
  {
    table: monitoringItems,
    where: sql`${eq(monitoringItems.kind, 'forecast')} and ${monitoringItems.item} ->> 'method' <> 'budget'
      and (${monitoringItems.item} ->> 'budgetCodeId')::int = any(${idArray(ids)})`,
    key: { singular: 'Forecast of its own', plural: 'Forecasts of its own' },
    seen: visibleWith(viewPermissions('ConsoleMonitoring'), (sight) =>
      and(
        ofCallerOrganisation(monitoringItems.organisationId, sight),
        atCallerLocations(monitoringItems.locationId, sight.rows.locationIds),
      ),
    ),
  },
]
