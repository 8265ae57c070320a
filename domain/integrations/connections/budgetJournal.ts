import { outgoingFiles } from '../files/connections.ts'
import type { ConnectionKind } from './connection.ts'
import { fileReceiverNeeds } from './fileReceiverNeeds.ts'

export const budgetJournalConnection = {
  title: outgoingFiles.budgetJournal.title,
  direction: 'out',
  about: 'Sends the budget of record of each location to the ledger, in its import layout, when it has changed.',
  needs: fileReceiverNeeds,
  permission: 'BudgetingReportsRead',
} as const satisfies ConnectionKind
