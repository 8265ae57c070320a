import { text } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const benchmarkingGroup = resource({
  key: 'BenchmarkingGroup',
  table: 'benchmarking_groups',
  path: 'BenchmarkingGroups',
  scope: 'global',
  access: { read: [], write: 'administrator' },
  fields: {
    name: text('Name', { required: true, unique: true, max: 100, column: 'Name' }),
    description: text('Description', { max: 200, column: 'Description' }),
  },
  defaultSort: 'name',
  grid: ['name', 'description'],
  naming: ['name'],
  importRequired: ['Name'],
  purpose: 'Groups of codes that the DfE compares between schools.',
})
