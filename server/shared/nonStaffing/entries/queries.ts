import { type SQL, sql } from 'drizzle-orm'
import type { BudgetHead } from '../../../../domain/budget/budget.ts'
import { periodNames } from '../../../../domain/budget/items/budgetEntry.ts'
import { yearNames } from '../../../../domain/budget/items/decideEntry.ts'
import {
  type BulkSelection,
  checkColumns,
  compareValues,
  type FilterItem,
  type ListRequest,
  meets,
  type Paged,
} from '../../../../domain/lists/lists.ts'
import { assertDefined, onlyRow } from '../../../../domain/values/assertDefined.ts'
import type { OrganisationId } from '../../../../domain/values/ids.ts'
import { notFound } from '../../../../domain/words/errors.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { mapInTurns, sortInTurns } from '../../../core/inTurns.ts'
import { likePattern } from '../../../resources/filters.ts'
import { documentIds, type ListColumn, listCondition, listOrder, lowered } from '../../../resources/listConditions.ts'
import { linkedEntries } from '../../../streams/budget/items.ts'
import { outOfDate } from '../../funding/queries.ts'
import { entryRows, notesSealer, type ShownEntry } from './rows.ts'

/** A budget whose entries are listed. */
interface EntryScope {
  organisationId: OrganisationId
  head: BudgetHead
}

