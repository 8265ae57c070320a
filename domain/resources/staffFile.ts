import { contractFile } from './contractFile.ts'
import { text } from './fields.ts'
import type { AnyResource } from './resource.ts'

/**
 * The declaration of a row of a file from an HR system: who works where, on which contract and pay. Only the employee number is required,
 * because such files are partial. Records are never stored in this form.
 */
export const staffFile: AnyResource & { fields: typeof contractFile.fields & { location: ReturnType<typeof text> } } = {
  ...contractFile,
  fields: { location: text('Location', { max: 200, column: 'Location' }), ...contractFile.fields },
  importRequired: ['EmployeeNumber'],
}
