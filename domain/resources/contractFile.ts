import { staffContract } from './entities/budget/staffContract.ts'
import { staffMember } from './entities/budget/staffMember.ts'
import type { AnyResource } from './resource.ts'

const { title, forename, surname, gender, dateOfBirth, niNumber, continuousServiceDate, email } = staffMember.fields

/** What a line of a contract file may say of who holds the contract, for people who are not known yet. */
export const holderFields = { title, forename, surname, gender, dateOfBirth, niNumber, continuousServiceDate, email }

const { employeeNumber, ...ofContract } = staffContract.fields

/** The lines of a contract file as they are imported: a salary row of a contract, and who holds it. Nothing is kept in this shape. */
export const contractFile: AnyResource & { fields: typeof staffContract.fields & typeof holderFields } = {
  ...staffContract,
  fields: { employeeNumber, ...holderFields, ...ofContract },
}
