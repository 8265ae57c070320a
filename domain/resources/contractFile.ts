import { staffContract } from './entities/budget/staffContract.ts'
import { staffMember } from './entities/budget/staffMember.ts'
import type { AnyResource } from './resource.ts'

const { title, forename, surname, gender, dateOfBirth, niNumber, continuousServiceDate, email } = staffMember.fields

/** Fields in a contract file about the employee, for people not yet known. */
export const holderFields = { title, forename, surname, gender, dateOfBirth, niNumber, continuousServiceDate, email }

const { employeeNumber, ...ofContract } = staffContract.fields

/** One line of an imported contract file: a salary row with its contract and employee. Records are never stored in this shape. */
export const contractFile: AnyResource & { fields: typeof staffContract.fields & typeof holderFields } = {
  ...staffContract,
  fields: { employeeNumber, ...holderFields, ...ofContract },
}
