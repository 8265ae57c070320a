import { listViewPermissions } from '../../../people/permissions.ts'
import { references, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const costCentre = resource({
  key: 'CostCentre',
  table: 'cost_centres',
  path: 'CostCentres',
  scope: 'organisation',
  access: {
    read: listViewPermissions('ConsoleCostCentres'),
    alsoReadBy: [
      ...listViewPermissions('BudgetingNonStaffing', 'BudgetingOverview', 'ConsoleBudgetCodes', 'ConsoleMonitoring', 'ConsoleServiceTerms'),
      'BudgetingReportsRead',
    ],
    pickedBy: ['ConsoleBudgetGroupReadUpdate'],
    write: ['ConsoleCostCentresReadUpdate'],
  },
  fields: {
    code: text('Code', { isCode: true, required: true, unique: true, max: 20, column: 'Code' }),
    description: text('Description', { required: true, max: 200, column: 'Description' }),
    locations: references('Locations', { one: 'Location', to: 'location', column: 'Locations' }),
    altDescription: text('Alternative description', { max: 200, column: 'AltDescription' }),
  },
  defaultSort: 'code',
  grid: ['code', 'description', 'locations'],
  naming: ['code', 'description'],
  importRequired: ['Code', 'Description'],
  purpose: 'Cost centres say which part of a school spends: a key stage, a department, the site.',
})
