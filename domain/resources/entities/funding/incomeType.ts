import { flag, integer, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const incomeType = resource({
  key: 'IncomeType',
  table: 'income_types',
  path: 'IncomeType',
  scope: 'global',
  access: { read: [], write: 'administrator' },
  fields: {
    name: text('Name', { required: true, unique: true, max: 100, column: 'Name' }),
    description: text('Description', { max: 200, column: 'Description' }),
    order: integer('Order', { min: 0, default: 0, column: 'Order' }),
    active: flag('Active', { default: true, column: 'Active' }),
  },
  defaultSort: 'order',
  grid: ['name', 'description', 'order', 'active'],
  naming: ['name'],
  importRequired: ['Name'],
  purpose: 'The types of income that top slices can be taken from.',
})
