/**
 * Functions that check values of unknown type, such as fields of a record in generic code. Each returns the value with the expected type,
 * or throws a TypeError.
 */

function wrongType(wanted: string, value: unknown): TypeError {
  // The value may be personal data, so the message omits it.
  return new TypeError(`Expected ${wanted}, found ${value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value}`)
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

export function requireNumber(value: unknown): number {
  if (isNumber(value)) return value
  throw wrongType('a number', value)
}

export function numberOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : requireNumber(value)
}

export function requireText(value: unknown): string {
  if (typeof value === 'string') return value
  throw wrongType('text', value)
}

export function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : requireText(value)
}

/** Returns a list; an empty one if the value is missing. */
export function requireList(value: unknown): readonly unknown[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value
  throw wrongType('a list', value)
}

/** Returns a list of numbers; an empty one if the value is missing. */
export function requireNumbers(value: unknown): number[] {
  const list = requireList(value)
  if (list.every(isNumber)) return [...list]
  throw wrongType('a list of numbers', value)
}

/** Returns a list of records, such as the rows within a record; an empty one if the value is missing. */
export function requireRecords(value: unknown): Record<string, unknown>[] {
  const list = requireList(value)
  if (list.every(isRecord)) return [...list]
  throw wrongType('a list of records', value)
}
