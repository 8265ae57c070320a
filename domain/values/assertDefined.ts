/**
 * Returns a value whose type allows it to be missing although it must exist, such as a key just set or one of twelve months.
 * @throws Error if it is missing, so that no calculation continues without it
 */
export function assertDefined<T>(value: T): NonNullable<T> {
  if (value === undefined || value === null) throw new Error('A required value is missing')
  return value
}

/**
 * Returns the row of a query that returns exactly one row, such as a count or an insert.
 * @throws Error if there is no row
 */
export function requireSingleRow<T>(rows: readonly T[]): T {
  if (!rows.length) throw new Error('The query returned no row, but one was expected')
  // The row exists. The cast is for a T that includes undefined.
  return rows[0] as T
}

/**
 * Returns the item of a list at an index; the item may be null.
 * @throws Error if the index is out of range
 */
export function requireItemAt<T>(list: readonly T[], index: number): T {
  if (index < 0 || index >= list.length) throw new Error(`A list of ${list.length} has no element ${index}`)
  // The element exists. The cast is for a T that includes undefined.
  return list[index] as T
}
