import { canSeeStaff } from '../../../domain/people/permissions.ts'
import { listBudgetYears } from '../../../domain/reports/budgetYears.ts'
import { addExtraColumns } from '../../../domain/reports/extraColumns.ts'
import { type ReportName, reports } from '../../../domain/reports/registry.ts'
import { getCellLineFilter } from '../../../domain/reports/report.ts'
import { invalid } from '../../../domain/words/errors.ts'
import { defineRestPaths, inOrganisation, router } from '../../core/calls/procedures.ts'
import { csvOrArchiveReply, csvReply, workbookReply } from '../../core/calls/reply.ts'
import { requestFile } from '../../shared/files/commands.ts'
import { requestedFile } from '../../shared/files/replies.ts'
import { createReportCsv, createReportWorkbook, writeProfileFiles } from '../../shared/reports/files.ts'
import * as inputs from '../../shared/reports/inputs.ts'
import { buildReport, buildReportsByLocation } from '../../shared/reports/queries.ts'
import * as replies from '../../shared/reports/replies.ts'
import { presentReport } from '../../shared/reports/rows.ts'
import {
  checkStaffFilters,
  findComparedScope,
  findFilteredScope,
  findOutdatedCosts,
  findSharedYears,
  readOrganisationName,
  refuseLargeReport,
} from '../../shared/reports/scopes/queries.ts'
import { boardSheetTitle } from './glance/paper/queries.ts'
import { readTrustAtAGlance } from './glance/queries.ts'
import { glance } from './glance/replies.ts'
import { readLinesBehindFigure } from './lines/queries.ts'

const reading = ['BudgetingReportsRead'] as const
const at = defineRestPaths('/api/Reporting/', { term: { singular: 'Report', plural: 'Reports' } })

/** Declares a report on the budgets that the caller may see, both for the budget area and for the console (behaviour B-237). */
function report(name: ReportName, summary: string, policy: 'report' | 'longReport' = 'report') {
  return inOrganisation(reading, policy, at('POST', `${name.charAt(0).toUpperCase()}${name.slice(1)}`, { summary }))
    .input(inputs.reportRequest)
    .output(replies.report)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) =>
        presentReport(await buildReport({ ...ctx, tx }, name, { request: input, isNamed: canSeeStaff(ctx.holder) })),
      ),
    )
}

