import { canonicalJson } from '../../../domain/values/canonicalJson.ts'

/** Compares two values by content; the order of keys does not matter. */
export const hasSameContent = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b)

/** Compares two timestamps to the millisecond, whatever their time zones. */
export const isSameMoment = (a: string, b: string): boolean => new Date(a).getTime() === new Date(b).getTime()
