import { isRecord } from '../../domain/values/unknownValues.ts'

/** What was typed into a field of a form that was posted; nothing is ''. */
export function typedIn(body: unknown, name: string): string {
  return isRecord(body) ? String(body[name] ?? '') : ''
}

/** The ids that were ticked under a name in a form that was posted; what is no id is passed over. */
export function tickedIn(body: unknown, name: string): number[] {
  const ticked = isRecord(body) ? [body[name]].flat() : []
  return ticked.flatMap((value) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? [Number(value)] : []))
}
