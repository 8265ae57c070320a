import { user } from './entities/organisation/user.ts'
import type { AnyResource } from './resource.ts'

const { email, forename, surname, position, phoneNumber, locationIds, userGroupIds } = user.fields

/**
 * The declaration of a row of a file of users of one organisation, with their user groups and locations. Records are never stored in this
 * form.
 */
export const userFile: AnyResource = {
  ...user,
  fields: {
    email,
    forename,
    surname,
    position,
    phoneNumber,
    userGroupIds: { ...userGroupIds, one: 'User group', required: true },
    locationIds: { ...locationIds, one: 'Location' },
  },
  importRequired: ['Email', 'Forename', 'Surname', 'UserGroups'],
}
