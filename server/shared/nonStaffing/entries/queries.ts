import { type SQL, sql } from 'drizzle-orm'
import type { BudgetHead } from '../../../../domain/budget/budget.ts'
import { periodNames } from '../../../../domain/budget/items/budgetEntry.ts'
import { listYearNames } from '../../../../domain/budget/items/decideEntry.ts'
import { type BulkSelection, compareValues, type ListRequest, type Paged } from '../../../../domain/lists/lists.ts'
import type { OrganisationId } from '../../../../domain/values/ids.ts'
import { notFound } from '../../../../domain/words/errors.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { mapWithYields, sortWithYields } from '../../../core/inTurns.ts'
import { buildDocumentIdArray, buildSearchCondition, type ListColumn } from '../../../resources/listConditions.ts'
import {
  buildCalculatedColumn,
  buildLondonDayColumn,
  type ListSource,
  orderByIds,
  readListIds,
  readListPage,
  resolveSelectedIds,
} from '../../../resources/listPages.ts'
import { loadLinkedEntries } from '../../../streams/budget/items.ts'
import { findOutdatedEntries } from '../../funding/queries.ts'
import { createNotesSealer, readEntryRows, type ShownEntry } from './rows.ts'

/** A budget whose entries are listed. */
interface EntryScope {
  organisationId: OrganisationId
  head: BudgetHead
}

/** The columns by which the database filters and sorts entries. Notes are not among them, because they are encrypted. */
function buildEntryColumns(head: BudgetHead, stale: SQL): Record<string, ListColumn> {
  const names = sql`${sql.param(`{${listYearNames(head).join(',')}}`)}::text[]`
  const periods = periodNames.map((name, index): [string, ListColumn] => {
    const month = sql.raw(`month_${index + 1}`)
    return [
      name,
      {
        value: sql`(select case when count(*) = count(${month}) then coalesce(sum(${month}), 0) / 100.0 end
        from budget_lines where organisation_id = c.organisation_id and budget_id = c.budget_id and source_kind = 'entry' and source_id = c.id and year = c.first_year)`,
        kind: 'number',
      },
    ]
  })
  return {
    id: { value: sql`c.id`, kind: 'text' },
    version: { value: sql`c.version`, kind: 'number' },
    created: buildLondonDayColumn(sql`c.created`),
    identifier: { value: sql`c.identifier`, kind: 'text' },
    description: { value: sql`c.description`, kind: 'text' },
    budgetCodeId: { value: sql`c.budget_code_id`, kind: 'number' },
    costCentreId: { value: sql`c.cost_centre_id`, kind: 'number' },
    profileTemplateId: { value: sql`c.profile_template_id`, kind: 'number' },
    analysisTags: { value: sql`array(select value::integer from jsonb_array_elements_text(c.item -> 'analysisTags'))`, kind: 'ids' },
    fundCodes: {
      value: sql`array(select (fund ->> 'fundCodeId')::integer from jsonb_array_elements(c.item -> 'fundCodes') fund)`,
      kind: 'ids',
    },
    amount: { value: sql`c.amount`, kind: 'pennies' },
    budgetYearName: { value: sql`(${names})[c.first_year + 1]`, kind: 'text' },
    hasOwnPeriods: { value: sql`(jsonb_typeof(c.item -> 'years' -> c.first_year -> 'periods') = 'array')`, kind: 'flag' },
    isOutOfDate: { value: sql`(c.id = any(${stale}))`, kind: 'flag' },
    ...Object.fromEntries(periods),
  }
}

type Selection = Pick<ListRequest, 'search' | 'filters' | 'sort' | 'sortDirection'>

