import { staffFile } from '../../resources/staffFile.ts'
import type { ConnectionKind } from './connection.ts'

export const staffConnection = {
  title: 'Staff and contracts',
  direction: 'in',
  of: 'day',
  about:
    'Fetches who works where and for what. Nothing changes by itself: starters, leavers and changes wait under Staffing → Changes from HR.',
  needs: [
    'The columns are those of a contract file, of which only EmployeeNumber must be there, or what they were called in a file that was imported by hand. In JSON the answer is a list of records with the same names. Where the other system calls them otherwise, say under Fields which is which.',
    'Location says by name or code where a row belongs. A file has everybody who works at its locations: a contract that is missing is shown as that of a leaver.',
    'An empty cell says nothing. What the file says of pay is as it stands on its day; what a budget plans for later stays.',
    'Files in a folder are CSV. The day that they describe is the one in their name, staff-2026-11-24.csv, else the day on which they are taken.',
    'The newest file of a location takes the place of the one before it.',
  ],
  permission: 'BudgetingStaffingReadUpdate',
  record: staffFile,
  required: ['EmployeeNumber'],
  example: {
    fileName: 'staff-2026-11-24.csv',
    headings: ['Location', 'EmployeeNumber', 'Forename', 'Surname', 'ContractName', 'ScalePoint', 'Fte', 'EffectiveDate', 'EndDate'],
    rows: [
      ['NGT', '1001', 'Grace', 'Okoro', 'Class teacher', 'Main M4', '0.8', '2026-11-01', ''],
      ['NGT', '1002', 'Tom', 'Hale', 'Premises manager', 'NJC SCP12', '1', '2026-04-01', '2026-12-31'],
    ],
  },
} as const satisfies ConnectionKind
