import { actualFile } from '../../monitoring/actualFile.ts'
import type { ConnectionKind } from './connection.ts'

export const actualsConnection = {
  title: 'Actuals and commitments',
  direction: 'in',
  of: 'month',
  about: 'Fetches a month’s actuals and commitments from the ledger and imports them, replacing any already there.',
  needs: [
    'The columns are those of the example. In JSON the response is a list of records with the same names. If the other system uses other names, match them under Fields.',
    'Files in a folder are CSV, with the month in the name: actuals-2026-10.csv. A web service is asked for last month, which replaces {month} in its path.',
    'Each file is read once, then moved to the folder “taken”. A file that cannot be imported is moved to “refused”, with a file that lists its problems. None of it is imported.',
    'The locations in the file are imported together or not at all; nothing is imported into a closed month.',
  ],
  permission: 'ConsoleMonitoringReadUpdate',
  record: actualFile,
  required: ['Type', 'BudgetCodeFilter', 'Value', 'BudgetCode', 'CostCentre'],
  example: {
    fileName: 'actuals-2026-10.csv',
    headings: ['Type', 'BudgetCodeFilter', 'Value', 'BudgetCode', 'CostCentre', 'Description', 'FundCode', 'AnalysisTag'],
    rows: [
      ['Actual', 'NGT', '1250.50', '4001', 'C100', 'Supply cover, first half of the month', '', ''],
      ['Commitment', 'NGT', '380.00', '4210', 'C100', 'Paper on order', '', ''],
    ],
  },
} as const satisfies ConnectionKind
