import { z } from 'zod'
import type { ScalePoint } from '../calculation/inputs.ts'
import { adminTableType } from '../lookups/lookupIds.ts'
import {
  budget,
  type ElementKind,
  elementFields,
  elementKinds,
  elementNames,
  elementsBy,
  settingFields,
} from '../resources/entities/budget/budget.ts'
import { staffContract } from '../resources/entities/budget/staffContract.ts'
import { declaredPart, type FieldValue, type ValuesOf } from '../resources/fields.ts'
import { patchShape, sentShape } from '../resources/schema.ts'
import { isDate } from '../values/calendar.ts'
import { canonicalJson } from '../values/canonicalJson.ts'
import { hasDecimals } from '../values/decimals.ts'
import type { BudgetId, ContractId, LocationId, StaffId, UserId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'
import type { WithPoints } from './contractForms.ts'

/** The kinds that staff are costed with. */
export const staffElementNames = elementNames.filter((kind) => {
  const { type } = elementKinds[kind]
  return type !== null && type !== adminTableType.fundingRates
})

export type ElementRow = FieldValue<(typeof elementFields)[ElementKind]>[number]

export type Elements = Record<ElementKind, ElementRow[]>

/** Tables as older events have them, with the kinds that came later. */
export function allElements(known: Partial<Elements>): Elements {
  return elementsBy((kind): ElementRow[] => known[kind] ?? [])
}

/** The budget that another one was made from, as it stood at one of its versions. */
export interface BudgetSource {
  budgetId: BudgetId
  version: number
  how: 'duplicate' | 'rollForward'
}

/** A moment of a budget that somebody gave a name. */
export interface NamedMoment {
  version: number
  name: string
  at: string
}

/** Where a budget stands on its way to being approved; `version` is the one that was submitted or decided on. */
export interface Approval {
  state: 'submitted' | 'approved' | 'returned'
  byId: UserId
  at: string
  version: number
  sealedComment: string | null
  /** Of one that was approved; those of earlier versions of the product have none. */
  figures?: ApprovedFigures
}

/** What a budget came to when it was approved, in whole pennies: this stands, whatever is worked out later. */
export interface ApprovedFigures {
  years: {
    income: Pennies
    staffing: Pennies
    nonStaffing: Pennies
    /** How many monthly figures these are without. */
    missing: number
    balances: { type: number; opening: Pennies; inYear: Pennies; closing: Pennies }[]
  }[]
  /** The SHA-256 of all lines. */
  lines: string
}

/** What a budget is calculated with, which one save may change. */
export interface BudgetSettings extends ValuesOf<typeof settingFields> {
  elements: Elements
}

/** The settings of a budget alone. */
export function settingsOf(head: BudgetSettings): BudgetSettings {
  return { ...declaredPart(settingFields, head), elements: head.elements }
}

/** Whether two are the same: what was read from the database has its keys in another order than what was typed. */
export function sameSettings(one: BudgetSettings, other: BudgetSettings): boolean {
  return canonicalJson(settingsOf(one)) === canonicalJson(settingsOf(other))
}

/** A budget itself; without an inflation, prices of what is not staff do not rise. */
export interface BudgetHead extends BudgetSettings {
  id: BudgetId
  locationId: LocationId
  name: string
  versionType: number
  source: BudgetSource | null
  moments: NamedMoment[]
  approval: Approval | null
  firstYear: number
  startMonth: number
  locked: boolean
  lockedAt: string | null
  lockedById: UserId | null
  /** Of leaves that had begun when the budget was rolled forward; absent: of none. */
  leaveEarnings?: KeptLeaveEarnings[]
}

/** Weekly earnings before a leave that a budget rolled forward keeps, as its own contracts say nothing of the time before (rules.md §8). */
export interface KeptLeaveEarnings {
  staffId: StaffId
  type: string
  startDate: string
  /** Pounds by contract, exact; one that the budget no longer has counts as well. */
  weekly: Record<string, string>
}

/** A scale point as a contract keeps it: which record was picked, and what the calculation reads. */
export interface KeptScalePoint extends ScalePoint {
  id: number
}

/** What is declared of a contract, with its points as the log keeps them. */
type ContractValues = WithPoints<ValuesOf<typeof staffContract.fields>, KeptScalePoint>

/** A salary row as the log keeps it; the spot salary or adjustment is pounds with at most two decimals. */
export type ContractRow = ContractValues['salary'][number]

/** A staff contract as the log keeps it: nobody's name, only the opaque id of the staff member. Notes are sealed with that person's key. */
export interface StaffContract extends Omit<ContractValues, 'employeeNumber' | 'contractTypeName' | 'notes'> {
  id: ContractId
  staffId: StaffId | null
  contractTypeId: number
  sealedNotes: string | null
}

/** What the log calls a declared field of a contract. */
export function keptName(field: string): string {
  return field === 'contractTypeName' ? 'contractTypeId' : field
}

/** Who holds a contract and what it is called, in one line; a vacancy that is called one says so once. @param who null: nobody */
export function contractLine(who: string | null, contractName: string, between = ': '): string {
  return who === null && /^vacancy\b/i.test(contractName) ? contractName : `${who ?? 'Vacancy'}${between}${contractName}`
}

/** A stored contract: with the version of the budget at which it was last saved. */
export interface StoredContract extends StaffContract {
  version: number
  savedAt: string
  created: string
}

/** Whole pennies of each year, of everything that could be calculated, and how many contracts could not. */
export interface CostTotals {
  years: Pennies[]
  contracts: number
  notCalculated: number
}

export const mongoId = z.string().regex(/^[0-9a-f]{24}$/, 'An id has 24 hexadecimal digits.')
export const budgetMongoId = mongoId.brand<'BudgetId'>()
export const groupMongoId = mongoId.brand<'BudgetGroupId'>()
export const contractMongoId = mongoId.brand<'ContractId'>()

/** The fields of a head that an event of its own gives it, not its creation. */
export type GivenLater = 'id' | 'locked' | 'lockedAt' | 'lockedById' | 'moments' | 'approval' | 'leaveEarnings'

/** A budget as it is made. What it is for and what prices do may be left out: it is a working budget then, or stays as it is. */
export const budgetInput = z.object({
  ...sentShape(budget.fields),
  ...patchShape(budget.fields, ['versionType', 'inflationId']),
  budgetGroupId: groupMongoId.nullish(),
})
export type BudgetInput = z.infer<typeof budgetInput>

/** The settings of a budget alone. */
export const settingsInput = z.object({
  ...sentShape({ ...settingFields, ...elementFields }),
  ...patchShape(settingFields, ['inflationId']),
})

export const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' || value === undefined ? null : value), schema.nullable())
export const shortText = (label: string, max: number) =>
  optional(z.string().trim().max(max, `${label} can have at most ${max} characters.`))
/** A number within limits and with so many decimals at most, or nothing. */
export const numberWithin = (label: string, { min, max, places }: { min: number; max: number; places: number }) =>
  optional(
    z
      .number(`${label} must be a number.`)
      .min(min, `${label} must be between ${min} and ${max}.`)
      .max(max, `${label} must be between ${min} and ${max}.`)
      .refine((value) => hasDecimals(value, places), `${label} can have at most ${places} decimals.`),
  )

/** A contract as screens and the API send it (entities.json StaffContract). */
export const staffContractInput = z.object({
  ...sentShape(staffContract.fields),
  id: contractMongoId.nullish(),
  version: z.number().int().nullish(),
  /** The caller's own reminder about the contract; left out, it stays. It is not of the contract and not in the log. */
  reminderDate: z.string().refine(isDate, 'Reminder date is not a date.').nullish(),
  reminderText: z.string().trim().max(200, 'Reminder text can have at most 200 characters.').nullish(),
})
export type StaffContractInput = z.infer<typeof staffContractInput>
