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
import type { PayFinding } from '../domain/payroll/controls.ts'
import type { PayrollEventType } from '../domain/payroll/events.ts'
import type { EmployeeRef, PayrollItem } from '../domain/payroll/payroll.ts'
import type { PayLayout, PayMeaning } from '../domain/payroll/provider/columns.ts'
import type { PayTextKind } from '../domain/payroll/provider/rows.ts'
import type { BudgetGroupId, BudgetId, LocationId, UserId } from '../domain/values/ids.ts'
import type { Pennies } from '../domain/values/units.ts'
import { instant, moment, organisationId } from './columns.ts'
import { payrollCodes } from './schema.ts'

/**
 * The payroll log of each location; location 0 is the organisation itself, which keeps what belongs to a level. Append only, as the log of
 * budgets: the role of the server may insert and select, a trigger refuses everything else to everyone.
 */
export const payrollEvents = pgTable(
  'payroll_events',
  {
    organisationId: organisationId(),
    locationId: integer('location_id').$type<LocationId>().notNull(),
    version: integer('version').notNull(),
    position: bigint('position', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    type: text('type').$type<PayrollEventType>().notNull(),
    data: jsonb('data').notNull(),
    actorId: integer('actor_id').$type<UserId>(),
    requestId: text('request_id').notNull(),
    occurredAt: moment('occurred_at').notNull(),
    previousHash: char('previous_hash', { length: 64 }).notNull(),
    hash: char('hash', { length: 64 }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.locationId, table.version] }),
    index('payroll_events_position').on(table.position),
    index('payroll_events_actor').on(table.actorId),
  ],
)

/** Where each payroll log ends. */
export const payrollLogs = pgTable(
  'payroll_logs',
  {
    organisationId: organisationId(),
    locationId: integer('location_id').$type<LocationId>().notNull(),
    version: integer('version').notNull(),
    lastHash: char('last_hash', { length: 64 }).notNull(),
    savedAt: moment('saved_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.locationId] })],
)

/** What the logs keep, folded: months with their imports, typed actuals, notes, what is carried forward, and how far months are. Lines stand apart. */
export const payrollItems = pgTable(
  'payroll_items',
  {
    organisationId: organisationId(),
    locationId: integer('location_id').$type<LocationId>().notNull(),
    key: text('key').notNull(),
    version: integer('version').notNull(),
    savedAt: moment('saved_at').notNull(),
    item: jsonb('item').$type<PayrollItem>().notNull(),
    // What reconciliations look for, taken out of the item by the database itself: it cannot disagree.
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

/** What payrolls paid: one line for each employee and code of a month at a location, in whole pennies as files have them (rules.md §18). */
export const payrollLines = pgTable(
  'payroll_lines',
  {
    organisationId: organisationId(),
    locationId: integer('location_id').$type<LocationId>().notNull(),
    year: smallint('year').notNull(),
    month: smallint('month').notNull(),
    employee: text('employee').$type<EmployeeRef>().notNull(),
    payrollCodeId: integer('payroll_code_id').notNull(),
    sealedNumber: text('sealed_number'),
    value: bigint('value', { mode: 'number' }).$type<Pennies>().notNull(),
    /** The event that brought it. */
    version: integer('version').notNull(),
  },
  (table) => [
    // An employee and a code stand once in a month of a location.
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

/** A payroll provider of an organisation: how its files are laid out, learned from the last one. */
export const payrollProviders = pgTable(
  'payroll_providers',
  {
    organisationId: organisationId(),
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    name: text('name').notNull(),
    layout: text('layout').$type<PayLayout>().notNull(),
    /** What the columns hold, by their headings as they are compared. */
    columns: jsonb('columns').$type<{ heading: string; meaning: PayMeaning }[]>().notNull(),
    version: integer('version').notNull().default(1),
    saved: instant('saved').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    uniqueIndex('payroll_providers_name').on(table.organisationId, sql`lower("name")`),
  ],
)

/** What the codes and locations of a provider's files are mapped to. A text without a target is left out on purpose. */
export const payrollProviderTexts = pgTable(
  'payroll_provider_texts',
  {
    organisationId: organisationId(),
    providerId: integer('provider_id').notNull(),
    kind: text('kind').$type<PayTextKind>().notNull(),
    /** In small letters, with single spaces. */
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
    // A mapping to a record that is gone is gone too: its text is asked for again.
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

/** What is said of one employee at one location, as it is kept: who has no number here is kept under what the payroll wrote, sealed. */
export interface KeptExplanation {
  locationId: LocationId
  employee: EmployeeRef
  sealedNumber: string | null
  /** The budget that the contracts are of; null for somebody who has none there. */
  budgetId: BudgetId | null
  explanations: PayExplanation[]
  findings: PayFinding[]
}

/** What a search for causes is over. */
export interface ExplainedMonth {
  year: number
  month: number
  budgetId?: BudgetId | null
  groupId?: BudgetGroupId | null
  useInflation: boolean
  payScaleTableIds: number[]
}

export type ExplanationStatus = 'running' | 'done' | 'cancelled' | 'failed'

/** Searches for the causes of a month's differences: asked for by one user, done by a worker, kept for a day and read by nobody else. */
export const payrollExplanations = pgTable(
  'payroll_explanations',
  {
    organisationId: organisationId(),
    id: uuid('id').notNull(),
    requestedById: integer('requested_by_id').$type<UserId>().notNull(),
    asked: jsonb('asked').$type<ExplainedMonth>().notNull(),
    /** The locations that the user was limited to; null: not limited. */
    locationIds: integer('location_ids').array().$type<LocationId[]>(),
    status: text('status').$type<ExplanationStatus>().notNull().default('running'),
    /** Employees looked at. */
    done: integer('done').notNull().default(0),
    /** Employees to look at; null while nobody has begun. */
    total: integer('total'),
    found: jsonb('found').$type<KeptExplanation[] | null>(),
    failure: text('failure'),
    startedAt: moment('started_at').notNull(),
    /** When a worker last said that it is at it. */
    aliveAt: moment('alive_at').notNull(),
    /** How often it was begun. */
    attempts: integer('attempts').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    index('payroll_explanations_running').on(table.aliveAt).where(sql`status = 'running'`),
    index('payroll_explanations_of_user').on(table.organisationId, table.requestedById),
  ],
)
