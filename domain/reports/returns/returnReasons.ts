import { budgetSubmissionPermissions, type Permission } from '../../people/permissions.ts'
import { dayInLondon, displayDate } from '../../values/format.ts'
import type { LocationId } from '../../values/ids.ts'

/** Which Budget Forecast Return a reason is of: that of a school, or of several together, from its first year on. */
export interface ReasonsOf {
  /** Null: several together are the organisation's return. */
  locationId: LocationId | null
  /** Calendar year in which the first year begins. */
  firstYear: number
}

/** Why a line of the return differs from the last one. */
export interface ReturnReason {
  /** As `lineOfReturn` writes it. */
  line: string
  version: number
  text: string
  /** Who wrote it, by name, and when; ISO 8601. */
  by: string
  at: string
}

/** The reasons of one return, by line. */
export interface ReturnReasons {
  of: ReasonsOf
  /** Whether the reader may write them. */
  mayWrite: boolean
  kept: ReadonlyMap<string, ReturnReason>
}

/** Who may write why a return differs: those who submit the budgets that it is of; the organisation's return is the console's. */
export const explainingReturn = ({ locationId }: Pick<ReasonsOf, 'locationId'>): readonly Permission[] =>
  locationId === null ? ['ConsoleBudgetManagementReadUpdate'] : budgetSubmissionPermissions

/** What a line of the return is told apart by: its code, or what is posted to it. */
interface MappedTo {
  code: string | null
  lines: readonly { codeId: number | null }[]
}

/** A line of the return as reasons name it: by the code of the line, or where it maps to none by the budget code, or the levy by itself. */
export function lineOfReturn(side: 'income' | 'expenditure', { code, lines }: MappedTo): string {
  if (code !== null) return `${side} line ${code}`
  const codeId = lines[0]?.codeId ?? null
  return `${side} ${codeId === null ? 'levy' : `code ${codeId}`}`
}

/** What `lineOfReturn` writes. */
export const lineForm = /^(income|expenditure) (line .{1,40}|code \d{1,9}|levy)$/

/** Who wrote a reason, and on which day. */
export const whoseReason = ({ by, at }: Pick<ReturnReason, 'by' | 'at'>): string => `${by}, ${displayDate(dayInLondon(at))}`
