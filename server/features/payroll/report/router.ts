import { z } from 'zod'
import { formatMonth } from '../../../../domain/monitoring/monitoring.ts'
import { viewPermissions } from '../../../../domain/people/permissions.ts'
import { inOrganisation, restUnder, router } from '../../../core/calls/procedures.ts'
import { workbookReply } from '../../../core/calls/reply.ts'
import { storeWithin } from '../../../core/database/database.ts'
import { getVisibleGroup } from '../../../shared/budgetGroups/queries.ts'
import { askForFile } from '../../../shared/files/commands.ts'
import { asked } from '../../../shared/files/replies.ts'
import { whoOf } from '../changing.ts'
import { calendarMonth, group } from '../inputs.ts'
import { reportWorkbook } from './files.ts'
import { reportOf } from './queries.ts'

const seen = viewPermissions('BudgetingPayrollReconciliation', 'ConsolePayrollReconciliation')
const month = '{year:integer}/{month:integer}'
const at = restUnder('/api/monitoring/PayrollRec/report/', { term: { singular: 'Payroll', plural: 'Payrolls' } })

/** The monthly report that the head signs, for the whole organisation or a group. */
export const payrollReportRouter = router({
  workbook: inOrganisation(
    seen,
    'reportFile',
    at('GET', `${month}/{group:mongoId}`, { summary: 'Download the report on a month of payroll, for signing, as an Excel workbook' }),
  )
    .input(z.object({ ...calendarMonth, group }))
    .output(workbookReply)
    .query(({ ctx, input: { group: groupId, ...at } }) =>
      ctx.inTransaction(async (tx) => {
        const store = storeWithin(tx, ctx.services.store, ctx.organisationId)
        const { report } = await reportOf({ ...whoOf(ctx), tx, store, now: ctx.now }, { ...at, groupId })
        return reportWorkbook(report, ctx.now)
      }),
    ),
  workbookConsole: inOrganisation(
    viewPermissions('ConsolePayrollReconciliation'),
    'reportFile',
    at('GET', `${month}`, { summary: 'Download the report on a month of payroll for the whole organisation as an Excel workbook' }),
  )
    .input(z.object(calendarMonth))
    .output(workbookReply)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const store = storeWithin(tx, ctx.services.store, ctx.organisationId)
        const { report } = await reportOf({ ...whoOf(ctx), tx, store, now: ctx.now }, { ...input, groupId: null })
        return reportWorkbook(report, ctx.now)
      }),
    ),
  /** The report as PDF with signature lines, created by a worker. Progress and download are at `files`. */
  paper: inOrganisation(
    seen,
    'file',
    at('POST', `${month}/{group:mongoId}`, { summary: 'Request the report on a month of payroll, for signing, as PDF' }),
  )
    .input(z.object({ ...calendarMonth, group }))
    .output(asked)
    .mutation(({ ctx, input: { group: groupId, ...at } }) =>
      ctx.inTransaction(async (tx) => {
        await getVisibleGroup({ ...ctx, tx }, groupId)
        return askForFile(tx, ctx, { kind: 'payroll', title: `Payroll reconciliation of ${formatMonth(at)}`, request: { ...at, groupId } })
      }),
    ),
  paperConsole: inOrganisation(
    viewPermissions('ConsolePayrollReconciliation'),
    'file',
    at('POST', `${month}`, { summary: 'Request the report on a month of payroll for the whole organisation as PDF' }),
  )
    .input(z.object(calendarMonth))
    .output(asked)
    .mutation(({ ctx, input: at }) =>
      ctx.inTransaction((tx) =>
        askForFile(tx, ctx, { kind: 'payroll', title: `Payroll reconciliation of ${formatMonth(at)}`, request: { ...at, groupId: null } }),
      ),
    ),
})
