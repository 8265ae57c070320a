import fc from 'fast-check'
import type { FilterItem, ListRequest } from '../../../domain/lists/lists.ts'

/** A column of a list, for generating requests. */
export interface RequestColumn {
  name: string
  kind: 'text' | 'number' | 'flag' | 'date' | 'ids'
}

type Plain = Record<string, unknown>

function filterOn(rows: readonly Plain[], { name, kind }: RequestColumn): fc.Arbitrary<FilterItem> {
  const values = rows.map((row) => row[name])
  const value = fc.constantFrom(...values)
  const set = fc.array(kind === 'ids' ? fc.constantFrom(...values.flat(), 0) : value, { maxLength: 4 }).map(
    (some): FilterItem => ({
      filter: name,
      filterType: 'set',
      values: some.map((one) => (typeof one === 'number' ? one : String(one ?? ''))),
    }),
  )
  if (kind === 'ids') return set
  const yesNo = fc.constantFrom('Yes', 'No', 'any').map((wanted): FilterItem => ({ filter: name, filterType: 'boolean', value: wanted }))
  if (kind === 'flag') return fc.oneof(yesNo, set)
  if (kind === 'date') {
    const day = fc.option(value.map((one) => (one === null ? null : String(one))))
    return fc.oneof(
      set,
      fc.tuple(day, day).map(([dateFrom, dateTo]): FilterItem => ({ filter: name, filterType: 'date', dateFrom, dateTo })),
    )
  }
  if (kind === 'number')
    return fc.oneof(
      set,
      fc
        .tuple(value, fc.constantFrom('equals', 'notEqual', 'greaterThan', 'lessThan'))
        .map(([one, type]): FilterItem => ({ filter: name, filterType: 'number', type, value: Number(one ?? 0) })),
    )
  const part = fc
    .tuple(value, fc.nat(6), fc.nat(8), fc.boolean())
    .map(([one, from, length, isWhole]) =>
      isWhole ? ` ${String(one ?? '').toUpperCase()} ` : String(one ?? '').slice(from, from + length),
    )
  return fc.oneof(
    set,
    yesNo,
    fc
      .tuple(part, fc.constantFrom('equals', 'notEqual', 'contains', 'startsWith', 'endsWith'))
      .map(([one, type]): FilterItem => ({ filter: name, filterType: 'text', type, value: one })),
  )
}

/** Random list requests as users might make them: filters on any columns with values that occur, any sort, any page. */
export function arbitraryListRequest(
  rows: readonly Plain[],
  columns: readonly RequestColumn[],
  searched: readonly string[],
): fc.Arbitrary<ListRequest> {
  const word = fc
    .tuple(fc.constantFrom(...rows), fc.constantFrom(...searched), fc.nat(5), fc.integer({ min: 1, max: 6 }))
    .map(([row, name, from, length]) => ` ${String(row[name] ?? '%_').slice(from, from + length)}`.toUpperCase())
  return fc.record({
    pageNumber: fc.integer({ min: 1, max: 4 }),
    pageSize: fc.constantFrom(1, 7, 50, 1000),
    sort: fc.constantFrom(null, ...columns.filter(({ kind }) => kind !== 'ids').map(({ name }) => name)),
    sortDirection: fc.constantFrom('asc' as const, 'desc' as const, null),
    search: fc.option(word),
    filters: fc.array(fc.oneof(...columns.map((column) => filterOn(rows, column))), { maxLength: 2 }),
    requestType: fc.constant(null),
  })
}
