import { z } from 'zod'
import { staffContract } from '../resources/entities/budget/staffContract.ts'
import { buildInputShape } from '../resources/schema.ts'
import type { Pounds } from '../values/units.ts'
import { budgetMongoId, mongoId, type StoredScalePoint, staffContractInput } from './budget.ts'

/** The cost of a hypothetical employee: no name, no dates. */
export interface QuickCalculation {
  id: string
  name: string
  type: number
  contractTypeId: number
  scalePoint: StoredScalePoint | null
  /** Pounds with at most two decimals. */
  spotOrAdjustment: Pounds | null
  allowanceIds: number[]
  eRpension: boolean
  hoursPerWeek: number | null
  paidWeeksPerYear: number | null
  fte: number | null
}

export interface StoredQuickCalculation extends QuickCalculation {
  /** Budget version that last saved it. */
  version: number
  created: string
}

const row = buildInputShape(staffContract.fields.salary.of)

/** A quick calculation as sent by screens and the API (entities.json QuickCalculator). */
export const quickCalculatorInput = z.object({
  id: mongoId.nullish(),
  version: z.number().int().nullish(),
  budgetId: budgetMongoId.nullish(),
  name: z.string('Name is required.').trim().min(1, 'Name is required.').max(100, 'Name can have at most 100 characters.'),
  type: staffContractInput.shape.type,
  contractTypeId: staffContractInput.shape.contractTypeName,
  scalePointId: row.scalePoint,
  spotOrAdjustment: row.spotAdjustment,
  allowanceIds: row.allowances,
  eRpension: row.erPension,
  hoursPerWeek: row.hoursPerWeek,
  paidWeeksPerYear: row.weeksPerYear,
  fte: row.fte,
})
export type QuickCalculatorInput = z.infer<typeof quickCalculatorInput>
