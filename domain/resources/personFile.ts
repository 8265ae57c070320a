import { user } from './entities/organisation/user.ts'
import type { AnyResource } from './resource.ts'

const { email, forename, surname, position, phoneNumber, locationIds, userGroupIds } = user.fields

/** The lines of a file of people of one organisation, which says of each what they may do there and where. Nothing is kept in this shape. */
export const personFile: AnyResource = {
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
