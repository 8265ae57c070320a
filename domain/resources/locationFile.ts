import { location } from './entities/organisation/location.ts'
import type { AnyResource } from './resource.ts'

const { organisationId: _organisation, name, ...fields } = location.fields

/** Names that other systems give to the column of school names; in files of other records they mean other things. */
const called = ['school', 'school name', 'academy', 'academy name', 'establishment', 'establishment name', 'location', 'site', 'title']

/** One line of an imported file of schools in one organisation. Records are never stored in this shape. */
export const locationFile: AnyResource = {
  ...location,
  fields: { name: { ...name, called }, ...fields },
  importRequired: location.importRequired?.filter((column) => column !== location.fields.organisationId.column),
}
