import { sql } from 'drizzle-orm'
import {
  bigint,
  char,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { PayExplanation } from '../domain/payroll/causes/causes.ts'
import type { PayControlFinding } from '../domain/payroll/controls.ts'
import type { PayrollEventType } from '../domain/payroll/events.ts'
import type { EmployeeRef, PayrollItem } from '../domain/payroll/payroll.ts'
import type { PayLayout, PayMeaning } from '../domain/payroll/provider/columns.ts'
import type { PayTextKind } from '../domain/payroll/provider/rows.ts'
import type { BudgetGroupId, BudgetId, LocationId, UserId } from '../domain/values/ids.ts'
import type { Pennies } from '../domain/values/units.ts'
import { organisationIdColumn, timestampText, utcTimestamp } from './columns.ts'
import { payrollCodes } from './schema.ts'

/**
 * The payroll log of each location; location 0 is the organisation itself, for data that belongs to no single location. It is append-only
 * like the budget log: the server's role may insert and select, and a trigger refuses other changes from every role.
 */
export const payrollEvents = pgTable(
  'payroll_events',
  {
    organisationId: organisationIdColumn(),
    locationId: integer('location_id').$type<LocationId>().notNull(),
    version: integer('version').notNull(),
    position: bigint('position', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    type: text('type').$type<PayrollEventType>().notNull(),
    /** The version of the shape of `data` (domain/payroll/eventSchemas.ts). */
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
    index('payroll_events_position').on(table.position),
    index('payroll_events_actor').on(table.actorId),
  ],
)

/** The current version of each payroll log. */
export const payrollLogs = pgTable(
  'payroll_logs',
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
 * A projection of payroll logs: months with their imports, actuals that users entered, notes, carried-forward amounts and status. Lines are
 * in `payroll_lines`.
 */
export const payrollItems = pgTable(
  'payroll_items',
  {
    organisationId: organisationIdColumn(),
    locationId: integer('location_id').$type<LocationId>().notNull(),
    key: text('key').notNull(),
    version: integer('version').notNull(),
    savedAt: timestampText('saved_at').notNull(),
    item: jsonb('item').$type<PayrollItem>().notNull(),
    // Generated from the item for queries, so that the columns always agree with the item.
    kind: text('kind').$type<PayrollItem['kind']>().notNull().generatedAlwaysAs(sql`item ->> 'kind'`),
    year: smallint('year').generatedAlwaysAs(sql`(item ->> 'year')::smallint`),
    month: smallint('month').generatedAlwaysAs(sql`(item ->> 'month')::smallint`),
    groupId: text('group_id').$type<BudgetGroupId>().generatedAlwaysAs(sql`item ->> 'groupId'`),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.locationId, table.key] }),
    index('payroll_items_month').on(table.organisationId, table.kind, table.year, table.month),
  ],
)

/**
 * Paid amounts: one line for each employee and code in a month at a location, in whole pennies with the sign that the file has (rules.md
 * §18).
 */
export const payrollLines = pgTable(
  'payroll_lines',
  {
    organisationId: organisationIdColumn(),
    locationId: integer('location_id').$type<LocationId>().notNull(),
    year: smallint('year').notNull(),
    month: smallint('month').notNull(),
    employee: text('employee').$type<EmployeeRef>().notNull(),
    payrollCodeId: integer('payroll_code_id').notNull(),
    sealedNumber: text('sealed_number'),
    value: bigint('value', { mode: 'number' }).$type<Pennies>().notNull(),
    /** The version of the import's event. */
    version: integer('version').notNull(),
  },
  (table) => [
    // An employee and code appear once in a month of a location.
    primaryKey({
      name: 'payroll_lines_pk',
      columns: [table.organisationId, table.locationId, table.year, table.month, table.employee, table.payrollCodeId],
    }),
    index('payroll_lines_month').on(table.organisationId, table.year, table.month),
    index('payroll_lines_code').on(table.organisationId, table.payrollCodeId),
    foreignKey({
      name: 'payroll_lines_code_fk',
      columns: [table.organisationId, table.payrollCodeId],
      foreignColumns: [payrollCodes.organisationId, payrollCodes.id],
    }),
  ],
)

