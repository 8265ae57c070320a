import { keysOf } from '../../values/keysOf.ts'
import { actualsConnection } from './actuals.ts'
import { approvedBudgetConnection } from './approvedBudget.ts'
import { budgetJournalConnection } from './budgetJournal.ts'
import type { ConnectionKind } from './connection.ts'
import { forecastConnection } from './forecast.ts'
import { payrollConnection } from './payroll.ts'
import { pupilsConnection } from './pupils.ts'
import { staffConnection } from './staff.ts'

/** All kinds of connection, in the order in which they are offered. */
export const connectionKinds = {
  budgetJournal: budgetJournalConnection,
  approvedBudget: approvedBudgetConnection,
  forecast: forecastConnection,
  actuals: actualsConnection,
  payroll: payrollConnection,
  staff: staffConnection,
  pupils: pupilsConnection,
} as const satisfies Record<string, ConnectionKind>

export type ConnectionKindName = keyof typeof connectionKinds
export const connectionKindNames = keysOf(connectionKinds)

export function findConnectionKind(name: ConnectionKindName): ConnectionKind {
  return connectionKinds[name]
}
