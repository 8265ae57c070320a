import { z } from 'zod'
import type { ScalePoint } from '../calculation/inputs.ts'
import { adminTableType } from '../lookups/lookupIds.ts'
import {
  type BudgetTableKind,
  budget,
  budgetSettingFields,
  budgetTableFields,
  budgetTableKindNames,
  budgetTableKinds,
  buildRecordByTableKind,
} from '../resources/entities/budget/budget.ts'
import { staffContract } from '../resources/entities/budget/staffContract.ts'
import { type FieldValue, pickDeclaredFields, type ValuesOf } from '../resources/fields.ts'
import { buildInputShape, buildPatchShape } from '../resources/schema.ts'
import { isDate } from '../values/calendar.ts'
import { canonicalJson } from '../values/canonicalJson.ts'
import { hasDecimals } from '../values/decimals.ts'
import type { BudgetId, ContractId, LocationId, StaffId, UserId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'
import type { WithScalePoints } from './contractForms.ts'

/** The kinds of table that staff costs depend on. */
export const staffCostTableKinds = budgetTableKindNames.filter((kind) => {
  const { type } = budgetTableKinds[kind]
  return type !== null && type !== adminTableType.fundingRates
})

export type BudgetElementRow = FieldValue<(typeof budgetTableFields)[BudgetTableKind]>[number]

export type BudgetElements = Record<BudgetTableKind, BudgetElementRow[]>

/** Adds an empty list for each kind of table that older events do not contain. */
export function addMissingElements(known: Partial<BudgetElements>): BudgetElements {
  return buildRecordByTableKind((kind): BudgetElementRow[] => known[kind] ?? [])
}

/** The budget, and the version of it, from which another budget was made. */
export interface BudgetSource {
  budgetId: BudgetId
  version: number
  how: 'duplicate' | 'rollForward'
}

/** A version of a budget that a user named. */
export interface NamedVersion {
  version: number
  name: string
  at: string
}

/** Progress towards approval. `version` is the version that was submitted, returned or approved. */
export interface Approval {
  state: 'submitted' | 'approved' | 'returned'
  byId: UserId
  at: string
  version: number
  sealedComment: string | null
  /** Set when the budget is approved. Approvals from before this field existed do not have it. */
  figures?: ApprovedFigures
}

/** The figures of a budget at approval, in whole pennies. They never change, even if a later engine calculates something else. */
export interface ApprovedFigures {
  years: {
    income: Pennies
    staffing: Pennies
    nonStaffing: Pennies
    /** How many monthly figures the sums leave out because they could not be calculated. */
    missing: number
    balances: { type: number; opening: Pennies; inYear: Pennies; closing: Pennies }[]
  }[]
  /** SHA-256 hash of all lines of the budget. */
  lines: string
}

/** The settings that a budget is calculated with. Saving replaces all of them. */
export interface BudgetSettings extends ValuesOf<typeof budgetSettingFields> {
  elements: BudgetElements
}

export function pickBudgetSettings(head: BudgetSettings): BudgetSettings {
  return { ...pickDeclaredFields(budgetSettingFields, head), elements: head.elements }
}

/** Compares settings regardless of key order, which differs between the database and user input. */
export function areSettingsEqual(one: BudgetSettings, other: BudgetSettings): boolean {
  return canonicalJson(pickBudgetSettings(one)) === canonicalJson(pickBudgetSettings(other))
}

/** A budget without its contents. Without an `inflationId`, non-staff prices do not rise. */
export interface BudgetHead extends BudgetSettings {
  id: BudgetId
  locationId: LocationId
  name: string
  versionType: number
  source: BudgetSource | null
  moments: NamedVersion[]
  approval: Approval | null
  firstYear: number
  startMonth: number
  locked: boolean
  lockedAt: string | null
  lockedById: UserId | null
  /** The earnings of people whose leave had begun when the budget was rolled forward; absent if there were none. */
  leaveEarnings?: StoredLeaveEarnings[]
}

/** Weekly earnings before a leave. A rolled-forward budget stores them because its contracts do not go back that far (rules.md §8). */
export interface StoredLeaveEarnings {
  staffId: StaffId
  type: string
  startDate: string
  /** Pounds by contract, exact. Includes contracts that the budget no longer has. */
  weekly: Record<string, string>
}

/** A scale point as stored with a contract: the id of its row in the pay table, and the values that the calculation reads. */
export interface StoredScalePoint extends ScalePoint {
  id: number
}

type ContractValues = WithScalePoints<ValuesOf<typeof staffContract.fields>, StoredScalePoint>

/** A salary row as stored in the log. The spot salary or adjustment is pounds with at most two decimals. */
export type ContractRow = ContractValues['salary'][number]

/** A staff contract as stored in the log: an opaque staff id instead of a name, and notes sealed with that person's key. */
export interface StaffContract extends Omit<ContractValues, 'employeeNumber' | 'contractTypeName' | 'notes'> {
  id: ContractId
  staffId: StaffId | null
  contractTypeId: number
  sealedNotes: string | null
}

export function toStoredFieldName(field: string): string {
  return field === 'contractTypeName' ? 'contractTypeId' : field
}

/**
 * Label of a contract: its holder, `between` and its name. A vacancy whose name already begins with “vacancy” is not labelled “Vacancy”
 * twice.
 * @param holder null for a vacancy
 */
export function labelContract(holder: string | null, contractName: string, between = ': '): string {
  return holder === null && /^vacancy\b/i.test(contractName) ? contractName : `${holder ?? 'Vacancy'}${between}${contractName}`
}

/** A contract with the budget version that last saved it. */
export interface StoredContract extends StaffContract {
  version: number
  savedAt: string
  created: string
}

/**
 * Total cost of the contracts in each budget year, whole pennies, without figures that could not be calculated. `notCalculated` counts the
 * contracts that lack a figure.
 */
export interface CostTotals {
  years: Pennies[]
  contracts: number
  notCalculated: number
}

export const mongoId = z.string().regex(/^[0-9a-f]{24}$/, 'An id has 24 hexadecimal digits.')
export const budgetMongoId = mongoId.brand<'BudgetId'>()
export const groupMongoId = mongoId.brand<'BudgetGroupId'>()
export const contractMongoId = mongoId.brand<'ContractId'>()

/** Fields of a budget head that later events set, not `BudgetCreated`. */
export type HeadFieldSetLater = 'id' | 'locked' | 'lockedAt' | 'lockedById' | 'moments' | 'approval' | 'leaveEarnings'

/** Input for a new budget. Without a version type it is a working budget; without an inflation, prices do not rise. */
export const budgetInput = z.object({
  ...buildInputShape(budget.fields),
  ...buildPatchShape(budget.fields, ['versionType', 'inflationId']),
  budgetGroupId: groupMongoId.nullish(),
})
export type BudgetInput = z.infer<typeof budgetInput>

export const settingsInput = z.object({
  ...buildInputShape({ ...budgetSettingFields, ...budgetTableFields }),
  ...buildPatchShape(budgetSettingFields, ['inflationId']),
})

export const allowBlank = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' || value === undefined ? null : value), schema.nullable())
export const buildShortTextSchema = (label: string, max: number) =>
  allowBlank(z.string().trim().max(max, `${label} can have at most ${max} characters.`))
/** A number between limits with at most `places` decimals; blank becomes null. */
export const buildBoundedNumberSchema = (label: string, { min, max, places }: { min: number; max: number; places: number }) =>
  allowBlank(
    z
      .number(`${label} must be a number.`)
      .min(min, `${label} must be between ${min} and ${max}.`)
      .max(max, `${label} must be between ${min} and ${max}.`)
      .refine((value) => hasDecimals(value, places), `${label} can have at most ${places} decimal places.`),
  )

/** A contract as sent by screens and the API (entities.json StaffContract). */
export const staffContractInput = z.object({
  ...buildInputShape(staffContract.fields),
  id: contractMongoId.nullish(),
  version: z.number().int().nullish(),
  /** The caller's own reminder about the contract; unchanged if left out. It is not stored in the event log. */
  reminderDate: z.string().refine(isDate, 'Reminder date is not a valid date.').nullish(),
  reminderText: z.string().trim().max(200, 'Reminder text can have at most 200 characters.').nullish(),
})
export type StaffContractInput = z.infer<typeof staffContractInput>
