import { contractFile } from './contractFile.ts'
import { text } from './fields.ts'
import type { AnyResource } from './resource.ts'

/**
 * The lines of a file in which an HR system says who works where, on what contract and for what pay. It says what it knows: only the employee
 * number must be there. Nothing is kept in this shape.
 */
export const staffFile: AnyResource & { fields: typeof contractFile.fields & { location: ReturnType<typeof text> } } = {
  ...contractFile,
  fields: { location: text('Location', { max: 200, column: 'Location' }), ...contractFile.fields },
  importRequired: ['EmployeeNumber'],
}
