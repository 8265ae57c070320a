import { useCallback, useRef, useState } from 'react'
import { type CalendarMonth, formatIsoMonth } from '../../domain/monitoring/monitoring.ts'
import { toPennies, toPounds } from '../../domain/values/format.ts'
import type { BudgetGroupId, LocationId } from '../../domain/values/ids.ts'
import type { Pennies, Pounds } from '../../domain/values/units.ts'
import { ClientRefusalError, trpc } from '../shell/api.ts'
import { createDeletionUndo } from '../shell/notify.tsx'
import { useWarnBeforeClosing } from '../shell/unsavedChanges.ts'
import type { PayrollRow } from './employees.ts'

/** The scope of a reconciliation: a month of a budget group, or of the whole organisation if the group is null. */
export interface ReconciliationScope extends CalendarMonth {
  groupId: BudgetGroupId | null
}

/** An employee, with the note that the screen shows. */
interface NotedEmployee {
  employeeNumber: string
  note: string | null
}

/** Lists each employee once, because the same person may work at several locations. */
function distinctEmployees(of: readonly NotedEmployee[]): { employeeNumbers: string[]; seen: (string | null)[] } {
  const notes = new Map(of.map(({ employeeNumber, note }) => [employeeNumber, note]))
  return { employeeNumbers: [...notes.keys()], seen: [...notes.values()] }
}

/** Returns the rows with a new note for some employees. */
function withNote(rows: PayrollRow[], of: readonly NotedEmployee[], note: string | null): PayrollRow[] {
  const numbers = new Set(of.map(({ employeeNumber }) => employeeNumber))
  return rows.map((row) => (numbers.has(row.employeeNumber) ? { ...row, note } : row))
}

/** Returns the rows with new carried-forward amounts, in pounds. The first row of an employee holds the amount. */
function withCarried(
  rows: PayrollRow[],
  employeeNumbers: readonly string[],
  carriedOf: (employeeNumber: string) => Pounds | null,
): PayrollRow[] {
  const left = new Set(employeeNumbers)
  return rows.map((row) => (left.delete(row.employeeNumber) ? { ...row, carriedForward: carriedOf(row.employeeNumber) } : row))
}

/** Sums an employee's differences, in pounds; null if the sum cannot be calculated. */
function sumDifference(rows: readonly PayrollRow[], employeeNumber: string): Pounds | null {
  let pennies: Pennies = 0
  for (const row of rows) {
    if (row.employeeNumber !== employeeNumber) continue
    if (row.difference === null) return null
    pennies += toPennies(row.difference)
  }
  return toPounds(pennies)
}

/** An optimistic change that the loaded table does not contain yet. */
interface PendingChange {
  month: string
  change: (rows: PayrollRow[]) => PayrollRow[]
  /** When the change was saved, in epoch milliseconds; null while it is being saved. */
  savedAt: number | null
}

/** Whether a change is missing from the table because the table was loaded before the change was saved. */
const isPending = ({ savedAt }: PendingChange, readAt: number): boolean => savedAt === null || savedAt >= readAt

/**
 * The calls that change a month, of a group or of the whole organisation. Notes and carried-forward amounts show at once and are saved one
 * after another, so that a user who works through forty employees by keyboard never waits.
 * @param readAt when the table on the screen was loaded, in epoch milliseconds
 */