/** What a list of entries filters and sorts by at the database; their notes it cannot see. */
function columnsOf(head: BudgetHead, stale: SQL): Record<string, ListColumn> {
  const names = sql`${sql.param(`{${yearNames(head).join(',')}}`)}::text[]`
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
    created: { value: sql`to_char(c.created at time zone 'Europe/London', 'YYYY-MM-DD')`, kind: 'date' },
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

/** The notes of the entries that have any, opened a part at a time: they are sealed with the organisation's key. */
async function openNotes(tx: OrganisationTx, { organisationId, head }: EntryScope): Promise<{ id: string; notes: string }[]> {
  const rows = await tx.execute<{ id: string; sealed: string }>(sql`
    select id, item ->> 'sealedNotes' as sealed from budget_items
    where organisation_id = ${organisationId} and budget_id = ${head.id} and kind = 'entry' and has_notes order by id`)
  const { openSealed } = await notesSealer(tx, organisationId)
  return mapInTurns([...rows], ({ id, sealed }) => ({ id, notes: openSealed(sealed) }), 500)
}

/** The entries that are out of date, of all of a budget: only those that something makes are looked at. */
export async function staleEntries(tx: OrganisationTx, { organisationId, head }: EntryScope): Promise<Set<string>> {
  return outOfDate({ tx, organisationId }, head, await linkedEntries(tx, organisationId, head.id))
}

/** The entries that meet a search and filters as a condition on `budget_items c`, and their order. */
async function find(
  tx: OrganisationTx,
  scope: EntryScope,
  { search, filters, sort, sortDirection }: Selection,
): Promise<{ where: SQL; join: SQL; order: SQL }> {
  const { organisationId, head } = scope
  const wanted = search?.trim().toLowerCase()
  const names = new Set([...(filters ?? []).map((item) => item.filter), sort])
  const stale = names.has('isOutOfDate') ? [...(await staleEntries(tx, scope))] : []
  const columns = columnsOf(head, documentIds(stale))
  checkColumns({ sort, filters }, [...Object.keys(columns), 'notes'])
  const notes = wanted || names.has('notes') ? await openNotes(tx, scope) : []
  const withNotes = (is: (notes: string) => boolean): SQL =>
    sql`c.id = any(${documentIds(notes.filter((one) => is(one.notes)).map((one) => one.id))})`
  const conditionOf = (item: FilterItem): SQL | undefined => {
    if (item.filter === 'notes') {
      const among = withNotes((text) => meets(text, item))
      return meets(null, item) ? sql`(not c.has_notes or ${among})` : among
    }
    return listCondition(assertDefined(columns[item.filter]), item)
  }
  const contains = (column: SQL): SQL => sql`${lowered(column)} like ${`%${likePattern(wanted ?? '')}%`}`
  const conditions = [
    sql`c.organisation_id = ${organisationId} and c.budget_id = ${head.id} and c.kind = 'entry'`,
    ...(wanted
      ? [
          sql`(${contains(sql`c.description`)} or ${contains(sql`c.identifier`)} or ${withNotes((text) => text.toLowerCase().includes(wanted))})`,
        ]
      : []),
    ...(filters ?? []).flatMap((item) => conditionOf(item) ?? []),
  ]
  const where = sql.join(conditions, sql` and `)
  const made = sql`c.created, c.id`
  if (sort === 'notes') {
    const sorted = await sortInTurns(notes, (a, b) => compareValues(a.notes, b.notes))
    return {
      where,
      join: sql`left join unnest(${documentIds(sorted.map((one) => one.id))}) with ordinality as noted(id, rank) on noted.id = c.id`,
      order: listOrder({ value: sql`noted.rank`, kind: 'number' }, sortDirection, made),
    }
  }
  const column = sort && Object.hasOwn(columns, sort) ? columns[sort] : undefined
  const key = column && column.kind !== 'ids' ? column : assertDefined(columns.description)
  return { where, join: sql``, order: listOrder(key, sortDirection, made) }
}

/** One page of the entries of a budget, found, sorted and counted by the database. */
export async function entryPage(tx: OrganisationTx, scope: EntryScope, request: ListRequest): Promise<Paged<ShownEntry>> {
  const { where, join, order } = await find(tx, scope, request)
  // All of them are counted in an index and read in the order of another; some are found once, and counted as they are.
  const isWhole = !request.search?.trim() && !request.filters?.length
  const page = await tx.execute<{ id: string; total: number }>(sql`
    select c.id, ${isWhole ? sql`0` : sql`(count(*) over ())::integer`} as total from budget_items c ${join} where ${where} order by ${order}
    limit ${request.pageSize} offset ${(request.pageNumber - 1) * request.pageSize}`)
  const ids = page.map((row) => row.id)
  const total = page[0]?.total || (await countOf(tx, where))
  return { rows: await entryRows({ tx, organisationId: scope.organisationId }, scope.head, ids), total }
}

async function countOf(tx: OrganisationTx, where: SQL): Promise<number> {
  const counted = onlyRow(await tx.execute<{ total: number }>(sql`select count(*)::integer as total from budget_items c where ${where}`))
  return counted.total
}

/** Every entry that meets a search and filters: ids in order, with their descriptions. */
export async function entryIds(tx: OrganisationTx, scope: EntryScope, request: Selection): Promise<{ id: string; description: string }[]> {
  const { where, join, order } = await find(tx, scope, request)
  return [
    ...(await tx.execute<{ id: string; description: string }>(
      sql`select c.id, c.description from budget_items c ${join} where ${where} order by ${order}`,
    )),
  ]
}

/** The entries a bulk action takes (behaviour B-094). @throws DomainError 404 when one is not of the budget */
export async function chosenEntries(
  tx: OrganisationTx,
  scope: EntryScope,
  { state, ...selection }: BulkSelection,
): Promise<{ id: string; description: string }[]> {
  const toggled = new Set(state.toggledNodes.map(String))
  if (state.selectAll) return (await entryIds(tx, scope, selection)).filter((row) => !toggled.has(row.id))
  const rows = await tx.execute<{ id: string; description: string }>(sql`
    select id, description from budget_items
    where organisation_id = ${scope.organisationId} and budget_id = ${scope.head.id} and kind = 'entry' and id = any(${documentIds([...toggled])})
    order by created, id`)
  if (rows.length < toggled.size) throw notFound('Budget entry')
  return [...rows]
}
