import { z } from 'zod'
import { budgetMongoId, groupMongoId, mongoId } from '../../../domain/budget/budget.ts'
import { listRequest } from '../../../domain/lists/lists.ts'
import { describeLookup } from '../../../domain/lookups/lookups.ts'
import { actualFile } from '../../../domain/monitoring/actualFile.ts'
import { forecastMethods } from '../../../domain/monitoring/monitoring.ts'
import { forecastPermissions } from '../../../domain/monitoring/rights.ts'
import type { MonitoringScreen } from '../../../domain/monitoring/rows.ts'
import { hasAnyPermission, listViewPermissions } from '../../../domain/people/permissions.ts'
import { listColumns } from '../../../domain/resources/columns.ts'
import { hasDecimals } from '../../../domain/values/decimals.ts'
import { toPennies, toPounds } from '../../../domain/values/format.ts'
import { organisationWideLocationId } from '../../../domain/values/ids.ts'
import type { Call } from '../../core/calls/call.ts'
import { atLevels, defineRestPaths, defineRestPathsByLevel, inOrganisation, router } from '../../core/calls/procedures.ts'
import { emptyReply } from '../../core/calls/reply.ts'
import { openStoreWithin } from '../../core/database/database.ts'
import { logHistoryReply } from '../../core/stream/history.ts'
import { importInput } from '../../resources/procedures.ts'
import { bulkEditResult, importResult, template } from '../../resources/replies.ts'
import { buildTemplate } from '../../resources/template.ts'
import { loadVisibleBudget } from '../../shared/budgets/queries.ts'
import { type FiguresReader, readHiddenCodes, refuseCodeOfFewPeople } from '../../shared/fewPeople/queries.ts'
import * as commands from '../../shared/monitoring/commands.ts'
import { listShownBudgetIds, readMonitoringFacts, toCodeFigures } from '../../shared/monitoring/facts/queries.ts'
import * as queries from '../../shared/monitoring/queries.ts'
import { runMoneyChange } from '../../shared/nonStaffing/changingMoney/commands.ts'
import * as entryReplies from '../../shared/nonStaffing/entries/replies.ts'
import { cashRouter } from './cash/router.ts'
import { runMonitoringChange, toMonitoringEditor } from './changing.ts'
import { readEntriesOnCode, runSetForecastEntries } from './forecast.ts'
import { readMonitoringHistory } from './history.ts'
import { calendarMonth, id, locationId, pounds, year } from './inputs.ts'
import { figuresOfLocations, readLocationsTable } from './locations/queries.ts'
import { locations } from './locations/replies.ts'
import { monthEndRouter } from './monthEnd/router.ts'
import { findEndOfDay, readPastTable } from './past/queries.ts'
import * as replies from './replies.ts'
import { presentMonitoring } from './rows.ts'
import { readTrackRecord } from './trackRecord/queries.ts'
import { presentTrackRecord, trackRecordReply } from './trackRecord/replies.ts'
import { readYearChart } from './year/queries.ts'

const files = listViewPermissions('ConsoleMonitoring')
const importing = ['ConsoleMonitoringReadUpdate'] as const
const actuals = listViewPermissions('BudgetingMonitoringBudgetActuals', 'ConsoleMonitoringBudgetActuals')
const forecast = listViewPermissions('BudgetingMonitoringBudgetForecast', 'ConsoleMonitoringBudgetForecast')
const consoleChanges = ['ConsoleMonitoringBudgetActualsReadUpdate', 'ConsoleMonitoringBudgetForecastReadUpdate'] as const
const changes = ['BudgetingMonitoringBudgetActualsReadUpdate', 'BudgetingMonitoringBudgetForecastReadUpdate', ...consoleChanges] as const
const settled = [...consoleChanges] as const
const levels = { field: 'group', whole: consoleChanges, part: changes }

const screen = z.union([z.literal(1), z.literal(2)], 'Type must be 1 or 2.').describe(`${describeLookup('monitoringNoteTypes')}.`)
const locationIds = z.array(locationId).max(5000)

