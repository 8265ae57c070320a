import { z } from 'zod'
import type { ScalePoint } from '../calculation/inputs.ts'
import { type IsoDate, isDate } from '../calendar.ts'
import { hasDecimals } from '../decimals.ts'
import { adminTableType, versionType } from '../lookupIds.ts'

/** The kinds of effective-dated tables a budget names: the resource each is of and, of admin tables, the type. */
export const elementKinds = {
  teacherPayScales: { of: 'adminTable', type: adminTableType.teacherPayScales },
  supportPayScales: { of: 'adminTable', type: adminTableType.supportPayScales },
  customTeacherPayScales: { of: 'adminTable', type: adminTableType.teacherPayScales },
  customSupportPayScales: { of: 'adminTable', type: adminTableType.supportPayScales },
  nationalInsurance: { of: 'adminTable', type: adminTableType.nationalInsurance },
  extendedLeaveRates: { of: 'adminTable', type: adminTableType.extendedLeave },
  localAuthorityFundingRates: { of: 'adminTable', type: adminTableType.fundingRates },
  topSliceTables: { of: 'topSliceTable', type: null },
  gagPoolTables: { of: 'gagPoolTable', type: null },
} as const
export type ElementKind = keyof typeof elementKinds
export const elementNames = Object.keys(elementKinds) as ElementKind[]
/** The kinds that staff are costed with. */
export const staffElementNames = elementNames.filter((kind) => {
  const { type } = elementKinds[kind]
  return type !== null && type !== adminTableType.fundingRates
})

export interface ElementRow {
  effectiveDate: IsoDate
  adminTableId: number
}

export type Elements = Record<ElementKind, ElementRow[]>

/** The tables of every kind, each made from its kind. */
export function elementsBy(rowsOf: (kind: ElementKind) => ElementRow[]): Elements {
  return {
    teacherPayScales: rowsOf('teacherPayScales'),
    supportPayScales: rowsOf('supportPayScales'),
    customTeacherPayScales: rowsOf('customTeacherPayScales'),
    customSupportPayScales: rowsOf('customSupportPayScales'),
    nationalInsurance: rowsOf('nationalInsurance'),
    extendedLeaveRates: rowsOf('extendedLeaveRates'),
    localAuthorityFundingRates: rowsOf('localAuthorityFundingRates'),
    topSliceTables: rowsOf('topSliceTables'),
    gagPoolTables: rowsOf('gagPoolTables'),
  }
}

/** Tables as older events have them, with the kinds that came later. */
export function allElements(known: Partial<Elements>): Elements {
  return elementsBy((kind) => known[kind] ?? [])
}

/** What a budget is for, as its list says it. */
export const budgetVersionTypes = [
  { id: versionType.working, name: 'Working' },
  { id: versionType.approved, name: 'Approved' },
  { id: versionType.forecast, name: 'Forecast' },
  { id: versionType.whatIf, name: 'What-if' },
] as const

/** The budget that another one was made from, as it stood at one of its versions. */
export interface BudgetSource {
  budgetId: string
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
  byId: number
  at: string
  version: number
  sealedComment: string | null
}

export interface BudgetHead {
  id: string
  locationId: number
  name: string
  versionType: number
  source: BudgetSource | null
  moments: NamedMoment[]
  approval: Approval | null
  firstYear: number
  startMonth: number
  numberOfYears: number
  staffAssumptionsId: number
  /** The price rises of what is not staff; null: nothing rises. */
  inflationId: number | null
  contractTypeIds: number[]
  elements: Elements
  locked: boolean
  lockedAt: string | null
  lockedById: number | null
}

/** A scale point as a contract keeps it: which record was picked, and what the calculation reads. */
export interface KeptScalePoint extends ScalePoint {
  id: number
}

export interface ContractRow {
  effectiveDate: IsoDate
  calculationCeaseDate: IsoDate | null
  scalePoint: KeptScalePoint | null
  /** Pounds with at most two decimals. */
  spotAdjustment: number | null
  allowances: number[]
  erPension: boolean
  fte: number | null
  hoursPerWeek: number | null
  weeksPerYear: number | null
}

/** A staff contract as the log keeps it: nobody's name, only the opaque id of the staff member. Notes are sealed with that person's key. */
export interface StaffContract {
  id: string
  staffId: number | null
  type: number
  contractName: string
  contractTypeId: number
  maximumScalePoint: KeptScalePoint | null
  startDate: IsoDate
  endDate: IsoDate | null
  position: string | null
  department: string | null
  apprentice: boolean
  attritionContract: boolean
  sealedNotes: string | null
  serviceTerms: number[]
  analysisTags: number[]
  fundCodes: { fundCodeId: number; percentage: number }[]
  salary: ContractRow[]
}

/** A stored contract: with the version of the budget at which it was last saved. */
export interface StoredContract extends StaffContract {
  version: number
  savedAt: string
  created: string
}

/** Whole pennies of each year, of everything that could be calculated, and how many contracts could not. */
export interface CostTotals {
  years: number[]
  contracts: number
  notCalculated: number
}

export const mongoId = z.string().regex(/^[0-9a-f]{24}$/, 'An id has 24 hexadecimal digits.')

const elementRow = z.object({ effectiveDate: z.string().nullish(), adminTableId: z.number().int().nullish() })

