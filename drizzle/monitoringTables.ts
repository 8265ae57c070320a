import { sql } from 'drizzle-orm'
import { bigint, char, index, integer, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import type { MonitoringEventType } from '../domain/monitoring/events.ts'
import type { MonitoringItem } from '../domain/monitoring/monitoring.ts'
import type { BudgetGroupId, LocationId, UserId } from '../domain/values/ids.ts'
import type { Pennies } from '../domain/values/units.ts'
import { organisationIdColumn, timestampText } from './columns.ts'

/**
 * The monitoring log of each location; location 0 is the organisation itself. It is append-only like the budget log: the server's role may
 * insert and select, and a trigger refuses other changes from every role.
 */
export const monitoringEvents = pgTable(
  'monitoring_events',
  {
    organisationId: organisationIdColumn(),
    locationId: integer('location_id').$type<LocationId>().notNull(),
    version: integer('version').notNull(),
    position: bigint('position', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    type: text('type').$type<MonitoringEventType>().notNull(),
    /** The version of the shape of `data` (domain/monitoring/eventSchemas.ts). */
    schema: integer('schema').notNull().default(1),
    data: jsonb('data').notNull(),
    actorId: integer('actor_id').$type<UserId>(),
    requestId: text('request_id').notNull(),
    occurredAt: timestampText('occurred_at').notNull(),
    previousHash: char('previous_hash', { length: 64 }).notNull(),
    hash: char('hash', { length: 64 }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.locationId, table.version] }),
    index('monitoring_events_position').on(table.position),
    index('monitoring_events_actor').on(table.actorId),
  ],
)

/** The current version of each monitoring log. */
export const monitoringLogs = pgTable(
  'monitoring_logs',
  {
    organisationId: organisationIdColumn(),
    locationId: integer('location_id').$type<LocationId>().notNull(),
    version: integer('version').notNull(),
    lastHash: char('last_hash', { length: 64 }).notNull(),
    savedAt: timestampText('saved_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.locationId] })],
)

/**
 * A projection of monitoring logs: months with their imports, notes, adjustments, methods, opening cash and settings. Imported lines are in
 * `actual_lines`.
 */
export const monitoringItems = pgTable(
  'monitoring_items',
  {
    organisationId: organisationIdColumn(),
    locationId: integer('location_id').$type<LocationId>().notNull(),
    key: text('key').notNull(),
    version: integer('version').notNull(),
    savedAt: timestampText('saved_at').notNull(),
    item: jsonb('item').$type<MonitoringItem>().notNull(),
    // Generated from the item for queries, so that the columns always agree with the item.
    kind: text('kind').$type<MonitoringItem['kind']>().notNull().generatedAlwaysAs(sql`item ->> 'kind'`),
    year: smallint('year').generatedAlwaysAs(sql`(item ->> 'year')::smallint`),
    month: smallint('month').generatedAlwaysAs(sql`(item ->> 'month')::smallint`),
    groupId: text('group_id').$type<BudgetGroupId>().generatedAlwaysAs(sql`item ->> 'groupId'`),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.locationId, table.key] }),
    index('monitoring_items_month').on(table.organisationId, table.kind, table.year, table.month),
  ],
)

/** The lines of imports that are in effect, in whole pennies. Income received and expenditure paid are positive (rules.md §17). */
export const actualLines = pgTable(
  'actual_lines',
  {
    organisationId: organisationIdColumn(),
    locationId: integer('location_id').$type<LocationId>().notNull(),
    year: smallint('year').notNull(),
    month: smallint('month').notNull(),
    /** The version of the import's event. The next column is the line number, from 1. */
    version: integer('version').notNull(),
    line: integer('line').notNull(),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    type: smallint('type').notNull(),
    budgetCodeId: integer('budget_code_id').notNull(),
    costCentreId: integer('cost_centre_id').notNull(),
    fundCodeId: integer('fund_code_id'),
    analysisTagId: integer('analysis_tag_id'),
    description: text('description'),
    value: bigint('value', { mode: 'number' }).$type<Pennies>().notNull(),
    created: timestampText('created').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.locationId, table.year, table.month, table.version, table.line] }),
    index('actual_lines_sums').on(
      table.organisationId,
      table.locationId,
      table.year,
      table.month,
      table.type,
      table.budgetCodeId,
      table.value,
    ),
    index('actual_lines_code').on(table.organisationId, table.budgetCodeId),
  ],
)

/**
 * Sums of the imported lines by code, calendar year and month. Monitoring reads these sums instead of the lines. The transaction that
 * writes the lines updates them; `npm run audit` recalculates and compares them.
 */
export const actualSums = pgTable(
  'actual_sums',
  {
    organisationId: organisationIdColumn(),
    locationId: integer('location_id').$type<LocationId>().notNull(),
    year: smallint('year').notNull(),
    type: smallint('type').notNull(),
    budgetCodeId: integer('budget_code_id').notNull(),
    /** Whole pennies of January to December. */
    amounts: bigint('amounts', { mode: 'number' }).array().$type<Pennies[]>().notNull(),
    /**
     * One bit for each month that has lines; January is the lowest bit. The bits are needed because the lines of a month may add up to
     * zero.
     */
    months: smallint('months').notNull(),
  },
  (table) => [
    primaryKey({ name: 'actual_sums_pk', columns: [table.organisationId, table.locationId, table.year, table.type, table.budgetCodeId] }),
  ],
)
