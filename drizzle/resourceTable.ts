import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  type PgColumnBuilderBase,
  type PgTableWithColumns,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { resources } from '../domain/resources/all.ts'
import type { FieldKind, FieldOf, Fields, FieldValue } from '../domain/resources/fields.ts'
import type { AnyResource, RecordId } from '../domain/resources/resource.ts'
import { assertDefined } from '../domain/values/assertDefined.ts'
import type { OrganisationId } from '../domain/values/ids.ts'
import { isKeyOf } from '../domain/values/keysOf.ts'
import { lookupItems, utcTimestamp } from './columns.ts'

/** Converts camel case to snake case: `payScaleTypes` becomes `pay_scale_types`. */
export function toSnakeCase(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
}

const columnBuilders: { [K in FieldKind]: (field: FieldOf<K>, name: string) => PgColumnBuilderBase } = {
  text: (field, name) => (field.required ? text(name).notNull() : text(name)),
  longText: (_field, name) => text(name),
  richText: (_field, name) => text(name),
  integer: (field, name) => (field.required ? integer(name).notNull() : integer(name)),
  money: (field, name) =>
    field.required && !field.mayBeUnknown
      ? numeric(name, { precision: 14, scale: 2, mode: 'number' }).notNull()
      : numeric(name, { precision: 14, scale: 2, mode: 'number' }),
  percent: (field, name) =>
    field.required
      ? numeric(name, { precision: 9, scale: 4, mode: 'number' }).notNull()
      : numeric(name, { precision: 9, scale: 4, mode: 'number' }),
  decimal: (_field, name) => numeric(name, { precision: 14, scale: 6, mode: 'number' }),
  date: (field, name) => (field.required ? date(name, { mode: 'string' }).notNull() : date(name, { mode: 'string' })),
  dateTime: (_field, name) => utcTimestamp(name),
  flag: (field, name) => (field.either ? boolean(name) : boolean(name).notNull().default(false)),
  choice: (field, name) => (field.required ? integer(name).notNull() : integer(name)),
  flags: (_field, name) => integer(name).notNull().default(0),
  choices: (field, name) => lookupItems(field.lookup)(name).notNull(),
  rates: (_field, name) => jsonb(name).$type<number[]>().notNull(),
  image: (_field, name) => integer(name),
  reference: (field, name) => (field.required ? integer(name).notNull() : integer(name)),
  references: (_field, name) => integer(name).array().notNull().default(sql`'{}'`),
  point: (_field, name) => integer(name),
  shares: (_field, name) => jsonb(name).notNull().default([]),
  rows: (_field, name) => jsonb(name).notNull().default([]),
  colour: (_field, name) => text(name),
}

/** Creates the column for a field from its kind. */
function createColumn<K extends FieldKind>(field: FieldOf<K>, name: string): PgColumnBuilderBase {
  return columnBuilders[field.kind](field, name)
}

/** Fields that must be unique together, with the name of the index or constraint. */
interface UniqueSet {
  name: string
  fields: readonly string[]
}

/** Lists every `unique` declaration of a resource with a generated table. */
export function listUniqueSets(resource: AnyResource): UniqueSet[] {
  return resource.unique.map((fields, index) => ({ name: `${resource.table}_unique_${index + 1}`, fields }))
}

/** Within which records a value must be unique. Values of national records must be unique among national records. */
const owners: Record<AnyResource['scope'], SQL[]> = {
  global: [],
  organisation: [sql.raw('organisation_id')],
  globalOrOrganisation: [sql.raw('coalesce(organisation_id, 0)')],
}

type Columns = Record<string, AnyPgColumn>

/** A column with a value type, which may be null. */
type ColumnHolding<T> = AnyPgColumn<{ data: NonNullable<T>; notNull: null extends T ? false : true }>

