import { location } from './entities/organisation/location.ts'
import type { AnyResource } from './resource.ts'

const { organisationId: _organisation, name, ...fields } = location.fields

/** Headings that other systems use for the names of schools. In files of other records these headings have other meanings. */
const called = ['school', 'school name', 'academy', 'academy name', 'establishment', 'establishment name', 'location', 'site', 'title']

/** The declaration of a row of a file of schools in one organisation. Records are never stored in this form. */
export const locationFile: AnyResource = {
  ...location,
  fields: { name: { ...name, called }, ...fields },
  importRequired: location.importRequired?.filter((column) => column !== location.fields.organisationId.column),
}