/** A payroll provider of an organisation, with the file layout learned from its last import. */
export const payrollProviders = pgTable(
  'payroll_providers',
  {
    organisationId: organisationIdColumn(),
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    name: text('name').notNull(),
    layout: text('layout').$type<PayLayout>().notNull(),
    /** The meaning of each column, by normalised heading. */
    columns: jsonb('columns').$type<{ heading: string; meaning: PayMeaning }[]>().notNull(),
    version: integer('version').notNull().default(1),
    saved: utcTimestamp('saved').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    uniqueIndex('payroll_providers_name').on(table.organisationId, sql`lower("name")`),
  ],
)

/**
 * The codes and locations in a provider's files, and the record that each is mapped to. A text without a record is deliberately ignored.
 */
export const payrollTextMappings = pgTable(
  'payroll_provider_texts',
  {
    organisationId: organisationIdColumn(),
    providerId: integer('provider_id').notNull(),
    kind: text('kind').$type<PayTextKind>().notNull(),
    /** The text in lower case and with single spaces. */
    text: text('text').notNull(),
    payrollCodeId: integer('payroll_code_id'),
    locationId: integer('location_id').$type<LocationId>(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.providerId, table.kind, table.text] }),
    foreignKey({
      name: 'payroll_provider_texts_provider_fk',
      columns: [table.organisationId, table.providerId],
      foreignColumns: [payrollProviders.organisationId, payrollProviders.id],
    }).onDelete('cascade'),
    // When a record is deleted, so are the mappings to it, and the next import asks about their texts again.
    foreignKey({
      name: 'payroll_provider_texts_code_fk',
      columns: [table.organisationId, table.payrollCodeId],
      foreignColumns: [payrollCodes.organisationId, payrollCodes.id],
    }).onDelete('cascade'),
    index('payroll_provider_texts_payroll_code_id').on(table.organisationId, table.payrollCodeId),
    index('payroll_provider_texts_location_id').on(table.organisationId, table.locationId),
    check(
      'payroll_provider_texts_target',
      sql`num_nonnulls(payroll_code_id, location_id) = 0 or (num_nonnulls(payroll_code_id, location_id) = 1
        and case kind when 'code' then payroll_code_id when 'location' then location_id end is not null)`,
    ),
  ],
)

/**
 * The stored explanation for one employee at one location. An employee without a staff record is identified by the encrypted text of the
 * payroll file.
 */
export interface StoredExplanation {
  locationId: LocationId
  employee: EmployeeRef
  sealedNumber: string | null
  /** The budget that has the employee's contracts; null if no budget has any. */
  budgetId: BudgetId | null
  explanations: PayExplanation[]
  findings: PayControlFinding[]
}

/** The month that is explained, and its locations. */
export interface ExplainedMonth {
  year: number
  month: number
  budgetId?: BudgetId | null
  groupId?: BudgetGroupId | null
  useInflation: boolean
  payScaleTableIds: number[]
}

export type ExplanationStatus = 'running' | 'done' | 'cancelled' | 'failed'

/** Users' requests to explain the differences of a month. A worker processes the requests; they expire after a day. */
export const payrollExplanations = pgTable(
  'payroll_explanations',
  {
    organisationId: organisationIdColumn(),
    id: uuid('id').notNull(),
    requestedById: integer('requested_by_id').$type<UserId>().notNull(),
    asked: jsonb('asked').$type<ExplainedMonth>().notNull(),
    /** The locations that the user may see; null if the user may see all locations. */
    locationIds: integer('location_ids').array().$type<LocationId[]>(),
    status: text('status').$type<ExplanationStatus>().notNull().default('running'),
    /** The number of employees examined. */
    done: integer('done').notNull().default(0),
    /** The number of employees to examine; null until a worker starts. */
    total: integer('total'),
    found: jsonb('found').$type<StoredExplanation[] | null>(),
    failure: text('failure'),
    startedAt: timestampText('started_at').notNull(),
    /** When the worker last reported progress. */
    aliveAt: timestampText('alive_at').notNull(),
    /** How many times a worker has started the request. */
    attempts: integer('attempts').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    index('payroll_explanations_running').on(table.aliveAt).where(sql`status = 'running'`),
    index('payroll_explanations_of_user').on(table.organisationId, table.requestedById),
  ],
)