/** Rows without a date or a table are dropped. */
const elementRows = z
  .array(elementRow)
  .max(200)
  .default([])
  .transform((rows) => rows.filter((row): row is ElementRow => Boolean(row.effectiveDate && row.adminTableId)))

/** The fields of a head that an event of its own gives it, not its creation. */
export type GivenLater = 'id' | 'locked' | 'lockedAt' | 'lockedById' | 'moments' | 'approval'

export const elementsInput = z.object({
  teacherPayScales: elementRows,
  supportPayScales: elementRows,
  customTeacherPayScales: elementRows,
  customSupportPayScales: elementRows,
  nationalInsurance: elementRows,
  extendedLeaveRates: elementRows,
  localAuthorityFundingRates: elementRows,
  topSliceTables: elementRows,
  gagPoolTables: elementRows,
})

export const budgetInput = elementsInput.extend({
  name: z.string('Name is required.').trim().min(1, 'Name is required.').max(100, 'Name can have at most 100 characters.'),
  locationIds: z.array(z.number().int(), 'Locations is required.').min(1, 'Locations is required.').max(500),
  versionType: z
    .number()
    .int()
    .min(1, 'Version type is not one of the choices.')
    .max(4, 'Version type is not one of the choices.')
    .nullish(),
  budgetGroupId: mongoId.nullish(),
  firstYear: z
    .number('First year is required.')
    .int('First year must be a whole number.')
    .min(2000, 'First year must be between 2000 and 2100.')
    .max(2100, 'First year must be between 2000 and 2100.'),
  numberOfYears: z
    .number('Number of years is required.')
    .int('Number of years must be a whole number.')
    .min(1, 'Number of years must be between 1 and 5.')
    .max(5, 'Number of years must be between 1 and 5.'),
  staffAssumptionsId: z.number('Staff assumptions is required.').int(),
  inflationId: z.number('Non-staff inflation was not found.').int().nullish(),
  contractTypeIds: z.array(z.number().int(), 'Contract types is required.').min(1, 'Contract types is required.').max(500),
})
export type BudgetInput = z.infer<typeof budgetInput>

const dateText = (label: string) => z.string(`${label} is required.`).refine(isDate, `${label} is not a date.`)
export const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' || value === undefined ? null : value), schema.nullable())
export const shortText = (label: string, max: number) =>
  optional(z.string().trim().max(max, `${label} can have at most ${max} characters.`))
/** A number within limits and with so many decimals at most, or nothing. */
export const numberWithin = (label: string, min: number, max: number, places: number) =>
  optional(
    z
      .number(`${label} must be a number.`)
      .min(min, `${label} must be between ${min} and ${max}.`)
      .max(max, `${label} must be between ${min} and ${max}.`)
      .refine((value) => hasDecimals(value, places), `${label} can have at most ${places} decimals.`),
  )

const salaryRow = z.object({
  effectiveDate: dateText('Effective date'),
  calculationCeaseDate: optional(dateText('Calculation cease date')),
  scalePoint: optional(z.number('Scale point was not found.').int()),
  spotAdjustment: numberWithin('Spot salary or adjustment', -9_999_999, 9_999_999, 2),
  allowances: z.array(z.number().int()).max(50).default([]),
  erPension: z.boolean('Employer pension must be Yes or No.').default(true),
  fte: numberWithin('FTE', 0, 2, 6),
  hoursPerWeek: numberWithin('Hours per week', 0, 60, 6),
  weeksPerYear: numberWithin('Weeks per year', 0, 53, 6),
})

/** A contract as screens and the API send it (entities.json StaffContract). */
export const staffContractInput = z.object({
  id: mongoId.nullish(),
  version: z.number().int().nullish(),
  employeeNumber: shortText('Employee number', 30),
  type: z.union([z.literal(1), z.literal(2), z.literal(4), z.literal(8)], 'Type is not one of the choices.'),
  contractName: z
    .string('Contract name is required.')
    .trim()
    .min(1, 'Contract name is required.')
    .max(100, 'Contract name can have at most 100 characters.'),
  contractTypeName: z.number('Contract type is required.').int(),
  maximumScalePoint: optional(z.number('Maximum scale point was not found.').int()),
  startDate: dateText('Start date'),
  endDate: optional(dateText('End date')),
  position: shortText('Position', 100),
  department: shortText('Department', 100),
  apprentice: z.boolean().default(false),
  attritionContract: z.boolean().default(false),
  notes: shortText('Notes', 2000),
  serviceTerms: z.array(z.number().int()).min(1, 'Payroll code is required.').max(20),
  analysisTags: z.array(z.number().int()).max(50).default([]),
  fundCodes: z
    .array(z.object({ fundCodeId: z.number().int(), percentage: z.number().min(0).max(100) }))
    .max(20)
    .default([]),
  salary: z.array(salaryRow, 'Salary information is required.').min(1, 'Add at least one salary row.').max(100),
  /** The caller's own reminder about the contract; left out, it stays. It is not of the contract and not in the log. */
  reminderDate: z.string().refine(isDate, 'Reminder date is not a date.').nullish(),
  reminderText: z.string().trim().max(200, 'Reminder text can have at most 200 characters.').nullish(),
})
export type StaffContractInput = z.infer<typeof staffContractInput>
