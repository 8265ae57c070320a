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
    secondStepRequired: flag('Two-step verification', {
      column: 'SecondStep',
      help: 'Members of this group also sign in with a code from an authenticator app, which they set up at their next sign-in. If people sign in through another service, they are not asked for a code if that service has already used two-step verification.',
    }),
    permissions: choices('Permissions', { required: true, lookup: 'permissions', column: 'Permissions' }),
  },
  defaultSort: 'name',
  grid: ['name', 'secondStepRequired', 'permissions'],
  naming: ['name'],
  givesRights: true,
  importRequired: ['Name', 'Permissions'],
  usesStay: true,
  purpose: 'A user group sets what its members can view and change. A person can be in several.',
})
