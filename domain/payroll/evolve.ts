import { payrollMonthState } from '../lookups/lookupIds.ts'
import type { PayrollEvent, StoredPayrollEvent } from './events.ts'
import {
  actualsKey,
  carryKey,
  keyOf,
  type LevelMonth,
  monthStateKey,
  noteKey,
  type PaidInto,
  type PayrollItem,
  type PayrollLine,
  type PayrollMonthItem,
  type StandingLine,
  type StoredPayroll,
  toleranceKey,
  typedKey,
} from './payroll.ts'

/** A payroll log folded: everything it keeps, by key. */
export interface PayrollState {
  version: number
  items: Map<string, StoredPayroll>
}

export function emptyPayroll(): PayrollState {
  return { version: 0, items: new Map() }
}

/** The keys of what an event changes. */
export function touchedKeys(event: PayrollEvent): string[] {
  switch (event.type) {
    case 'PayrollImported':
    case 'PayrollCleared':
      return [actualsKey(event.data)]
    case 'PayrollActualTyped':
      return [typedKey(event.data, event.data)]
    case 'PayrollTypedCleared':
      return event.data.cells.map((cell) => typedKey(event.data, cell))
    case 'PayrollNotesSaved':
      return event.data.notes.map((note) => noteKey(event.data, note.employee))
    case 'PayrollNotesRemoved':
      return event.data.employees.map((employee) => noteKey(event.data, employee))
    case 'PayrollCarriedForward':
      return event.data.carried.map((one) => carryKey(event.data, one.employee))
    case 'PayrollCarriesCleared':
      return event.data.employees.map((employee) => carryKey(event.data, employee))
    case 'PayrollMonthCompleted':
    case 'PayrollMonthReopened':
      return [monthStateKey(event.data)]
    case 'PayrollToleranceSaved':
      return [toleranceKey]
    case 'PayrollChangeUndone':
      return event.data.things.map((thing) => thing.key)
  }
}

/** Folds one event into a state. Events never refuse. */
export function evolve(state: PayrollState, event: StoredPayrollEvent): void {
  state.version = event.version
  const put = (item: PayrollItem): void => void state.items.set(keyOf(item), { version: event.version, savedAt: event.occurredAt, item })
  const done = { by: event.actorId, at: event.occurredAt }
  switch (event.type) {
    case 'PayrollImported': {
      const { year, month, digest, rows, sum, lines, paidInto = [] } = event.data
      const before = state.items.get(actualsKey(event.data))?.item
      const kept = before?.kind === 'actuals' ? before : undefined
      const accounts = accountsAfter(kept?.paidInto ?? [], lines, paidInto)
      put({
        kind: 'actuals',
        year,
        month,
        imports: [...(kept?.imports ?? []), { version: event.version, at: event.occurredAt, digest, rows, sum }],
        lines: merged(kept?.lines ?? [], lines, event.version),
        ...(accounts.length && { paidInto: accounts }),
      })
      return
    }
    case 'PayrollCleared':
    case 'PayrollTypedCleared':
    case 'PayrollNotesRemoved':
    case 'PayrollCarriesCleared':
      for (const key of touchedKeys(event)) state.items.delete(key)
      return
    case 'PayrollActualTyped':
      put({ kind: 'typed', ...event.data })
      return
    case 'PayrollNotesSaved': {
      const { notes, ...month } = event.data
      for (const note of notes) put({ kind: 'note', ...month, ...note })
      return
    }
    case 'PayrollCarriedForward': {
      const { carried, ...month } = event.data
      for (const one of carried) put({ kind: 'carry', ...month, ...one })
      return
    }
    case 'PayrollMonthCompleted': {
      const { completionType, figures, ...month } = event.data
      put({ ...payrollMonthOf(state, month), state: payrollMonthState.complete, completionType, completed: done, figures })
      return
    }
    case 'PayrollMonthReopened': {
      const { sealedReason, ...month } = event.data
      put({ ...payrollMonthOf(state, month), state: payrollMonthState.open, reopened: { ...done, sealedReason } })
      return
    }
    case 'PayrollToleranceSaved':
      put({ kind: 'tolerance', ...event.data })
      return
    case 'PayrollChangeUndone':
      for (const { key, item } of event.data.things)
        if (item) put(item)
        else state.items.delete(key)
  }
}

/** What a line is known by in its month and location. */
export const lineKey = ({ employee, payrollCodeId }: Pick<PayrollLine, 'employee' | 'payrollCodeId'>): string =>
  `${employee} ${payrollCodeId}`

/** Lines by employee and code: a new one takes the place of the one before. Plain order of characters, so that every replay has the same. */
function merged(before: readonly StandingLine[], added: readonly PayrollLine[], version: number): StandingLine[] {
  const lines = new Map(before.map((line) => [lineKey(line), line]))
  for (const line of added) lines.set(lineKey(line), { ...line, version })
  return inLineOrder([...lines.values()])
}

/** The accounts of a month: a file says anew of everybody in it where they were paid into. */
function accountsAfter(before: readonly PaidInto[], lines: readonly PayrollLine[], added: readonly PaidInto[]): PaidInto[] {
  const paid = new Set(lines.map((line) => line.employee))
  const all = [...before.filter(({ employee }) => !paid.has(employee)), ...added]
  return all.sort((a, b) => (a.employee < b.employee ? -1 : a.employee > b.employee ? 1 : a.account < b.account ? -1 : 1))
}

/** The order in which a month keeps its lines. */
export function inLineOrder(lines: readonly StandingLine[]): StandingLine[] {
  return [...lines].sort((a, b) => (a.employee === b.employee ? a.payrollCodeId - b.payrollCodeId : a.employee < b.employee ? -1 : 1))
}

/** How far a month is at a level; one that nobody has completed is open. */
export function payrollMonthOf(state: PayrollState, { year, month, groupId }: LevelMonth): PayrollMonthItem {
  const item = state.items.get(monthStateKey({ year, month, groupId }))?.item
  if (item?.kind === 'month') return item
  return {
    kind: 'month',
    year,
    month,
    groupId,
    state: payrollMonthState.open,
    completionType: null,
    completed: null,
    figures: null,
    reopened: null,
  }
}
