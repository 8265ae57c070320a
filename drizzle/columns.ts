import { customType, integer, timestamp } from 'drizzle-orm/pg-core'

/** Bytes, as keys are. */
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
/** A moment, as text in ISO 8601. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' })
/** The organisation a row belongs to: row-level security looks at it. */
export const organisationId = () => integer('organisation_id').notNull()
