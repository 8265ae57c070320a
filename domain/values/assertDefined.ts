/**
 * Returns a value that an invariant guarantees although its type does not: a counted row, a key just set, one of twelve months.
 * @throws Error if it is missing, rather than calculating with it
 */
export function assertDefined<T>(value: T): NonNullable<T> {
  if (value === undefined || value === null) throw new Error('A required value is missing')
  return value
}

/** The row of a query with exactly one row, such as a count or an insert. @throws Error if there is none */
export function onlyRow<T>(rows: readonly T[]): T {
  if (!rows.length) throw new Error('What has one row by rule has none')
  // The element exists, and may itself be undefined if T allows it.
  return rows[0] as T
}

/** The element at an index, which may be null. @throws Error if the index is out of range */
export function elementAt<T>(list: readonly T[], index: number): T {
  if (index < 0 || index >= list.length) throw new Error(`A list of ${list.length} has no place ${index}`)
  // As in `onlyRow`.
  return list[index] as T
}
