import { z } from 'zod'
import { formatMonth } from '../../../../domain/monitoring/monitoring.ts'
import { listViewPermissions } from '../../../../domain/people/permissions.ts'
import { atLevels, defineRestPaths, router } from '../../../core/calls/procedures.ts'
import { workbookReply } from '../../../core/calls/reply.ts'
import { openStoreWithin } from '../../../core/database/database.ts'
import { readVisibleGroup } from '../../../shared/budgetGroups/queries.ts'
import { requestFile } from '../../../shared/files/commands.ts'
import { requestedFile } from '../../../shared/files/replies.ts'
import { toPayrollEditor } from '../changing.ts'
import { anyLevel } from '../inputs.ts'
import { buildReportWorkbook } from './files.ts'
import { readPayrollReport } from './queries.ts'

const levels = {
  field: 'group',
  whole: listViewPermissions('ConsolePayrollReconciliation'),
  part: listViewPermissions('BudgetingPayrollReconciliation', 'ConsolePayrollReconciliation'),
}
const month = '{year:integer}/{month:integer}'
const at = defineRestPaths('/api/monitoring/PayrollRec/report/', { term: { singular: 'Payroll', plural: 'Payrolls' } })

/** The monthly report that the head signs, for the whole organisation or a group. */
export const payrollReportRouter = router({
  workbook: atLevels(levels, 'reportFile', [
    at('GET', month, { summary: 'Download the payroll reconciliation report for a month for the whole organisation as an Excel workbook' }),
    at('GET', `${month}/{group:mongoId}`, {
      summary: 'Download the payroll reconciliation report for a month, for signing, as an Excel workbook',
    }),
  ])
    .input(z.object(anyLevel))
    .output(workbookReply)
    .query(({ ctx, input: { group, ...request } }) =>
      ctx.inTransaction(async (tx) => {
        const store = openStoreWithin(tx, ctx.services.store, ctx.organisationId)
        const { report } = await readPayrollReport(
          { ...toPayrollEditor(ctx), tx, store, now: ctx.now },
          { ...request, groupId: group ?? null },
        )
        return buildReportWorkbook(report, ctx.now)
      }),
    ),
  /** The report as PDF with signature lines, created by a worker. Progress and download are at `files`. */
  paper: atLevels(levels, 'file', [
    at('POST', month, { summary: 'Request the payroll reconciliation report for a month for the whole organisation as PDF' }),
    at('POST', `${month}/{group:mongoId}`, { summary: 'Request the payroll reconciliation report for a month, for signing, as PDF' }),
  ])
    .input(z.object(anyLevel))
    .output(requestedFile)
    .mutation(({ ctx, input: { group, ...of } }) =>
      ctx.inTransaction(async (tx) => {
        if (group) await readVisibleGroup({ ...ctx, tx }, group)
        const request = { ...of, groupId: group ?? null }
        return requestFile(tx, ctx, { kind: 'payroll', title: `Payroll reconciliation for ${formatMonth(of)}`, request })
      }),
    ),
})
