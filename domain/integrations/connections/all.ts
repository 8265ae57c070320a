import { keysOf } from '../../values/keysOf.ts'
import { actuals } from './actuals.ts'
import { approvedBudget } from './approvedBudget.ts'
import { budgetJournal } from './budgetJournal.ts'
import type { ConnectionKind } from './connection.ts'
import { forecast } from './forecast.ts'
import { payroll } from './payroll.ts'
import { pupils } from './pupils.ts'
import { staff } from './staff.ts'

/** Every kind of connection, in the order in which it is offered. */
export const connectionKinds = { budgetJournal, approvedBudget, forecast, actuals, payroll, staff, pupils } as const satisfies Record<
  string,
  ConnectionKind
>

export type ConnectionKindName = keyof typeof connectionKinds
export const connectionKindNames = keysOf(connectionKinds)

/** The declaration of a kind. */
export function kindOf(name: ConnectionKindName): ConnectionKind {
  return connectionKinds[name]
}
