import type { z } from 'zod'

/*
 * Ids that would be taken for each other: organisations, locations and people are all whole numbers, budgets and contracts all texts of 24
 * digits. Each is a kind of its own, which is a type and nothing else: as a value an id is the plain number or text that it always was. It gets
 * its kind where it comes in: in the schema of a call (`.brand`), in a column (`$type`), or by the functions below from a header, a cookie, a
 * file or a record that is known by its resource alone. Whether there is such a thing, and whose it is, is asked elsewhere.
 */

/** An organisation. */
export type OrganisationId = number & z.core.$brand<'OrganisationId'>

/** A location: a school, or what else of an organisation has budgets of its own. */
export type LocationId = number & z.core.$brand<'LocationId'>

/** A person who signs in. */
export type UserId = number & z.core.$brand<'UserId'>

/** Somebody who is employed. */
export type StaffId = number & z.core.$brand<'StaffId'>

/** A budget. */
export type BudgetId = string & z.core.$brand<'BudgetId'>

/** A group of budgets. */
export type BudgetGroupId = string & z.core.$brand<'BudgetGroupId'>

/** A staff contract. */
export type ContractId = string & z.core.$brand<'ContractId'>

/** A plain value with its kind. */
function branded<Id>(value: number | string): Id {
  // A brand is for the compiler alone: nothing at run time could be looked at.
  return value as Id
}

export const toOrganisationId = (id: number): OrganisationId => branded(id)

export const toLocationId = (id: number): LocationId => branded(id)

export const toUserId = (id: number): UserId => branded(id)

export const toStaffId = (id: number): StaffId => branded(id)

export const toBudgetId = (id: string): BudgetId => branded(id)

export const toBudgetGroupId = (id: string): BudgetGroupId => branded(id)

export const toContractId = (id: string): ContractId => branded(id)

/** The organisation under which stands what is the platform's own: national reference data, users and their groups. */
export const platformOrganisationId = toOrganisationId(0)

/** Whose a log, or an item of one, is that is the organisation's rather than a location's. */
export const organisationWideLocationId = toLocationId(0)

/** Who is asked for where nobody in person does something: nobody has this id, so that nothing is theirs. */
export const noUserId = toUserId(-1)
