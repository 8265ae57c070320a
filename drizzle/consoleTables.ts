import { date, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bytes, moment, organisationId } from './columns.ts'

/** What a location calls a code instead of its description (behaviour B-164). */
export const altDescriptions = pgTable(
  'alt_descriptions',
  {
    organisationId: organisationId(),
    locationId: integer('location_id').notNull(),
    resource: text('resource').$type<'budgetCode' | 'costCentre'>().notNull(),
    recordId: integer('record_id').notNull(),
    altDescription: text('alt_description').notNull(),
    version: integer('version').notNull().default(1),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.locationId, table.resource, table.recordId] })],
)

/** Logos, avatars and the pictures of help articles; those of the product itself belong to nobody. */
export const images = pgTable('images', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  organisationId: integer('organisation_id'),
  fileName: text('file_name').notNull(),
  contentType: text('content_type').notNull(),
  size: integer('size').notNull(),
  width: integer('width'),
  height: integer('height'),
  body: bytes('body').notNull(),
  version: integer('version').notNull().default(1),
  created: moment('created').notNull().defaultNow(),
})

/** Extended leave of a person: when, and by which rules (behaviour B-186). Notes are about a person and stay sealed. */
export const appliedExtendedLeave = pgTable(
  'applied_extended_leave',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    organisationId: organisationId(),
    staffId: integer('staff_id').notNull(),
    extendedLeaveRulesetId: integer('extended_leave_ruleset_id').notNull(),
    startDate: date('start_date', { mode: 'string' }).notNull(),
    endDate: date('end_date', { mode: 'string' }).notNull(),
    notes: text('notes'),
    version: integer('version').notNull().default(1),
    created: moment('created').notNull().defaultNow(),
  },
  (table) => [index('applied_extended_leave_staff').on(table.organisationId, table.staffId)],
)
