import { payrollFile } from '../../payroll/payrollFile.ts'
import type { ConnectionKind } from './connection.ts'

export const payrollConnection = {
  title: 'Payroll of a month',
  direction: 'in',
  of: 'month',
  about: 'Fetches what the payroll provider paid in a month, and imports it to be reconciled with the budget.',
  needs: [
    'The columns are those of the example. In JSON the answer is a list of records with the same names. Where the other system calls them otherwise, say under Fields which is which.',
    'Each row says by PayrollRecId where it belongs: the payroll reconciliation id of a location, under Console → Locations.',
    'Files in a folder are CSV, and say their month in their name: payroll-2026-10.csv. A web service is asked for the month before today’s, which stands for {month} in its path.',
    'A file is taken once, and moved to the folder taken. One that cannot be imported is moved to refused, with its problems in a file beside it. Nothing of it is imported.',
    'A month that is completed takes nothing.',
  ],
  permission: 'ConsolePayrollReconciliationReadUpdate',
  record: payrollFile,
  required: ['PayrollRecId', 'EmployeeNumber', 'PayrollCode', 'Actual'],
  example: {
    fileName: 'payroll-2026-10.csv',
    headings: ['PayrollRecId', 'EmployeeNumber', 'PayrollCode', 'Actual'],
    rows: [
      ['NGT', '1001', 'BASIC', '3512.40'],
      ['NGT', '1001', 'ERNI', '401.72'],
    ],
  },
} as const satisfies ConnectionKind