const monitoringRequest = z
  .object({
    ...calendarMonth,
    budgetId: budgetMongoId.nullish(),
    budgetGroupId: groupMongoId.nullish().describe('With `budgetId`: the budget group whose notes and adjustments are shown.'),
    locationIds: locationIds.nullish(),
    scheme: z
      .int()
      .min(0)
      .max(5)
      .nullish()
      .describe(`The codes to group by: 0 Own codes, ${describeLookup('financialCodeTypes')}, 5 Categories.`),
    cumulativeActuals: z.boolean().nullish().describe('If empty, the organisation’s setting useCumulativeActuals applies.'),
    forecastBudgetId: budgetMongoId.nullish().describe('With `budgetId`: the budget that the open months are taken from.'),
  })
  .meta({ id: 'MonitoringRequest' })
const pastRequest = z.object({
  ...calendarMonth,
  budgetId: budgetMongoId,
  scheme: monitoringRequest.shape.scheme,
  day: z.iso.date('Day must be a date.'),
})
const columnsOfLocations = z.object({
  ...calendarMonth,
  locationIds: locationIds.nullish(),
  scheme: monitoringRequest.shape.scheme,
})
const noteInput = z.object({
  notes: z.string('Notes are required.').trim().min(1, 'Notes are required.').max(2000, 'Notes can have at most 2,000 characters.'),
  action: z
    .string()
    .trim()
    .max(2000, 'Action can have at most 2,000 characters.')
    .nullish()
    .describe('The action being taken; a line over the threshold needs it before its month can be closed.'),
  budgetCodeId: id,
  type: screen,
})
const noteBody = noteInput.meta({ id: 'MonitoringNoteInput' })
const adjustmentInput = z.object({ value: pounds, budgetCodeId: id, type: screen })
const adjustmentBody = adjustmentInput.meta({ id: 'AdjustmentInput' })
const anyLevel = { ...calendarMonth, group: groupMongoId.nullish().describe('Empty for the whole organisation.') }
const aboutCode = z.object({ ...anyLevel, budgetCode: id, type: screen })
const byYear = z.object({ year, budgetId: budgetMongoId, budgetCodeId: id }).meta({ id: 'EntriesByYear' })
const forecastEntries = z
  .object({
    year,
    budgetId: budgetMongoId,
    budgetCodeId: id,
    entries: z
      .array(z.object({ id: mongoId, periods: z.array(pounds).length(12, 'Enter a value for each of the twelve months.') }))
      .max(1000),
  })
  .meta({ id: 'ForecastEntries' })
const fileRows = z.array(z.object(Object.fromEntries(listColumns(actualFile).map(({ heading }) => [heading, z.string().optional()]))))

const at = defineRestPaths('/api/monitoring/', { term: { singular: 'Month', plural: 'Monitoring' } })
const both = defineRestPathsByLevel(at)

const codeId = id.describe('Id of a budget code.')
const monthPath = '{year:integer}/{month:integer}'
const code = '{budgetCode:integer}/{type:integer}'

/** A monitoring screen without the figures that the caller may not see. */
const screenFor = (call: Call & FiguresReader, screen: MonitoringScreen): queries.MonitoringPage => ({
  screen,
  findHiddenCodes: (budgetIds) => readHiddenCodes(call, budgetIds),
})

