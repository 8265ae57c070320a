import { and, eq, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { listViewPermissions } from '../../../domain/people/permissions.ts'
import { actualLines, monitoringItems } from '../../../drizzle/monitoringTables.ts'
import { buildCallerLocationsCondition, buildCallerOrganisationCondition, buildIdArray, requirePermissionToSee } from '../useSources.ts'
import type { ResourceHooks } from './resourceHooks.ts'

/** Finds the ledger lines that refer to some codes in this column. */
export const createActualsUsesFinder =
  (column: AnyPgColumn): NonNullable<ResourceHooks['uses']> =>
  (ids) => [
    {
      table: actualLines,
      where: sql`${column} = any(${buildIdArray(ids)})`,
      key: 'ActualCommitment',
      visibilityFor: requirePermissionToSee(listViewPermissions('ConsoleMonitoring'), (viewer) =>
        and(
          buildCallerOrganisationCondition(actualLines.organisationId, viewer),
          buildCallerLocationsCondition(actualLines.locationId, viewer.rows.locationIds),
        ),
      ),
    },
  ]

/**
 * Finds where monitoring uses budget codes: in notes and adjustments, which belong to a budget group or the organisation and not to a
 * location, and in the locations' own forecasts.
 */
export const findMonitoringUses: NonNullable<ResourceHooks['uses']> = (ids) => [
  ...(
    [
      ['note', 'MonitoringNote'],
      ['adjustment', 'Adjustment'],
    ] as const
  ).map(([kind, key]) => ({
    table: monitoringItems,
    where: sql`${eq(monitoringItems.kind, kind)} and (${monitoringItems.item} ->> 'budgetCodeId')::int = any(${buildIdArray(ids)})`,
    key,
    visibilityFor: requirePermissionToSee(listViewPermissions('ConsoleMonitoring'), (viewer) =>
      buildCallerOrganisationCondition(monitoringItems.organisationId, viewer),
    ),
  })),
  {
    table: monitoringItems,
    where: sql`${eq(monitoringItems.kind, 'forecast')} and ${monitoringItems.item} ->> 'method' <> 'budget'
      and (${monitoringItems.item} ->> 'budgetCodeId')::int = any(${buildIdArray(ids)})`,
    key: { singular: 'Forecast of its own', plural: 'Forecasts of its own' },
    visibilityFor: requirePermissionToSee(listViewPermissions('ConsoleMonitoring'), (viewer) =>
      and(
        buildCallerOrganisationCondition(monitoringItems.organisationId, viewer),
        buildCallerLocationsCondition(monitoringItems.locationId, viewer.rows.locationIds),
      ),
    ),
  },
]
