import type { z } from 'zod'

/**
 * Branded ids, so that the compiler does not accept the id of one kind of record for that of another: ids of organisations, locations and
 * users are all numbers, and ids of budgets and contracts are all strings of 24 digits. At run time ids are plain values. An id gets its
 * brand where it enters the program: in a call's schema (`.brand`), in a column (`$type`), or by a function below for headers, cookies,
 * files and untyped records. These functions do not check whether the record exists or who owns it.
 */

export type OrganisationId = number & z.core.$brand<'OrganisationId'>

/** A location: a school, or another part of an organisation with its own budgets. */
export type LocationId = number & z.core.$brand<'LocationId'>

/** A person who signs in. */
export type UserId = number & z.core.$brand<'UserId'>

/** An employee. */
export type StaffId = number & z.core.$brand<'StaffId'>

export type BudgetId = string & z.core.$brand<'BudgetId'>

export type BudgetGroupId = string & z.core.$brand<'BudgetGroupId'>

export type ContractId = string & z.core.$brand<'ContractId'>

function toId<Id>(value: number | string): Id {
  // A brand exists only for the compiler, so there is nothing to check at run time.
  return value as Id
}

export const toOrganisationId = (id: number): OrganisationId => toId(id)

export const toLocationId = (id: number): LocationId => toId(id)

export const toUserId = (id: number): UserId => toId(id)

export const toStaffId = (id: number): StaffId => toId(id)

export const toBudgetId = (id: string): BudgetId => toId(id)

export const toBudgetGroupId = (id: string): BudgetGroupId => toId(id)

export const toContractId = (id: string): ContractId => toId(id)

/** The organisation id of platform data: national reference data, users and user groups. */
export const platformOrganisationId = toOrganisationId(0)

/** The location id of logs and items that belong to the whole organisation. */
export const organisationWideLocationId = toLocationId(0)

/** The user id for work that no user requested. No user has this id, so it matches no personal record. */
export const noUserId = toUserId(-1)
