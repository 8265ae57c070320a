/*
 * Readers of values of which only a declaration says what they are: fields of a record that is known by its resource alone. They answer the
 * value as what it is said to be, and throw a TypeError where it is something else: nothing is worked out from a mistake.
 */

function wrongType(wanted: string, value: unknown): TypeError {
  // The value itself may be about a person, so it is not said.
  return new TypeError(`${wanted} stands here by rule, not ${value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value}`)
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

export function requireNumber(value: unknown): number {
  if (isNumber(value)) return value
  throw wrongType('A number', value)
}

/** A number that may be missing. */
export function numberOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : requireNumber(value)
}

export function requireText(value: unknown): string {
  if (typeof value === 'string') return value
  throw wrongType('Text', value)
}

/** Text that may be missing. */
export function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : requireText(value)
}

/** A list of anything; one that is missing has nothing in it. */
export function requireList(value: unknown): readonly unknown[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value
  throw wrongType('A list', value)
}

/** A list of numbers, as of ids or rates; one that is missing has nothing in it. */
export function requireNumbers(value: unknown): number[] {
  const list = requireList(value)
  if (list.every(isNumber)) return [...list]
  throw wrongType('A list of numbers', value)
}

/** A list of records, as rows within a record; one that is missing has nothing in it. */
export function requireRecords(value: unknown): Record<string, unknown>[] {
  const list = requireList(value)
  if (list.every(isRecord)) return [...list]
  throw wrongType('A list of records', value)
}
