import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  char,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { ListName } from '../domain/lists/listViews.ts'
import type { ReportLayoutRequest } from '../domain/reports/layouts.ts'
import type { UnusedRow } from '../domain/reports/measures/comparatorFile.ts'
import type { StoredComparator } from '../domain/reports/measures/comparators.ts'
import type { BudgetId, LocationId, OrganisationId, StaffId, UserId } from '../domain/values/ids.ts'
import { users } from './accessTables.ts'
import { bytes, organisationIdColumn, timestampText, utcTimestamp } from './columns.ts'

/** A location's own description of a code, shown in place of the general one (behaviour B-164). */
export const altDescriptions = pgTable(
  'alt_descriptions',
  {
    organisationId: organisationIdColumn(),
    locationId: integer('location_id').$type<LocationId>().notNull(),
    resource: text('resource').$type<'budgetCode' | 'costCentre'>().notNull(),
    recordId: integer('record_id').notNull(),
    altDescription: text('alt_description').notNull(),
    version: integer('version').notNull().default(1),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.locationId, table.resource, table.recordId] })],
)

/** Logos, avatars and pictures in help articles. Images that ship with the product have no organisation. */
export const images = pgTable('images', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  organisationId: integer('organisation_id').$type<OrganisationId>(),
  fileName: text('file_name').notNull(),
  contentType: text('content_type').notNull(),
  size: integer('size').notNull(),
  width: integer('width'),
  height: integer('height'),
  body: bytes('body').notNull(),
  version: integer('version').notNull().default(1),
  created: timestampText('created').notNull().defaultNow(),
})

/** Extended leave of a person, with dates and rules (behaviour B-186). Notes are personal data and therefore encrypted. */
export const appliedExtendedLeave = pgTable(
  'applied_extended_leave',
  {
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    organisationId: organisationIdColumn(),
    staffId: integer('staff_id').$type<StaffId>().notNull(),
    extendedLeaveRulesetId: integer('extended_leave_ruleset_id').notNull(),
    startDate: date('start_date', { mode: 'string' }).notNull(),
    endDate: date('end_date', { mode: 'string' }).notNull(),
    notes: text('notes'),
    version: integer('version').notNull().default(1),
    created: timestampText('created').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    index('applied_extended_leave_id').on(table.id),
    index('applied_extended_leave_staff').on(table.organisationId, table.staffId),
  ],
)

/**
 * Version counters for caches: one for the reference data and staff of each organisation, and one for national data. Triggers increment
 * them at commit. A process may use cached data as long as the counter has not changed.
 */
export const dataVersions = pgTable(
  'data_versions',
  {
    organisationId: integer('organisation_id').$type<OrganisationId>(),
    subject: text('subject').$type<'reference' | 'staff'>().notNull(),
    version: bigint('version', { mode: 'number' }).notNull(),
  },
  (table) => [unique('data_versions_subject').on(table.organisationId, table.subject).nullsNotDistinct()],
)

/** The value of the counter when each staff member last changed or was deleted, so that a cache reads only later changes. */
export const staffChangeVersions = pgTable(
  'staff_changes',
  {
    organisationId: organisationIdColumn(),
    staffId: integer('staff_id').$type<StaffId>().notNull(),
    version: bigint('version', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.staffId] }),
    index('staff_changes_version').on(table.organisationId, table.version),
  ],
)

/** The terms that an organisation uses instead of the default terms, by key. */
export const organisationTerms = pgTable(
  'terms',
  {
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    version: integer('version').notNull().default(1),
    created: timestampText('created').notNull().defaultNow(),
    organisationId: integer('organisation_id').$type<OrganisationId>().notNull(),
    term: text('term').notNull(),
    singular: text('singular').notNull(),
    plural: text('plural').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.id] }), uniqueIndex('terms_term').on(table.organisationId, table.term)],
)

/** The last version and hash of each budget's log at the end of each day. They reveal whether a log has been rewritten as a whole. */
export const dailyLogHeads = pgTable(
  'chain_anchors',
  {
    organisationId: organisationIdColumn(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    day: char('day', { length: 10 }).notNull(),
    version: integer('version').notNull(),
    hash: char('hash', { length: 64 }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.budgetId, table.day] })],
)

/** Saved report layouts. Shared layouts are available to all readers of reports in the organisation. */
export const reportLayouts = pgTable(
  'report_layouts',
  {
    organisationId: organisationIdColumn(),
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    version: integer('version').notNull().default(1),
    created: utcTimestamp('created').notNull().default(sql`now()`),
    name: text('name').notNull(),
    ownerId: integer('owner_id').notNull(),
    isShared: boolean('is_shared').notNull(),
    isOverOpen: boolean('is_over_open').notNull(),
    request: jsonb('request').$type<ReportLayoutRequest>().notNull(),
    /**
     * Every location that the layout refers to, directly or through a budget. Only users who may see all of these locations may use the
     * layout.
     */
    locationIds: integer('location_ids').array().$type<LocationId[]>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    uniqueIndex('report_layouts_own_name').on(table.organisationId, table.ownerId, sql`lower("name")`).where(sql`not is_shared`),
    uniqueIndex('report_layouts_shared_name').on(table.organisationId, sql`lower("name")`).where(sql`is_shared`),
  ],
)

/**
 * Saved views of lists: search, filters, sort order and layout. A search may contain a person's name, so it is encrypted with the
 * organisation's key.
 */
export const listViews = pgTable(
  'list_views',
  {
    organisationId: organisationIdColumn(),
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    userId: integer('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    list: text('list').$type<ListName>().notNull(),
    name: text('name').notNull(),
    sealed: text('sealed').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    uniqueIndex('list_views_name').on(table.organisationId, table.userId, table.list, sql`lower("name")`),
    index('list_views_user').on(table.userId),
  ],
)

/** Explanations of why lines of a Budget Forecast Return differ from the previous return, encrypted like notes. */
export const returnReasons = pgTable(
  'return_reasons',
  {
    organisationId: organisationIdColumn(),
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    version: integer('version').notNull().default(1),
    /** Null for the organisation's return, which covers several locations. */
    locationId: integer('location_id').$type<LocationId>(),
    /** The calendar year in which the first year of the return begins. */
    firstYear: smallint('first_year').notNull(),
    line: text('line').notNull(),
    reason: text('reason').notNull(),
    /** The encrypted name of the author. */
    writtenBy: text('written_by').notNull(),
    writtenAt: utcTimestamp('written_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    unique('return_reasons_line').on(table.organisationId, table.locationId, table.firstYear, table.line).nullsNotDistinct(),
  ],
)

/** A set of schools of other organisations for comparison, from a file of the benchmarking service. */
export const comparatorSets = pgTable(
  'comparator_sets',
  {
    organisationId: organisationIdColumn(),
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    version: integer('version').notNull().default(1),
    created: utcTimestamp('created').notNull().default(sql`now()`),
    name: text('name').notNull(),
    /** The name of the source file. */
    source: text('source').notNull(),
    /** The year of the file's figures, if known. */
    year: text('year'),
    schools: jsonb('schools').$type<StoredComparator[]>().notNull(),
    /** Rows of the file that could not be used, each with the reason. */
    unused: jsonb('unused').$type<UnusedRow[]>().notNull(),
    /** The keys of the schools included in the set. */
    chosen: text('chosen').array().notNull(),
    /** Whether reports compare schools with the set. At most one set of an organisation is used. */
    isUsed: boolean('is_used').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    uniqueIndex('comparator_sets_name').on(table.organisationId, sql`lower("name")`),
    uniqueIndex('comparator_sets_used').on(table.organisationId).where(sql`is_used`),
  ],
)
