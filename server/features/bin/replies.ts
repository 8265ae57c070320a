import { z } from 'zod'
import { reply } from '../../core/calls/reply.ts'
import type { RestorationResult } from '../../shared/restoring/budgets/commands.ts'
import type { BudgetInBin } from '../../shared/restoring/budgets/queries.ts'
import type { BinPage, BinRow } from './queries.ts'

const row: z.ZodType<BinRow> = z
  .strictObject({
    kind: z.string(),
    id: z.int(),
    name: z.string(),
    parts: z.int(),
    deletedBy: z.string(),
    deletedAt: z.string(),
    until: z.string(),
  })
  .meta({ id: 'BinRow' })

const shape: z.ZodType<BinPage> = z.strictObject({ rows: z.array(row), total: z.int(), kinds: z.array(z.string()) }).meta({ id: 'BinPage' })

export const page = reply(shape)
export const restoredRecords = reply(z.strictObject({ restored: z.int() }).meta({ id: 'RestoredFromBin' }))

const budget: z.ZodType<BudgetInBin> = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    locationId: z.int().brand<'LocationId'>(),
    firstYear: z.int(),
    startMonth: z.int(),
    numberOfYears: z.int(),
    deletedBy: z.string(),
    deletedAt: z.string(),
  })
  .meta({ id: 'BudgetInBin' })

const restoredShape: z.ZodType<RestorationResult> = z
  .strictObject({ restored: z.int(), said: z.array(z.string()) })
  .meta({ id: 'RestoredBudgets' })

export const budgets = reply(z.strictObject({ rows: z.array(budget), total: z.int() }).meta({ id: 'BudgetsInBin' }))
/** A deleted budget group, as the bin shows it. */
const group = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    left: z.int().describe('The number of budgets restored with it.'),
    deletedBy: z.string(),
    deletedAt: z.string(),
  })
  .meta({ id: 'GroupInBin' })

export const groups = reply(z.array(group))
export const restoredBudgets = reply(restoredShape)
