import { lookups } from '../../lookups/lookups.ts'
import { listViewPermissions } from '../../people/permissions.ts'
import { decimal, text } from '../../resources/fields.ts'
import { type ImportLayout, splitRowsByColumn } from '../../resources/importLayout.ts'
import { resource } from '../../resources/resource.ts'
import type { BudgetHead } from '../budget.ts'
import { parseOctoberYear, parseYearGroup } from './reportedPupils.ts'

const yearGroupOf = (text: string): number | null => parseYearGroup(text, lookups.pupilYearGroups)
const isOctober = (text: string): boolean => parseOctoberYear(text) !== null

/**
 * Columns of a file of pupil numbers, one row for each year group, location and October. Pupil numbers are stored in the event log of their
 * budget; this resource only describes the file.
 */
export const pupilFile = resource({
  key: 'PupilNumbers',
  store: 'events',
  table: 'budget_items',
  path: 'PupilNumbers',
  scope: 'organisation',
  access: { read: listViewPermissions('BudgetingNonStaffing'), write: ['BudgetingNonStaffingReadUpdate'] },
  fields: {
    location: text('Location', { max: 200, column: 'Location' }),
    yearGroup: text('Year group', { required: true, max: 50, column: 'YearGroup', isLike: (cell) => yearGroupOf(cell) !== null }),
    october: text('October', {
      max: 30,
      column: 'October',
      called: ['census', 'census date', 'count date', 'academic year', 'school year'],
      isLike: isOctober,
    }),
    pupils: decimal('Pupils', { required: true, min: 0, places: 2, column: 'Pupils' }),
  },
  defaultSort: 'yearGroup',
  grid: [],
  naming: ['yearGroup'],
  importRequired: ['YearGroup', 'Pupils'],
  purpose: 'The number of pupils in each year group each October.',
})

const octoberHeading = (year: number): string => `October ${year}`

/** The layout with a row for each year group and a column for each October. */
function layOutOctobers({ firstYear, numberOfYears }: Pick<BudgetHead, 'firstYear' | 'numberOfYears'>): ImportLayout {
  // Other open budgets of the location may begin a year earlier or later, so the layout also accepts their Octobers.
  const years = Array.from({ length: numberOfYears + 3 }, (_unused, at) => firstYear - 2 + at)
  const names = years.map(octoberHeading)
  return {
    columns: years.map((year) => ({
      heading: octoberHeading(year),
      required: false,
      field: 'pupils',
      isCalled: (heading) => parseOctoberYear(heading) === year,
    })),
    names: Object.fromEntries(names.map((name) => [name, name])),
    inPlaceOf: ['Pupils', 'October'],
    convertRows: (rows) =>
      splitRowsByColumn(rows, 'Pupils', new Map(years.map((year) => [octoberHeading(year), { October: String(year) }]))),
  }
}

/** The layout with a row for each October and a column for each year group. */
const yearGroupsSideBySide: ImportLayout = {
  columns: lookups.pupilYearGroups.map(({ id, name }) => ({
    heading: name,
    required: false,
    field: 'pupils',
    isCalled: (heading) => yearGroupOf(heading) === id,
  })),
  names: Object.fromEntries(lookups.pupilYearGroups.map(({ name }) => [name, name])),
  inPlaceOf: ['Pupils', 'YearGroup'],
  convertRows: (rows) => splitRowsByColumn(rows, 'Pupils', new Map(lookups.pupilYearGroups.map(({ name }) => [name, { YearGroup: name }]))),
}

/** The layouts in which schools keep pupil numbers: a column for each October, or a column for each year group. */
export function createPupilLayouts(budget: Pick<BudgetHead, 'firstYear' | 'numberOfYears'>): ImportLayout[] {
  return [layOutOctobers(budget), yearGroupsSideBySide]
}
