import { formatFunds } from '../../domain/budget/contractFile.ts'
import { entryFile } from '../../domain/budget/items/entryFile.ts'
import { exportFileName } from '../../domain/format.ts'
import { exportRequest, pageOf } from '../../domain/lists.ts'
import { either } from '../../domain/permissions.ts'
import type { NameReference } from '../../domain/resources/cells.ts'
import { columnsOf, writeRows } from '../../domain/resources/columns.ts'
import { runImportEntries } from '../commands/entryImport.ts'
import { entryRows, type ShownEntry, searchedInEntries } from '../store/entryRows.ts'
import { progressOf } from '../store/importProgress.ts'
import { remindersOfEntries } from '../store/itemReminders.ts'
import { termsOf } from '../store/termStore.ts'
import { inBudget, router } from '../trpc/procedures.ts'
import { changingMoney } from './changingMoney.ts'
import { importInput } from './resourceCalls.ts'
import { csvFile, namer } from './resourceFiles.ts'

const reading = either('BudgetingNonStaffing')
const writing = ['BudgetingNonStaffingReadUpdate'] as const
const columns = columnsOf(entryFile)

/** The lines of an entry in a file: its first year, then each later year that is typed. It imports again as it is. */
function linesOf(entry: ShownEntry, reminder: { when: string; description: string } | undefined, name: NameReference): string[][] {
  const first = entry.years.findIndex((year) => year.yearName === entry.budgetYearName)
  const shared = {
    ...entry,
    rate: null,
    fundCodes: formatFunds(entry.fundCodes, (id) => name('fundCode', id)),
    reminderDate: reminder?.when ?? null,
    reminderText: reminder?.description ?? null,
  }
  const blank = Object.fromEntries(Array.from({ length: 12 }, (_unused, index) => [`period${index + 1}`, null]))
  const lines: Record<string, unknown>[] = [entry.hasOwnPeriods ? shared : { ...shared, ...blank }]
  for (const { yearName, amount, rate, periods } of entry.years.slice(first + 1)) {
    if (amount === null && rate === null) continue
    const own = periods ? Object.fromEntries(periods.map((one, index) => [`period${index + 1}`, one])) : blank
    lines.push({ ...shared, ...own, budgetYearName: yearName, amount, rate })
  }
  return lines.flatMap((line) => writeRows(entryFile, columns, line, name))
}

/** Budget entries in files. */
export const entryFileRouter = router({
  import: inBudget(writing, { method: 'PUT', path: '/api/BudgetEntry/Import', entity: 'BudgetEntry' })
    .input(importInput)
    .mutation(({ ctx, input }) =>
      changingMoney(ctx, (tx) =>
        runImportEntries(
          tx,
          { ...ctx.rows, organisationId: ctx.organisationId },
          ctx.budgetId,
          input.rows,
          ctx.actor,
          progressOf(ctx.services.store, input.progressKey, ctx.actor.userId),
        ),
      ),
    ),
  export: inBudget(reading, { method: 'POST', path: '/api/BudgetEntry/export', entity: 'BudgetEntry' })
    .input(exportRequest)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const all = await entryRows(tx, ctx.organisationId, ctx.budget.head)
        const { rows } = pageOf(all, { ...input, pageNumber: 1, pageSize: all.length + 1 }, searchedInEntries, 'description')
        const name = await namer(tx, entryFile, ctx.rows)
        const { userId } = ctx.actor
        const reminders = userId === null ? new Map() : await remindersOfEntries(tx, ctx.organisationId, userId)
        return csvFile(
          exportFileName((await termsOf(tx, ctx.organisationId)).BudgetEntry.plural, ctx.now),
          columns.map((column) => column.heading),
          rows.flatMap((row) => linesOf(row, reminders.get(row.id), name)),
        )
      }),
    ),
  template: inBudget(reading).query(({ ctx }) =>
    ctx.inTransaction(async (tx) =>
      csvFile(
        `${(await termsOf(tx, ctx.organisationId)).BudgetEntry.plural} template.csv`,
        columns.map((column) => column.heading),
        [],
      ),
    ),
  ),
})
