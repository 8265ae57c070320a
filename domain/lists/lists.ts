import { z } from 'zod'
import { filterKinds, sortDirections } from '../lookups/filterOptions.ts'
import { parseDayInLondon } from '../values/format.ts'
import { invalid } from '../words/errors.ts'
import { maximumListRows } from '../words/notices.ts'
import { describeUnknownName } from './nearest.ts'

/** One filter of a list: `filter` names the field, `filterType` the kind of column, `type` the option. */
export const filterItem = z
  .object({
    filter: z.string().max(100),
    value: z.union([z.string().max(500), z.number(), z.boolean()]).nullish(),
    values: z
      .array(z.union([z.string().max(200), z.number()]))
      .max(5000)
      .nullish(),
    dateFrom: z.string().max(30).nullish(),
    dateTo: z.string().max(30).nullish(),
    filterType: z.enum(filterKinds.map((kind) => kind.id)),
    type: z.string().max(30).nullish(),
    static: z.boolean().nullish(),
  })
  .meta({ id: 'FilterItem', examples: [{ filter: 'description', filterType: 'text', type: 'contains', value: 'teach' }] })
export type FilterItem = z.infer<typeof filterItem>

const selection = { search: z.string().max(200).nullish(), filters: z.array(filterItem).max(100).nullish() }
const sorting = { sort: z.string().max(100).nullish(), sortDirection: z.enum(sortDirections.map((direction) => direction.id)).nullish() }
/** The request for the first page of a list, without any search or filter. */
const firstPage = { pageNumber: 1, pageSize: 10, sortDirection: 'asc', search: null, filters: [] }

/** 0 unknown, 1 the organisation's own records, 2 only national ones, 3 both. */
const requestType = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]).nullish()

export const listRequest = z
  .object({
    pageNumber: z.int().min(1).default(1),
    pageSize: z.int().min(1).max(maximumListRows).default(10),
    ...sorting,
    ...selection,
    requestType,
  })
  .meta({ id: 'ListRequest', examples: [firstPage] })
/**
 * A request for a list of a declared entity. It can also ask for the names of the records that the rows refer to, which saves a second
 * request.
 */
export const recordListRequest = listRequest
  .extend({ withNames: z.boolean().nullish() })
  .meta({ id: 'RecordListRequest', examples: [{ ...firstPage, withNames: true }] })

export type ListRequest = z.infer<typeof listRequest>

export const exportRequest = z
  .object({ ...sorting, ...selection, requestType })
  .meta({ id: 'ExportRequest', examples: [{ sortDirection: 'asc', search: null, filters: [] }] })
export type ExportRequest = z.infer<typeof exportRequest>

/**
 * With `selectAll`, every row that matches the search and filters is selected, except the toggled rows; without it, only the toggled rows
 * are (behaviour B-094).
 */
export const rowSelectionState = z
  .object({
    selectAll: z.boolean(),
    toggledNodes: z.array(z.union([z.number(), z.string().max(50)])).max(20_000),
  })
  .meta({ id: 'ListEditState' })
export type RowSelectionState = z.infer<typeof rowSelectionState>

export const bulkSelection = z.object({ state: rowSelectionState, ...selection, requestType }).meta({ id: 'BulkSelection' })
export type BulkSelection = z.infer<typeof bulkSelection>

const patchItem = z.object({ op: z.string().max(20), path: z.string().max(100), value: z.unknown() }).meta({ id: 'PatchItem' })
export const bulkEditRequest = bulkSelection.extend({ patch: z.array(patchItem).min(1).max(100) }).meta({ id: 'BulkEditRequest' })
export type BulkEditRequest = z.infer<typeof bulkEditRequest>

export interface Paged<T> {
  rows: T[]
  total: number
}

/**
 * Refuses to filter or sort by a column that the list does not have, because the request would otherwise be ignored silently.
 * @throws DomainError 400 naming the column that was most likely meant
 */
export function refuseUnknownColumns({ sort, filters }: Pick<ListRequest, 'sort' | 'filters'>, known: readonly string[]): void {
  const filter = (filters ?? []).find((item) => !known.includes(item.filter))
  if (filter) throw invalid([{ field: 'filters', message: describeUnknownName('filter', filter.filter, known) }])
  if (sort && !known.includes(sort)) throw invalid([{ field: 'sort', message: describeUnknownName('sort', sort, known) }])
}

/** Whether a list is searched, or has a filter that is not `static`. */
export function isFiltered(search: string | null | undefined, filters: readonly FilterItem[] | null | undefined): boolean {
  return Boolean(search?.trim()) || (filters ?? []).some((item) => !item.static)
}

type PlainValue = string | number | boolean | null | undefined | readonly (string | number)[]

/**
 * Whether a decrypted or unsaved value meets a filter. Text is compared without regard to case and to spaces at either end (behaviours
 * B-079 to B-084).
 */
export function meetsFilter(value: PlainValue, item: FilterItem): boolean {
  if (item.filterType === 'set') {
    const { values } = item
    if (!values) return true
    return Array.isArray(value) ? value.some((one) => values.includes(one)) : values.some((one) => String(one) === String(value ?? ''))
  }
  if (item.filterType === 'boolean') {
    const wanted = String(item.value ?? item.type ?? 'any').toLowerCase()
    return wanted === 'any' || Boolean(value) === (wanted === 'yes' || wanted === 'true')
  }
  if (item.filterType === 'date') {
    const [day, from, to] = [value && String(value), item.dateFrom, item.dateTo].map((text) => (text ? parseDayInLondon(text) : null))
    return (!item.dateFrom || Boolean(day && from && day >= from)) && (!item.dateTo || Boolean(day && to && day <= to))
  }
  if (item.filterType === 'number') {
    const [a, b] = [Number(value ?? Number.NaN), Number(item.value)]
    if (item.type === 'notEqual') return a !== b
    return item.type === 'greaterThan' ? a > b : item.type === 'lessThan' ? a < b : a === b
  }
  const [text, wanted] = [
    String(value ?? '')
      .trim()
      .toLowerCase(),
    String(item.value ?? '')
      .trim()
      .toLowerCase(),
  ]
  if (item.type === 'notEqual') return text !== wanted
  if (item.type === 'contains') return text.includes(wanted)
  if (item.type === 'startsWith') return text.startsWith(wanted)
  return item.type === 'endsWith' ? text.endsWith(wanted) : text === wanted
}

function readPlainValue(row: object, name: string): PlainValue {
  return Reflect.get(row, name)
}

/**
 * The rows that match a search and filters. Used only for rows that the database cannot compare: people, whose names are stored encrypted,
 * and sheets with unsaved input. The database filters all other lists (server/resources/listConditions.ts).
 */
export function filterRows<T extends object>(
  all: readonly T[],
  { search, filters }: { search?: string | null; filters?: FilterItem[] | null },
  searched: readonly (keyof T & string)[],
): T[] {
  const wanted = search?.trim().toLowerCase()
  return all.filter(
    (row) =>
      (!wanted ||
        searched.some((name) =>
          String(row[name] ?? '')
            .toLowerCase()
            .includes(wanted),
        )) &&
      (filters ?? []).every((item) => meetsFilter(readPlainValue(row, item.filter), item)),
  )
}

const collator = new Intl.Collator('en-GB', { numeric: true })

/** Compares two values of a column for sorting in ascending order: text alphabetically, numbers by size, empty values last. */
export function compareValues(a: unknown, b: unknown): number {
  if (a === b) return 0
  if (a === null || a === undefined) return 1
  if (b === null || b === undefined) return -1
  return typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b))
}
