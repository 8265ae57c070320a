import { z } from 'zod'
import { budgetMongoId, groupMongoId } from '../../../domain/budget/budget.ts'
import { describeLookup } from '../../../domain/lookups/lookups.ts'
import { reports } from '../../../domain/reports/registry.ts'
import { keysOf } from '../../../domain/values/keysOf.ts'

const chosen = z.array(z.int().positive()).max(5000).nullish()
const locationIds = z.array(z.int().positive().brand<'LocationId'>()).max(5000).nullish()
const yearNames = z
  .array(
    z
      .string()
      .regex(/^(19|20|21)\d\d\/\d\d$/, 'Enter the year as 2026/27.')
      .refine((name) => (Number(name.slice(0, 4)) + 1) % 100 === Number(name.slice(5)), 'Enter the year as 2026/27.'),
  )
  .max(10)
  .nullish()
const scheme = z
  .int()
  .min(0, 'Scheme must be 0 to 4.')
  .max(4, 'Scheme must be 0 to 4.')
  .nullish()
  .describe(`The codes to group by: 0 Own codes, ${describeLookup('financialCodeTypes')}.`)
const includeEmpty = z.boolean().nullish().describe('Codes and cost centres without figures are shown too.')

export const budgetYearsRequest = z
  .object({ budgetGroupId: groupMongoId.nullish(), budgetId: budgetMongoId.nullish(), locationIds })
  .meta({ id: 'BudgetYearsRequest' })

export const reportRequest = z
  .object({
    budgetGroupId: groupMongoId.nullish().describe('The report covers every budget of this group that the caller can see.'),
    budgetId: budgetMongoId.nullish().describe('If neither this nor a group is given: the budget of record of each location.'),
    locationIds,
    yearNames: yearNames.describe('If none are given: the years that the budgets have in common. Reports of one year show the first.'),
    costCentreIds: chosen,
    fundCodeIds: chosen,
    analysisTagIds: chosen,
    budgetCodeIds: chosen,
    scheme,
    includeEmpty,
  })
  .meta({ id: 'ReportRequest' })

const budgetIds = z
  .array(budgetMongoId)
  .min(2, 'Choose two to four budgets to compare.')
  .max(4, 'Choose two to four budgets to compare.')
  .refine((ids) => new Set(ids).size === ids.length, 'Choose each budget once.')

export const comparisonRequest = z.object({ budgetIds, yearNames, scheme, includeEmpty }).meta({ id: 'ComparisonRequest' })

const names = keysOf(reports)
export const reportName = z.enum(names, 'This report does not exist.')

/** The request of a report as a file, with any additional columns. */
export const fileRequest = reportRequest
  .extend({
    report: reportName,
    budgetIds: budgetIds.nullish().describe('For the budget comparison only, which ignores the other choices of budgets.'),
    perPupil: z.boolean().nullish(),
    ofIncome: z.boolean().nullish(),
    change: z.boolean().nullish(),
  })
  .meta({ id: 'ReportFileRequest' })

/** The request of a report as a workbook. */
export const workbookRequest = fileRequest.extend({
  formulas: z.boolean().nullish().describe('Totals are formulas over their rows; a cell under each table checks them.'),
})

/** The request of a report as a printable document. */
export const printableRequest = fileRequest.extend({
  pence: z.boolean().nullish().describe('True for pounds and pence, false for whole pounds.'),
})

/** Long enough for the codes of any figure in a report. */
const place = z.string().max(6000).default('')
export const linesRequest = reportRequest
  .extend({
    row: place.describe('`drill` of a row of the report; leave it out for the whole report.'),
    column: place.describe('`key` of a column of the report; leave it out for all columns.'),
  })
  .meta({ id: 'ReportLinesRequest' })
