import { sql } from 'drizzle-orm'
import { boolean, char, date, index, integer, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import type { BudgetId, LocationId, UserId } from '../domain/values/ids.ts'
import { bytes, instant, organisationId } from './columns.ts'

/**
 * Files that people asked for: the row says what is to be made, the worker makes it, and it waits here until it is fetched or too old. Its
 * bytes are sealed with the organisation's key, for a file may say who somebody is.
 */
export const madeFiles = pgTable(
  'made_files',
  {
    organisationId: organisationId(),
    id: text('id').notNull(),
    kind: text('kind').notNull(),
    title: text('title').notNull(),
    request: jsonb('request').notNull(),
    requestedById: integer('requested_by_id').$type<UserId>().notNull(),
    requestId: text('request_id').notNull(),
    requestedAt: instant('requested_at').notNull(),
    /** How much of it is done, in hundredths. */
    percent: smallint('percent').notNull().default(0),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    /** One sentence where it could not be made. */
    failure: text('failure'),
    cancelledAt: instant('cancelled_at'),
    madeAt: instant('made_at'),
    fileName: text('file_name'),
    contentType: text('content_type'),
    sealed: bytes('sealed'),
    /** Every location whose figures are in it: who fetches it must see them all. */
    locationIds: integer('location_ids').array().$type<LocationId[]>(),
    namesStaff: boolean('names_staff').notNull().default(false),
    announcedAt: instant('announced_at'),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    index('made_files_of').on(table.organisationId, table.requestedById, table.requestedAt),
    index('made_files_open').on(table.requestedAt).where(sql`made_at is null and failure is null and cancelled_at is null`),
  ],
)

/** The paper of each finished governors' pack, kept for good: nobody changes or deletes it. It can be made again of what the log keeps. */
export const packPapers = pgTable(
  'pack_papers',
  {
    organisationId: organisationId(),
    code: text('code').notNull(),
    fileName: text('file_name').notNull(),
    contentType: text('content_type').notNull(),
    sealed: bytes('sealed').notNull(),
    madeAt: instant('made_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.code] })],
)

/** What people chose for the headings of files that they imported, so that the next file is read as the last one was. */
export const importColumns = pgTable(
  'import_columns',
  {
    organisationId: organisationId(),
    /** What was imported, by the name of its declaration. */
    entity: text('entity').notNull(),
    /** The latest last; a heading without a column is left out. */
    columns: jsonb('columns').$type<{ heading: string; column: string | null }[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.entity] })],
)

/**
 * The newest that an HR system said of the people of each location. It names them, so its rows are sealed with the organisation's key, and go
 * when somebody is erased.
 */
export const staffFiles = pgTable(
  'staff_files',
  {
    organisationId: organisationId(),
    locationId: integer('location_id').$type<LocationId>().notNull(),
    name: text('name').notNull(),
    /** The day that the rows describe. */
    day: date('day').notNull(),
    takenAt: instant('taken_at').notNull(),
    /** Null: it came over a connection. */
    takenById: integer('taken_by_id').$type<UserId>(),
    rowCount: integer('row_count').notNull(),
    sealed: bytes('sealed').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.locationId] })],
)

/** Differences that somebody decided to leave as they are, so that the next file does not ask again. */
export const staffChangesLeft = pgTable(
  'staff_changes_left',
  {
    organisationId: organisationId(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    /** A digest of whom it was about and what would have changed; keyed, so that nobody can guess what it was. */
    token: text('token').notNull(),
    leftAt: instant('left_at').notNull(),
    leftById: integer('left_by_id').$type<UserId>(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.budgetId, table.token] })],
)
