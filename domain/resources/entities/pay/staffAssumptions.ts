import { listViewPermissions } from '../../../people/permissions.ts'
import { text } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const staffAssumptions = resource({
  key: 'StaffAssumptions',
  table: 'staff_assumptions',
  path: 'StaffAssumptions',
  scope: 'organisation',
  access: {
    read: listViewPermissions('ConsoleStaffAssumptions'),
    alsoReadBy: listViewPermissions('BudgetingOverview', 'BudgetingStaffing', 'ConsoleBudgetManagement'),
    write: ['ConsoleStaffAssumptionsReadUpdate'],
  },
  fields: {
    name: text('Name', { required: true, unique: true, max: 100, column: 'Name' }),
    description: text('Description', { max: 200, column: 'Description' }),
  },
  defaultSort: 'name',
  grid: ['name', 'description'],
  naming: ['name'],
  importRequired: ['Name'],
  parts: [
    { of: 'staffErPensionRate', by: 'staffAssumptionsId' },
    { of: 'staffInflationRate', by: 'staffAssumptionsId' },
  ],
  affectsCosts: true,
  purpose: 'A set of pay awards and employer pension rates used to calculate budgets.',
})
