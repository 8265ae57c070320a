import { z } from 'zod'
import { maximumLeftOutRows } from '../../../../domain/files/leftOut.ts'
import { maximumRowSize } from '../../../../domain/files/sheets.ts'
import { payMeanings } from '../../../../domain/payroll/provider/columns.ts'
import { payTextKinds } from '../../../../domain/payroll/provider/rows.ts'
import { displayNumber } from '../../../../domain/values/format.ts'
import { inOrganisation, router } from '../../../core/calls/procedures.ts'
import { emptyReply } from '../../../core/calls/reply.ts'
import { openStoreWithin } from '../../../core/database/database.ts'
import { createProgressRecorder } from '../../../resources/import/progress.ts'
import { fileMappingHistory, fileMappingVersion } from '../../../resources/replies.ts'
import { groupChangePermissions, organisationChangePermissions } from '../../../shared/payroll/commands.ts'
import { runPayrollChange, toPayrollEditor } from '../changing.ts'
import { calendarMonth, id } from '../inputs.ts'
import { imported } from '../replies.ts'
import { presentImport } from '../rows.ts'
import { changeProviderSettings, deleteProvider, runProviderImport } from './commands.ts'
import { parseSentPayroll } from './file.ts'
import { readProviderHistory, readProviderOptions } from './queries.ts'
import * as replies from './replies.ts'

/** The most rows of a file, including headings and totals. */
const largestRows = 120_000

const texts = z.array(z.object({ text: z.string().max(300), id: id.nullable() })).max(20_000)

const mapping = z.object({ code: texts, location: texts })

const providerFile = z.object({
  ...calendarMonth,
  provider: z
    .string()
    .trim()
    .min(1, 'Enter the name of the payroll provider, such as EPM.')
    .max(60, 'The name of a provider can have at most 60 characters.'),
  headingRow: z.int().min(1).max(1000),
  columns: z.array(z.enum(payMeanings).nullable()).max(maximumRowSize.columns, 'A file can have at most 1,000 columns.'),
  mapping,
  rows: z
    .array(z.string().max(maximumRowSize.rowLetters, 'A row can have at most 40,000 characters.'))
    .max(largestRows, `The file has more than ${displayNumber(largestRows)} rows. Split it into smaller files.`),
  locationId: id
    .brand<'LocationId'>()
    .nullable()
    .describe('The location that the file is for. Leave empty if its rows name their locations.'),
  total: z.int().describe('The total of the file as shown on the screen; whole pennies.'),
  imported: z.int().describe('The part shown on the screen as imported; whole pennies.'),
  monthIsMeant: z.boolean(),
  again: z.boolean(),
  leftOut: z
    .array(z.int().positive())
    .max(maximumLeftOutRows)
    .default([])
    .describe('Rows that a person leaves out on purpose, by their numbers in the spreadsheet.'),
  progressKey: z.uuid().nullish(),
})

/** Payroll providers' files in their original form, and how each provider's files are read and mapped (rules.md §18). */
export const payrollProviderRouter = router({
  open: inOrganisation(groupChangePermissions, 'short')
    .output(replies.providerOptions)
    .query(({ ctx }) => ctx.inTransaction((tx) => readProviderOptions({ ...ctx, tx }))),
  import: inOrganisation(groupChangePermissions, 'ledgerImport')
    .input(providerFile)
    .output(imported)
    .mutation(({ ctx, input }) => {
      const file = parseSentPayroll(input)
      const progress = createProgressRecorder(ctx.aside, input.progressKey, ctx.actor.userId) ?? (async () => undefined)
      return runPayrollChange(ctx, async (tx) =>
        presentImport(await runProviderImport({ ...toPayrollEditor(ctx), tx }, input, { file, progress })),
      )
    }),
  /** Changes how files are read and mapped, without importing one. */
  change: inOrganisation(organisationChangePermissions, 'short')
    .input(
      z.object({
        id,
        version: z.int().min(1),
        columns: z
          .array(z.object({ heading: z.string().max(300), meaning: z.enum(payMeanings) }))
          .max(maximumRowSize.columns, 'A file can have at most 1,000 columns.'),
        mapping,
        forgotten: z.array(z.object({ kind: z.enum(payTextKinds), text: z.string().max(300) })).max(20_000),
      }),
    )
    .output(fileMappingVersion)
    .mutation(({ ctx, input }) => runPayrollChange(ctx, (tx) => changeProviderSettings({ ...toPayrollEditor(ctx), tx }, input))),
  history: inOrganisation(organisationChangePermissions, 'long')
    .input(z.object({ id }))
    .output(fileMappingHistory)
    .query(({ ctx, input }) =>
      ctx.inTransaction((tx) =>
        readProviderHistory({ ...ctx, tx, store: openStoreWithin(tx, ctx.services.store, ctx.organisationId) }, input.id),
      ),
    ),
  forget: inOrganisation(organisationChangePermissions, 'short')
    .input(z.object({ id }))
    .output(emptyReply)
    .mutation(({ ctx, input }) => runPayrollChange(ctx, (tx) => deleteProvider({ ...toPayrollEditor(ctx), tx }, input.id))),
})
