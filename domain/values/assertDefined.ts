/**
 * What a rule says is there though its type cannot: a row that was counted, a key that was just set, a month of twelve.
 * @throws Error where the rule does not hold: nothing is worked out from what is missing
 */
export function assertDefined<T>(value: T): NonNullable<T> {
  if (value === undefined || value === null) throw new Error('A required value is missing')
  return value
}

/** The row of a query that has exactly one, like a count or an insert, or the one of a list of one. @throws Error where there is none */
export function onlyRow<T>(rows: readonly T[]): T {
  if (!rows.length) throw new Error('What has one row by rule has none')
  // It is there, and may itself be undefined if T is.
  return rows[0] as T
}

/** What stands at a place of a list, which may be "not known" (null). @throws Error where the list is shorter: nothing is worked out from a place it does not have */
export function elementAt<T>(list: readonly T[], index: number): T {
  if (index < 0 || index >= list.length) throw new Error(`A list of ${list.length} has no place ${index}`)
  // As in `onlyRow`.
  return list[index] as T
}
