import { customType, integer, timestamp } from 'drizzle-orm/pg-core'
import type { ContractCost } from '../domain/calculation/inputs.ts'
import { readStoredCost, type StoredCost, stringifyCost } from '../domain/calculation/staffing/storedCost.ts'
import { type LookupItem, type LookupName, lookups } from '../domain/lookups/lookups.ts'
import type { OrganisationId } from '../domain/values/ids.ts'

/** Binary data, such as keys. */
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
/** A timestamp as text, in the format in which the database returns it. */
export const timestampText = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' })
/** The column for the organisation that owns a row. Row-level security checks it. */
export const organisationIdColumn = () => integer('organisation_id').$type<OrganisationId>().notNull()
/** A timestamp as ISO 8601 text in UTC, whatever format the database returns. */
export const utcTimestamp = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp with time zone',
  fromDriver: (value) => new Date(value).toISOString(),
})
/** Items of a fixed list. They are stored by name, and read with id and name. Items that are no longer in the list are left out. */
export const lookupItems = (lookup: LookupName) =>
  customType<{ data: LookupItem[]; driverData: string[] | string }>({
    dataType: () => 'text[]',
    toDriver: (items) => `{${items.map((item) => `"${item.name}"`).join(',')}}`,
    fromDriver: (names) => {
      const storedNames = new Set(Array.isArray(names) ? names : [])
      return lookups[lookup].filter((item) => storedNames.has(item.name)).map(({ id, name }) => ({ id, name }))
    },
  })
/**
 * The cost of a contract by month. It is stored as JSON in which equal consecutive months are combined, because a recalculation writes ten
 * thousand costs and reads them whole. Values that queries use have separate columns.
 */
export const contractCost = customType<{ data: ContractCost; driverData: StoredCost | string }>({
  dataType: () => 'json',
  toDriver: stringifyCost,
  fromDriver: (stored) => readStoredCost(typeof stored === 'string' ? JSON.parse(stored) : stored),
})
