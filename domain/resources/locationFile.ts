import { location } from './entities/organisation/location.ts'
import type { AnyResource } from './resource.ts'

const { organisationId: _organisation, name, ...fields } = location.fields

/** What other systems call the column of the names of schools; of other records it means other things. */
const called = ['school', 'school name', 'academy', 'academy name', 'establishment', 'establishment name', 'location', 'site', 'title']

/** The lines of a file of the schools of one organisation. Nothing is kept in this shape. */
export const locationFile: AnyResource = {
  ...location,
  fields: { name: { ...name, called }, ...fields },
  importRequired: location.importRequired?.filter((column) => column !== location.fields.organisationId.column),
}
