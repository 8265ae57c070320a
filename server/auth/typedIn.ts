import { isRecord } from '../../domain/values.ts'

/** What was typed into a field of a form that was posted; nothing is ''. */
export function typedIn(body: unknown, name: string): string {
  return isRecord(body) ? String(body[name] ?? '') : ''
}
