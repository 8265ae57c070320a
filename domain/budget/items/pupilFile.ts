import { viewPermissions } from '../../people/permissions.ts'
import { decimal, text } from '../../resources/fields.ts'
import { resource } from '../../resources/resource.ts'

/**
 * Columns of a file of pupil numbers, one row for each year group, location and October. They are stored in the log of each budget; this
 * resource only describes the file.
 */
export const pupilFile = resource({
  key: 'PupilNumbers',
  store: 'events',
  table: 'budget_items',
  path: 'PupilNumbers',
  scope: 'organisation',
  access: { read: viewPermissions('BudgetingNonStaffing'), write: ['BudgetingNonStaffingReadUpdate'] },
  fields: {
    location: text('Location', { max: 200, column: 'Location' }),
    yearGroup: text('Year group', { required: true, max: 50, column: 'YearGroup' }),
    october: text('October', { max: 10, column: 'October' }),
    pupils: decimal('Pupils', { required: true, min: 0, places: 2, column: 'Pupils' }),
  },
  defaultSort: 'yearGroup',
  grid: [],
  naming: ['yearGroup'],
  importRequired: ['YearGroup', 'Pupils'],
  purpose: 'How many pupils each year group has in an October.',
})