/** Actuals and commitments, and their comparisons (rules.md §17). */
export const monitoringRouter = router({
  monthEnd: monthEndRouter,
  cash: cashRouter,
  import: inOrganisation(
    importing,
    'import',
    at('POST', `actuals-commitments/import/${monthPath}/{type:integer}`, {
      entity: 'ActualCommitment',
      body: fileRows,
      summary: 'Import actuals and commitments',
    }),
  )
    .input(
      importInput.pick({ rows: true }).extend({
        ...calendarMonth,
        type: z.union([z.literal(1), z.literal(2)], 'Import type must be 1 or 2.').describe(`${describeLookup('importTypes')}.`),
        locationIds: locationIds.nullish(),
        again: z.boolean().nullish(),
      }),
    )
    .output(importResult)
    .mutation(({ ctx, input }) =>
      runMonitoringChange(ctx, async (tx) => {
        const done = await commands.runImportActuals({ ...toMonitoringEditor(ctx), tx }, input)
        return { result: { imported: done.imported, created: done.imported, updated: 0 }, locationIds: done.locationIds }
      }),
    ),
  template: inOrganisation(files, 'short')
    .output(template)
    .query(({ ctx }) => ctx.inTransaction((tx) => buildTemplate(tx, actualFile, ctx))),
  list: inOrganisation(
    files,
    'short',
    at('POST', `actuals-commitments/list/${monthPath}`, {
      entity: 'ActualCommitment',
      body: listRequest,
      summary: 'List actuals and commitments',
    }),
  )
    .input(listRequest.extend(calendarMonth))
    .output(replies.actualPage)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => queries.listActuals({ ...ctx, tx }, input, input))),
  /** The months of a calendar year with data, by location. */
  months: inOrganisation([...files, ...actuals, ...forecast], 'short')
    .input(z.object({ from: z.object(calendarMonth), to: z.object(calendarMonth) }))
    .output(replies.months)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => queries.readImportedMonths({ ...ctx, tx }, input.from, input.to))),
  clear: inOrganisation(
    importing,
    'short',
    at('DELETE', `actuals-commitments/${monthPath}`, {
      entity: 'ActualCommitment',
      status: 204,
      summary: 'Delete the actuals and commitments of a month',
    }),
  )
    .input(z.object(calendarMonth))
    .output(replies.changes)
    .mutation(({ ctx, input }) =>
      runMonitoringChange(ctx, async (tx) => {
        const { changes } = await commands.runClearActuals({ ...toMonitoringEditor(ctx), tx }, input)
        return { result: changes, locationIds: changes.map((change) => change.locationId) }
      }),
    ),
  clearLocations: inOrganisation(
    importing,
    'short',
    at('POST', 'actuals-commitments/delete', {
      entity: 'ActualCommitment',
      summary: 'Delete the actuals and commitments of a month at several locations',
    }),
  )
    .input(z.object({ ...calendarMonth, locationIds }).meta({ id: 'ClearByLocations' }))
    .output(replies.clearedMonth)
    .mutation(({ ctx, input }) =>
      runMonitoringChange(ctx, async (tx) => {
        const result = await commands.runClearActuals({ ...toMonitoringEditor(ctx), tx }, input, input.locationIds)
        return { result, locationIds: result.changes.map((change) => change.locationId) }
      }),
    ),
  budgetsVsActuals: inOrganisation(
    actuals,
    'report',
    at('POST', 'BudgetsVsActuals', { also: ['/Monitoring/BudgetsVsActuals'], summary: 'Compare budget and actuals by budget code' }),
  )
    .input(monitoringRequest)
    .output(replies.monitoring)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) =>
        presentMonitoring(input, await queries.readMonitoringTable({ ...ctx, tx }, input, screenFor({ ...ctx, tx }, 'actuals'))),
      ),
    ),
  budgetsVsForecast: inOrganisation(
    forecast,
    'report',
    at('POST', 'BudgetsVsForecast', {
      also: ['/Monitoring/BudgetsVsForecast'],
      summary: 'Compare budget and forecast outturn by budget code',
    }),
  )
    .input(monitoringRequest)
    .output(replies.monitoring)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) =>
        presentMonitoring(input, await queries.readMonitoringTable({ ...ctx, tx }, input, screenFor({ ...ctx, tx }, 'forecast'))),
      ),
    ),
  /** How far each forecast was from the outturn, by code and school. */
  trackRecord: inOrganisation(listViewPermissions('ConsoleMonitoringBudgetForecast'), 'longReport')
    .input(z.object({ ...calendarMonth, locationIds: locationIds.nullish() }))
    .output(trackRecordReply)
    .query(({ ctx, input }) => ctx.inTransaction(async (tx) => presentTrackRecord(await readTrackRecord({ ...ctx, tx }, input)))),
  /** Budgets versus actuals at the end of an earlier day. */
  pastActuals: inOrganisation(actuals, 'longReport')
    .input(pastRequest)
    .output(replies.monitoring)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) =>
        presentMonitoring(input, await readPastTable({ ...ctx, tx }, { ...input, until: await findEndOfDay(tx, input.day) }, 'actuals')),
      ),
    ),
  pastForecast: inOrganisation(forecast, 'longReport')
    .input(pastRequest)
    .output(replies.monitoring)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) =>
        presentMonitoring(input, await readPastTable({ ...ctx, tx }, { ...input, until: await findEndOfDay(tx, input.day) }, 'forecast')),
      ),
    ),
  /** Budgets versus actuals with a column for each location. */
  actualsByLocation: inOrganisation(actuals, 'report')
    .input(columnsOfLocations.extend({ figure: z.enum(figuresOfLocations.actuals) }))
    .output(locations)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => readLocationsTable({ ...ctx, tx }, input, 'actuals'))),
  forecastByLocation: inOrganisation(forecast, 'report')
    .input(columnsOfLocations.extend({ figure: z.enum(figuresOfLocations.forecast) }))
    .output(locations)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => readLocationsTable({ ...ctx, tx }, input, 'forecast'))),
  entriesByYear: inOrganisation(
    [...actuals, ...forecast],
    'short',
    at('POST', 'BudgetEntries/byYear', {
      also: ['/monitoring/BudgetEntries/byYear'],
      entity: 'BudgetEntry',
      summary: 'List budget entries with the months of a year, with the forecast applied',
    }),
  )
    .input(byYear)
    .output(entryReplies.listedEntries)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await loadVisibleBudget(tx, ctx, input.budgetId)
        return readEntriesOnCode(tx, ctx.organisationId, input)
      }),
    ),
  note: atLevels(
    levels,
    'short',
    both('POST', `note/${monthPath}`, {
      entity: 'MonitoringNote',
      body: noteBody,
      summary: (of) => `Write a note about a budget code in a month, for ${of}`,
    }),
  )
    .input(noteInput.extend(anyLevel))
    .output(replies.note)
    .mutation(({ ctx, input: { notes, action, group: groupId = null, ...about } }) =>
      runMonitoringChange(ctx, async (tx) => {
        await commands.runSaveNote({ ...toMonitoringEditor(ctx), tx }, { ...about, groupId }, { notes, action: action || null })
        const note = { notes, budgetCodeId: about.budgetCodeId, type: about.type }
        return { result: action ? { ...note, action } : note, locationIds: [] }
      }),
    ),
  noteDelete: atLevels(
    levels,
    'short',
    both('DELETE', `note/${monthPath}/${code}`, { entity: 'MonitoringNote', status: 204, summary: (of) => `Delete a note for ${of}` }),
  )
    .input(aboutCode)
    .output(emptyReply)
    .mutation(({ ctx, input: { budgetCode: budgetCodeId, group: groupId = null, ...about } }) =>
      runMonitoringChange(ctx, async (tx) => ({
        result: await commands.runSaveNote({ ...toMonitoringEditor(ctx), tx }, { ...about, budgetCodeId, groupId }, null),
        locationIds: [],
      })),
    ),
  adjustment: atLevels(
    levels,
    'short',
    both('POST', `adjustment/${monthPath}`, {
      entity: 'Adjustment',
      body: adjustmentBody,
      summary: (of) => `Enter an adjustment to a budget code in a month, for ${of}`,
    }),
  )
    .input(adjustmentInput.extend(anyLevel))
    .output(replies.adjustment)
    .mutation(({ ctx, input: { value, group: groupId = null, ...about } }) =>
      runMonitoringChange(ctx, async (tx) => {
        await commands.runSaveAdjustment({ ...toMonitoringEditor(ctx), tx }, { ...about, groupId }, toPennies(value))
        return { result: { value, budgetCodeId: about.budgetCodeId, type: about.type }, locationIds: [] }
      }),
    ),
  adjustmentDelete: atLevels(
    levels,
    'short',
    both('DELETE', `adjustment/${monthPath}/${code}`, {
      entity: 'Adjustment',
      status: 204,
      summary: (of) => `Delete an adjustment for ${of}`,
    }),
  )
    .input(aboutCode)
    .output(emptyReply)
    .mutation(({ ctx, input: { budgetCode: budgetCodeId, group: groupId = null, ...about } }) =>
      runMonitoringChange(ctx, async (tx) => ({
        result: await commands.runSaveAdjustment({ ...toMonitoringEditor(ctx), tx }, { ...about, budgetCodeId, groupId }, null),
        locationIds: [],
      })),
    ),
  /** Copies notes or adjustments of the previous month to codes that have none in this month. */
  takeOver: inOrganisation(changes, 'short')
    .input(
      z.object({
        ...anyLevel,
        type: screen,
        kind: z.enum(['note', 'adjustment']),
        budgetCodeIds: z.array(id).min(1).max(2000),
      }),
    )
    .output(replies.copiedRemarks)
    .mutation(({ ctx, input: { group: groupId, ...input } }) =>
      runMonitoringChange(ctx, async (tx) => ({
        result: {
          taken: await commands.runCopyFromPreviousMonth({ ...toMonitoringEditor(ctx), tx }, { ...input, groupId: groupId ?? null }),
        },
        locationIds: [],
      })),
    ),
  actualsYtd: inOrganisation(
    actuals,
    'short',
    at('POST', 'ActualsYTD/{id:integer}', {
      also: ['/Monitoring/ActualsYTD/{id:integer}'],
      body: monitoringRequest,
      summary: 'List the actuals or commitments behind a budget code’s year-to-date figure',
    }),
  )
    .input(z.object({ ...monitoringRequest.shape, id: codeId, type: z.union([z.literal(1), z.literal(2)]).default(1) }))
    .output(replies.actualLines)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await queries.checkBudgetCodes(tx, ctx.organisationId, [input.id])
        const store = openStoreWithin(tx, ctx.services.store, ctx.organisationId)
        return queries.readLinesOfFigure({ ...ctx, tx, store }, input, {
          codeId: input.id,
          type: input.type,
          hasWords: hasAnyPermission(ctx.holder, files),
        })
      }),
    ),
  forecastValues: inOrganisation(
    forecast,
    'short',
    at('POST', 'ForecastValues/{id:integer}', {
      also: ['/Monitoring/ForecastValues/{id:integer}'],
      body: monitoringRequest,
      summary: 'Read the forecast of a budget code, month by month',
    }),
  )
    .input(z.object({ ...monitoringRequest.shape, id: codeId }))
    .output(replies.forecastValues)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await queries.checkBudgetCodes(tx, ctx.organisationId, [input.id])
        const facts = await readMonitoringFacts({ ...ctx, tx }, input, { way: 'together' })
        await refuseCodeOfFewPeople({ ...ctx, tx }, listShownBudgetIds(facts, input), input.id)
        const values = toCodeFigures(facts, input.id).values.map(toPounds)
        return { budgetCodeId: input.id, values, closedMonths: facts.closedMonths }
      }),
    ),
  /** The twelve months of a code, or of all income or expenditure, for a chart. */
  year: inOrganisation([...actuals, ...forecast], 'short')
    .input(z.object({ ...monitoringRequest.shape, of: z.union([id, z.enum(['income', 'expenditure'])]) }))
    .output(replies.year)
    .query(({ ctx, input: { of, ...request } }) =>
      ctx.inTransaction(async (tx) => {
        if (typeof of === 'number') await queries.checkBudgetCodes(tx, ctx.organisationId, [of])
        return readYearChart({ ...ctx, tx }, request, of)
      }),
    ),
  saveForecastEntries: inOrganisation(
    forecastPermissions,
    'short',
    at('PUT', 'BudgetsVsForecast/BudgetEntries', {
      also: ['/Monitoring/BudgetsVsForecast/BudgetEntries'],
      entity: 'BudgetEntry',
      summary: 'Set the months of budget entries to the forecast',
    }),
  )
    .input(forecastEntries)
    .output(bulkEditResult)
    .mutation(async ({ ctx, input }) => {
      const budget = await ctx.inTransaction((tx) => loadVisibleBudget(tx, ctx, input.budgetId))
      return runMoneyChange({ ...ctx, budgetId: budget.id, budget }, async (tx) => ({
        updated: await runSetForecastEntries({ ...ctx, tx }, input),
      }))
    }),
  /** The codes that the requested locations forecast in a year by another method than the budget, with the method of each. */
  forecastMethods: inOrganisation(forecast, 'short')
    .input(z.object({ year, locationIds: locationIds.nullish() }))
    .output(replies.forecastMethodsOfCodes)
    .query(({ ctx, input }) =>
      ctx.inTransaction((tx) => queries.listForecastMethods({ ...ctx, tx }, input.year, input.locationIds ?? null)),
    ),
  chooseForecast: inOrganisation(forecastPermissions, 'short')
    .input(
      z.object({
        locationId,
        year,
        budgetCodeIds: z.array(id).min(1).max(2000),
        method: z.enum(forecastMethods),
        values: z.array(pounds).length(12, 'Enter a value for each of the twelve months.').nullish(),
      }),
    )
    .output(emptyReply)
    .mutation(({ ctx, input: { values, ...chosen } }) =>
      runMonitoringChange(ctx, async (tx) => ({
        result: await commands.runSetForecastMethods(
          { ...toMonitoringEditor(ctx), tx },
          { ...chosen, values: values?.map(toPennies) ?? null },
        ),
        locationIds: [chosen.locationId],
      })),
    ),
  settings: inOrganisation([...actuals, ...forecast], 'short')
    .output(replies.settings)
    .query(({ ctx }) =>
      ctx.inTransaction(async (tx) => {
        const { explainOver, explainOverPercent, explainAlwaysOver } = await queries.readExplanationSettings(tx, ctx.organisationId)
        return { explainOver: toPounds(explainOver), explainOverPercent, explainAlwaysOver: toPounds(explainAlwaysOver) }
      }),
    ),
  saveSettings: inOrganisation(settled, 'short')
    .input(
      z.object({
        explainOver: pounds.min(0),
        explainOverPercent: z
          .number()
          .min(0)
          .max(1000)
          .refine((value) => hasDecimals(value, 2), 'A percentage can have at most two decimals.'),
        explainAlwaysOver: pounds.min(0),
      }),
    )
    .output(emptyReply)
    .mutation(({ ctx, input }) =>
      runMonitoringChange(ctx, async (tx) => ({
        result: await commands.runSaveExplanationSettings(
          { ...toMonitoringEditor(ctx), tx },
          {
            ...input,
            explainOver: toPennies(input.explainOver),
            explainAlwaysOver: toPennies(input.explainAlwaysOver),
          },
        ),
        locationIds: [],
      })),
    ),
  /** The changes at a location or, without one, in the organisation: newest first, a hundred at a time. */
  history: inOrganisation([...files, ...actuals, ...forecast], 'short')
    .input(z.object({ locationId: locationId.nullish(), before: id.nullish() }))
    .output(logHistoryReply)
    .query(({ ctx, input }) =>
      ctx.inTransaction((tx) =>
        readMonitoringHistory(
          { ...toMonitoringEditor(ctx), tx, store: openStoreWithin(tx, ctx.services.store, ctx.organisationId) },
          {
            locationId: input.locationId ?? organisationWideLocationId,
            before: input.before ?? null,
          },
        ),
      ),
    ),
  undo: inOrganisation([...importing, ...changes], 'short')
    .input(z.object({ locationId: locationId.nullish(), version: id }))
    .output(emptyReply)
    .mutation(({ ctx, input: { locationId, version } }) =>
      runMonitoringChange(ctx, async (tx) => ({
        result: await commands.runUndoMonitoring(
          { ...toMonitoringEditor(ctx), tx, store: openStoreWithin(tx, ctx.services.store, ctx.organisationId) },
          [{ locationId: locationId ?? organisationWideLocationId, version }],
        ),
        locationIds: locationId ? [locationId] : [],
      })),
    ),
  /** Undoes a change that affected several locations at once, all or nothing. */
  undoAll: inOrganisation([...importing, ...changes], 'short')
    .input(
      z.object({
        changes: z
          .array(z.object({ locationId, version: id }))
          .min(1)
          .max(5000),
      }),
    )
    .output(emptyReply)
    .mutation(({ ctx, input }) =>
      runMonitoringChange(ctx, async (tx) => ({
        result: await commands.runUndoMonitoring(
          { ...toMonitoringEditor(ctx), tx, store: openStoreWithin(tx, ctx.services.store, ctx.organisationId) },
          input.changes,
        ),
        locationIds: input.changes.map((change) => change.locationId),
      })),
    ),
})
