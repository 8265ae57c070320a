import { undoStateSince } from '../changes/undoState.ts'
import { completionType, payrollMonthState } from '../lookups/lookupIds.ts'
import { type CalendarMonth, monthAt, monthIndex, monthWords } from '../monitoring/monitoring.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { displayDateTime } from '../values/format.ts'
import { toBudgetGroupId, type UserId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'
import { conflict, DomainError } from '../words/errors.ts'
import type { PayrollEvent, StoredPayrollEvent } from './events.ts'
import { lineKey, type PayrollState, payrollMonthOf, touchedKeys } from './evolve.ts'
import {
  actualsKey,
  type Carried,
  type CompletedFigures,
  carryKey,
  type EmployeeRef,
  type LevelMonth,
  monthStateKey,
  noteKey,
  type PaidInto,
  type PayrollCell,
  type PayrollLine,
  type PayrollMonthItem,
  toleranceKey,
  typedKey,
} from './payroll.ts'

/** What a payroll file says of one location in a month. */
export interface LocationPayroll extends CalendarMonth {
  digest: string
  /** Rows of the file, before those of the same employee and code were added up, and their sum in whole pennies. */
  rows: number
  sum: Pennies
  lines: PayrollLine[]
  /** Only where the file says it. */
  paidInto?: PaidInto[]
}

/**
 * Imports what a payroll paid: lines take the place of those of the same employees and codes, everything else stays (behaviour B-223). What a
 * file adds up to must be what is kept of it, to the penny (rules.md §18).
 * @throws Error where it is not: a fault of ours, and nothing is saved
 */
export function importPayroll(file: LocationPayroll): PayrollEvent[] {
  const kept = file.lines.reduce((sum, line) => sum + line.value, 0)
  if (kept !== file.sum) throw new Error(`The file adds up to ${file.sum} and its lines to ${kept}.`)
  return file.rows ? [{ type: 'PayrollImported', data: file }] : []
}

/**
 * Lines as the month has them already: who was nobody's number when a line was first imported, and is a member of staff by now, keeps that line,
 * so that the new one takes its place and does not stand beside it.
 * @param resolve who a reference is by now
 */
export function asStanding(
  lines: readonly PayrollLine[],
  standing: readonly PayrollLine[],
  resolve: (employee: EmployeeRef) => EmployeeRef,
): PayrollLine[] {
  const kept = new Map(standing.map((line) => [lineKey({ ...line, employee: resolve(line.employee) }), line]))
  // A line under the very reference is the one that is replaced, where there are both.
  for (const line of standing) kept.set(lineKey(line), line)
  return lines.map((line) => {
    const { employee, sealedNumber } = kept.get(lineKey(line)) ?? line
    return { ...line, employee, sealedNumber }
  })
}

/**
 * What of a file changes a month, and how much of it is new or takes the place of what stands.
 * @param dropNewZeros a zero is kept only where it replaces a line: a wide file has a cell for every employee and code
 */
export function linesToImport(
  lines: readonly PayrollLine[],
  standing: readonly PayrollLine[],
  { resolve, dropNewZeros }: { resolve: (employee: EmployeeRef) => EmployeeRef; dropNewZeros: boolean },
): { lines: PayrollLine[]; created: number; updated: number } {
  const known = new Set(standing.map(lineKey))
  const paid = asStanding(lines, standing, resolve)
  const own = dropNewZeros ? paid.filter((line) => line.value !== 0 || known.has(lineKey(line))) : paid
  const updated = own.filter((line) => known.has(lineKey(line))).length
  return { lines: own, created: own.length - updated, updated }
}

/**
 * Somebody as a thing of theirs is kept already: under the reference that they had then.
 * @param refs all that they are known by, the one of today first
 */
export function asKept<One extends { employee: EmployeeRef; sealedNumber: string | null }>(
  state: PayrollState,
  one: One,
  { refs, key }: { refs: readonly EmployeeRef[]; key: (employee: EmployeeRef) => string },
): One {
  const kept = refs.map((ref) => state.items.get(key(ref))?.item).find((item) => item !== undefined)
  return kept && 'sealedNumber' in kept ? { ...one, employee: kept.employee, sealedNumber: kept.sealedNumber } : one
}

/** Says that a file was imported already, for another month. @throws DomainError 409 that a second, deliberate call gets past */
export function refuseOtherMonth(standing: CalendarMonth & { at: string }): never {
  throw conflict(
    'sameFile',
    `The same file was imported for ${monthWords(standing)} on ${displayDateTime(standing.at)}. Choose that month, or import it here only if you mean to.`,
    standing,
  )
}

/** @returns nothing where the month has nothing to clear */
export function clearPayroll(state: PayrollState, { year, month }: CalendarMonth): PayrollEvent[] {
  return state.items.has(actualsKey({ year, month })) ? [{ type: 'PayrollCleared', data: { year, month } }] : []
}

/** Puts a value in the place of what was imported. @param typed whole pennies, a deduction is negative */
export function typeActual(
  state: PayrollState,
  month: LevelMonth,
  typed: PayrollCell & { sealedNumber: string | null; value: Pennies },
): PayrollEvent[] {
  const before = state.items.get(typedKey(month, typed))?.item
  if (before?.kind === 'typed' && before.value === typed.value) return []
  return [{ type: 'PayrollActualTyped', data: { ...month, ...typed } }]
}

/** @returns nothing where nothing was typed */
export function clearTyped(state: PayrollState, month: LevelMonth, cells: readonly PayrollCell[]): PayrollEvent[] {
  const typed = cells.filter((cell) => state.items.has(typedKey(month, cell)))
  return typed.length ? [{ type: 'PayrollTypedCleared', data: { ...month, cells: typed } }] : []
}

/** @param notes the same text as before is sealed the same, so that saving it again changes nothing */
export function saveNotes(
  state: PayrollState,
  month: LevelMonth,
  notes: readonly { employee: EmployeeRef; sealedNotes: string }[],
): PayrollEvent[] {
  const changed = notes.filter(({ employee, sealedNotes }) => {
    const before = state.items.get(noteKey(month, employee))?.item
    return before?.kind !== 'note' || before.sealedNotes !== sealedNotes
  })
  return changed.length ? [{ type: 'PayrollNotesSaved', data: { ...month, notes: changed } }] : []
}

export function removeNotes(state: PayrollState, month: LevelMonth, employees: readonly EmployeeRef[]): PayrollEvent[] {
  const noted = employees.filter((employee) => state.items.has(noteKey(month, employee)))
  return noted.length ? [{ type: 'PayrollNotesRemoved', data: { ...month, employees: noted } }] : []
}

/** Leaves amounts to the next month. */
export function carryForward(state: PayrollState, month: LevelMonth, carried: readonly Carried[]): PayrollEvent[] {
  const changed = carried.filter(({ employee, amount }) => {
    const before = state.items.get(carryKey(month, employee))?.item
    return before?.kind !== 'carry' || before.amount !== amount
  })
  return changed.length ? [{ type: 'PayrollCarriedForward', data: { ...month, carried: changed } }] : []
}

export function clearCarries(state: PayrollState, month: LevelMonth, employees: readonly EmployeeRef[]): PayrollEvent[] {
  const kept = employees.filter((employee) => state.items.has(carryKey(month, employee)))
  return kept.length ? [{ type: 'PayrollCarriesCleared', data: { ...month, employees: kept } }] : []
}

/**
 * Completes a month. Type 2 first carries forward every difference that remains and that nobody has carried (rules.md §18).
 * @param remaining the differences of the month by employee
 * @throws DomainError 409 for a month that is complete
 */
export function completeMonth(
  state: PayrollState,
  month: LevelMonth,
  { type, remaining, figures }: { type: number; remaining: readonly Carried[]; figures: CompletedFigures },
): PayrollEvent[] {
  const before = payrollMonthOf(state, month)
  if (before.state === payrollMonthState.complete) throw completeSentence(before)
  const open =
    type === completionType.carryForward
      ? remaining.filter((one) => one.amount !== 0 && !state.items.has(carryKey(month, one.employee)))
      : []
  return [...carryForward(state, month, open), { type: 'PayrollMonthCompleted', data: { ...month, completionType: type, figures } }]
}

/** @throws DomainError 409 for a month that is open */
export function reopenMonth(state: PayrollState, month: LevelMonth, sealedReason: string | null): PayrollEvent[] {
  if (payrollMonthOf(state, month).state !== payrollMonthState.complete)
    throw conflict('monthOpen', `${monthWords(month)} is not completed. There is nothing to reopen.`)
  return [{ type: 'PayrollMonthReopened', data: { ...month, sealedReason } }]
}

/** @param pennies whole pennies up to which a row is matched */
export function saveTolerance(state: PayrollState, pennies: Pennies): PayrollEvent[] {
  const before = state.items.get(toleranceKey)?.item
  return before?.kind === 'tolerance' && before.pennies === pennies ? [] : [{ type: 'PayrollToleranceSaved', data: { pennies } }]
}

/**
 * The keys of the months that must be open for an event of the organisation's log to be. What is carried forward stands in the next month too,
 * so that must be open as well. Locations are asked about by whoever imports: which levels they are in is not in a log.
 */
export function neededOpen(event: PayrollEvent): string[] {
  switch (event.type) {
    case 'PayrollActualTyped':
    case 'PayrollTypedCleared':
    case 'PayrollNotesSaved':
    case 'PayrollNotesRemoved':
      return [monthStateKey(event.data)]
    case 'PayrollCarriedForward':
    case 'PayrollCarriesCleared':
      return [monthStateKey(event.data), monthStateKey(nextMonth(event.data))]
    case 'PayrollChangeUndone':
      return event.data.things.flatMap(({ key }) => {
        const text = /^(typed|note|carry) (\S+) (\d{4})-(\d\d)/.exec(key)
        if (!text) return []
        const month = {
          groupId: text[2] === 'console' ? null : toBudgetGroupId(assertDefined(text[2])),
          year: Number(text[3]),
          month: Number(text[4]),
        }
        return text[1] === 'carry' ? [monthStateKey(month), monthStateKey(nextMonth(month))] : [monthStateKey(month)]
      })
    default:
      return []
  }
}

/** The months whose actuals an event of a location's log changes: every level that takes the location in must have them open. */
export function actualsMonths(event: PayrollEvent): CalendarMonth[] {
  return touchedKeys(event).flatMap((key) => {
    const text = /^actuals (\d{4})-(\d\d)$/.exec(key)
    return text ? [{ year: Number(text[1]), month: Number(text[2]) }] : []
  })
}

function nextMonth({ groupId, ...month }: LevelMonth): LevelMonth {
  return { groupId, ...monthAt(monthIndex(month) + 1) }
}

export function previousMonth({ groupId, ...month }: LevelMonth): LevelMonth {
  return { groupId, ...monthAt(monthIndex(month) - 1) }
}

/** @throws DomainError 409 for an event about a month that is complete (behaviour B-212) */
export function refuseComplete(state: PayrollState, events: readonly PayrollEvent[]): void {
  for (const key of events.flatMap(neededOpen)) {
    const item = state.items.get(key)?.item
    if (item?.kind === 'month' && item.state === payrollMonthState.complete) throw completeSentence(item)
  }
}

/** @param level what it is called where it is not the one that is looked at */
export function completeSentence(month: Pick<PayrollMonthItem, 'year' | 'month'>, level?: string) {
  const { year, month: number } = month
  return conflict('monthComplete', `${monthWords(month)} is completed. Reopen it first${level ? ` for ${level}` : ''}, with a reason.`, {
    year,
    month: number,
  })
}

/**
 * Takes back one's own change as long as nothing newer that still stands touched the same things: back and back again, to the start.
 * @param before the state just before the change
 * @param later what was done since, in order
 * @param nameOf what the people who did that are called
 */
export function undo(
  event: StoredPayrollEvent,
  {
    actorId,
    before,
    later,
    nameOf,
  }: { actorId: UserId | null; before: PayrollState; later: readonly StoredPayrollEvent[]; nameOf: (actorId: UserId) => string },
): PayrollEvent[] {
  if (event.actorId === null || event.actorId !== actorId)
    throw new DomainError('forbidden', 'forbidden', 'Only the person who made a change can undo it.')
  if (!isUndoable(event))
    throw conflict('notUndone', 'A month that was completed is reopened with a reason, and one that was reopened is completed again.')
  const things = touchedKeys(event).map((key) => ({ key, item: before.items.get(key)?.item ?? null }))
  const keys = new Set(things.map(({ key }) => key))
  const { isUndone: isTakenBack, since } = undoStateSince(
    event,
    later.filter((one) => touchedKeys(one).some((key) => keys.has(key))),
  )
  if (isTakenBack) throw conflict('newer', 'This has been taken back already.')
  const newest = since.at(-1)
  if (newest) {
    const who = newest.actorId === actorId ? 'You have' : newest.actorId === null ? 'Another system has' : `${nameOf(newest.actorId)} has`
    throw conflict('newer', `${who} changed this since. Undo the newer change first.`)
  }
  return [{ type: 'PayrollChangeUndone', data: { undoes: event.version, things } }]
}

export function isUndoable({ type }: Pick<PayrollEvent, 'type'>): boolean {
  return type !== 'PayrollMonthCompleted' && type !== 'PayrollMonthReopened'
}
