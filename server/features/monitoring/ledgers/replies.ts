import { z } from 'zod'
import { columnMeanings, ledgerLayouts } from '../../../../domain/monitoring/ledger/columns.ts'
import { amountSigns } from '../../../../domain/monitoring/ledger/mapping.ts'
import { reply } from '../../../core/calls/reply.ts'
import type { LedgerComparison } from './commands.ts'
import type { LedgerOptions } from './queries.ts'

const texts = z.array(z.strictObject({ text: z.string(), id: z.int().nullable() }))
const target = z.strictObject({
  id: z.int(),
  codes: z.array(z.string()),
  name: z.string(),
  type: z.int().nullable(),
  locationIds: z.array(z.int().brand<'LocationId'>()),
  isArchived: z.boolean(),
})
const targets = z.array(target)
const ofEach = <T extends z.ZodType>(one: T) => z.strictObject({ account: one, costCentre: one, fund: one, tag: one, location: one })

const openShape: z.ZodType<LedgerOptions> = z.strictObject({
  ledgers: z.array(
    z.strictObject({
      id: z.int(),
      name: z.string(),
      layout: z.enum(ledgerLayouts),
      columns: z.array(z.strictObject({ heading: z.string(), meaning: z.enum(columnMeanings) })),
      sign: z.enum(amountSigns),
      isCumulative: z.boolean(),
      costCentreId: z.int().nullable(),
      version: z.int(),
      texts: ofEach(texts),
    }),
  ),
  targets: ofEach(targets),
  keptIsCumulative: z.boolean(),
  startMonth: z.int(),
})
export const ledgerOptions = reply(openShape)

const sum = z.strictObject({ rows: z.int(), amount: z.int(), commitment: z.int() })
const counted = z.strictObject({ lines: z.int(), value: z.int() })
const month = z.strictObject({ year: z.int(), month: z.int() })

const comparisonShape: z.ZodType<LedgerComparison> = z.strictObject({
  proof: z.strictObject({ file: sum, imported: sum, leftOut: sum, unmapped: sum }),
  kept: z.int(),
  added: counted,
  gone: counted,
  changed: counted,
  same: counted,
  changes: z.array(
    z.strictObject({
      kind: z.enum(['added', 'gone', 'changed']),
      type: z.int(),
      locationId: z.int().brand<'LocationId'>(),
      budgetCodeId: z.int(),
      costCentreId: z.int(),
      fundCodeId: z.int().nullable(),
      analysisTagId: z.int().nullable(),
      description: z.string().nullable(),
      before: z.int().nullable(),
      after: z.int().nullable(),
    }),
  ),
  alreadyIn: month.extend({ at: z.string() }).nullable(),
  versions: z.array(z.strictObject({ locationId: z.int().brand<'LocationId'>(), version: z.int() })),
  later: z.array(month),
})
export const comparison = reply(comparisonShape)
