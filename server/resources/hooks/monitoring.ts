import { and, eq, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { viewPermissions } from '../../../domain/people/permissions.ts'
import { actualLines, monitoringItems } from '../../../drizzle/monitoringTables.ts'
import { atCallerLocations, idArray, ofCallerOrganisation, visibleWith } from '../useSources.ts'
import type { ResourceHooks } from './resourceHooks.ts'

/** Finds the ledger lines whose column refers to some codes. */
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
 * Finds the notes and adjustments on budget codes, which belong to a budget group or the whole organisation and not to a location, and the
 * locations' own forecasts.
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