/** The columns of declared fields. If the type of the resource is not known, columns have any type. */
type FieldColumns<F extends Fields> = {
  readonly [Name in keyof F & string]: string extends keyof F ? AnyPgColumn : ColumnHolding<FieldValue<F[Name]>>
}

/** The columns of a resource's table by field name. A global resource has no organisation column. */
export type ColumnsOf<R extends AnyResource> = Omit<FieldColumns<R['fields']>, 'organisationId'> & {
  readonly id: ColumnHolding<RecordId<R>>
  readonly version: ColumnHolding<number>
  readonly created: ColumnHolding<string>
} & (R['scope'] extends 'organisation'
    ? { readonly organisationId: ColumnHolding<OrganisationId> }
    : R['scope'] extends 'globalOrOrganisation'
      ? { readonly organisationId: ColumnHolding<OrganisationId | null> }
      : { readonly organisationId?: ColumnHolding<OrganisationId | null> })

/** The typed table of a resource for queries. */
type ResourceTable<R extends AnyResource> = PgTableWithColumns<{
  name: string
  schema: undefined
  columns: { [Name in keyof ColumnsOf<R>]-?: NonNullable<ColumnsOf<R>[Name]> }
  dialect: 'pg'
}>

/**
 * Creates the index or constraint that makes a set of fields unique. Text is compared regardless of case, so sets with text use an
 * expression index. If the set is a single field, several records may leave the field empty; in a larger set, an empty value counts as a
 * value.
 */
function createUniqueRule(resource: AnyResource, columns: Columns, { name, fields }: UniqueSet) {
  if (!fields.some((field) => assertDefined(resource.fields[field]).kind === 'text')) {
    const [first, ...rest] = [
      ...(columns.organisationId ? [columns.organisationId] : []),
      ...fields.map((field) => assertDefined(columns[field])),
    ]
    const rule = unique(name).on(assertDefined(first), ...rest)
    return fields.length === 1 ? rule : rule.nullsNotDistinct()
  }
  const keys = fields.map((field) => {
    const { kind } = assertDefined(resource.fields[field])
    const column = `"${toSnakeCase(field)}"`
    const filled =
      fields.length === 1 || assertDefined(columns[field]).notNull ? column : `coalesce(${column}, ${kind === 'text' ? "''" : '0'})`
    return sql.raw(kind === 'text' ? `lower(${filled})` : filled)
  })
  const [first, ...rest] = [...owners[resource.scope], ...keys]
  return uniqueIndex(name).on(assertDefined(first), ...rest)
}

/** A declared reference that a foreign key enforces, with the columns on both sides. */
export interface EnforcedReference {
  /** The name of the foreign key. The name of its index is the same without the suffix. */
  name: string
  field: string
  to: string
  /** Whether the key includes the organisation. If so, it cannot refer to another organisation's record. */
  isWithinOrganisation: boolean
}

/**
 * Lists the references of a resource that foreign keys enforce. If both resources belong to organisations, the key includes the
 * organisation. If the target is `global` or `globalOrOrganisation`, the key is the id alone, because the target may have no organisation:
 * the key then proves only that the record exists, and row-level security checks the record's owner when it is read. Archived records keep
 * their row, so keys to them stay valid. A list of references is an array, for which PostgreSQL has no foreign keys: the writer locks the
 * referenced records instead (server/resources/references.ts).
 */
export function listEnforcedReferences(resource: AnyResource): EnforcedReference[] {
  return Object.entries(resource.fields).flatMap(([field, options]) => {
    if (options.kind !== 'reference') return []
    const isWithinOrganisation = resource.scope === 'organisation' && getTargetResource(options.to).scope === 'organisation'
    return [{ name: `${resource.table}_${toSnakeCase(field)}_fk`, field, to: options.to, isWithinOrganisation }]
  })
}

function getTargetResource(name: string): AnyResource {
  if (!isKeyOf(resources, name)) throw new Error(`${name} is no resource with a table made from its declaration`)
  return resources[name]
}

