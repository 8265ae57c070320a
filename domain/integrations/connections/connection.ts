import type { Permission } from '../../people/permissions.ts'
import type { AnyResource } from '../../resources/resource.ts'

/** A kind of scheduled transfer to or from another system. */
export interface ConnectionKind {
  title: string
  direction: 'out' | 'in'
  about: string
  /** What the other system must be able to do, one sentence for each requirement. */
  needs: readonly string[]
  /** For incoming files: whether a file covers a month, or describes the state on a day. */
  of?: 'month' | 'day'
  /** For incoming files: whether an unchanged file is imported again, because a record that it names may have been added since. */
  isTakenAgain?: boolean
  /** The permission to do the same by hand; a user needs it to set up the connection. */
  permission: Permission
  /** For incoming files: the columns that a file may have, and which of them are required. */
  record?: AnyResource
  required?: readonly string[]
  /** An example of an incoming file; for outgoing files the file itself is the example. */
  example?: { fileName: string; headings: readonly string[]; rows: readonly (readonly string[])[] }
}

/** Formats for web services. Files in folders are always CSV. */
export const exchangeFormats = ['csv', 'json'] as const
export type ExchangeFormat = (typeof exchangeFormats)[number]

export const connectionStates = ['active', 'paused'] as const
export type ConnectionState = (typeof connectionStates)[number]

/**
 * What came of a run: `done`, `nothing` (there was nothing to do) or `failed`. `tried` and `tryFailed` are the results of a trial, which
 * sends, moves and saves nothing.
 */
export const runOutcomes = ['done', 'nothing', 'failed', 'tried', 'tryFailed'] as const
export type RunOutcome = (typeof runOutcomes)[number]

export const maximumConnections = 50
/** The number of days for which the results of runs are retained. */
export const runRetentionDays = 180
/** The most files that one run takes from a folder. The remaining files wait for the next run. */
export const maximumFilesPerRun = 20
/** The largest file that is sent or received, in bytes. */
export const maximumFileBytes = 10_000_000

/** Subfolders into which files are moved after they were imported or refused. */
export const importedFolder = 'taken'
export const refusedFolder = 'refused'

/** The month in a file name such as `actuals-2026-10.csv`; null if it has none or more than one. */
export function findMonthInFileName(name: string): { year: number; month: number } | null {
  const months = new Set([...name.matchAll(/(?<!\d)(20\d\d)[-_.]?(0[1-9]|1[0-2])(?!\d)/g)].map(([, year, month]) => `${year}-${month}`))
  const [only] = months
  return months.size === 1 && only ? { year: Number(only.slice(0, 4)), month: Number(only.slice(5)) } : null
}

/**
 * Replaces `{month}` in a path with the calendar month before a day.
 * @param day in London, such as `2026-11-24`
 */
export function fillMonthInPath(path: string, day: string): string {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  const before = month === 1 ? `${year - 1}-12` : `${year}-${String(month - 1).padStart(2, '0')}`
  return path.replaceAll('{month}', before)
}

/**
 * Checks a path below the address or folder of an integration.
 * @returns a sentence that describes the problem, or null
 */
export function checkPath(path: string): string | null {
  if (!/^[A-Za-z0-9._~/{}-]*$/.test(path)) return 'Use letters, digits and . _ ~ - / in the path.'
  if (path.split('/').includes('..')) return 'A path cannot contain two dots (..).'
  if (/[{}]/.test(path.replaceAll('{month}', ''))) return 'Only {month} can be in braces.'
  return null
}
