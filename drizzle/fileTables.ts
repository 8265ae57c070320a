import { sql } from 'drizzle-orm'
import { boolean, char, date, index, integer, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import type { BudgetId, LocationId, UserId } from '../domain/values/ids.ts'
import { bytes, instant, organisationId } from './columns.ts'

/**
 * Requested files: a worker makes them, and they wait here until downloaded or expired. Their content is encrypted with the organisation's
 * key, because it may contain personal data.
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
    /** Progress in per cent. */
    percent: smallint('percent').notNull().default(0),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    /** The reason in one sentence if it could not be made. */
    failure: text('failure'),
    cancelledAt: instant('cancelled_at'),
    madeAt: instant('made_at'),
    fileName: text('file_name'),
    contentType: text('content_type'),
    sealed: bytes('sealed'),
    /** Every location with figures in it; a user must see all of them to download it. */
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

/** The PDF of each finished governors' pack. It is never changed or deleted, and can be made again from the log. */
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

/** The columns users chose for headings of imported files, so that the next file is read in the same way. */
export const importColumns = pgTable(
  'import_columns',
  {
    organisationId: organisationId(),
    /** The imported entity, by the name of its declaration. */
    entity: text('entity').notNull(),
    /** The latest last; `column` is null for a heading that is left out. */
    columns: jsonb('columns').$type<{ heading: string; column: string | null }[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.entity] })],
)

/**
 * The latest file from an HR system for each location. Its rows are encrypted with the organisation's key, because they identify people,
 * and deleted when somebody is erased.
 */
export const staffFiles = pgTable(
  'staff_files',
  {
    organisationId: organisationId(),
    locationId: integer('location_id').$type<LocationId>().notNull(),
    name: text('name').notNull(),
    /** The day the rows describe. */
    day: date('day').notNull(),
    takenAt: instant('taken_at').notNull(),
    /** Null if it came over a connection. */
    takenById: integer('taken_by_id').$type<UserId>(),
    rowCount: integer('row_count').notNull(),
    sealed: bytes('sealed').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.locationId] })],
)

/** Proposed changes that a user dismissed, so that the next file does not propose them again. */
export const staffChangesLeft = pgTable(
  'staff_changes_left',
  {
    organisationId: organisationId(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    /** A keyed digest of the person and the proposed change, so that neither can be guessed. */
    token: text('token').notNull(),
    leftAt: instant('left_at').notNull(),
    leftById: integer('left_by_id').$type<UserId>(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.budgetId, table.token] })],
)