export function useReconciliationChanges({ groupId, year, month }: ReconciliationScope, readAt: number) {
  const [pending, setPending] = useState<readonly PendingChange[]>([])
  const lastSave = useRef<Promise<unknown>>(Promise.resolve())
  const refused = useRef(0)
  useWarnBeforeClosing(pending.some(({ savedAt }) => savedAt === null))
  const monthKey = formatIsoMonth({ year, month })
  const at = { year, month, group: groupId }
  const notes = trpc.payroll.notes.useMutation()
  const notesDelete = trpc.payroll.notesDelete.useMutation()
  const actual = trpc.payroll.actual.useMutation()
  const actualDelete = trpc.payroll.actualDelete.useMutation()
  const carryMany = trpc.payroll.carryMany.useMutation()
  const carryOne = trpc.payroll.carryForward.useMutation()
  const clearCarries = trpc.payroll.clearCarries.useMutation()
  const complete = trpc.payroll.complete.useMutation()
  const reopen = trpc.payroll.reopen.useMutation()
  const { mutateAsync: clear } = trpc.payroll.clear.useMutation()
  const { mutateAsync: undo } = trpc.payroll.undo.useMutation()
  const { mutateAsync: undoAll } = trpc.payroll.undoAll.useMutation()
  /** Applies pending changes to the loaded rows. */
  const applyPending = useCallback(
    (rows: PayrollRow[]): PayrollRow[] =>
      pending.filter((one) => one.month === monthKey && isPending(one, readAt)).reduce((now, { change }) => change(now), rows),
    [pending, monthKey, readAt],
  )
  const shown = async <Saved>(change: PendingChange['change'], save: () => Promise<Saved>): Promise<Saved> => {
    const pendingChange: PendingChange = { month: monthKey, change, savedAt: null }
    setPending((now) => [...now.filter((one) => isPending(one, readAt)), pendingChange])
    const saving = lastSave.current.then(save, save)
    lastSave.current = saving
    try {
      const saved = await saving
      setPending((now) => now.map((one) => (one === pendingChange ? { ...pendingChange, savedAt: Date.now() } : one)))
      return saved
    } catch (error) {
      refused.current++
      setPending((now) => now.filter((one) => one !== pendingChange))
      throw error
    }
  }
  /**
   * Waits for pending saves before an action on the whole month.
   * @returns how many of the saves were refused
   */
  const waitForSaves = async (): Promise<number> => {
    const before = refused.current
    await lastSave.current.catch(() => undefined)
    return refused.current - before
  }
  /** Creates the function that undoes a removal; undefined if nothing was removed. */
  const createUndo = ([version]: readonly number[] = []) =>
    version === undefined ? undefined : createDeletionUndo(() => undo({ version }))
  return {
    over: applyPending,
    /** Saves a note on several employees. Saves nothing if another user has changed one of their notes since the screen loaded. */
    async saveNotes(of: readonly NotedEmployee[], text: string): Promise<void> {
      await shown(
        (rows) => withNote(rows, of, text.trim()),
        () => notes.mutateAsync({ ...at, ...distinctEmployees(of), notes: text }),
      )
    },
    /**
     * Removes the notes of employees.
     * @returns the function that undoes this
     */
    async removeNotes(of: readonly NotedEmployee[]) {
      const { versions } = await shown(
        (rows) => withNote(rows, of, null),
        () => notesDelete.mutateAsync({ ...at, ...distinctEmployees(of) }),
      )
      return createUndo(versions)
    },
    /**
     * Replaces an imported actual.
     * @param value pounds
     */
    async typeActual(cell: { employeeNumber: string; payrollCode: string; locationId: LocationId }, value: number): Promise<void> {
      await actual.mutateAsync({ ...at, ...cell, value })
    },
    /**
     * Restores an imported actual.
     * @returns the function that undoes this
     */
    async clearActual(cell: { employeeNumber: string; payrollCode: string; locationId: LocationId }) {
      return createUndo(await actualDelete.mutateAsync({ ...at, ...cell, isConsole: groupId === null }))
    },
    async carryForward(employeeNumbers: string[]): Promise<void> {
      await shown(
        (rows) => withCarried(rows, employeeNumbers, (number) => sumDifference(rows, number)),
        () => carryMany.mutateAsync({ ...at, employeeNumbers }),
      )
    },
    /**
     * Carries part of a difference forward.
     * @param value the part in pounds; the rest stays in the month
     */
    async carryAmount(employeeNumber: string, value: number): Promise<void> {
      await shown(
        (rows) => withCarried(rows, [employeeNumber], () => value),
        () => carryOne.mutateAsync({ ...at, employeeNumber, value }),
      )
    },
    /**
     * Removes carried-forward amounts.
     * @returns the function that undoes this
     */
    async clearCarryForward(employeeNumbers: string[]) {
      const { versions } = await shown(
        (rows) => withCarried(rows, employeeNumbers, () => null),
        () => clearCarries.mutateAsync({ ...at, employeeNumbers }),
      )
      return createUndo(versions)
    },
    /**
     * Clears a month.
     * @param option a value of the list `payrollReconciliationClearOptions`
     * @returns the function that undoes this; undefined if there was nothing to clear
     */
    async clearMonth(option: number) {
      await waitForSaves()
      const cleared = await clear({ year, month, budgetGroup: groupId, option })
      return cleared.length ? createDeletionUndo(() => undoAll({ changes: cleared })) : undefined
    },
    /**
     * Completes a month.
     * @param type a value of the list `completionTypes`
     * @throws ClientRefusal if the server refused a pending change that the screen was showing
     */
    async completeMonth(type: 1 | 2): Promise<void> {
      if (await waitForSaves())
        throw new ClientRefusalError('One of your notes was not saved, so the month was not completed. Check your notes and try again.', [])
      await complete.mutateAsync({ ...at, type })
    },
    async reopenMonth(reason: string): Promise<void> {
      await reopen.mutateAsync({ ...at, reason })
    },
  }
}

export type ReconciliationChanges = ReturnType<typeof useReconciliationChanges>
