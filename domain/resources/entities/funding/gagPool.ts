import { budgetCodeType } from '../../../lookups/lookupIds.ts'
import { listViewPermissions } from '../../../people/permissions.ts'
import { decimal, percent, reference } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const gagPool = resource({
  key: 'GagPool',
  table: 'gag_pools',
  path: 'GAGPools',
  scope: 'organisation',
  access: { read: listViewPermissions('ConsoleGagPooling'), write: ['ConsoleGagPoolingReadUpdate'] },
  fields: {
    gagPoolTableId: reference('Gag pool table', { required: true, to: 'gagPoolTable', column: 'GagPoolTable' }),
    locationId: reference('Location', { required: true, to: 'location', column: 'Location' }),
    percentage: percent('Percentage', { min: 0, max: 100, column: 'Percentage', help: 'Leave empty to use the table’s percentage.' }),
    weight: decimal('Weight', { min: 0, default: 1, column: 'Weight', help: 'The share that is returned.' }),
    budgetCodeId: reference('Budget code', {
      required: true,
      to: 'budgetCode',
      where: { type: budgetCodeType.income },
      column: 'BudgetCode',
      help: 'The income code that is pooled.',
    }),
  },
  unique: [['locationId', 'gagPoolTableId']],
  defaultSort: 'locationId',
  grid: ['gagPoolTableId', 'locationId', 'percentage', 'weight', 'budgetCodeId'],
  naming: ['locationId'],
  importRequired: ['GagPoolTable', 'Location', 'BudgetCode'],
  affectsCosts: true,
  purpose: 'The locations in a general annual grant (GAG) pool, and what each contributes and receives.',
})
