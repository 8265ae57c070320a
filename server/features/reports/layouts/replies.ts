import { z } from 'zod'
import type { ReportLayout, ReportLayoutRequest } from '../../../../domain/reports/layouts.ts'
import { reply } from '../../../core/calls/reply.ts'
import { reportName } from '../../../shared/reports/inputs.ts'

const ids = z.array(z.int())
const request: z.ZodType<ReportLayoutRequest> = z.strictObject({
  report: reportName,
  budgetId: z.string().brand<'BudgetId'>().nullable(),
  budgetGroupId: z.string().brand<'BudgetGroupId'>().nullable(),
  locationIds: z.array(z.int().brand<'LocationId'>()).nullable(),
  yearNames: z.array(z.string()).nullable(),
  budgetIds: z.array(z.string().brand<'BudgetId'>()).nullable(),
  costCentreIds: ids,
  fundCodeIds: ids,
  analysisTagIds: ids,
  budgetCodeIds: ids,
  scheme: z.int(),
  includeEmpty: z.boolean(),
  perPupil: z.boolean(),
  ofIncome: z.boolean(),
  change: z.boolean(),
  pence: z.boolean(),
})

const layout: z.ZodType<ReportLayout> = z
  .strictObject({
    id: z.int(),
    version: z.int(),
    name: z.string(),
    isShared: z.boolean(),
    isOverOpen: z.boolean(),
    request,
    isOwn: z.boolean(),
    mayChange: z.boolean(),
  })
  .meta({ id: 'ReportLayout' })

export const layoutReply = reply(layout)
export const layouts = reply(z.array(layout))
