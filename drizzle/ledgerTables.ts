import { sql } from 'drizzle-orm'
import { boolean, check, foreignKey, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { ColumnMeaning, LedgerLayout } from '../domain/monitoring/ledger/columns.ts'
import type { AmountSign, MappedKind } from '../domain/monitoring/ledger/mapping.ts'
import type { LocationId } from '../domain/values/ids.ts'
import { organisationIdColumn, utcTimestamp } from './columns.ts'

/** A ledger of an organisation, with the file layout learned from its last import. */
export const ledgers = pgTable(
  'ledgers',
  {
    organisationId: organisationIdColumn(),
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    name: text('name').notNull(),
    layout: text('layout').$type<LedgerLayout>().notNull(),
    /** The meaning of each column, by normalised heading. */
    columns: jsonb('columns').$type<{ heading: string; meaning: ColumnMeaning }[]>().notNull(),
    sign: text('sign').$type<AmountSign>().notNull(),
    isCumulative: boolean('is_cumulative').notNull(),
    /** The cost centre for rows without one. */
    costCentreId: integer('cost_centre_id'),
    version: integer('version').notNull().default(1),
    saved: utcTimestamp('saved').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    uniqueIndex('ledgers_name').on(table.organisationId, sql`lower("name")`),
  ],
)

/**
 * The texts in a ledger's files, and the record that each text is mapped to. A text without a record is deliberately ignored, or matches no
 * record.
 */
export const ledgerTextMappings = pgTable(
  'ledger_texts',
  {
    organisationId: organisationIdColumn(),
    ledgerId: integer('ledger_id').notNull(),
    kind: text('kind').$type<MappedKind>().notNull(),
    /** The text in lower case and with single spaces. */
    text: text('text').notNull(),
    budgetCodeId: integer('budget_code_id'),
    costCentreId: integer('cost_centre_id'),
    fundCodeId: integer('fund_code_id'),
    analysisTagId: integer('analysis_tag_id'),
    locationId: integer('location_id').$type<LocationId>(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.ledgerId, table.kind, table.text] }),
    foreignKey({
      name: 'ledger_texts_ledger_fk',
      columns: [table.organisationId, table.ledgerId],
      foreignColumns: [ledgers.organisationId, ledgers.id],
    }).onDelete('cascade'),
    check(
      'ledger_texts_target',
      sql`num_nonnulls(budget_code_id, cost_centre_id, fund_code_id, analysis_tag_id, location_id) = 0 or case kind
        when 'account' then budget_code_id when 'costCentre' then cost_centre_id when 'fund' then fund_code_id
        when 'tag' then analysis_tag_id when 'location' then location_id end is not null
        and num_nonnulls(budget_code_id, cost_centre_id, fund_code_id, analysis_tag_id, location_id) = 1`,
    ),
  ],
)
