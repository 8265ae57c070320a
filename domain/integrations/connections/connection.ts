import type { Permission } from '../../people/permissions.ts'
import type { AnyResource } from '../../resources/resource.ts'

/** Something that goes to another system, or is fetched from one, by itself. */
export interface ConnectionKind {
  title: string
  direction: 'out' | 'in'
  /** What it does, in a sentence. */
  about: string
  /** What the other side has to do for it, a sentence each. */
  needs: readonly string[]
  /** Of what comes in: whether a file is of a month or describes a day. */
  of?: 'month' | 'day'
  /** Of what comes in: the same file is looked at once more, for it may have a place now that was not there before. */
  isTakenAgain?: boolean
  /** What somebody must be able to do by hand before they may have it done for them. */
  permission: Permission
  /** Of what comes in: the columns of a record, and those that it cannot do without. */
  record?: AnyResource
  required?: readonly string[]
  /** A file as the other side writes it; of what goes out the file itself is the example. */
  example?: { fileName: string; headings: readonly string[]; rows: readonly (readonly string[])[] }
}

/** How a file is written that goes over a web service; files in folders are CSV. */
export const formats = ['csv', 'json'] as const
export type Format = (typeof formats)[number]

/** A connection runs while it is active; a paused one does nothing until it is continued. */
export const connectionStates = ['active', 'paused'] as const
export type ConnectionState = (typeof connectionStates)[number]

/** What a run came to: done, nothing to do, failed; or only tried, with nothing sent, moved or saved. */
export const outcomes = ['done', 'nothing', 'failed', 'tried', 'tryFailed'] as const
export type Outcome = (typeof outcomes)[number]

/** The connections that an organisation may have at once. */
export const mostConnections = 50
/** Days for which it is told what runs came to. */
export const daysOfRuns = 180
/** The files that one run takes out of a folder; what is left waits for the next. */
export const mostFilesAtOnce = 20
/** The largest file that goes either way, in bytes. */
export const largestFileBytes = 10_000_000

/** Where files are moved that were taken, and where those that could not be. Both stand in the folder itself. */
export const takenFolder = 'taken'
export const refusedFolder = 'refused'

/** The month that a name says, such as `actuals-2026-10.csv`; null when it says none, or more than one. */
export function monthInName(name: string): { year: number; month: number } | null {
  const said = new Set([...name.matchAll(/(?<!\d)(20\d\d)[-_.]?(0[1-9]|1[0-2])(?!\d)/g)].map(([, year, month]) => `${year}-${month}`))
  const [only] = said
  return said.size === 1 && only ? { year: Number(only.slice(0, 4)), month: Number(only.slice(5)) } : null
}

/**
 * A path with `{month}` in it as it is asked for: the calendar month before the day.
 * @param day the day in London, `2026-11-24`
 */
export function pathOfMonth(path: string, day: string): string {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  const before = month === 1 ? `${year - 1}-12` : `${year}-${String(month - 1).padStart(2, '0')}`
  return path.replaceAll('{month}', before)
}

/** What speaks against a path below an address or in a folder, as a sentence; null when nothing does. */
export function pathProblem(path: string): string | null {
  if (!/^[A-Za-z0-9._~/{}-]*$/.test(path)) return 'Use letters, digits and . _ ~ - / in the path.'
  if (path.split('/').includes('..')) return 'A path does not lead upwards: leave out ..'
  if (/[{}]/.test(path.replaceAll('{month}', ''))) return 'Only {month} can stand in braces.'
  return null
}
