import { fileConnections } from '../files/connections.ts'
import type { ConnectionKind } from './connection.ts'
import { takesFiles } from './takesFiles.ts'

/** The budget of each location to a ledger. */
export const budgetJournal = {
  title: fileConnections.budgetJournal.title,
  direction: 'out',
  about: 'Sends the budget of record of each location to the ledger, in a layout that it takes in, when it has changed.',
  needs: takesFiles,
  permission: 'BudgetingReportsRead',
} as const satisfies ConnectionKind
