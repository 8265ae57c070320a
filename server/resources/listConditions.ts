import { type SQL, sql } from 'drizzle-orm'
import type { FilterItem } from '../../domain/lists/lists.ts'
import { parseDayInLondon } from '../../domain/values/format.ts'
import { DomainError } from '../../domain/words/errors.ts'
import { likePattern } from './filters.ts'

/**
 * A column of a list over stored documents: an expression of the database, and what it holds. `ids` is an array of integers; `pennies` are whole
 * pennies that people see and filter by in pounds, compared as they stand: a division for each row of a long list costs more than all else.
 */
export interface ListColumn {
  value: SQL
  kind: 'text' | 'number' | 'pennies' | 'flag' | 'date' | 'ids'
}

/** White space as JavaScript trims it, as far as people type it. */
const blank = sql.raw(`E' \\t\\n\\r\\f\\u00a0'`)

/** Letters without regard to case, whatever the language of the database is. */
export function lowered(text: SQL): SQL {
  return sql`lower(${text} collate natural_order)`
}

/** One filter on a column as a condition, as `meets` applies it to a row. @throws DomainError 400 for an option the column does not have */
export function listCondition({ value: stored, kind }: ListColumn, item: FilterItem): SQL | undefined {
  const isNumber = kind === 'number' || kind === 'pennies'
  const value = kind === 'pennies' ? sql`(${stored} / 100.0)` : stored
  const bad = () => new DomainError('invalid', 'filter', `The filter on ${item.filter} cannot be used.`)
  switch (item.filterType) {
    case 'set': {
      if (!item.values) return undefined
      const wanted = item.values.map(String)
      if (kind === 'ids') return sql`${value} && ${integers(item.values.map(Number).filter(Number.isInteger))}`
      const text = isNumber ? sql`trim_scale(${value}::numeric)::text` : sql`${value}::text`
      return sql`coalesce(${text}, '') = any(array(select jsonb_array_elements_text(${JSON.stringify(wanted)}::jsonb)))`
    }
    case 'boolean': {
      const wanted = String(item.value ?? item.type ?? 'any').toLowerCase()
      if (wanted === 'any') return undefined
      const holds =
        kind === 'flag' ? sql`${value} is true` : isNumber ? sql`coalesce(${value}, 0) <> 0` : sql`coalesce(${value}::text, '') <> ''`
      return wanted === 'yes' || wanted === 'true' ? holds : sql`not (${holds})`
    }
    case 'date': {
      const day = sql`left(${value}::text, 10)`
      const [from, to] = [item.dateFrom, item.dateTo].map((text) => (text ? parseDayInLondon(text) : undefined))
      if (from === null || to === null) throw bad()
      const conditions = [...(from ? [sql`${day} collate "C" >= ${from}`] : []), ...(to ? [sql`${day} collate "C" <= ${to}`] : [])]
      return conditions.length ? sql`coalesce(${sql.join(conditions, sql` and `)}, false)` : undefined
    }
    case 'number': {
      const wanted = Number(item.value)
      if (!isNumber || !Number.isFinite(wanted)) throw bad()
      const compared = kind === 'pennies' ? sql`(${wanted}::numeric * 100)` : sql`${wanted}`
      if (item.type === 'notEqual') return sql`${stored} is distinct from ${compared}`
      const sign = item.type === 'greaterThan' ? sql`>` : item.type === 'lessThan' ? sql`<` : sql`=`
      return sql`${stored} ${sign} ${compared}`
    }
    case 'text': {
      const text = sql`btrim(${lowered(sql`coalesce(${value}::text, '')`)}, ${blank})`
      const wanted = String(item.value ?? '')
      const exact = wanted.trim().toLowerCase()
      if (item.type === 'contains') return sql`${text} like ${`%${likePattern(wanted)}%`}`
      if (item.type === 'startsWith') return sql`${text} like ${`${likePattern(wanted)}%`}`
      if (item.type === 'endsWith') return sql`${text} like ${`%${likePattern(wanted)}`}`
      return item.type === 'notEqual' ? sql`${text} <> ${exact}` : sql`${text} = ${exact}`
    }
  }
}

/** Many integers as one parameter. */
export function integers(ids: readonly number[]): SQL {
  return sql`${sql.param(`{${ids.join(',')}}`)}::integer[]`
}

/** Many ids as one parameter. */
export function documentIds(ids: readonly string[]): SQL {
  return sql`${sql.param(`{${ids.join(',')}}`)}::char(24)[]`
}

/** What a list is sorted by: nothing comes last upwards and first downwards, and the id breaks ties. */
export function listOrder({ value, kind }: ListColumn, direction: 'asc' | 'desc' | null | undefined, id: SQL): SQL {
  const key = kind === 'text' ? sql`${value} collate natural_order` : value
  return sql`${key} ${direction === 'desc' ? sql`desc nulls first` : sql`asc nulls last`}, ${id}`
}
