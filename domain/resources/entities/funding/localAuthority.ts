import { integer, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const localAuthority = resource({
  key: 'LocalAuthority',
  table: 'local_authorities',
  path: 'LocalAuthorities',
  scope: 'global',
  access: { read: [], write: 'administrator' },
  fields: {
    code: text('Code', { isCode: true, required: true, unique: true, max: 10, column: 'Code' }),
    name: text('Name', { required: true, unique: true, max: 100, column: 'Name' }),
    number: integer('Number', { required: true, unique: true, min: 0, max: 999, column: 'Number' }),
  },
  defaultSort: 'name',
  grid: ['code', 'name', 'number'],
  naming: ['name'],
  importRequired: ['Number', 'Code', 'Name'],
  purpose: 'The local authorities in England, with their numbers.',
})