/** The columns of the tables created so far, by resource name, for foreign keys that refer to them. */
const tableColumns = new Map<string, Columns>()

function getColumns(name: string): Columns {
  const columns = tableColumns.get(name)
  if (!columns) throw new Error(`The table of ${name} is not made by createTable`)
  return columns
}

/** Creates the foreign keys of a table. Each has an index that finds the references when the record they refer to is deleted. */
function createForeignKeys(resource: AnyResource, columns: Columns) {
  return listEnforcedReferences(resource).flatMap(({ name, field, to, isWithinOrganisation }) => {
    const target = getColumns(to)
    const column = assertDefined(columns[field])
    const [first, ...rest] = isWithinOrganisation ? [assertDefined(columns.organisationId), column] : [column]
    const key = isWithinOrganisation
      ? foreignKey({
          name,
          columns: [assertDefined(columns.organisationId), column],
          foreignColumns: [assertDefined(target.organisationId), assertDefined(target.id)],
        })
      : foreignKey({ name, columns: [column], foreignColumns: [assertDefined(target.id)] })
    return isCoveredByOtherIndex(resource, field, isWithinOrganisation)
      ? [key]
      : [key, index(name.replace(/_fk$/, '')).on(assertDefined(first), ...rest)]
  })
}

/** Whether another index starts with the columns of the foreign key. If so, the key needs no index of its own. */
function isCoveredByOtherIndex(resource: AnyResource, field: string, isWithinOrganisation: boolean): boolean {
  if (field === 'organisationId') return true
  return (isWithinOrganisation || resource.scope === 'global') && resource.unique.some(([first]) => first === field)
}

/**
 * Creates the table of a resource: a column for each field, plus the columns that every record has. If the records belong to organisations,
 * the primary key starts with the organisation, so that the database can be partitioned by organisation. Lookups by id alone use an index,
 * because a partitioned table allows no unique key without the organisation.
 */
export function createTable<R extends AnyResource>(resource: R): ResourceTable<R> {
  const fields = Object.entries(resource.fields)
    .filter(([name]) => name !== 'organisationId')
    .map(([name, field]) => [name, createColumn(field, toSnakeCase(name))] as const)
  const isOfOrganisation = resource.scope === 'organisation'
  const number = integer('id').generatedAlwaysAsIdentity()
  const base = {
    id: isOfOrganisation ? number : number.primaryKey(),
    version: integer('version').notNull().default(1),
    created: timestamp('created', { withTimezone: true, mode: 'string' }).notNull().defaultNow(),
  }
  const owner: Record<string, PgColumnBuilderBase> = isOfOrganisation
    ? { organisationId: integer('organisation_id').$type<OrganisationId>().notNull() }
    : resource.scope === 'globalOrOrganisation'
      ? { organisationId: integer('organisation_id').$type<OrganisationId>() }
      : {}
  const sort = toSnakeCase(resource.defaultSort)
  const all: Record<string, PgColumnBuilderBase> = { ...base, ...owner, ...Object.fromEntries(fields) }
  const table = pgTable(resource.table, all, (columns) => {
    const key = sql.raw(`"${sort}"`)
    return [
      resource.scope === 'global'
        ? index(`${resource.table}_sort`).on(key)
        : index(`${resource.table}_sort`).on(sql.raw('organisation_id'), key),
      ...(isOfOrganisation
        ? [
            primaryKey({ columns: [assertDefined(columns.organisationId), assertDefined(columns.id)] }),
            index(`${resource.table}_id`).on(assertDefined(columns.id)),
          ]
        : []),
      ...listUniqueSets(resource).map((set) => createUniqueRule(resource, columns, set)),
      ...createForeignKeys(resource, columns),
    ]
  })
  tableColumns.set(resource.name, getTableColumns(table))
  const erased: object = table
  // The runtime columns come from the same declaration as the types.
  return erased as ResourceTable<R>
}
