import { z } from 'zod'
import { staffSources } from '../../../domain/budget/sharedSources.ts'
import type { BudgetYear } from '../../../domain/reports/budgetYears.ts'
import { columnTypes, type Report, type ReportColumn, type ReportRow } from '../../../domain/reports/report.ts'
import { reply } from '../../core/calls/reply.ts'
import type { ReportLine, ReportLines } from './lines/line.ts'
import type { ShownReport } from './rows.ts'

const column: z.ZodType<ReportColumn> = z
  .strictObject({
    key: z.string().describe('Identifies the part of the lines that the column shows.'),
    title: z.string(),
    type: z.enum(columnTypes),
    without: z.string().optional().describe('The text shown where the column has no figure.'),
  })
  .meta({ id: 'ReportColumn' })

const row: z.ZodType<ReportRow> = z
  .strictObject({
    kind: z.enum(['Data', 'Description', 'Empty', 'SectionHeader', 'SectionFooter', 'Total']).describe('The kind of row.'),
    label: z.string(),
    values: z.array(z.union([z.number(), z.string(), z.null()])).describe('One for each column: pounds, numbers, percentages or words.'),
    drill: z.string().nullable().describe('Identifies the lines behind the row.'),
    level: z.int().describe('The level of indentation.'),
    missing: z.int().describe('The number of monthly figures that could not be calculated; no total of the row includes them.'),
    type: z.enum(columnTypes).optional().describe('The type of the row’s figures, if it differs from the types of the columns.'),
    reason: z
      .strictObject({ line: z.string(), version: z.int() })
      .optional()
      .describe('For a line of the return that has changed: the key of its reason; version 0 if there is none.'),
  })
  .meta({ id: 'ReportRow' })

const base: z.ZodType<Report['bases'][number]> = z.strictObject({ income: z.number().nullable(), pupils: z.number().nullable() })

const shape = {
  title: z.string(),
  columns: z.array(column),
  rows: z.array(row),
  notCalculated: z.int().describe('Items with a figure that could not be calculated: they are left out of the totals.'),
  bases: z.array(base).describe('For each column: the basis for shares of income and figures per pupil.'),
  reasons: z
    .strictObject({ locationId: z.int().brand<'LocationId'>().nullable(), firstYear: z.int(), mayWrite: z.boolean() })
    .optional()
    .describe('For a return compared with the last one: the scope of the reasons in the column `reason`.'),
}
/** The schema of a report as part of another reply. */
export const reportValue: z.ZodType<Report> = z.strictObject(shape)

const shown: z.ZodType<ShownReport> = z
  .strictObject({
    ...shape,
    budgets: z.array(
      z.strictObject({
        budgetId: z.string().brand<'BudgetId'>(),
        name: z.string(),
        locationId: z.int().brand<'LocationId'>(),
        location: z.string(),
      }),
    ),
    leftOut: z
      .array(z.strictObject({ locationId: z.int().brand<'LocationId'>(), location: z.string() }))
      .describe('Locations without a budget for those years.'),
    olderCosts: z.string().nullable().describe('The costs that are out of date; null if there are none.'),
  })
  .meta({ id: 'Report' })
export const report = reply(shown)

const budgetYear: z.ZodType<BudgetYear> = z
  .strictObject({ index: z.int(), name: z.string(), start: z.string(), end: z.string() })
  .meta({ id: 'BudgetYear' })
export const budgetYears = reply(z.array(budgetYear))

const line: z.ZodType<ReportLine> = z
  .strictObject({
    kind: z.enum([...staffSources, 'contracts', 'entry', 'transfer', 'actual', 'forecast']),
    id: z.string(),
    name: z.string(),
    budgetId: z.string().brand<'BudgetId'>(),
    budget: z.string(),
    locationId: z.int().brand<'LocationId'>(),
    location: z.string(),
    code: z.string(),
    centre: z.string(),
    fund: z.string(),
    year: z.string(),
    amount: z.number().nullable(),
    missing: z.int(),
  })
  .meta({ id: 'ReportLine' })
const listed: z.ZodType<ReportLines> = z
  .strictObject({ total: z.number(), count: z.int(), lines: z.array(line) })
  .meta({ id: 'ReportLines', description: 'The largest lines behind a figure; the total and count cover all of them.' })
export const lines = reply(listed)