/** The decrypted notes of the entries that have notes. It yields between parts of the work. */
async function openNotes(tx: OrganisationTx, { organisationId, head }: EntryScope): Promise<{ id: string; notes: string }[]> {
  const rows = await tx.execute<{ id: string; sealed: string }>(sql`
    select id, item ->> 'sealedNotes' as sealed from budget_items
    where organisation_id = ${organisationId} and budget_id = ${head.id} and kind = 'entry' and has_notes order by id`)
  const { openSealed } = await createNotesSealer(tx, organisationId)
  return mapWithYields([...rows], ({ id, sealed }) => ({ id, notes: openSealed(sealed) }), 500)
}

/** The out-of-date entries of a budget. Only entries created by a calculation can be out of date. */
export async function findOutdatedEntryIds(tx: OrganisationTx, { organisationId, head }: EntryScope): Promise<Set<string>> {
  return findOutdatedEntries({ tx, organisationId }, head, loadLinkedEntries(tx, organisationId, head.id))
}

/** The list of a budget's entries. Notes are decrypted only if the request uses them. */
async function entryList(tx: OrganisationTx, scope: EntryScope, { search, filters, sort }: Selection): Promise<ListSource> {
  const { organisationId, head } = scope
  const names = new Set([...(filters ?? []).map((item) => item.filter), sort])
  const stale = names.has('isOutOfDate') ? [...(await findOutdatedEntryIds(tx, scope))] : []
  const notes = search?.trim() || names.has('notes') ? await openNotes(tx, scope) : []
  const withNotes = (is: (notes: string) => boolean): SQL =>
    sql`c.id = any(${buildDocumentIdArray(notes.filter((one) => is(one.notes)).map((one) => one.id))})`
  const sorted = sort === 'notes' ? await sortWithYields(notes, (a, b) => compareValues(a.notes, b.notes)) : []
  return {
    from: sql`budget_items c`,
    where: sql`c.organisation_id = ${organisationId} and c.budget_id = ${head.id} and c.kind = 'entry'`,
    id: sql`c.id`,
    columns: {
      ...buildEntryColumns(head, buildDocumentIdArray(stale)),
      notes: {
        kind: 'sealed',
        where: (is) => (is(null) ? sql`(not c.has_notes or ${withNotes(is)})` : withNotes(is)),
        rank: buildCalculatedColumn(
          sql`c.id`,
          sorted.map((one, index) => [one.id, index]),
          'number',
        ).value,
      },
    },
    search: (text) => {
      const wanted = text?.trim().toLowerCase()
      if (!wanted) return undefined
      return sql`(${buildSearchCondition([sql`c.description`, sql`c.identifier`], text)} or ${withNotes((one) => one.toLowerCase().includes(wanted))})`
    },
    defaultSort: 'description',
    ties: sql`c.created, c.id`,
  }
}

/** One page of a budget's entries, filtered, sorted and counted by the database. */
export async function readEntryPage(tx: OrganisationTx, scope: EntryScope, request: ListRequest): Promise<Paged<ShownEntry>> {
  const { ids, total } = await readListPage<string>(tx, await entryList(tx, scope, request), request)
  return { rows: await readEntryRows({ tx, organisationId: scope.organisationId }, scope.head, ids), total }
}

/** The ids of every entry that matches a search and filters, in order. */
export async function readEntryIds(tx: OrganisationTx, scope: EntryScope, request: Selection): Promise<string[]> {
  return readListIds(tx, await entryList(tx, scope, request), request)
}

/**
 * The entries that a bulk action applies to (behaviour B-094).
 * @throws DomainError 404 if one is not in the budget
 */
export async function resolveSelectedEntries(
  tx: OrganisationTx,
  scope: EntryScope,
  selection: BulkSelection,
): Promise<{ id: string; description: string }[]> {
  const ids = await resolveSelectedIds<string>(tx, await entryList(tx, scope, selection), selection)
  if (!ids) throw notFound('Budget entry')
  const rows = await tx.execute<{ id: string; description: string }>(sql`
    select id, description from budget_items
    where organisation_id = ${scope.organisationId} and budget_id = ${scope.head.id} and id = any(${buildDocumentIdArray(ids)})`)
  return orderByIds(ids, rows, (row) => row.id)
}
