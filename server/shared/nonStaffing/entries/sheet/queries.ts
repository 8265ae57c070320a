import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { mongoId } from '../../../../../domain/budget/budget.ts'
import { listYearNames } from '../../../../../domain/budget/items/decideEntry.ts'
import type { Figure } from '../../../../../domain/calculation/inputs.ts'
import { resources } from '../../../../../domain/resources/all.ts'
import { assertDefined, requireSingleRow } from '../../../../../domain/values/assertDefined.ts'
import { sumIfAllKnown } from '../../../../../domain/values/knownSum.ts'
import type { Percent } from '../../../../../domain/values/units.ts'
import type { BudgetRow } from '../../../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../../../core/database/database.ts'
import { readResourceRecords } from '../../../../core/database/tables.ts'
import { buildDocumentIdArray } from '../../../../resources/listConditions.ts'
import { nameTransfer } from '../../../../streams/budget/items.ts'
import { findOutdatedEntryIds } from '../queries.ts'

/** An entry as a row of the sheet: the whole pennies of each year, and how each was entered. */
export interface SheetRow {
  id: string
  version: number
  identifier: string | null
  description: string
  budgetCodeId: number
  costCentreId: number | null
  fundCodes: { fundCodeId: number; percentage: Percent }[]
  analysisTags: number[]
  profileTemplateId: number | null
  firstYear: number
  amounts: Figure[]
  /** For each year: whether the user entered an amount or a rate; null if neither. */
  typed: ('amount' | 'rate' | null)[]
  hasOwnPeriods: boolean
  hasNotes: boolean
  source: 'calculation' | 'prediction' | null
  sourceId: string | null
  isOutOfDate: boolean
}

/** Amounts in the budget from other sources, which cannot be edited in the sheet. */
export interface LinkedLine {
  id: string
  name: string
  kind: 'gagPool' | 'topSlice' | 'levy'
  budgetCodeId: number | null
  amounts: Figure[]
}

/** The last entry of a block of the sheet; the next block starts after it. */
export const sheetCursor = z.object({ created: z.iso.datetime({ offset: true }), id: mongoId })

/** The number of entries in one block of the sheet: enough for a whole school, few enough to be quick. */
const blockSize = 2000

/**
 * Rows of the sheet as JSON built by the database: an array of `SheetRow`. Thousands of rows pass through the server as one text, so that
 * parsing and serialising each cell does not delay other calls.
 */
async function rowsAsJson(
  tx: OrganisationTx,
  { organisationId, head }: BudgetRow,
  of: SQL,
): Promise<{ rows: string; last: SheetCursor | null; count: number }> {
  const stale = await findOutdatedEntryIds(tx, { organisationId, head })
  const typed = (name: 'amount' | 'rate'): SQL => sql`coalesce(item -> 'years' -> year -> ${sql.raw(`'${name}'`)}, 'null') <> 'null'`
  const found = requireSingleRow(
    await tx.execute<{ rows: string | null; count: number; created: string | null; id: string | null }>(sql`
    with block as (${of})
    select count(*)::integer as count, (array_agg(id order by created desc, id desc))[1] as id,
      to_char((max(created) at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created,
      json_agg(json_build_object(
        'id', id, 'version', version, 'identifier', identifier, 'description', description, 'budgetCodeId', budget_code_id,
        'costCentreId', cost_centre_id, 'fundCodes', item -> 'fundCodes', 'analysisTags', item -> 'analysisTags',
        'profileTemplateId', profile_template_id, 'firstYear', first_year, 'amounts', amounts,
        'typed', (
          select json_agg(case when ${typed('amount')} then 'amount' when ${typed('rate')} then 'rate' end order by year)
          from generate_series(0, ${head.numberOfYears - 1}) year
        ),
        'hasOwnPeriods', jsonb_path_exists(item, 'strict $.years[*] ? (@.periods.type() == "array")'), 'hasNotes', has_notes,
        'source', source_kind, 'sourceId', item -> 'source' ->> 'id', 'isOutOfDate', id = any(${buildDocumentIdArray([...stale])})
      ) order by created, id)::text as rows
    from block`),
  )
  const { rows, count, created, id } = found
  return { rows: rows ?? '[]', count, last: created && id ? { created, id } : null }
}

type SheetCursor = z.infer<typeof sheetCursor>

const entriesOf = ({ organisationId, id }: BudgetRow): SQL =>
  sql`select * from budget_items where organisation_id = ${organisationId} and budget_id = ${id} and kind = 'entry'`

/** The given rows of the sheet. */
export async function readSheetRows(tx: OrganisationTx, budget: BudgetRow, ids: readonly string[]): Promise<string> {
  return (await rowsAsJson(tx, budget, sql`${entriesOf(budget)} and id = any(${buildDocumentIdArray(ids)})`)).rows
}

/** A block of consecutive entries of a budget's sheet, with what the screen needs to show it and to request the next block. */
export interface SheetBlock {
  /** The version of the budget when the block was read. */
  version: number
  yearNames: string[]
  /** The number of entries in the budget. */
  total: number
  /** An array of `SheetRow` as JSON. */
  rows: string
  /** Where the next block starts; null at the end. */
  next: SheetCursor | null
  linked: LinkedLine[]
  problems: string[]
}

/** The entries of a budget after a position, one block at a time. */
export async function readSheetBlock(
  tx: OrganisationTx,
  budget: BudgetRow,
  { after, size = blockSize }: { after: SheetCursor | null; size?: number },
): Promise<SheetBlock> {
  const from = after ? sql`and (created, id) > (${after.created}::timestamptz, ${after.id}::char(24))` : sql``
  const [{ rows, count, last }, all, linked] = await Promise.all([
    rowsAsJson(tx, budget, sql`${entriesOf(budget)} ${from} order by created, id limit ${size}`),
    tx.execute<{ total: number }>(sql`
    select count(*)::integer as total from budget_items
    where organisation_id = ${budget.organisationId} and budget_id = ${budget.id} and kind = 'entry'`),
    after ? [] : linkedLines(tx, budget),
  ])
  return {
    version: budget.version,
    yearNames: listYearNames(budget.head),
    total: requireSingleRow(all).total,
    rows,
    next: count === size ? last : null,
    linked,
    problems: budget.transfers?.problems ?? [],
  }
}

/** The pools and top slices of a budget over its years, one line for each side. */
async function linkedLines(tx: OrganisationTx, { head, transfers }: BudgetRow): Promise<LinkedLine[]> {
  const all = transfers?.transfers ?? []
  if (!all.length) return []
  const locationNames = new Map((await readResourceRecords(tx, resources.location)).map((location) => [location.id, location.name]))
  const lines = new Map<string, LinkedLine>()
  for (const { kind, part, counterpartId, budgetCodeId, year, amounts } of all) {
    const id = [kind, part, counterpartId, budgetCodeId].join(' ')
    const line = lines.get(id) ?? {
      id,
      name: nameTransfer(part, counterpartId === null ? '' : (locationNames.get(counterpartId) ?? '')),
      kind,
      budgetCodeId,
      amounts: Array<Figure>(head.numberOfYears).fill(0),
    }
    const sum = sumIfAllKnown(amounts)
    if (year < head.numberOfYears)
      line.amounts[year] = sum === null || line.amounts[year] === null ? null : assertDefined(line.amounts[year]) + sum
    lines.set(id, line)
  }
  return [...lines.values()]
}
