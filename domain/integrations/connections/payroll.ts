import { payrollFile } from '../../payroll/payrollFile.ts'
import type { ConnectionKind } from './connection.ts'

export const payrollConnection = {
  title: 'Monthly payroll',
  direction: 'in',
  of: 'month',
  about: 'Fetches what the payroll provider paid in a month, and imports it to be reconciled with the budget.',
  needs: [
    'The columns are those of the example. In JSON the response is a list of records with the same names. If the other system uses other names, match them under Fields.',
    'PayrollRecId gives the location of each row: the location’s payroll reconciliation id, under Console → Locations.',
    'Files in a folder are CSV, with the month in the name: payroll-2026-10.csv. A web service is asked for last month, which replaces {month} in its path.',
    'Each file is read once, then moved to the folder “taken”. A file that cannot be imported is moved to “refused”, with a file that lists its problems. None of it is imported.',
    'Nothing is imported into a completed month.',
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
