import { type BulkSelection, compareValues, filterRows, type ListRequest, type Paged } from '../../../domain/lists/lists.ts'

/** A page of a list, found by going through every row in memory: the expected result for a page from the database. */
export function findExpectedPage<T extends object>(
  all: readonly T[],
  {
    request,
    searched,
    defaultSort,
  }: { request: Partial<ListRequest>; searched: readonly (keyof T & string)[]; defaultSort: keyof T & string },
): Paged<T> {
  const sorted = filterRows(all, request, searched)
  const isField = (name: string | null | undefined): name is keyof T & string => Boolean(name) && sorted.some((row) => String(name) in row)
  const sort = isField(request.sort) ? request.sort : defaultSort
  const direction = request.sortDirection === 'desc' ? -1 : 1
  sorted.sort((a, b) => direction * compareValues(a[sort], b[sort]))
  const size = request.pageSize ?? sorted.length
  const start = ((request.pageNumber ?? 1) - 1) * size
  return { rows: sorted.slice(start, start + size), total: sorted.length }
}

/** The rows that a bulk action covers, found in the same way; null if a selected row is not in the list. */
export function findExpectedSelection<T extends { id: number | string }>(
  all: readonly T[],
  { state, ...selection }: BulkSelection,
  searched: readonly (keyof T & string)[],
): T[] | null {
  const toggled = new Set(state.toggledNodes.map(String))
  if (state.selectAll) return filterRows(all, selection, searched).filter((row) => !toggled.has(String(row.id)))
  const named = all.filter((row) => toggled.has(String(row.id)))
  return named.length < toggled.size ? null : named
}
