import { isRecord } from '../../domain/values/unknownValues.ts'

/** Reads a text field of a posted form; '' if it is missing. */
export function parseFormField(body: unknown, name: string): string {
  return isRecord(body) ? String(body[name] ?? '') : ''
}

/** Reads the ids of ticked checkboxes in a posted form. Ignores values that are not ids. */
export function parseTickedIds(body: unknown, name: string): number[] {
  const ticked = isRecord(body) ? [body[name]].flat() : []
  return ticked.flatMap((value) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? [Number(value)] : []))
}
