import type { BudgetGroupId } from '../../domain/ids.ts'
import type { CalendarMonth } from '../../domain/monitoring/monitoring.ts'
import { trpc } from '../shell/api.ts'
import { wayBack } from '../shell/notify.tsx'

/** What is reconciled: a month of a budget group, or with null of the whole organisation. */
export interface Level extends CalendarMonth {
  groupId: BudgetGroupId | null
}

/** Somebody, with what is noted on them as the screen shows it. */
interface Noted {
  employeeNumber: string
  note: string | null
}

/** Once each: somebody may stand at several locations. */
function noted(of: readonly Noted[]): { employeeNumbers: string[]; seen: (string | null)[] } {
  const notes = new Map(of.map(({ employeeNumber, note }) => [employeeNumber, note]))
  return { employeeNumbers: [...notes.keys()], seen: [...notes.values()] }
}

/** The calls that change a month. Those of a group and of the whole organisation have addresses of their own; a screen need not know which. */
export function useChanges({ groupId, year, month }: Level) {
  const group = { year, month, group: groupId ?? '' }
  const all = { year, month }
  const notes = trpc.payroll.notes.useMutation()
  const notesConsole = trpc.payroll.notesConsole.useMutation()
  const notesDelete = trpc.payroll.notesDelete.useMutation()
  const notesDeleteConsole = trpc.payroll.notesDeleteConsole.useMutation()
  const actual = trpc.payroll.actual.useMutation()
  const actualConsole = trpc.payroll.actualConsole.useMutation()
  const actualDelete = trpc.payroll.actualDelete.useMutation()
  const carryMany = trpc.payroll.carryMany.useMutation()
  const carryOne = trpc.payroll.carryForward.useMutation()
  const carryOneConsole = trpc.payroll.carryForwardConsole.useMutation()
  const clearCarries = trpc.payroll.clearCarries.useMutation()
  const complete = trpc.payroll.complete.useMutation()
  const completeConsole = trpc.payroll.completeConsole.useMutation()
  const reopen = trpc.payroll.reopen.useMutation()
  const reopenConsole = trpc.payroll.reopenConsole.useMutation()
  const { mutateAsync: clear } = trpc.payroll.clear.useMutation()
  const { mutateAsync: clearConsole } = trpc.payroll.clearConsole.useMutation()
  const { mutateAsync: undo } = trpc.payroll.undo.useMutation()
  const { mutateAsync: undoAll } = trpc.payroll.undoAll.useMutation()
  const isConsole = groupId === null
  /** The way back from what was taken away, which one press does at one level; undefined where nothing was. */
  const backFrom = ([version]: readonly number[] = []) => (version === undefined ? undefined : wayBack(() => undo({ version })))
  return {
    /** Where somebody has noted something else since these were looked at, nothing is saved. */
    async saveNotes(of: readonly Noted[], text: string): Promise<void> {
      if (isConsole) await notesConsole.mutateAsync({ ...all, ...noted(of), notes: text })
      else await notes.mutateAsync({ ...group, ...noted(of), notes: text })
    },
    /** @returns the way back */
    async removeNotes(of: readonly Noted[]) {
      const { versions } = isConsole
        ? await notesDeleteConsole.mutateAsync({ ...all, ...noted(of) })
        : await notesDelete.mutateAsync({ ...group, ...noted(of) })
      return backFrom(versions)
    },
    /** @param value pounds */
    async typeActual(cell: { employeeNumber: string; payrollCode: string; locationId: number }, value: number): Promise<void> {
      if (isConsole) await actualConsole.mutateAsync({ ...all, ...cell, value })
      else await actual.mutateAsync({ ...group, ...cell, value })
    },
    /** @returns the way back */
    async clearActual(cell: { employeeNumber: string; payrollCode: string; locationId: number }) {
      return backFrom(await actualDelete.mutateAsync({ ...all, ...cell, group: groupId, isConsole }))
    },
    async carryForward(employeeNumbers: string[]): Promise<void> {
      await carryMany.mutateAsync({ ...all, group: groupId, employeeNumbers })
    },
    /** @param value pounds of the difference, the rest of which stays in the month */
    async carryAmount(employeeNumber: string, value: number): Promise<void> {
      if (isConsole) await carryOneConsole.mutateAsync({ ...all, employeeNumber, value })
      else await carryOne.mutateAsync({ ...group, employeeNumber, value })
    },
    /** @returns the way back */
    async clearCarryForward(employeeNumbers: string[]) {
      return backFrom((await clearCarries.mutateAsync({ ...all, group: groupId, employeeNumbers })).versions)
    },
    /** @param option by the list `payrollReconciliationClearOptions` @returns the way back; undefined where there was nothing */
    async clearMonth(option: number) {
      const cleared = isConsole ? await clearConsole({ ...all, option }) : await clear({ ...all, budgetGroup: groupId, option })
      return cleared.length ? wayBack(() => undoAll({ changes: cleared })) : undefined
    },
    /** @param type by the list `completionTypes` */
    async completeMonth(type: 1 | 2): Promise<void> {
      if (isConsole) await completeConsole.mutateAsync({ ...all, type })
      else await complete.mutateAsync({ ...group, type })
    },
    async reopenMonth(reason: string): Promise<void> {
      if (isConsole) await reopenConsole.mutateAsync({ ...all, reason })
      else await reopen.mutateAsync({ ...group, reason })
    },
  }
}

export type Changes = ReturnType<typeof useChanges>
