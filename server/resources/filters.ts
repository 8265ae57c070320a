import { type AnyColumn, and, type SQL, sql } from 'drizzle-orm'
import { checkColumns, type FilterItem } from '../../domain/lists/lists.ts'
import { lookups } from '../../domain/lookups/lookups.ts'
import { resourceNamed } from '../../domain/resources/all.ts'
import type { Field } from '../../domain/resources/fields.ts'
import type { AnyResource } from '../../domain/resources/resource.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { parseDayInLondon } from '../../domain/values/format.ts'
import { DomainError } from '../../domain/words/errors.ts'
import { snake } from '../../drizzle/resourceTable.ts'

type Columns = Record<string, AnyColumn>

/** `contains` for a LIKE pattern, with its own signs taken literally. */
export function likePattern(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')
}

function bad(item: FilterItem): DomainError {
  return new DomainError('invalid', 'filter', `The filter on ${item.filter} cannot be used.`)
}

/** The columns that a kind of filter can be put to. */
const comparable: Record<FilterItem['filterType'], RegExp> = {
  set: /^(integer|smallint|bigint|integer\[\]|text\[\])$/,
  boolean: /^boolean$/,
  date: /^(date|timestamp)/,
  number: /^(integer|smallint|bigint|numeric|double|real)/,
  text: /^/,
}

/** One filter as a condition (behaviours B-079 to B-085). @throws DomainError for a field or option the list does not have */
export function conditionOf(resource: AnyResource, columns: Columns, item: FilterItem): SQL | undefined {
  const column = Object.hasOwn(columns, item.filter) ? columns[item.filter] : undefined
  const field = Object.hasOwn(resource.fields, item.filter) ? resource.fields[item.filter] : undefined
  checkColumns({ filters: [item] }, [...Object.keys(resource.fields), 'id', 'created', 'version', 'organisationId'])
  if (!column) throw bad(item)
  if (!comparable[item.filterType].test(column.getSQLType())) throw bad(item)
  switch (item.filterType) {
    case 'set':
      return setCondition(field, column, item)
    case 'boolean': {
      const wanted = String(item.value ?? item.type ?? 'any').toLowerCase()
      if (wanted === 'any') return undefined
      return wanted === 'yes' || wanted === 'true' ? sql`${column} is true` : sql`${column} is not true`
    }
    case 'date': {
      const [from, to] = [item.dateFrom, item.dateTo].map((text) => (text ? parseDayInLondon(text) : undefined))
      if (from === null || to === null) throw bad(item)
      const day = column.getSQLType() === 'date' ? sql`${column}` : sql`(${column} at time zone 'Europe/London')::date`
      return and(from ? sql`${day} >= ${from}::date` : undefined, to ? sql`${day} <= ${to}::date` : undefined)
    }
    case 'number': {
      const value = Number(item.value)
      if (!Number.isFinite(value)) throw bad(item)
      if (item.type === 'notEqual') return sql`${column} is distinct from ${value}`
      const sign = item.type === 'greaterThan' ? sql`>` : item.type === 'lessThan' ? sql`<` : sql`=`
      return sql`${column} ${sign} ${value}`
    }
    case 'text':
      return textCondition(column, item)
  }
}

function textCondition(column: AnyColumn, { type, value }: FilterItem): SQL {
  const text = String(value ?? '')
    .trim()
    .toLowerCase()
  const own = sql`lower(trim(coalesce(${column}::text, '')))`
  if (type === 'contains') return sql`${own} like ${`%${likePattern(text)}%`}`
  if (type === 'startsWith') return sql`${own} like ${`${likePattern(text)}%`}`
  if (type === 'endsWith') return sql`${own} like ${`%${likePattern(text)}`}`
  return type === 'notEqual' ? sql`${own} <> ${text}` : sql`${own} = ${text}`
}

function setCondition(field: Field | undefined, column: AnyColumn, { values }: FilterItem): SQL | undefined {
  if (!values) return undefined
  const kind = field?.kind ?? 'integer'
  const ids = values.map(Number).filter(Number.isInteger)
  if (kind === 'references') return sql`${column} && ${sql.param(`{${ids.join(',')}}`)}::int[]`
  if (field?.kind === 'choices') {
    const names = lookups[field.lookup]
      .filter((one) => values.some((value) => value === one.id || value === one.name))
      .map((one) => one.name)
    return sql`${column} && ${sql.param(`{${names.join(',')}}`)}::text[]`
  }
  if (kind === 'flags') return sql`(${column} & ${ids.reduce((sum, id) => sum | id, 0)}) <> 0`
  return sql`${column} = any(${sql.param(`{${ids.join(',')}}`)}::int[])`
}

/** The name of the record that a column points to. */
export function nameOf(resource: string, column: AnyColumn): SQL {
  const target = resourceNamed(resource)
  return sql`(select ${sql.identifier(snake(target.naming[0]))} from ${sql.identifier(target.table)} t where t.id = ${column})`
}

/** Rows in which any shown text column contains the text (behaviour B-086); where there is none, the name of what a row belongs to. */
export function searchCondition(resource: AnyResource, columns: Columns, search: string | null | undefined): SQL | undefined {
  if (!search?.trim()) return undefined
  const shown = [...new Set([...resource.grid, ...resource.naming])].filter((name) =>
    ['text', 'longText'].includes(assertDefined(resource.fields[name]).kind),
  )
  const pattern = `%${likePattern(search)}%`
  const texts = shown.length ? shown.map((name) => sql`${assertDefined(columns[name])}`) : namesPointedTo(resource, columns)
  if (!texts.length) return sql`false`
  return sql`(${sql.join(
    texts.map((text) => sql`lower(${text}::text) like ${pattern}`),
    sql` or `,
  )})`
}

/** What people know the records of a list by that has no text of its own: the names of what they belong to. */
function namesPointedTo(resource: AnyResource, columns: Columns): SQL[] {
  return resource.grid.flatMap((name) => {
    const field = assertDefined(resource.fields[name])
    return field.kind === 'reference' ? [nameOf(field.to, assertDefined(columns[name]))] : []
  })
}
