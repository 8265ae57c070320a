import { staffContract } from './entities/budget/staffContract.ts'
import { staffMember } from './entities/budget/staffMember.ts'
import type { AnyResource } from './resource.ts'

const { title, forename, surname, gender, dateOfBirth, niNumber, continuousServiceDate, email } = staffMember.fields

/** Fields of a contract file that describe the employee, so that unknown people can be created. */
export const employeeFields = { title, forename, surname, gender, dateOfBirth, niNumber, continuousServiceDate, email }

const { employeeNumber, ...ofContract } = staffContract.fields

/** The declaration of a row of a contract file: a salary row with its contract and employee. Records are never stored in this form. */
export const contractFile: AnyResource & { fields: typeof staffContract.fields & typeof employeeFields } = {
  ...staffContract,
  fields: { employeeNumber, ...employeeFields, ...ofContract },
}
