import { z } from 'zod'
import { describeLookup } from '../../../domain/lookups/lookups.ts'
import { reply } from '../../core/calls/reply.ts'
import type { LoggedChange } from '../../core/stream/undo.ts'
import type { ImportOfLines, ListedActual } from '../../shared/monitoring/queries.ts'
import type { MonitoringRow, MonitoringTableInPounds } from './rows.ts'
import type { YearChartData } from './year/queries.ts'

const actual: z.ZodType<ListedActual> = z
  .strictObject({
    id: z.int(),
    version: z.int().describe('The version of the location’s log that imported it.'),
    type: z.int().describe(`${describeLookup('actualTypes')}.`),
    budgetCodeFilter: z.string().nullable(),
    value: z.number(),
    budgetCode: z.int(),
    costCentre: z.int(),
    description: z.string().nullable(),
    fundCode: z.int().nullable(),
    analysisTag: z.int().nullable(),
    year: z.int(),
    month: z.int(),
    locationId: z.int().brand<'LocationId'>(),
    created: z.string(),
  })
  .meta({ id: 'ActualCommitment' })

export const actualPage = reply(z.strictObject({ rows: z.array(actual), total: z.int() }).meta({ id: 'ActualCommitmentPage' }))

const monitoringRow: z.ZodType<MonitoringRow> = z
  .strictObject({
    kind: z.enum(['Data', 'Description', 'SectionHeader', 'SectionFooter', 'Total']).describe('The kind of row.'),
    budgetCodeId: z.int().nullable(),
    code: z.string().nullable(),
    description: z.string(),
    monthBudget: z.number().describe('For the chosen month only.'),
    monthActual: z.number().nullable().describe('For the chosen month only; empty if it has no actuals.'),
    monthVariance: z.number().nullable().describe('For the chosen month only, without adjustments; positive is favourable.'),
    budgetToDate: z.number(),
    actualToDate: z.number(),
    commitments: z.number(),
    adjustment: z.number(),
    variance: z.number().describe('Positive is favourable, for income and expenditure alike.'),
    variancePercent: z.number().nullable(),
    fullYearBudget: z.number(),
    forecast: z.number().nullable(),
    note: z.string().nullable(),
    action: z.string().nullable().describe('The action being taken on the variance.'),
    needsExplaining: z.boolean(),
    needsAction: z.boolean().describe('It is explained, but the action is missing.'),
    missing: z.int().describe('The number of monthly figures of the budget that could not be calculated; no total includes them.'),
  })
  .meta({ id: 'MonitoringRow' })

const monitoringTable: z.ZodType<MonitoringTableInPounds> = z
  .strictObject({
    rows: z.array(monitoringRow),
    year: z.int(),
    month: z.int(),
    closedMonths: z.array(z.int()).describe('Calendar months up to the chosen one that are closed at every location.'),
    budgets: z.array(
      z.strictObject({
        budgetId: z.string().brand<'BudgetId'>(),
        locationId: z.int().brand<'LocationId'>(),
        name: z.string(),
        period: z.int(),
      }),
    ),
    leftOut: z
      .array(z.strictObject({ locationId: z.int().brand<'LocationId'>(), location: z.string() }))
      .describe('Locations without a budget for that year.'),
  })
  .meta({ id: 'Monitoring' })
export const monitoring = reply(monitoringTable)

export const note = reply(
  z.strictObject({ notes: z.string(), action: z.string().optional(), budgetCodeId: z.int(), type: z.int() }).meta({ id: 'MonitoringNote' }),
)
export const adjustment = reply(z.strictObject({ value: z.number(), budgetCodeId: z.int(), type: z.int() }).meta({ id: 'Adjustment' }))

const importOfLines: z.ZodType<ImportOfLines> = z
  .strictObject({
    locationId: z.int().brand<'LocationId'>(),
    version: z.int(),
    year: z.int(),
    month: z.int(),
    at: z.string(),
    by: z.string(),
    isAdded: z.boolean().describe('True if it was added to the existing figures; false if it replaced them.'),
    lines: z.int().describe('The number of lines that the import has at that location.'),
  })
  .meta({ id: 'ImportOfLines' })

export const actualLines = reply(
  z
    .strictObject({
      total: z.number(),
      imports: z.array(importOfLines).describe('The imports that contained the lines, by location and version.'),
      lines: z.array(
        z.strictObject({
          date: z.string().nullable().describe('The date of the document, if the ledger file has it.'),
          reference: z.string().nullable().describe('The number of the document, if the ledger file has it.'),
          supplier: z.string().nullable().describe('The supplier or customer of the document, if the ledger file has it.'),
          description: z.string().describe('Empty for callers without permission to read actuals and commitments.'),
          costCentre: z.string(),
          fundCode: z.string().nullable(),
          value: z.number(),
          type: z.int(),
          locationId: z.int().brand<'LocationId'>(),
          year: z.int(),
          month: z.int(),
          version: z.int().describe('The version of the location’s log that imported it.'),
        }),
      ),
    })
    .meta({ id: 'ActualLines' }),
)

export const forecastValues = reply(
  z.strictObject({ budgetCodeId: z.int(), values: z.array(z.number()), closedMonths: z.array(z.int()) }).meta({
    id: 'ForecastValues',
    description: 'The actual if the month is closed, otherwise the open value, by period of the budget year.',
  }),
)

const pounds = z.number()
const yearOfSubject: z.ZodType<YearChartData> = z.strictObject({
  months: z.array(z.strictObject({ year: z.int(), month: z.int() })).nullable(),
  values: z.array(z.strictObject({ value: pounds, isActual: z.boolean() })),
  budget: z.array(pounds),
  approved: z.array(pounds).nullable().describe('The approved budget, if there is one and another was requested.'),
  lastYear: z.array(pounds.nullable()).nullable().describe('Last year’s outturn; null in months that are missing at any location.'),
})
export const year = reply(yearOfSubject)

const methodOfCode = z.strictObject({
  locationId: z.int().brand<'LocationId'>(),
  budgetCodeId: z.int(),
  method: z.enum(['budget', 'whatIsLeft', 'runRate', 'typed']),
  values: z.array(z.number()).nullable(),
})
export const forecastMethodsOfCodes = reply(z.array(methodOfCode))

export const settings = reply(
  z.strictObject({
    explainOver: z.number(),
    explainOverPercent: z.number(),
    explainAlwaysOver: z.number(),
  }),
)

export const months = reply(
  z.array(
    z.strictObject({
      locationId: z.int().brand<'LocationId'>(),
      year: z.int(),
      month: z.int(),
      isClosed: z.boolean(),
      isEnded: z.boolean().describe('Its month end is closed: it cannot be changed.'),
      lines: z.int(),
      importedAt: z.string(),
      version: z.int(),
    }),
  ),
)

export const copiedRemarks = reply(z.strictObject({ taken: z.int() }))

const change: z.ZodType<LoggedChange> = z.strictObject({ locationId: z.int().brand<'LocationId'>(), version: z.int() }).meta({
  id: 'MonitoringChange',
  description: 'The version of a change in the log of a location; send both to undo the change.',
})
export const changes = reply(z.array(change))
export const clearedMonth = reply(
  z
    .strictObject({ deleted: z.int().min(0), changes: z.array(change) })
    .meta({ id: 'ClearedMonth', description: 'The number of lines cleared.' }),
)
