import { listViewPermissions } from '../../../people/permissions.ts'
import { dateTime, flag, image, references, text } from '../../fields.ts'
import { type AnyResource, resource } from '../../resource.ts'

/** The declaration of a user: fields, rules, grid and files. No table is generated, because users belong to several organisations. */
export const user = resource({
  key: 'User',
  table: 'users',
  path: 'Users',
  scope: 'global',
  access: { read: [], write: 'administrator' },
  own: {
    path: 'MyUsers',
    operations: ['list', 'get', 'update', 'export'],
    read: listViewPermissions('ConsoleUsers'),
    write: ['ConsoleUsersReadUpdate'],
  },
  fields: {
    email: text('Email', { required: true, unique: true, max: 254, format: 'email', column: 'Email' }),
    forename: text('Forename', { required: true, max: 100, column: 'Forename' }),
    surname: text('Surname', { required: true, max: 100, column: 'Surname' }),
    position: text('Position', { max: 100, column: 'Position' }),
    phoneNumber: text('Phone number', { max: 30, column: 'PhoneNumber' }),
    avatarId: image('Avatar', { shared: true }),
    isAdministrator: flag('Administrator', { short: 'Admin', help: 'Can do everything, in every organisation.' }),
    active: flag('Active', { default: true, column: 'Active', help: 'Inactive users cannot sign in.' }),
    organisationIds: references('Organisations', { one: 'Organisation', required: true, to: 'organisation', column: 'Organisations' }),
    locationIds: references('Locations', { one: 'Location', to: 'location', column: 'Locations' }),
    userGroupIds: references('User groups', { one: 'User group', to: 'userGroup', column: 'UserGroups' }),
    lastSignIn: dateTime('Last sign in'),
  },
  defaultSort: 'surname',
  grid: [
    'email',
    'forename',
    'surname',
    'position',
    'isAdministrator',
    'active',
    'organisationIds',
    'locationIds',
    'userGroupIds',
    'lastSignIn',
  ],
  gridHidden: ['position', 'created'],
  naming: ['email', 'surname'],
  importRequired: ['Email', 'Forename', 'Surname', 'Organisations'],
  readOnly: ['lastSignIn'],
  usesStay: true,
  purpose: 'The people who use Bursar, with their organisations, locations and user groups.',
})

/** The resource of users as administrators of the product edit it: a user may belong to no organisation. */
export const administratorUser: AnyResource = {
  ...user,
  fields: {
    ...user.fields,
    organisationIds: references('Organisations', { one: 'Organisation', to: 'organisation', column: 'Organisations' }),
  },
}
