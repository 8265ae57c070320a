import { listViewPermissions } from '../../../people/permissions.ts'
import { decimal, references, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

/** The weight of one month. If all weights are equal, an amount is spread evenly. */
const period = (number: number) =>
  decimal(`Period ${number}`, { required: true, min: 0, max: 1_000_000, default: 1, column: `Period${number}`, section: 'Weights' })

export const profileTemplate = resource({
  key: 'ProfileTemplate',
  table: 'profile_templates',
  path: 'ProfileTemplates',
  scope: 'organisation',
  access: {
    read: listViewPermissions('ConsoleProfileTemplates'),
    alsoReadBy: listViewPermissions('BudgetingNonStaffing'),
    write: ['ConsoleProfileTemplatesReadUpdate'],
  },
  fields: {
    name: text('Name', { required: true, unique: true, max: 100, column: 'Name' }),
    description: text('Description', { max: 200, column: 'Description' }),
    locations: references('Locations', { one: 'Location', to: 'location', column: 'Locations' }),
    period1: period(1),
    period2: period(2),
    period3: period(3),
    period4: period(4),
    period5: period(5),
    period6: period(6),
    period7: period(7),
    period8: period(8),
    period9: period(9),
    period10: period(10),
    period11: period(11),
    period12: period(12),
  },
  defaultSort: 'name',
  grid: ['name', 'description', 'locations'],
  naming: ['name'],
  importRequired: ['Name'],
  check: (record) =>
    Array.from({ length: 12 }, (_unused, index) => Number(record[`period${index + 1}`] ?? 0)).some((weight) => weight > 0)
      ? []
      : [{ field: 'period1', message: 'At least one period must have a weight.' }],
  affectsCosts: true,
  purpose: 'Profile templates spread a year’s amount over its months, using twelve weights.',
})
