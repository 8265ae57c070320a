import { staffFile } from '../../resources/staffFile.ts'
import type { ConnectionKind } from './connection.ts'

export const staffConnection = {
  title: 'Staff and contracts',
  direction: 'in',
  of: 'day',
  about:
    'Fetches staff and their contracts. Nothing changes automatically: starters, leavers and changes are listed under Staffing → Changes from HR.',
  needs: [
    'The columns are those of a contract file (only EmployeeNumber is required), or the names used in a file that you imported before. In JSON the response is a list of records with the same names. If the other system uses other names, match them under Fields.',
    'Location gives the name or code of each row’s location. A file contains everyone who works at its locations: a missing contract is shown as a leaver’s.',
    'An empty cell changes nothing. Pay in the file applies on its date; later pay planned in a budget is kept.',
    'Files in a folder are CSV. Their date is the one in their name, staff-2026-11-24.csv, or otherwise the date they are read.',
    'The newest file for a location replaces the one before it.',
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
