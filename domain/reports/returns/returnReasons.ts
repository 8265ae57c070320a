import { budgetSubmissionPermissions, type Permission } from '../../people/permissions.ts'
import { dayInLondon, displayDate } from '../../values/format.ts'
import type { LocationId } from '../../values/ids.ts'

/** Identifies the Budget Forecast Return of a school or of the organisation by its first year. */
export interface ReturnKey {
  /** The school; null for the organisation's return. */
  locationId: LocationId | null
  /** Calendar year in which the first year begins. */
  firstYear: number
}

/** Why a line of the return differs from the last one. */
export interface ReturnReason {
  /** The key of the line, as `createReturnLineKey` writes it. */
  line: string
  version: number
  text: string
  /** The name of the author, and the time of writing (ISO 8601). */
  by: string
  at: string
}

export interface ReturnReasons {
  of: ReturnKey
  mayWrite: boolean
  kept: ReadonlyMap<string, ReturnReason>
}

/**
 * Lists the permissions to give reasons in a return: those to submit the school's budgets or, for the organisation's return, those of the
 * console.
 */
export const listPermissionsToExplain = ({ locationId }: Pick<ReturnKey, 'locationId'>): readonly Permission[] =>
  locationId === null ? ['ConsoleBudgetManagementReadUpdate'] : budgetSubmissionPermissions

interface ReturnLine {
  code: string | null
  lines: readonly { codeId: number | null }[]
}

/**
 * Creates the key under which the reason for a return line is stored: the line's code if it has one, otherwise the budget code or the levy.
 */
export function createReturnLineKey(side: 'income' | 'expenditure', { code, lines }: ReturnLine): string {
  if (code !== null) return `${side} line ${code}`
  const codeId = lines[0]?.codeId ?? null
  return `${side} ${codeId === null ? 'levy' : `code ${codeId}`}`
}

/** Matches the output of `createReturnLineKey`. */
export const returnLineKeyPattern = /^(income|expenditure) (line .{1,40}|code \d{1,9}|levy)$/

export const describeReasonAuthor = ({ by, at }: Pick<ReturnReason, 'by' | 'at'>): string => `${by}, ${displayDate(dayInLondon(at))}`
