import { z } from 'zod'
import { maximumLeftOutRows } from '../../../../domain/files/leftOut.ts'
import { maximumRowSize } from '../../../../domain/files/sheets.ts'
import { describeLookup } from '../../../../domain/lookups/lookups.ts'
import { columnMeanings } from '../../../../domain/monitoring/ledger/columns.ts'
import { amountSigns, mappedKinds } from '../../../../domain/monitoring/ledger/mapping.ts'
import { maximumLedgerRows } from '../../../../domain/monitoring/ledger/rows.ts'
import { displayNumber } from '../../../../domain/values/format.ts'
import { inOrganisation, router } from '../../../core/calls/procedures.ts'
import { emptyReply } from '../../../core/calls/reply.ts'
import { openStoreWithin } from '../../../core/database/database.ts'
import { publishLiveMessage } from '../../../core/live/announce.ts'
import { createProgressRecorder } from '../../../resources/import/progress.ts'
import { fileMappingHistory, fileMappingVersion, importResult } from '../../../resources/replies.ts'
import { changeLedgerSettings, compareLedger, deleteLedger, runLedgerImport } from './commands.ts'
import { parseSentLedger } from './file.ts'
import { readLedgerHistory, readLedgerOptions } from './queries.ts'
import * as replies from './replies.ts'

const importing = ['ConsoleMonitoringReadUpdate'] as const

const id = z.int().positive()
const locationId = id.brand<'LocationId'>()
const texts = z.array(z.object({ text: z.string().max(300), id: id.nullable() })).max(20_000)
const pennies = z.int()

const mapping = z.object({ account: texts, costCentre: texts, fund: texts, tag: texts, location: texts })
const heading = z.string().max(300)

const ledgerFile = z.object({
  year: z.int().min(2000, 'Year must be 2000 or later.').max(2199, 'Year must be before 2200.'),
  month: z.int().min(1, 'Month must be 1 to 12.').max(12, 'Month must be 1 to 12.'),
  type: z.union([z.literal(1), z.literal(2)], 'Import type must be 1 or 2.').describe(`${describeLookup('importTypes')}.`),
  ledger: z
    .string()
    .trim()
    .min(1, 'Enter the name of the ledger, such as Sage.')
    .max(60, 'The name of a ledger can have at most 60 characters.'),
  headingRow: z.int().min(1).max(1000),
  columns: z.array(z.enum(columnMeanings).nullable()).max(maximumRowSize.columns, 'A file can have at most 1,000 columns.'),
  sign: z.enum(amountSigns),
  isCumulative: z.boolean(),
  startMonth: z.int().min(1).max(12).default(9).describe('The month in which budget years begin; periods in rows are counted from it.'),
  locationId: locationId.nullable(),
  costCentreId: id.nullable(),
  mapping,
  rows: z
    .array(z.string().max(maximumRowSize.rowLetters, 'A row can have at most 40,000 characters.'))
    .max(maximumLedgerRows, `The file has more than ${displayNumber(maximumLedgerRows)} rows. Split it into smaller files.`),
  total: z.object({ amount: pennies, commitment: pennies }),
  monthIsMeant: z.boolean(),
  leftOut: z
    .array(z.int().positive())
    .max(maximumLeftOutRows)
    .default([])
    .describe('Rows that a person leaves out on purpose, by their numbers in the spreadsheet.'),
})

/** Ledger files in their original form, and how each ledger's files are read and mapped (rules.md §17). */
export const ledgerRouter = router({
  open: inOrganisation(importing, 'short')
    .output(replies.ledgerOptions)
    .query(({ ctx }) => ctx.inTransaction((tx) => readLedgerOptions({ ...ctx, tx }))),
  /** What an import would change, line by line. Nothing is saved. */
  compare: inOrganisation(importing, 'ledgerCheck')
    .input(ledgerFile)
    .output(replies.comparison)
    .mutation(({ ctx, input }) => {
      const file = parseSentLedger(input)
      return ctx.inTransaction((tx) => compareLedger({ ...ctx, tx }, input, file))
    }),
  import: inOrganisation(importing, 'ledgerImport')
    .input(
      ledgerFile.extend({
        versions: z.array(z.object({ locationId, version: z.int().min(0) })).max(5000),
        again: z.boolean(),
        progressKey: z.uuid().nullish(),
      }),
    )
    .output(importResult)
    .mutation(async ({ ctx, input }) => {
      const file = parseSentLedger(input)
      const progress = createProgressRecorder(ctx.aside, input.progressKey, ctx.actor.userId) ?? (async () => undefined)
      const done = await ctx.inTransaction((tx) => runLedgerImport({ ...ctx, tx }, { sent: input, file }, { wanted: input, progress }))
      const argument = { locationIds: done.locationIds, byId: ctx.principal.userId, requestId: ctx.requestId }
      await publishLiveMessage(ctx.services, { target: 'MonitoringChanged', argument }, { organisationId: ctx.organisationId })
      return { imported: done.imported, created: done.imported, updated: 0 }
    }),
  /** Changes how files are read and mapped, without importing one. */
  change: inOrganisation(importing, 'short')
    .input(
      z.object({
        id,
        version: z.int().min(1),
        columns: z
          .array(z.object({ heading, meaning: z.enum(columnMeanings) }))
          .max(maximumRowSize.columns, 'A file can have at most 1,000 columns.'),
        sign: z.enum(amountSigns),
        isCumulative: z.boolean(),
        costCentreId: id.nullable(),
        mapping,
        forgotten: z.array(z.object({ kind: z.enum(mappedKinds), text: z.string().max(300) })).max(20_000),
      }),
    )
    .output(fileMappingVersion)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => changeLedgerSettings({ ...ctx, tx }, input))),
  history: inOrganisation(importing, 'long')
    .input(z.object({ id }))
    .output(fileMappingHistory)
    .query(({ ctx, input }) =>
      ctx.inTransaction((tx) =>
        readLedgerHistory({ ...ctx, tx, store: openStoreWithin(tx, ctx.services.store, ctx.organisationId) }, input.id),
      ),
    ),
  forget: inOrganisation(importing, 'short')
    .input(z.object({ id }))
    .output(emptyReply)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => deleteLedger({ ...ctx, tx }, input.id))),
})
