import { listViewPermissions } from '../../../people/permissions.ts'
import { references, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const fundCode = resource({
  key: 'FundCode',
  table: 'fund_codes',
  path: 'FundCodes',
  scope: 'organisation',
  access: {
    read: listViewPermissions('ConsoleFundCodes'),
    alsoReadBy: [...listViewPermissions('BudgetingNonStaffing', 'ConsoleMonitoring'), 'BudgetingReportsRead'],
    pickedBy: listViewPermissions('BudgetingStaffing'),
    write: ['ConsoleFundCodesReadUpdate'],
    bulk: ['ConsoleCostCentresReadUpdate'],
  },
  fields: {
    code: text('Code', { isCode: true, required: true, unique: true, max: 20, column: 'Code' }),
    description: text('Description', { required: true, max: 200, column: 'Description' }),
    locations: references('Locations', { one: 'Location', to: 'location', column: 'Locations' }),
  },
  defaultSort: 'code',
  grid: ['code', 'description', 'locations'],
  naming: ['code', 'description'],
  importRequired: ['Code', 'Description'],
  purpose: 'Fund codes say which fund pays: general, pupil premium, restricted, capital.',
})
