import { entryFile } from '../../../../domain/budget/items/entryFile.ts'
import { exportRequest } from '../../../../domain/lists/lists.ts'
import { listViewPermissions } from '../../../../domain/people/permissions.ts'
import type { ReferenceNamer } from '../../../../domain/resources/cells.ts'
import { buildFileRows, listColumns } from '../../../../domain/resources/columns.ts'
import { buildExportFileName } from '../../../../domain/values/format.ts'
import { defineRestPaths, inBudget, router } from '../../../core/calls/procedures.ts'
import { csvReply } from '../../../core/calls/reply.ts'
import { prepareReferenceNamer, writeCsvFile } from '../../../resources/files.ts'
import { logLeftOutRows } from '../../../resources/import/leftOut.ts'
import { createProgressRecorder } from '../../../resources/import/progress.ts'
import { importInput } from '../../../resources/procedures.ts'
import { importResult, template } from '../../../resources/replies.ts'
import { buildTemplate } from '../../../resources/template.ts'
import { readTerms } from '../../../resources/terms.ts'
import { runMoneyChange } from '../../../shared/nonStaffing/changingMoney/commands.ts'
import { readEntryIds } from '../../../shared/nonStaffing/entries/queries.ts'
import { readEntryRows, type ShownEntry } from '../../../shared/nonStaffing/entries/rows.ts'
import { readRemindersOfEntries } from '../../../shared/reminders/queries.ts'
import { runImportEntries } from './commands.ts'

const at = defineRestPaths('/api/BudgetEntry', { entity: 'BudgetEntry' })
const reading = listViewPermissions('BudgetingNonStaffing')
const writing = ['BudgetingNonStaffingReadUpdate'] as const
const columns = listColumns(entryFile)

/** The lines of an entry in an exported file: its first year, then each later year with a typed amount. Importing them changes nothing. */
function writeEntryLines(entry: ShownEntry, reminder: { when: string; description: string } | undefined, name: ReferenceNamer): string[][] {
  const first = entry.years.findIndex((year) => year.yearName === entry.budgetYearName)
  const shared = {
    ...entry,
    rate: null,
    reminderDate: reminder?.when ?? null,
    reminderText: reminder?.description ?? null,
  }
  const blank = Object.fromEntries(Array.from({ length: 12 }, (_unused, index) => [`period${index + 1}`, null]))
  const lines: Record<string, unknown>[] = [entry.hasOwnPeriods ? shared : { ...shared, ...blank }]
  for (const { yearName, amount, rate, periods } of entry.years.slice(first + 1)) {
    if (amount === null && rate === null) continue
    const periodCells = periods ? Object.fromEntries(periods.map((one, index) => [`period${index + 1}`, one])) : blank
    lines.push({ ...shared, ...periodCells, budgetYearName: yearName, amount, rate })
  }
  return lines.flatMap((line) => buildFileRows(entryFile, { columns, record: line, name }))
}

/** Import and export of budget entries. */
export const entryFileRouter = router({
  import: inBudget(writing, 'import', at('PUT', '/Import', { summary: 'Import budget entries' }))
    .input(importInput)
    .output(importResult)
    .mutation(({ ctx, input }) =>
      runMoneyChange(ctx, async (tx) => {
        await logLeftOutRows({ ...ctx, tx }, { entity: entryFile.name, organisationId: ctx.organisationId, leftOut: input.leftOut })
        return runImportEntries(
          { tx, scope: { ...ctx.rows, organisationId: ctx.organisationId }, budgetId: ctx.budgetId, actor: ctx.actor },
          input.rows,
          createProgressRecorder(ctx.aside, input.progressKey, ctx.actor.userId),
        )
      }),
    ),
  export: inBudget(reading, 'reportFile', at('POST', '/export', { summary: 'Export budget entries' }))
    .input(exportRequest)
    .output(csvReply)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const scope = { organisationId: ctx.organisationId, head: ctx.budget.head }
        const rows = await readEntryRows({ ...ctx, tx }, ctx.budget.head, await readEntryIds(tx, scope, input))
        const name = await prepareReferenceNamer(tx, entryFile, ctx.rows)
        const { userId } = ctx.actor
        const reminders = userId === null ? new Map() : await readRemindersOfEntries(tx, ctx.organisationId, userId)
        return writeCsvFile(
          buildExportFileName((await readTerms(tx, ctx.organisationId)).BudgetEntry.plural, ctx.now),
          columns.map((column) => column.heading),
          rows.flatMap((row) => writeEntryLines(row, reminders.get(row.id), name)),
        )
      }),
    ),
  template: inBudget(reading, 'short')
    .output(template)
    .query(({ ctx }) => ctx.inTransaction((tx) => buildTemplate(tx, entryFile, ctx))),
})
