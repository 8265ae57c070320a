import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
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
    requestedById: integer('requested_by_id').notNull(),
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
    locationIds: integer('location_ids').array(),
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
