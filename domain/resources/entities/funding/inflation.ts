import { listViewPermissions } from '../../../people/permissions.ts'
import { text } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const inflation = resource({
  key: 'Inflation',
  table: 'inflations',
  path: 'Inflation',
  scope: 'organisation',
  access: {
    read: listViewPermissions('ConsoleNonStaffInflation'),
    alsoReadBy: listViewPermissions('BudgetingOverview', 'ConsoleBudgetManagement'),
    write: ['ConsoleNonStaffInflationReadUpdate'],
  },
  fields: {
    name: text('Name', { required: true, unique: true, max: 100, column: 'Name' }),
    description: text('Description', { max: 200, column: 'Description' }),
  },
  defaultSort: 'name',
  grid: ['name', 'description'],
  naming: ['name'],
  importRequired: ['Name'],
  parts: [{ of: 'inflationRate', by: 'inflationId' }],
  purpose: 'A set of inflation rates: one for each budget code and each of five years, used for everything except staff.',
})
