import { fileConnections } from '../files/connections.ts'
import type { ConnectionKind } from './connection.ts'
import { takesFiles } from './takesFiles.ts'

/** Approved budgets alone to a ledger. */
export const approvedBudget = {
  title: fileConnections.approvedBudget.title,
  direction: 'out',
  about: 'Sends approved budgets to the ledger, in a layout that it takes in, when another one is approved.',
  needs: takesFiles,
  permission: 'BudgetingReportsRead',
} as const satisfies ConnectionKind
