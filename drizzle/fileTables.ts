import { sql } from 'drizzle-orm'
import { boolean, char, date, index, integer, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import type { BudgetId, LocationId, UserId } from '../domain/values/ids.ts'
import { bytes, organisationIdColumn, utcTimestamp } from './columns.ts'

/**
 * Files that users requested. A worker creates each file, and its row stays until the file is downloaded or expires. The content is
 * encrypted with the organisation's key, because it may contain personal data.
 */
export const requestedFiles = pgTable(
  'made_files',
  {
    organisationId: organisationIdColumn(),
    id: text('id').notNull(),
    kind: text('kind').notNull(),
    title: text('title').notNull(),
    request: jsonb('request').notNull(),
    requestedById: integer('requested_by_id').$type<UserId>().notNull(),
    requestId: text('request_id').notNull(),
    requestedAt: utcTimestamp('requested_at').notNull(),
    /** Progress in per cent. */
    percent: smallint('percent').notNull().default(0),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    /** Why the file could not be created, in one sentence. */
    failure: text('failure'),
    cancelledAt: utcTimestamp('cancelled_at'),
    madeAt: utcTimestamp('made_at'),
    fileName: text('file_name'),
    contentType: text('content_type'),
    sealed: bytes('sealed'),
    /** Every location whose figures the file contains. Only users who may see all of these locations may download the file. */
    locationIds: integer('location_ids').array().$type<LocationId[]>(),
    namesStaff: boolean('names_staff').notNull().default(false),
    announcedAt: utcTimestamp('announced_at'),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    index('made_files_of').on(table.organisationId, table.requestedById, table.requestedAt),
    index('made_files_open').on(table.requestedAt).where(sql`made_at is null and failure is null and cancelled_at is null`),
  ],
)

/** The PDF of each finished governors' pack. It is never changed or deleted, and can be created again from the log. */
export const packPdfs = pgTable(
  'pack_papers',
  {
    organisationId: organisationIdColumn(),
    code: text('code').notNull(),
    fileName: text('file_name').notNull(),
    contentType: text('content_type').notNull(),
    sealed: bytes('sealed').notNull(),
    madeAt: utcTimestamp('made_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.code] })],
)

/** The import column that users chose for each heading of imported files, so that the next file is read in the same way. */
export const importColumnChoices = pgTable(
  'import_columns',
  {
    organisationId: organisationIdColumn(),
    /** The name of the imported resource, as declared in domain/resources/. */
    entity: text('entity').notNull(),
    /**
     * The latest choice for each heading, with the most recently used heading last. `column` is null for a heading that the import ignores.
     */
    columns: jsonb('columns').$type<{ heading: string; column: string | null }[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.entity] })],
)

/**
 * The latest file from an HR system for each location. The rows are encrypted with the organisation's key, because they identify people.
 * They are deleted when a member of staff is erased.
 */
export const staffFiles = pgTable(
  'staff_files',
  {
    organisationId: organisationIdColumn(),
    locationId: integer('location_id').$type<LocationId>().notNull(),
    name: text('name').notNull(),
    /** The day that the rows describe. */
    day: date('day').notNull(),
    takenAt: utcTimestamp('taken_at').notNull(),
    /** The user who imported the file; null if a scheduled connection did. */
    takenById: integer('taken_by_id').$type<UserId>(),
    rowCount: integer('row_count').notNull(),
    sealed: bytes('sealed').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.locationId] })],
)

/** Proposed changes that a user dismissed, so that the next file does not propose them again. */
export const dismissedStaffChanges = pgTable(
  'staff_changes_left',
  {
    organisationId: organisationIdColumn(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    /** A keyed digest of the person and the proposed change. Neither can be guessed from it. */
    token: text('token').notNull(),
    leftAt: utcTimestamp('left_at').notNull(),
    leftById: integer('left_by_id').$type<UserId>(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.budgetId, table.token] })],
)
