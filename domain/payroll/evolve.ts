import type { ItemState } from '../changes/itemLog.ts'
import { payrollMonthState } from '../lookups/lookupIds.ts'
import type { PayrollEvent, StoredPayrollEvent } from './events.ts'
import {
  buildActualsKey,
  buildCarriedForwardKey,
  buildEnteredActualKey,
  buildMonthStateKey,
  buildNoteKey,
  getPayrollItemKey,
  type LevelMonth,
  type PaidAccount,
  type PayrollItem,
  type PayrollLine,
  type PayrollMonthItem,
  type StoredPayrollLine,
  toleranceKey,
} from './payroll.ts'

/** A payroll log folded into its items, by key. */
export type PayrollState = ItemState<PayrollItem>

/** The keys of the items that an event changes. */
export function listTouchedKeys(event: PayrollEvent): string[] {
  switch (event.type) {
    case 'PayrollImported':
    case 'PayrollCleared':
      return [buildActualsKey(event.data)]
    case 'PayrollActualTyped':
      return [buildEnteredActualKey(event.data, event.data)]
    case 'PayrollTypedCleared':
      return event.data.cells.map((cell) => buildEnteredActualKey(event.data, cell))
    case 'PayrollNotesSaved':
      return event.data.notes.map((note) => buildNoteKey(event.data, note.employee))
    case 'PayrollNotesRemoved':
      return event.data.employees.map((employee) => buildNoteKey(event.data, employee))
    case 'PayrollCarriedForward':
      return event.data.carried.map((one) => buildCarriedForwardKey(event.data, one.employee))
    case 'PayrollCarriesCleared':
      return event.data.employees.map((employee) => buildCarriedForwardKey(event.data, employee))
    case 'PayrollMonthCompleted':
    case 'PayrollMonthReopened':
      return [buildMonthStateKey(event.data)]
    case 'PayrollToleranceSaved':
      return [toleranceKey]
    case 'PayrollChangeUndone':
      return event.data.things.map((thing) => thing.key)
  }
}

/** Folds one event into a state. Folds never refuse an event. */
export function evolve(state: PayrollState, event: StoredPayrollEvent): void {
  state.version = event.version
  const put = (item: PayrollItem): void =>
    void state.items.set(getPayrollItemKey(item), { version: event.version, savedAt: event.occurredAt, item })
  const done = { by: event.actorId, at: event.occurredAt }
  switch (event.type) {
    case 'PayrollImported': {
      const { year, month, digest, rows, sum, lines, paidInto = [] } = event.data
      const before = state.items.get(buildActualsKey(event.data))?.item
      const earlier = before?.kind === 'actuals' ? before : undefined
      const accounts = mergeAccounts(earlier?.paidInto ?? [], lines, paidInto)
      put({
        kind: 'actuals',
        year,
        month,
        imports: [...(earlier?.imports ?? []), { version: event.version, at: event.occurredAt, digest, rows, sum }],
        lines: mergeLines(earlier?.lines ?? [], lines, event.version),
        ...(accounts.length && { paidInto: accounts }),
      })
      return
    }
    case 'PayrollCleared':
    case 'PayrollTypedCleared':
    case 'PayrollNotesRemoved':
    case 'PayrollCarriesCleared':
      for (const key of listTouchedKeys(event)) state.items.delete(key)
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
      put({ ...findPayrollMonth(state, month), state: payrollMonthState.complete, completionType, completed: done, figures })
      return
    }
    case 'PayrollMonthReopened': {
      const { sealedReason, ...month } = event.data
      put({ ...findPayrollMonth(state, month), state: payrollMonthState.open, reopened: { ...done, sealedReason } })
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

export const buildPayrollLineKey = ({ employee, payrollCodeId }: Pick<PayrollLine, 'employee' | 'payrollCodeId'>): string =>
  `${employee} ${payrollCodeId}`

/**
 * Merges lines by employee and code; a new line replaces the old one. They are sorted by character code, so that every replay gives the
 * same order.
 */
function mergeLines(before: readonly StoredPayrollLine[], added: readonly PayrollLine[], version: number): StoredPayrollLine[] {
  const lines = new Map(before.map((line) => [buildPayrollLineKey(line), line]))
  for (const line of added) lines.set(buildPayrollLineKey(line), { ...line, version })
  return sortLines([...lines.values()])
}

/** Merges bank accounts. A file replaces the accounts of everyone that it pays. */
function mergeAccounts(before: readonly PaidAccount[], lines: readonly PayrollLine[], added: readonly PaidAccount[]): PaidAccount[] {
  const paid = new Set(lines.map((line) => line.employee))
  const all = [...before.filter(({ employee }) => !paid.has(employee)), ...added]
  return all.sort((a, b) => (a.employee < b.employee ? -1 : a.employee > b.employee ? 1 : a.account < b.account ? -1 : 1))
}

export function sortLines(lines: readonly StoredPayrollLine[]): StoredPayrollLine[] {
  return [...lines].sort((a, b) => (a.employee === b.employee ? a.payrollCodeId - b.payrollCodeId : a.employee < b.employee ? -1 : 1))
}

/** The progress of a month at a level: open until somebody completes it. */
export function findPayrollMonth(state: PayrollState, { year, month, groupId }: LevelMonth): PayrollMonthItem {
  const item = state.items.get(buildMonthStateKey({ year, month, groupId }))?.item
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
