import { listViewPermissions } from '../../../people/permissions.ts'
import { date, flag, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const topSliceTable = resource({
  key: 'TopSliceTable',
  table: 'top_slice_tables',
  path: 'TopSliceTables',
  scope: 'organisation',
  access: { read: listViewPermissions('ConsoleTopSlices'), write: ['ConsoleTopSlicesReadUpdate'] },
  fields: {
    name: text('Name', { required: true, unique: true, max: 100, column: 'Name' }),
    effectiveDate: date('Effective date', { required: true, column: 'EffectiveDate' }),
    active: flag('Active', { default: true, column: 'Active' }),
  },
  defaultSort: 'effectiveDate',
  grid: ['name', 'effectiveDate', 'active'],
  naming: ['name'],
  importRequired: ['Name', 'EffectiveDate'],
  parts: [{ of: 'topSlice', by: 'topSliceTableId' }],
  affectsCosts: true,
  purpose: 'A dated set of top slices: what each location pays to the central team.',
})
