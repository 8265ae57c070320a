import { choices, text } from '../fields.ts'
import { resource } from '../resource.ts'

export const userGroup = resource({
  key: 'UserGroup',
  table: 'user_groups',
  path: 'UserGroups',
  scope: 'global',
  access: { read: [], write: 'administrator' },
  fields: {
    name: text('Name', { required: true, unique: true, max: 100, column: 'Name' }),
    permissions: choices('Permissions', { required: true, lookup: 'permissions', column: 'Permissions' }),
  },
  defaultSort: 'name',
  grid: ['name', 'permissions'],
  naming: ['name'],
  importRequired: ['Name', 'Permissions'],
  usesStay: true,
  purpose: 'A user group says what its members may see and change. A person may be in several.',
})
