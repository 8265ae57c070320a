import { gagPoolMethod } from '../../../lookups/lookupIds.ts'
import { listViewPermissions } from '../../../people/permissions.ts'
import { choice, date, flag, percent, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const gagPoolTable = resource({
  key: 'GagPoolTable',
  table: 'gag_pool_tables',
  path: 'GagPoolTables',
  scope: 'organisation',
  access: { read: listViewPermissions('ConsoleGagPooling'), write: ['ConsoleGagPoolingReadUpdate'] },
  fields: {
    name: text('Name', { required: true, unique: true, max: 100, column: 'Name' }),
    effectiveDate: date('Effective date', { required: true, column: 'EffectiveDate' }),
    method: choice('Method', { required: true, lookup: 'gagPoolMethods', default: 1, column: 'Method' }),
    percentage: percent('Percentage', { min: 0, max: 100, column: 'Percentage' }),
    share: choice('Share', { required: true, lookup: 'gagPoolShares', default: 1, column: 'Share', help: 'How the pool is shared back.' }),
    active: flag('Active', { default: true, column: 'Active' }),
  },
  defaultSort: 'effectiveDate',
  grid: ['name', 'effectiveDate', 'method', 'percentage', 'share', 'active'],
  naming: ['name'],
  importRequired: ['Name', 'EffectiveDate'],
  parts: [{ of: 'gagPool', by: 'gagPoolTableId' }],
  check: ({ method, percentage }) =>
    method === gagPoolMethod.percentage && percentage === null ? [{ field: 'percentage', message: 'Percentage is required.' }] : [],
  affectsCosts: true,
  purpose: 'A dated general annual grant (GAG) pool: how much is pooled, and how it is shared back.',
})
