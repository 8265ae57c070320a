import type { RestoredItems } from '../changes/itemLog.ts'
import type { EventEnvelope } from '../changes/storedEvent.ts'
import type { LeftOutRow } from '../files/leftOut.ts'
import type { CalendarMonth } from '../monitoring/monitoring.ts'
import type { LocationId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'
import type {
  CarriedForward,
  CompletedFigures,
  EmployeeRef,
  LevelMonth,
  PaidAccount,
  PayrollCell,
  PayrollItem,
  PayrollLine,
} from './payroll.ts'

/**
 * Events of a payroll log. Each location has a log of its payroll. Data of a budget group or of the organisation is in the organisation's
 * own log, which has location 0. Money is in whole pennies.
 */
export type PayrollEvent =
  /** Replaces lines of the same employees and codes. `rows` and `sum` are the number of rows and the total of the file. */
  | {
      type: 'PayrollImported'
      data: CalendarMonth & {
        digest: string
        rows: number
        sum: Pennies
        lines: PayrollLine[]
        paidInto?: PaidAccount[]
        leftOut?: LeftOutRow[]
      }
    }
  | { type: 'PayrollCleared'; data: CalendarMonth }
  | { type: 'PayrollActualTyped'; data: LevelMonth & PayrollCell & { sealedNumber: string | null; value: Pennies } }
  | { type: 'PayrollTypedCleared'; data: LevelMonth & { cells: PayrollCell[] } }
  | { type: 'PayrollNotesSaved'; data: LevelMonth & { notes: { employee: EmployeeRef; sealedNotes: string }[] } }
  | { type: 'PayrollNotesRemoved'; data: LevelMonth & { employees: EmployeeRef[] } }
  | { type: 'PayrollCarriedForward'; data: LevelMonth & { carried: CarriedForward[] } }
  | { type: 'PayrollCarriesCleared'; data: LevelMonth & { employees: EmployeeRef[] } }
  | { type: 'PayrollMonthCompleted'; data: LevelMonth & { completionType: number; figures: CompletedFigures } }
  | { type: 'PayrollMonthReopened'; data: LevelMonth & { sealedReason: string | null } }
  | { type: 'PayrollToleranceSaved'; data: { pennies: Pennies } }
  | { type: 'PayrollChangeUndone'; data: RestoredItems<PayrollItem> }

export type PayrollEventType = PayrollEvent['type']

export type StoredPayrollEvent = PayrollEvent & EventEnvelope & { locationId: LocationId }
