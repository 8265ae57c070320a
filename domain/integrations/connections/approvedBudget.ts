import { outgoingFiles } from '../files/connections.ts'
import type { ConnectionKind } from './connection.ts'
import { fileReceiverNeeds } from './fileReceiverNeeds.ts'

export const approvedBudgetConnection = {
  title: outgoingFiles.approvedBudget.title,
  direction: 'out',
  about: 'Sends approved budgets to the ledger, in its import layout, when another one is approved.',
  needs: fileReceiverNeeds,
  permission: 'BudgetingReportsRead',
} as const satisfies ConnectionKind
