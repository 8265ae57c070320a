import { and, eq, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { viewPermissions } from '../../../domain/people/permissions.ts'
import { actualLines, monitoringItems } from '../../../drizzle/monitoringTables.ts'
import { callerLocationsCondition, callerOrganisationCondition, idArray, visibleWithPermission } from '../useSources.ts'
import type { ResourceHooks } from './resourceHooks.ts'

/** Finds the ledger lines that refer to some codes in this column. */
export const findActualsUses =
  (column: AnyPgColumn): NonNullable<ResourceHooks['uses']> =>
  (ids) => [
    {
      table: actualLines,
      where: sql`${column} = any(${idArray(ids)})`,
      key: 'ActualCommitment',
      seen: visibleWithPermission(viewPermissions('ConsoleMonitoring'), (viewer) =>
        and(
          callerOrganisationCondition(actualLines.organisationId, viewer),
          callerLocationsCondition(actualLines.locationId, viewer.rows.locationIds),
        ),
      ),
    },
  ]

/**
 * Finds where monitoring uses budget codes: in notes and adjustments, which belong to a budget group or the organisation and not to a
 * location, and in the locations' own forecasts.
 */
export const findRemarkUses: NonNullable<ResourceHooks['uses']> = (ids) => [
  ...(
    [
      ['note', 'MonitoringNote'],
      ['adjustment', 'Adjustment'],
    ] as const
  ).map(([kind, key]) => ({
    table: monitoringItems,
    where: sql`${eq(monitoringItems.kind, kind)} and (${monitoringItems.item} ->> 'budgetCodeId')::int = any(${idArray(ids)})`,
    key,
    seen: visibleWithPermission(viewPermissions('ConsoleMonitoring'), (viewer) =>
      callerOrganisationCondition(monitoringItems.organisationId, viewer),
    ),
  })),
  {
    table: monitoringItems,
    where: sql`${eq(monitoringItems.kind, 'forecast')} and ${monitoringItems.item} ->> 'method' <> 'budget'
      and (${monitoringItems.item} ->> 'budgetCodeId')::int = any(${idArray(ids)})`,
    key: { singular: 'Forecast of its own', plural: 'Forecasts of its own' },
    seen: visibleWithPermission(viewPermissions('ConsoleMonitoring'), (viewer) =>
      and(
        callerOrganisationCondition(monitoringItems.organisationId, viewer),
        callerLocationsCondition(monitoringItems.locationId, viewer.rows.locationIds),
      ),
    ),
  },
]
