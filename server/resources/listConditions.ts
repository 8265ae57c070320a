import { type SQL, sql } from 'drizzle-orm'
import { type FilterItem, meetsFilter } from '../../domain/lists/lists.ts'
import { parseDayInLondon } from '../../domain/values/format.ts'
import { DomainError } from '../../domain/words/errors.ts'

/** A column whose values the database can read: an expression and its kind. */
interface StoredColumn {
  value: SQL
  /**
   * `date` is text that starts with a day; `moment` is a timestamp; `ids` and `names` are arrays of integers and texts;
   * `bits` is an integer with one bit for each choice. `pennies` are whole pennies that users see and filter in pounds.
   * They are compared as pennies, because dividing each row of a long list would cost more than the rest of the query.
   */
  kind: 'text' | 'number' | 'pennies' | 'flag' | 'date' | 'moment' | 'ids' | 'names' | 'bits'
  /** The expression to sort by, if it differs from the value: for a reference, the record's name. */
  sortedBy?: StoredColumn
}

/**
 * A column of encrypted texts. The server decrypts and compares them in memory, because the database must not be able
 * to read them.
 */
interface SealedColumn {
  kind: 'sealed'
  /** Selects the rows whose text meets a condition. Rows without text are tested with null. */
  where: (meets: (text: string | null) => boolean) => SQL
  /** Each row's position when rows are sorted by their text. */
  rank: SQL
}

export type ListColumn = StoredColumn | SealedColumn
export type { StoredColumn }

/** The characters that JavaScript's `trim` removes, limited to those that people type. */
const blank = sql.raw(`E' \\t\\n\\r\\f\\u00a0'`)

/** Converts to lower case in the same way whatever the locale of the database. */
function toLowerCase(text: SQL): SQL {
  return sql`lower(${text} collate natural_order)`
}

/** A LIKE pattern for `contains`, with wildcards in the text escaped. */
export function buildLikePattern(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')
}

/** Rows in which any of the texts contains the search (behaviour B-086); undefined without a search. */
export function buildSearchCondition(texts: readonly SQL[], search: string | null | undefined): SQL | undefined {
  if (!search?.trim()) return undefined
  const pattern = `%${buildLikePattern(search)}%`
  if (!texts.length) return sql`false`
  return sql`(${sql.join(
    texts.map((text) => sql`${toLowerCase(sql`${text}::text`)} like ${pattern}`),
    sql` or `,
  )})`
}

/** A value as the text that users see. */
function toShownText({ value, kind }: StoredColumn): SQL {
  switch (kind) {
    case 'number':
      return sql`trim_scale(${value}::numeric)::text`
    case 'pennies':
      return sql`trim_scale(${value} / 100.0)::text`
    case 'moment':
      return sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    case 'ids':
    case 'names':
      return sql`array_to_string(${value}, ',')`
    default:
      return sql`${value}::text`
  }
}

const conditions: Record<FilterItem['filterType'], (column: StoredColumn, item: FilterItem) => SQL | undefined> = {
  set: (column, { values }) => (values ? setCondition(column, values) : undefined),
  boolean: ({ value, kind }, item) => {
    const wanted = String(item.value ?? item.type ?? 'any').toLowerCase()
    if (wanted === 'any') return undefined
    const holds =
      kind === 'flag'
        ? sql`${value} is true`
        : kind === 'number' || kind === 'pennies'
          ? sql`coalesce(${value}, 0) <> 0`
          : sql`coalesce(${value}::text, '') <> ''`
    return wanted === 'yes' || wanted === 'true' ? holds : sql`not (${holds})`
  },
  date: ({ value, kind }, item) => {
    const [from, to] = [item.dateFrom, item.dateTo].map((text) => (text ? parseDayInLondon(text) : undefined))
    if (from === null || to === null) throw createUnusableFilterError(item)
    const day = kind === 'moment' ? sql`to_char(${value} at time zone 'Europe/London', 'YYYY-MM-DD')` : sql`left(${value}::text, 10)`
    const ends = [...(from ? [sql`${day} collate "C" >= ${from}`] : []), ...(to ? [sql`${day} collate "C" <= ${to}`] : [])]
    return ends.length ? sql`coalesce(${sql.join(ends, sql` and `)}, false)` : undefined
  },
  number: ({ value, kind }, item) => {
    const wanted = Number(item.value)
    if ((kind !== 'number' && kind !== 'pennies') || !Number.isFinite(wanted)) throw createUnusableFilterError(item)
    const compared = kind === 'pennies' ? sql`(${wanted}::numeric * 100)` : sql`${wanted}`
    if (item.type === 'notEqual') return sql`${value} is distinct from ${compared}`
    const sign = item.type === 'greaterThan' ? sql`>` : item.type === 'lessThan' ? sql`<` : sql`=`
    return sql`${value} ${sign} ${compared}`
  },
  text: (column, { type, value }) => {
    const text = sql`btrim(${toLowerCase(sql`coalesce(${toShownText(column)}, '')`)}, ${blank})`
    const wanted = String(value ?? '')
    const exact = wanted.trim().toLowerCase()
    if (type === 'contains') return sql`${text} like ${`%${buildLikePattern(wanted)}%`}`
    if (type === 'startsWith') return sql`${text} like ${`${buildLikePattern(wanted)}%`}`
    if (type === 'endsWith') return sql`${text} like ${`%${buildLikePattern(wanted)}`}`
    return type === 'notEqual' ? sql`${text} <> ${exact}` : sql`${text} = ${exact}`
  },
}

