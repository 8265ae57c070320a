import { type UndoContext, undoItemChange } from '../changes/itemLog.ts'
import type { LeftOutRow } from '../files/leftOut.ts'
import { completionType, payrollMonthState } from '../lookups/lookupIds.ts'
import { type CalendarMonth, formatMonth, fromMonthIndex, toMonthIndex } from '../monitoring/monitoring.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { displayDateTime } from '../values/format.ts'
import { toBudgetGroupId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'
import { conflict } from '../words/errors.ts'
import type { PayrollEvent, StoredPayrollEvent } from './events.ts'
import { buildPayrollLineKey, findPayrollMonth, listTouchedKeys, type PayrollState } from './evolve.ts'
import {
  buildActualsKey,
  buildCarriedForwardKey,
  buildEnteredActualKey,
  buildMonthStateKey,
  buildNoteKey,
  type CarriedForward,
  type CompletedFigures,
  type EmployeeRef,
  type LevelMonth,
  type PaidAccount,
  type PayrollCell,
  type PayrollItem,
  type PayrollLine,
  type PayrollMonthItem,
  toleranceKey,
} from './payroll.ts'

export interface LocationPayroll extends CalendarMonth {
  digest: string
  /** The number of rows of the file, before rows with the same employee and code are merged, and their sum in whole pennies. */
  rows: number
  sum: Pennies
  lines: PayrollLine[]
  /** Absent if the file does not contain bank accounts. */
  paidInto?: PaidAccount[]
  /** Rows of the file that the user left out; absent if there are none. */
  leftOut?: LeftOutRow[]
}

/**
 * Imports a payroll. Its lines replace those of the same employees and codes; other lines stay (behaviour B-223). The lines must add up to
 * the file to the penny (rules.md §18).
 * @throws Error if the lines do not add up. That would be a bug, and nothing is saved.
 */
export function importPayroll(file: LocationPayroll): PayrollEvent[] {
  const linesSum = file.lines.reduce((sum, line) => sum + line.value, 0)
  if (linesSum !== file.sum) throw new Error(`The file adds up to ${file.sum} and its lines to ${linesSum}.`)
  return file.rows ? [{ type: 'PayrollImported', data: file }] : []
}

/**
 * Gives each line the employee reference under which the month already stores it. The employee number may have been unknown at the first
 * import and belong to a member of staff now; without this, the line would be stored twice.
 * @param resolve finds the current reference for a stored reference
 */
export function matchStoredReferences(
  lines: readonly PayrollLine[],
  stored: readonly PayrollLine[],
  resolve: (employee: EmployeeRef) => EmployeeRef,
): PayrollLine[] {
  const storedByKey = new Map(stored.map((line) => [buildPayrollLineKey({ ...line, employee: resolve(line.employee) }), line]))
  // An exact match of the reference takes precedence.
  for (const line of stored) storedByKey.set(buildPayrollLineKey(line), line)
  return lines.map((line) => {
    const { employee, sealedNumber } = storedByKey.get(buildPayrollLineKey(line)) ?? line
    return { ...line, employee, sealedNumber }
  })
}

/**
 * Returns the lines that change a month, and counts new and replaced lines.
 * @param dropNewZeros whether to drop zeros that replace no line; a wide file has a cell for every employee and code
 */
export function selectLinesToImport(
  lines: readonly PayrollLine[],
  stored: readonly PayrollLine[],
  { resolve, dropNewZeros }: { resolve: (employee: EmployeeRef) => EmployeeRef; dropNewZeros: boolean },
): { lines: PayrollLine[]; created: number; updated: number } {
  const known = new Set(stored.map(buildPayrollLineKey))
  const paid = matchStoredReferences(lines, stored, resolve)
  const toImport = dropNewZeros ? paid.filter((line) => line.value !== 0 || known.has(buildPayrollLineKey(line))) : paid
  const updated = toImport.filter((line) => known.has(buildPayrollLineKey(line))).length
  return { lines: toImport, created: toImport.length - updated, updated }
}

/**
 * Replaces the employee reference of an item by the reference under which the log already stores the employee.
 * @param refs all references of the employee, the current one first
 */
export function applyStoredReference<One extends { employee: EmployeeRef; sealedNumber: string | null }>(
  state: PayrollState,
  one: One,
  { refs, key }: { refs: readonly EmployeeRef[]; key: (employee: EmployeeRef) => string },
): One {
  const stored = refs.map((ref) => state.items.get(key(ref))?.item).find((item) => item !== undefined)
  return stored && 'sealedNumber' in stored ? { ...one, employee: stored.employee, sealedNumber: stored.sealedNumber } : one
}

/**
 * Refuses a file that was already imported for another month.
 * @throws DomainError 409; the caller may repeat the request to import it anyway
 */
export function refuseFileOfOtherMonth(earlierImport: CalendarMonth & { at: string }): never {
  throw conflict(
    'sameFile',
    `The same file was imported for ${formatMonth(earlierImport)} on ${displayDateTime(earlierImport.at)}. Choose that month, or import the file for this month only if you are sure that it is right.`,
    earlierImport,
  )
}

/** @returns no event if the month is empty */
export function clearPayroll(state: PayrollState, { year, month }: CalendarMonth): PayrollEvent[] {
  return state.items.has(buildActualsKey({ year, month })) ? [{ type: 'PayrollCleared', data: { year, month } }] : []
}

/**
 * Enters a value that replaces the imported value.
 * @param typed whole pennies; deductions are negative
 */
export function enterActual(
  state: PayrollState,
  month: LevelMonth,
  typed: PayrollCell & { sealedNumber: string | null; value: Pennies },
): PayrollEvent[] {
  const before = state.items.get(buildEnteredActualKey(month, typed))?.item
  if (before?.kind === 'typed' && before.value === typed.value) return []
  return [{ type: 'PayrollActualTyped', data: { ...month, ...typed } }]
}

/** @returns no event if none of the cells has an entered value */
export function clearEnteredActuals(state: PayrollState, month: LevelMonth, cells: readonly PayrollCell[]): PayrollEvent[] {
  const typed = cells.filter((cell) => state.items.has(buildEnteredActualKey(month, cell)))
  return typed.length ? [{ type: 'PayrollTypedCleared', data: { ...month, cells: typed } }] : []
}

/** @param notes the encrypted text. Equal texts encrypt equally, so saving an unchanged text creates no event. */
export function saveNotes(
  state: PayrollState,
  month: LevelMonth,
  notes: readonly { employee: EmployeeRef; sealedNotes: string }[],
): PayrollEvent[] {
  const changed = notes.filter(({ employee, sealedNotes }) => {
    const before = state.items.get(buildNoteKey(month, employee))?.item
    return before?.kind !== 'note' || before.sealedNotes !== sealedNotes
  })
  return changed.length ? [{ type: 'PayrollNotesSaved', data: { ...month, notes: changed } }] : []
}

export function removeNotes(state: PayrollState, month: LevelMonth, employees: readonly EmployeeRef[]): PayrollEvent[] {
  const noted = employees.filter((employee) => state.items.has(buildNoteKey(month, employee)))
  return noted.length ? [{ type: 'PayrollNotesRemoved', data: { ...month, employees: noted } }] : []
}

export function carryForward(state: PayrollState, month: LevelMonth, carried: readonly CarriedForward[]): PayrollEvent[] {
  const changed = carried.filter(({ employee, amount }) => {
    const before = state.items.get(buildCarriedForwardKey(month, employee))?.item
    return before?.kind !== 'carry' || before.amount !== amount
  })
  return changed.length ? [{ type: 'PayrollCarriedForward', data: { ...month, carried: changed } }] : []
}

export function clearCarriedForward(state: PayrollState, month: LevelMonth, employees: readonly EmployeeRef[]): PayrollEvent[] {
  const carried = employees.filter((employee) => state.items.has(buildCarriedForwardKey(month, employee)))
  return carried.length ? [{ type: 'PayrollCarriesCleared', data: { ...month, employees: carried } }] : []
}

/**
 * Completes a month. Completion type 2 first carries forward all differences that have not been carried forward yet (rules.md §18).
 * @param remaining differences of the month by employee
 * @throws DomainError 409 if the month is already complete
 */
export function completeMonth(
  state: PayrollState,
  month: LevelMonth,
  { type, remaining, figures }: { type: number; remaining: readonly CarriedForward[]; figures: CompletedFigures },
): PayrollEvent[] {
  const before = findPayrollMonth(state, month)
  if (before.state === payrollMonthState.complete) throw createMonthCompletedError(before)
  const open =
    type === completionType.carryForward
      ? remaining.filter((one) => one.amount !== 0 && !state.items.has(buildCarriedForwardKey(month, one.employee)))
      : []
  return [...carryForward(state, month, open), { type: 'PayrollMonthCompleted', data: { ...month, completionType: type, figures } }]
}

/** @throws DomainError 409 if the month is open */
export function reopenMonth(state: PayrollState, month: LevelMonth, sealedReason: string | null): PayrollEvent[] {
  if (findPayrollMonth(state, month).state !== payrollMonthState.complete)
    throw conflict('monthOpen', `${formatMonth(month)} is not completed. There is nothing to reopen.`)
  return [{ type: 'PayrollMonthReopened', data: { ...month, sealedReason } }]
}

/** @param pennies the largest difference that counts as matched, in whole pennies */
export function saveTolerance(state: PayrollState, pennies: Pennies): PayrollEvent[] {
  const before = state.items.get(toleranceKey)?.item
  return before?.kind === 'tolerance' && before.pennies === pennies ? [] : [{ type: 'PayrollToleranceSaved', data: { pennies } }]
}

/**
 * The keys of the months that must be open for an event in the organisation's log. Carrying forward also changes the next month, so that
 * month must be open too. The caller checks imports into a location's log, because that log does not say which groups the location belongs
 * to.
 */
export function listRequiredOpenMonths(event: PayrollEvent): string[] {
  switch (event.type) {
    case 'PayrollActualTyped':
    case 'PayrollTypedCleared':
    case 'PayrollNotesSaved':
    case 'PayrollNotesRemoved':
      return [buildMonthStateKey(event.data)]
    case 'PayrollCarriedForward':
    case 'PayrollCarriesCleared':
      return [buildMonthStateKey(event.data), buildMonthStateKey(nextLevelMonth(event.data))]
    case 'PayrollChangeUndone':
      return event.data.things.flatMap(({ key }) => {
        const text = /^(typed|note|carry) (\S+) (\d{4})-(\d\d)/.exec(key)
        if (!text) return []
        const month = {
          groupId: text[2] === 'console' ? null : toBudgetGroupId(assertDefined(text[2])),
          year: Number(text[3]),
          month: Number(text[4]),
        }
        return text[1] === 'carry' ? [buildMonthStateKey(month), buildMonthStateKey(nextLevelMonth(month))] : [buildMonthStateKey(month)]
      })
    default:
      return []
  }
}

/** The months whose actuals an event in a location's log changes. They must be open for every group of the location. */
export function listMonthsWithChangedActuals(event: PayrollEvent): CalendarMonth[] {
  return listTouchedKeys(event).flatMap((key) => {
    const text = /^actuals (\d{4})-(\d\d)$/.exec(key)
    return text ? [{ year: Number(text[1]), month: Number(text[2]) }] : []
  })
}

function nextLevelMonth({ groupId, ...month }: LevelMonth): LevelMonth {
  return { groupId, ...fromMonthIndex(toMonthIndex(month) + 1) }
}

export function getPreviousLevelMonth({ groupId, ...month }: LevelMonth): LevelMonth {
  return { groupId, ...fromMonthIndex(toMonthIndex(month) - 1) }
}

/** @throws DomainError 409 for an event in a completed month (behaviour B-212) */
export function refuseCompletedMonths(state: PayrollState, events: readonly PayrollEvent[]): void {
  for (const key of events.flatMap(listRequiredOpenMonths)) {
    const item = state.items.get(key)?.item
    if (item?.kind === 'month' && item.state === payrollMonthState.complete) throw createMonthCompletedError(item)
  }
}

/** @param level name of the month's level, if it is not the level on the screen */
export function createMonthCompletedError(month: Pick<PayrollMonthItem, 'year' | 'month'>, level?: string) {
  const { year, month: number } = month
  return conflict('monthComplete', `${formatMonth(month)} is completed. Reopen it first${level ? ` for ${level}` : ''}, with a reason.`, {
    year,
    month: number,
  })
}

const completedForGood = 'Completing or reopening a month cannot be undone. Reopen it with a reason, or complete it again.'

/** Why changes of some types cannot be undone, and what to do instead. */
const reasonsNotUndoable: Partial<Record<PayrollEvent['type'], string>> = {
  PayrollMonthCompleted: completedForGood,
  PayrollMonthReopened: completedForGood,
}

/** Whether the author of a change may undo it. */
export function isUndoable({ type }: Pick<PayrollEvent, 'type'>): boolean {
  return !reasonsNotUndoable[type]
}

/** Undoes a user's own change, by the rules of `undoItemChange`. */
export function undoPayrollChange(event: StoredPayrollEvent, context: UndoContext<PayrollItem>): PayrollEvent[] {
  const refusal = reasonsNotUndoable[event.type]
  return [{ type: 'PayrollChangeUndone', data: undoItemChange(event, context, { keys: listTouchedKeys(event), refusal }) }]
}
