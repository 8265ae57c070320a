import type { CalendarMonth } from '../monitoring/monitoring.ts'
import type { LocationId, OrganisationId, UserId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'
import type { Carried, CompletedFigures, EmployeeRef, LevelMonth, PaidInto, PayrollCell, PayrollItem, PayrollLine } from './payroll.ts'

/**
 * Past-tense facts of a payroll log. Each location has one for what its payroll paid; what is kept at a level, a budget group or the whole
 * organisation, belongs to no single location and stands in the log of the organisation itself, location 0. Money is in whole pennies.
 */
export type PayrollEvent =
  /** Lines of a file in the place of those of the same employees and codes; `rows` and `sum` are the file's. */
  | {
      type: 'PayrollImported'
      data: CalendarMonth & { digest: string; rows: number; sum: Pennies; lines: PayrollLine[]; paidInto?: PaidInto[] }
    }
  | { type: 'PayrollCleared'; data: CalendarMonth }
  | { type: 'PayrollActualTyped'; data: LevelMonth & PayrollCell & { sealedNumber: string | null; value: Pennies } }
  | { type: 'PayrollTypedCleared'; data: LevelMonth & { cells: PayrollCell[] } }
  | { type: 'PayrollNotesSaved'; data: LevelMonth & { notes: { employee: EmployeeRef; sealedNotes: string }[] } }
  | { type: 'PayrollNotesRemoved'; data: LevelMonth & { employees: EmployeeRef[] } }
  | { type: 'PayrollCarriedForward'; data: LevelMonth & { carried: Carried[] } }
  | { type: 'PayrollCarriesCleared'; data: LevelMonth & { employees: EmployeeRef[] } }
  | { type: 'PayrollMonthCompleted'; data: LevelMonth & { completionType: number; figures: CompletedFigures } }
  | { type: 'PayrollMonthReopened'; data: LevelMonth & { sealedReason: string | null } }
  | { type: 'PayrollToleranceSaved'; data: { pennies: Pennies } }
  /** A change taken back: what it was about stands as it stood before; null: it is not there. */
  | { type: 'PayrollChangeUndone'; data: { undoes: number; things: { key: string; item: PayrollItem | null }[] } }

export type PayrollEventType = PayrollEvent['type']

export type StoredPayrollEvent = PayrollEvent & {
  organisationId: OrganisationId
  locationId: LocationId
  version: number
  position: number
  actorId: UserId | null
  requestId: string
  occurredAt: string
  previousHash: string
  hash: string
}
