import { contractFile } from '../../domain/budget/contractFile.ts'
import { exportFileName } from '../../domain/format.ts'
import { exportRequest } from '../../domain/lists.ts'
import { either } from '../../domain/permissions.ts'
import { columnsOf } from '../../domain/resources/columns.ts'
import { runImportContracts } from '../commands/contractImport.ts'
import { contractLines } from '../store/contractExport.ts'
import { progressOf } from '../store/importProgress.ts'
import { termsOf } from '../store/termStore.ts'
import { inBudget, router } from '../trpc/procedures.ts'
import { importInput } from './resourceCalls.ts'
import { csvFile, namer } from './resourceFiles.ts'

const reading = either('BudgetingStaffing')
const writing = ['BudgetingStaffingReadUpdate'] as const

/** Staff contracts in files. */
export const contractFileRouter = router({
  import: inBudget(writing, { method: 'PUT', path: '/api/StaffContract/Import', entity: 'StaffContract' })
    .input(importInput)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction((tx) =>
        runImportContracts(
          tx,
          { ...ctx.rows, organisationId: ctx.organisationId },
          ctx.budgetId,
          input.rows,
          ctx.actor,
          progressOf(ctx.services.store, input.progressKey, ctx.actor.userId),
        ),
      ),
    ),
  export: inBudget(reading, { method: 'POST', path: '/api/StaffContract/Export', entity: 'StaffContract' })
    .input(exportRequest)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const { headings, lines } = await contractLines(tx, ctx, input, await namer(tx, contractFile, ctx.rows))
        return csvFile(exportFileName((await termsOf(tx, ctx.organisationId)).StaffContract.plural, ctx.now), headings, lines)
      }),
    ),
  template: inBudget(reading).query(({ ctx }) =>
    ctx.inTransaction(async (tx) => {
      const headings = columnsOf(contractFile).map((column) => column.heading)
      return csvFile(`${(await termsOf(tx, ctx.organisationId)).StaffContract.plural} template.csv`, headings, [])
    }),
  ),
})
