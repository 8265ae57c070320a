import { pupilFile } from '../../budget/items/pupilFile.ts'
import type { ConnectionKind } from './connection.ts'

export const pupilsConnection = {
  title: 'Pupil numbers',
  direction: 'in',
  of: 'day',
  isTakenAgain: true,
  about:
    'Fetches how many pupils each year group has, such as those of the October census, into the pupil numbers of the budgets they belong to.',
  needs: [
    'The columns are those of the example: one row for each year group of a location. In JSON the answer is a list of records with the same names. Where the other system calls them otherwise, say under Fields which is which.',
    'Location says by name or code where a row belongs. YearGroup is a name as on Pupil numbers, or a code of the school census: N2, R, 7. Nursery rows N1 and N2 are added up.',
    'October is the year of the census. Left out, it is the October of the school year in which the day of the file lies: the one in its name, pupils-2026-10-01.csv, else the day on which it is taken.',
    'A count goes into every budget of its location that has that October, but for those that are locked, submitted, approved, What-if, or whose first year is over. Only the year groups of the file are written.',
    'What somebody typed stays. Where the file says otherwise, the run says so, and the count can be taken over on Pupil numbers. What was fetched before is replaced by what is fetched next.',
    'A budget without pupil numbers gets the year groups of the file. To one that has some, no year group is added: the run names what is missing.',
    'Files in a folder are CSV. A web service is asked for today’s numbers; a budget that is made later gets them with the next run.',
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
