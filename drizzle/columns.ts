import { customType, integer, timestamp } from 'drizzle-orm/pg-core'
import type { ContractCost } from '../domain/calculation/inputs.ts'
import { costOfKept, type KeptCost, keptText } from '../domain/calculation/staffing/keptCost.ts'
import { type LookupItem, type LookupName, lookups } from '../domain/lookups/lookups.ts'
import type { OrganisationId } from '../domain/values/ids.ts'

/** Bytes, as keys are. */
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
/** A moment, as text in ISO 8601. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' })
/** The organisation a row belongs to: row-level security looks at it. */
export const organisationId = () => integer('organisation_id').$type<OrganisationId>().notNull()
/** A moment that is read as ISO 8601 in UTC, however the database writes it. */
export const instant = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp with time zone',
  fromDriver: (value) => new Date(value).toISOString(),
})
/** Items of a fixed list: kept by name, read with id and name. A name that the list no longer has is left out. */
export const lookupItems = (lookup: LookupName) =>
  customType<{ data: LookupItem[]; driverData: string[] | string }>({
    dataType: () => 'text[]',
    toDriver: (items) => `{${items.map((item) => `"${item.name}"`).join(',')}}`,
    fromDriver: (names) => {
      const kept = new Set(Array.isArray(names) ? names : [])
      return lookups[lookup].filter((item) => kept.has(item.name)).map(({ id, name }) => ({ id, name }))
    },
  })
/**
 * A costing: kept in runs of equal months, read month by month. As text, for it is written ten thousand at a time and read whole: what is looked
 * for in it stands in columns of its own.
 */
export const contractCost = customType<{ data: ContractCost; driverData: KeptCost | string }>({
  dataType: () => 'json',
  toDriver: keptText,
  fromDriver: (kept) => costOfKept(typeof kept === 'string' ? JSON.parse(kept) : kept),
})
