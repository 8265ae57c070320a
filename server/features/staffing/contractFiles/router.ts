import { exportRequest } from '../../../../domain/lists/lists.ts'
import { listViewPermissions } from '../../../../domain/people/permissions.ts'
import { contractFile } from '../../../../domain/resources/contractFile.ts'
import { staffContract } from '../../../../domain/resources/entities/budget/staffContract.ts'
import type { ImportTemplate } from '../../../../domain/resources/template.ts'
import { buildExportFileName } from '../../../../domain/values/format.ts'
import { defineRestPaths, inBudget, router } from '../../../core/calls/procedures.ts'
import { csvReply } from '../../../core/calls/reply.ts'
import { prepareReferenceNamer, writeCsvFile } from '../../../resources/files.ts'
import { logLeftOutRows } from '../../../resources/import/leftOut.ts'
import { createProgressRecorder } from '../../../resources/import/progress.ts'
import { importInput } from '../../../resources/procedures.ts'
import { template } from '../../../resources/replies.ts'
import { buildTemplate } from '../../../resources/template.ts'
import { readTerms } from '../../../resources/terms.ts'
import { loadOfferedPoints, type OfferedPoint } from '../../../streams/budget/scalePoints.ts'
import { runImportContracts } from './commands.ts'
import { writeContractLines } from './queries.ts'
import { importedContracts } from './replies.ts'

/** Adds to the template the pay points that contracts of the budget may use. */
function addPoints(template: ImportTemplate, points: readonly OfferedPoint[]): ImportTemplate {
  const choices = [...new Set(points.filter((point) => point.newest).map(({ name }) => name))].map((value) => ({ value, meaning: null }))
  return {
    ...template,
    columns: template.columns.map((column) =>
      column.heading === 'ScalePoint' || column.heading === 'MaximumScalePoint' ? { ...column, choices } : column,
    ),
  }
}

const reading = listViewPermissions('BudgetingStaffing')
const writing = ['BudgetingStaffingReadUpdate'] as const
const at = defineRestPaths('/api/StaffContract', { entity: 'StaffContract' })

/** Import and export of staff contracts. */
export const contractFileRouter = router({
  import: inBudget(writing, 'import', at('PUT', '/Import', { summary: 'Import staff contracts' }))
    .input(importInput)
    .output(importedContracts)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await logLeftOutRows({ ...ctx, tx }, { entity: contractFile.name, organisationId: ctx.organisationId, leftOut: input.leftOut })
        return runImportContracts(
          { tx, scope: { ...ctx.rows, organisationId: ctx.organisationId }, budgetId: ctx.budgetId, actor: ctx.actor },
          input.rows,
          createProgressRecorder(ctx.aside, input.progressKey, ctx.actor.userId),
        )
      }),
    ),
  export: inBudget(reading, 'reportFile', at('POST', '/Export', { summary: 'Export staff contracts' }))
    .input(exportRequest)
    .output(csvReply)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const { headings, lines } = await writeContractLines(
          { ...ctx, tx },
          input,
          await prepareReferenceNamer(tx, staffContract, ctx.rows),
        )
        return writeCsvFile(buildExportFileName((await readTerms(tx, ctx.organisationId)).StaffContract.plural, ctx.now), headings, lines)
      }),
    ),
  template: inBudget(reading, 'short')
    .output(template)
    .query(({ ctx }) =>
      ctx.inTransaction(async (tx) => addPoints(await buildTemplate(tx, contractFile, ctx), await loadOfferedPoints(tx, ctx.budget.head))),
    ),
})
