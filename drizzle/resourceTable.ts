import { type SQL, sql } from 'drizzle-orm'
import {
  boolean,
  date,
  index,
  integer,
  jsonb,
  numeric,
  type PgColumnBuilderBase,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { Field, Kind } from '../domain/resources/fields.ts'
import type { AnyResource } from '../domain/resources/resource.ts'
import { instant, lookupItems } from './columns.ts'

/** `payScaleTypes` as `pay_scale_types`. */
export function snake(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
}

const columns: { [K in Kind]: (field: Extract<Field, { kind: K }>, name: string) => PgColumnBuilderBase } = {
  text: (field, name) => (field.required ? text(name).notNull() : text(name)),
  longText: (_field, name) => text(name),
  richText: (_field, name) => text(name),
  integer: (field, name) => (field.required ? integer(name).notNull() : integer(name)),
  money: (field, name) =>
    field.required
      ? numeric(name, { precision: 14, scale: 2, mode: 'number' }).notNull()
      : numeric(name, { precision: 14, scale: 2, mode: 'number' }),
  percent: (field, name) =>
    field.required
      ? numeric(name, { precision: 9, scale: 4, mode: 'number' }).notNull()
      : numeric(name, { precision: 9, scale: 4, mode: 'number' }),
  decimal: (_field, name) => numeric(name, { precision: 14, scale: 6, mode: 'number' }),
  date: (field, name) => (field.required ? date(name, { mode: 'string' }).notNull() : date(name, { mode: 'string' })),
  dateTime: (_field, name) => instant(name),
  flag: (field, name) => (field.either ? boolean(name) : boolean(name).notNull().default(false)),
  choice: (field, name) => (field.required ? integer(name).notNull() : integer(name)),
  flags: (_field, name) => integer(name).notNull().default(0),
  choices: (field, name) => lookupItems(field.lookup)(name).notNull(),
  rates: (_field, name) => jsonb(name).$type<number[]>().notNull(),
  image: (_field, name) => integer(name),
  reference: (field, name) => (field.required ? integer(name).notNull() : integer(name)),
  references: (_field, name) => integer(name).array().notNull().default(sql`'{}'`),
  rows: (_field, name) => jsonb(name).notNull().default([]),
  colour: (_field, name) => text(name),
}

/** Sets of fields by which people name a record: these are unique by an index. Rates and stretches are told apart by the code that saves them. */
export function namedSets(resource: AnyResource): { index: string; fields: readonly string[] }[] {
  return resource.unique.flatMap((fields, place) => {
    const kinds = fields.map((name) => resource.fields[name]!.kind)
    const isNamed = kinds.includes('text') && kinds.every((kind) => kind === 'text' || kind === 'choice' || kind === 'reference')
    return isNamed ? [{ index: `${resource.table}_unique_${place + 1}`, fields }] : []
  })
}

/** Whose records a set is unique among: national ones among themselves. */
const owners: Record<AnyResource['scope'], SQL[]> = {
  global: [],
  organisation: [sql.raw('organisation_id')],
  globalOrOrganisation: [sql.raw('coalesce(organisation_id, 0)')],
}

/** Letter case does not tell two names apart; several records may have none. */
function uniqueIndexes(resource: AnyResource, owner: SQL[]) {
  return namedSets(resource).map(({ index, fields }) => {
    const keys = fields.map((name) => sql.raw(resource.fields[name]!.kind === 'text' ? `lower("${snake(name)}")` : `"${snake(name)}"`))
    const [first, ...rest] = [...owner, ...keys] as [SQL, ...SQL[]]
    return uniqueIndex(index).on(first, ...rest)
  })
}

/**
 * The table of a resource: a column for each field, and what the server keeps of every record. Tables that hold an organisation's records
 * lead their index with it, so that PostgreSQL can be partitioned by organisation.
 */
export function tableOf(resource: AnyResource) {
  const fields = Object.entries(resource.fields)
    .filter(([name]) => name !== 'organisationId')
    .map(
      ([name, field]) => [name, (columns[field.kind] as (field: Field, name: string) => PgColumnBuilderBase)(field, snake(name))] as const,
    )
  const base = {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    version: integer('version').notNull().default(1),
    created: timestamp('created', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  }
  const owner: Record<string, PgColumnBuilderBase> =
    resource.scope === 'organisation'
      ? { organisationId: integer('organisation_id').notNull() }
      : resource.scope === 'globalOrOrganisation'
        ? { organisationId: integer('organisation_id') }
        : {}
  const sort = snake(resource.defaultSort)
  const all: Record<string, PgColumnBuilderBase> = { ...base, ...owner, ...Object.fromEntries(fields) }
  return pgTable(resource.table, all, () => {
    const key = sql.raw(`"${sort}"`)
    return [
      resource.scope === 'global'
        ? index(`${resource.table}_sort`).on(key)
        : index(`${resource.table}_sort`).on(sql.raw('organisation_id'), key),
      ...uniqueIndexes(resource, owners[resource.scope]),
    ]
  })
}
