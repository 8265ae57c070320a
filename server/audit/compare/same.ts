import { canonicalJson } from '../../../domain/values/canonicalJson.ts'

/** Whether two values say the same, whatever the order of their keys. */
export const isSame = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b)

/** Whether two texts name the same moment, to the millisecond, in whatever zone each is written. */
export const isSameMoment = (a: string, b: string): boolean => new Date(a).getTime() === new Date(b).getTime()
