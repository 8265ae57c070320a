import type { CalendarMonth } from '../../domain/monitoring/monitoring.ts'
import { trpc } from '../shell/api.ts'

/** What is reconciled: a month of a budget group, or with null of the whole organisation. */
export interface Level extends CalendarMonth {
  groupId: string | null
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
  const isConsole = groupId === null
  return {
    /** Where somebody has noted something else since these were looked at, nothing is saved. */
    async saveNotes(of: readonly Noted[], text: string): Promise<void> {
      if (isConsole) await notesConsole.mutateAsync({ ...all, ...noted(of), notes: text })
      else await notes.mutateAsync({ ...group, ...noted(of), notes: text })
    },
    async removeNotes(of: readonly Noted[]): Promise<void> {
      if (isConsole) await notesDeleteConsole.mutateAsync({ ...all, ...noted(of) })
      else await notesDelete.mutateAsync({ ...group, ...noted(of) })
    },
    /** @param value pounds */
    async typeActual(cell: { employeeNumber: string; payrollCode: string; locationId: number }, value: number): Promise<void> {
      if (isConsole) await actualConsole.mutateAsync({ ...all, ...cell, value })
      else await actual.mutateAsync({ ...group, ...cell, value })
    },
    async clearActual(cell: { employeeNumber: string; payrollCode: string; locationId: number }): Promise<void> {
      await actualDelete.mutateAsync({ ...all, ...cell, group: groupId, isConsole })
    },
    async carryForward(employeeNumbers: string[]): Promise<void> {
      await carryMany.mutateAsync({ ...all, group: groupId, employeeNumbers })
    },
    /** @param value pounds of the difference, the rest of which stays in the month */
    async carryAmount(employeeNumber: string, value: number): Promise<void> {
      if (isConsole) await carryOneConsole.mutateAsync({ ...all, employeeNumber, value })
      else await carryOne.mutateAsync({ ...group, employeeNumber, value })
    },
    async clearCarryForward(employeeNumbers: string[]): Promise<void> {
      await clearCarries.mutateAsync({ ...all, group: groupId, employeeNumbers })
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
