import { actualFile } from '../../monitoring/actualFile.ts'
import type { ConnectionKind } from './connection.ts'

export const actualsConnection = {
  title: 'Actuals and commitments',
  direction: 'in',
  of: 'month',
  about: 'Fetches what the ledger says was received, spent and ordered in a month, and imports it in place of what stood there.',
  needs: [
    'The columns are those of the example. In JSON the answer is a list of records with the same names. Where the other system calls them otherwise, say under Fields which is which.',
    'Files in a folder are CSV, and say their month in their name: actuals-2026-10.csv. A web service is asked for the month before today’s, which stands for {month} in its path.',
    'A file is taken once, and moved to the folder taken. One that cannot be imported is moved to refused, with its problems in a file beside it. Nothing of it is imported.',
    'The locations of the file are imported together or not at all; a month that is closed takes nothing.',
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