/** The error for a filter that does not apply to its column. */
export function createUnusableFilterError({ filter }: FilterItem): DomainError {
  return new DomainError('invalid', 'filter', `The filter on ${filter} cannot be used.`)
}

/**
 * One filter on a column as an SQL condition. Text is compared without case and outer spaces (behaviours B-079 to
 * B-085).
 * @throws DomainError 400 for an option that the column does not have
 */
export function buildColumnCondition(column: ListColumn, item: FilterItem): SQL | undefined {
  return column.kind === 'sealed' ? column.where((text) => meetsFilter(text, item)) : conditions[item.filterType](column, item)
}

const isInteger = (value: number): boolean => Number.isInteger(value) && Math.abs(value) < 2 ** 31

function setCondition(column: StoredColumn, values: readonly (string | number)[]): SQL {
  const { value, kind } = column
  const numbers = values.filter((one) => String(one).trim() !== '').map(Number)
  switch (kind) {
    case 'ids':
      return sql`${value} && ${buildIntegerArray(numbers.filter(isInteger))}`
    case 'names':
      return sql`${value} && ${buildTextArray(values)}`
    case 'bits':
      return sql`(${value} & ${numbers.filter(isInteger).reduce((sum, one) => sum | one, 0)}) <> 0`
    case 'number':
    case 'pennies': {
      const wanted = numbers.filter(Number.isFinite)
      // An index on integers is used only if the wanted values are integers too.
      const among =
        kind === 'pennies'
          ? sql`${value} = any(array(select one * 100 from unnest(${decimals(wanted)}) one))`
          : sql`${value} = any(${wanted.every(isInteger) ? buildIntegerArray(wanted) : decimals(wanted)})`
      return values.includes('') ? sql`(${value} is null or ${among})` : among
    }
    default:
      return sql`coalesce(${toShownText(column)}, '') = any(${buildTextArray(values)})`
  }
}

const decimals = (numbers: readonly number[]): SQL => sql`${sql.param(`{${numbers.join(',')}}`)}::numeric[]`

/** Many texts as an SQL array in one parameter. */
export function buildTextArray(values: readonly (string | number)[]): SQL {
  return sql`array(select jsonb_array_elements_text(${JSON.stringify(values.map(String))}::jsonb))`
}

/** Many integers as an SQL array in one parameter. */
export function buildIntegerArray(ids: readonly number[]): SQL {
  return sql`${sql.param(`{${ids.join(',')}}`)}::integer[]`
}

/** Many document ids as an SQL array in one parameter. */
export function buildDocumentIdArray(ids: readonly string[]): SQL {
  return sql`${sql.param(`{${ids.join(',')}}`)}::char(24)[]`
}

/**
 * The order of a list. Empty values come last when ascending and first when descending; `ties` orders rows with equal
 * values.
 */
export function buildListOrder(column: ListColumn, direction: 'asc' | 'desc' | null | undefined, ties: SQL): SQL {
  return sql`${sortKey(column)} ${direction === 'desc' ? sql`desc nulls first` : sql`asc nulls last`}, ${ties}`
}

function sortKey(column: ListColumn): SQL {
  if (column.kind === 'sealed') return column.rank
  if (column.sortedBy) return sortKey(column.sortedBy)
  if (column.kind === 'text') return sql`${column.value} collate natural_order`
  return column.kind === 'ids' || column.kind === 'names' ? sql`${toShownText(column)} collate natural_order` : column.value
}
