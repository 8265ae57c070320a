import { z } from 'zod'
import type { CalculatorRow } from '../../calculation/nonStaffing/calculator.ts'
import { fundShares } from '../../resources/schema.ts'
import type { Percent } from '../../values/units.ts'
import { allowBlank, buildShortTextSchema, mongoId } from '../budget.ts'
import { calculatorRows } from './fields.ts'

/** An income and expenditure calculation: rows with a total, and the coding of its budget entry. */
export interface IeCalculation {
  id: string
  name: string
  description: string | null
  budgetCodeId: number
  costCentreId: number | null
  fundCodes: { fundCodeId: number; percentage: Percent }[]
  rows: CalculatorRow[]
}

/** A calculation as sent by screens and the API (entities.json IncomeExpenditureCalculator). */
export const ieCalculationInput = z.object({
  id: mongoId.nullish(),
  version: z.number().int().nullish(),
  name: z.string('Name is required.').trim().min(1, 'Name is required.').max(100, 'Name can have at most 100 characters.'),
  description: buildShortTextSchema('Description', 200),
  budgetCodeId: z.number('Budget code is required.').int(),
  costCentreId: allowBlank(z.number('Cost centre was not found.').int()),
  fundCodes: fundShares.default([]),
  rows: calculatorRows.min(1, 'Add at least one row.'),
})
export type IncomeExpenditureCalculationInput = z.infer<typeof ieCalculationInput>
