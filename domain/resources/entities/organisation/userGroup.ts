import { choices, flag, text } from '../../fields.ts'
import { resource } from '../../resource.ts'

export const userGroup = resource({
  key: 'UserGroup',
  table: 'user_groups',
  path: 'UserGroups',
  scope: 'global',
  access: { read: [], write: 'administrator' },
  fields: {
    name: text('Name', { required: true, unique: true, max: 100, column: 'Name' }),
    secondStepRequired: flag('Second step at sign-in', {
      column: 'SecondStep',
      help: 'Whoever is in this group signs in with a code of an authenticator app as well, and sets it up at the next sign-in. Where people sign in elsewhere, it is asked for unless that sign-in says that it asked for two steps itself.',
    }),
    permissions: choices('Permissions', { required: true, lookup: 'permissions', column: 'Permissions' }),
  },
  defaultSort: 'name',
  grid: ['name', 'secondStepRequired', 'permissions'],
  naming: ['name'],
  givesRights: true,
  importRequired: ['Name', 'Permissions'],
  usesStay: true,
  purpose: 'A user group says what its members may see and change. A person may be in several.',
})