/** Reports (rules.md §19), built by `domain/reports` from sums that the database calculates. */
export const reportRouter = router({
  budgetAnalysis: report('budgetAnalysis', 'Report income, expenditure and balances of budgets, year by year'),
  profileBudgetAnalysis: report('profileBudgetAnalysis', 'Report one year of budgets, month by month'),
  budgetAnalysisByLocation: report('budgetAnalysisByLocation', 'Report one year of budgets, locations side by side'),
  budgetAnalysisBySingleLocation: report(
    'budgetAnalysisBySingleLocation',
    'Report the years of budgets, one location after another',
    'longReport',
  ),
  pupilNumbers: report('pupilNumbers', 'Report pupil numbers for each October'),
  pupilNumbersByLocation: report('pupilNumbersByLocation', 'Report pupil numbers, locations side by side'),
  costCentreAnalysis: report('costCentreAnalysis', 'Report the income and expenditure of cost centres, year by year'),
  costCentreAnalysisByLocation: report(
    'costCentreAnalysisByLocation',
    'Report the income and expenditure of cost centres, locations side by side',
  ),
  costCentreAnalysisBySingleLocation: report(
    'costCentreAnalysisBySingleLocation',
    'Report the income and expenditure of cost centres, one location after another',
    'longReport',
  ),
  staffing: report('staffing', 'Report contracts and their costs', 'longReport'),
  stakeHolder: report('stakeHolder', 'Report budgets in six figures, year by year'),
  stakeHolderByLocation: report('stakeHolderByLocation', 'Report budgets in six figures, locations side by side'),
  measures: report('measures', 'Report the regulator’s measures, year by year'),
  budgetForecastReturn: report('budgetForecastReturn', 'Report budgets in the form of the Budget Forecast Return'),
  cfrReturn: report('cfrReturn', 'Report budgets in the form of the CFR return'),
  trialBudget: report('trialBudget', 'Report one year of budgets in a form that a ledger can import'),
  budgetComparison: inOrganisation(
    reading,
    'report',
    at('POST', 'BudgetComparison', { summary: 'Report two to four budgets side by side' }),
  )
    .input(inputs.comparisonRequest)
    .output(replies.report)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) =>
        presentReport(await buildReport({ ...ctx, tx }, 'budgetComparison', { request: input, isNamed: canSeeStaff(ctx.holder) })),
      ),
    ),
  /** Lists each school on one line: its status, its warnings and its comments. */
  glance: inOrganisation(reading, 'report', at('POST', 'AtAGlance', { summary: 'List every location with its years, status and warnings' }))
    .output(glance)
    .query(({ ctx }) => ctx.inTransaction((tx) => readTrustAtAGlance(tx, ctx, ctx.now))),
  /** At a glance as one sheet for the trust board, a PDF created by a worker. */
  boardSheet: inOrganisation(reading, 'file', at('POST', 'BoardSheet', { summary: 'Request the board’s sheet of all locations as PDF' }))
    .output(requestedFile)
    .mutation(({ ctx }) => ctx.inTransaction((tx) => requestFile(tx, ctx, { kind: 'boardSheet', title: boardSheetTitle, request: {} }))),
  budgetYears: inOrganisation(reading, 'report', at('POST', 'BudgetYears', { summary: 'List the years that budgets have in common' }))
    .input(inputs.budgetYearsRequest)
    .output(replies.budgetYears)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const { years, startMonth } = await findSharedYears({ ...ctx, tx }, input)
        return listBudgetYears(years, startMonth)
      }),
    ),
  profileBudgetAnalysisExport: inOrganisation(
    reading,
    'reportFile',
    at('POST', 'ProfileBudgetAnalysisExport', { summary: 'Download one year of budgets month by month, with a file for each location' }),
  )
    .input(inputs.reportRequest)
    .output(csvOrArchiveReply)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const isNamed = canSeeStaff(ctx.holder)
        // Each location has its own file, because budget years may start in different months.
        const scope = await findFilteredScope({ ...ctx, tx }, input)
        refuseLargeReport(scope.budgets.length * scope.years.length)
        const older = await findOutdatedCosts(tx, ctx.organisationId, scope.budgets)
        return writeProfileFiles(
          await buildReportsByLocation({ ...ctx, tx }, 'profileBudgetAnalysis', { request: input, scope, isNamed }),
          older,
          ctx.now,
        )
      }),
    ),
  /** The lines that add up to a figure. */
  lines: inOrganisation(reading, 'report', at('POST', 'Lines', { summary: 'List the lines behind a figure in a report' }))
    .input(inputs.linesRequest)
    .output(replies.lines)
    .query(({ ctx, input: { row, column, ...request } }) => {
      const filter = getCellLineFilter({ drill: row }, { key: column })
      if (!filter) throw invalid([{ field: 'row', message: 'This figure is not a total of lines. Choose another.' }])
      return ctx.inTransaction((tx) => readLinesBehindFigure({ ...ctx, tx }, request, { filter, isNamed: canSeeStaff(ctx.holder) }))
    }),
  csv: inOrganisation(reading, 'reportFile', at('POST', 'Csv', { summary: 'Download a report as CSV' }))
    .input(inputs.fileRequest)
    .output(csvReply)
    .query(({ ctx, input: { report: name, perPupil, ofIncome, change, ...request } }) =>
      ctx.inTransaction(async (tx) => {
        const built = await buildReport({ ...ctx, tx }, name, { request, isNamed: canSeeStaff(ctx.holder) })
        const shown = addExtraColumns(built.report, { perPupil: !!perPupil, ofIncome: !!ofIncome, change: !!change })
        return createReportCsv(shown, built.older, ctx.now)
      }),
    ),
  /** A report as PDF, created by a worker. Progress and download are at `files`. */
  paper: inOrganisation(reading, 'file', at('POST', 'Paper', { summary: 'Request a report as PDF' }))
    .input(inputs.printableRequest)
    .output(requestedFile)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        // Check this before the job starts, so that the user learns at once if it is refused.
        if (input.report === 'budgetComparison') await findComparedScope({ ...ctx, tx }, input.budgetIds ?? [], input.yearNames)
        else await findFilteredScope({ ...ctx, tx }, input)
        if (input.report === 'staffing') checkStaffFilters(input, canSeeStaff(ctx.holder))
        return requestFile(tx, ctx, { kind: 'report', title: reports[input.report].title, request: input })
      }),
    ),
  workbook: inOrganisation(reading, 'reportFile', at('POST', 'Workbook', { summary: 'Download a report as an Excel workbook' }))
    .input(inputs.workbookRequest)
    .output(workbookReply)
    .query(({ ctx, input: { report: name, perPupil, ofIncome, change, formulas, ...request } }) =>
      ctx.inTransaction(async (tx) => {
        const isNamed = canSeeStaff(ctx.holder)
        const beside = { perPupil: !!perPupil, ofIncome: !!ofIncome, change: !!change }
        const { report: all, scope, older } = await buildReport({ ...ctx, tx }, name, { request, isNamed })
        // Budget comparisons, and reports that already list each location, go on one sheet.
        const isOneTab = name === 'budgetComparison' || name.endsWith('Location')
        const each = isOneTab ? [] : await buildReportsByLocation({ ...ctx, tx }, name, { request, scope, isNamed })
        const about = {
          name,
          organisation: await readOrganisationName(tx, ctx.organisationId),
          scope,
          older,
          request,
          now: ctx.now,
          hasFormulas: !!formulas,
        }
        return createReportWorkbook(
          addExtraColumns(all, beside),
          each.map((one) => ({ ...one, report: addExtraColumns(one.report, beside) })),
          about,
        )
      }),
    ),
})
