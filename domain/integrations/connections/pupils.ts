import { pupilFile } from '../../budget/items/pupilFile.ts'
import type { ConnectionKind } from './connection.ts'

export const pupilsConnection = {
  title: 'Pupil numbers',
  direction: 'in',
  of: 'day',
  isTakenAgain: true,
  about: 'Fetches the pupils in each year group, such as from the October census, into the pupil numbers of the matching budgets.',
  needs: [
    'The columns are those of the example: one row for each year group of a location. In JSON the response is a list of records with the same names. If the other system uses other names, match them under Fields.',
    'Location gives the name or code of each row’s location. YearGroup is a name as on Pupil numbers, or a code of the school census: N2, R, 7. Nursery rows N1 and N2 are added together.',
    'October is the year of the census. If it is left out, it is the October of the school year of the file’s date: the date in its name, pupils-2026-10-01.csv, or otherwise the date it is read.',
    'A count is added to every budget of its location that has that October, except budgets that are locked, submitted, approved or What-if, or whose first year has ended. Only the year groups in the file are updated.',
    'Numbers that people entered are kept. If the file differs, the run says so, and the new number can be accepted on Pupil numbers. Fetched numbers are replaced by the next fetch.',
    'A budget without pupil numbers gets the year groups in the file. If it already has some, no year groups are added: the run names those that are missing.',
    'Files in a folder are CSV. A web service is asked for today’s numbers; a budget created later gets them with the next run.',
  ],
  permission: 'BudgetingNonStaffingReadUpdate',
  record: pupilFile,
  required: ['YearGroup', 'Pupils'],
  example: {
    fileName: 'pupils-2026-10-01.csv',
    headings: ['Location', 'YearGroup', 'October', 'Pupils'],
    rows: [
      ['NGT', 'Reception', '2026', '58'],
      ['NGT', 'Year 1', '2026', '60'],
      ['NGT', 'High needs places', '2026', '12'],
    ],
  },
} as const satisfies ConnectionKind
