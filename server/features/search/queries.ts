import { eq, type SQL, sql } from 'drizzle-orm'
import { compareValues } from '../../../domain/lists/lists.ts'
import { containsAllWords, rankMatch, splitSearch } from '../../../domain/lists/search.ts'
import { canSeeStaff, hasAnyPermission, listViewPermissions, type PermissionHolder } from '../../../domain/people/permissions.ts'
import { resources } from '../../../domain/resources/all.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { dayInLondon, displayDate } from '../../../domain/values/format.ts'
import type { BudgetId, LocationId, OrganisationId, StaffId } from '../../../domain/values/ids.ts'
import { locations } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import type { RowScope } from '../../core/calls/scope.ts'
import { buildDocumentIdArray, buildIntegerArray } from '../../resources/listConditions.ts'
import { type NamedRecord, searchRecordNames } from '../../resources/queries.ts'
import { readPublishedHelp } from '../../shared/messages/queries.ts'
import { type LocatedBudgetHead, readBudgetHeads } from '../../shared/monitoring/requests/queries.ts'
import { formatListedName, loadStaffDirectory } from '../../streams/budget/staffDirectory.ts'
import { type FoundNote, findComments, findEntryNotes, findMonitoringNotes } from './notes/queries.ts'

/** The kinds of console record that a search covers. People and the content of budgets are searched separately. */
const searchedRecords = [
  'location',
  'budgetCode',
  'costCentre',
  'fundCode',
  'analysisTag',
  'payrollCode',
  'studentGroup',
  'cluster',
  'contractType',
  'serviceTerm',
  'allowance',
  'staffAssumptions',
  'staffInflationRate',
  'inflation',
  'profileTemplate',
] as const

/** The kinds of search results, in order of display for equal matches: by name first, then texts that people wrote. */
export const searchableKinds = [
  'budget',
  'staffMember',
  'staffContract',
  'budgetEntry',
  ...searchedRecords,
  'assist',
  'comment',
  'entryNote',
  'monitoringNote',
] as const

export interface SearchHit {
  entity: (typeof searchableKinds)[number]
  /** A record's number, the id of an item in a budget (for a note, its entry's), or the slug of a help article. */
  id: string
  /** The name; for a comment or note, the words around the match. */
  name: string
  /** A detail that distinguishes it from others with the same name. */
  detail: string
  /** The budget that contains it. Opening the result opens that budget. */
  place: { locationId: LocationId; budgetId: BudgetId } | null
  /** For a comment, the record that it is about, which decides where it is shown. */
  about?: FoundNote['about']
  /** For a monitoring note, the screen and month that show it. */
  monitored?: FoundNote['monitored']
}

/** The caller of a search, and the budget they have open. */
export interface SearchCaller {
  organisationId: OrganisationId
  holder: PermissionHolder & { locationIds: LocationId[] | null }
  rows: RowScope
  selection: { budgetId: BudgetId | null }
}

/** The most results of each kind. */
const mostOfAKind = 6
/** How many words of a search are used; the rest are ignored. */
const mostWords = 6

/**
 * Searches what the caller may see for names, codes or employee numbers that contain every word. Returns the best of
 * each kind, exact matches and prefixes first, then comments and notes that contain every word. People and their
 * records are not read at all for callers who may not see them, so that neither the answer nor its timing reveals
 * whether a person exists.
 */
export async function search(call: Call<'store'> & SearchCaller, text: string): Promise<SearchHit[]> {
  const { tx } = call
  const wanted = text.trim().toLowerCase()
  const words = splitSearch(text).slice(0, mostWords)
  const [named, all] = await Promise.all([
    tx.select({ id: locations.id, name: locations.name }).from(locations).where(eq(locations.organisationId, call.organisationId)),
    readBudgetHeads(call, undefined),
  ])
  const locationNames = new Map(named.map(({ id, name }) => [id, name]))
  const heads = all.map((head) => ({ ...head, locationName: locationNames.get(head.locationId) ?? '' }))
  const budgets = new Map(heads.map((head) => [head.id, head]))
  const [notes, ...found] = await Promise.all([
    findNotes(call, budgets, words),
    findBudgets(heads, wanted, words),
    findPeople(call, wanted, words),
    findContracts(call, budgets, words),
    findEntries(call, budgets, words),
    findRecords(call, text.trim()),
    findHelp(call, text),
  ])
  const hits = found.flat()
  // Sorting is stable, so equally good results stay in the order of `searchableKinds`.
  hits.sort((a, b) => rankMatch(a.name, wanted) - rankMatch(b.name, wanted))
  return [...hits, ...notes]
}

type PlacedHead = LocatedBudgetHead & { locationName: string }

function pickBest<T>(found: T[], nameOf: (one: T) => string, wanted: string): T[] {
  return found
    .sort((a, b) => rankMatch(nameOf(a), wanted) - rankMatch(nameOf(b), wanted) || compareValues(nameOf(a), nameOf(b)))
    .slice(0, mostOfAKind)
}

function findBudgets(heads: readonly PlacedHead[], wanted: string, words: readonly string[]): SearchHit[] {
  const nameOf = ({ locationName, head }: PlacedHead): string => `${locationName}: ${head.name}`
  const found = heads.filter((head) => containsAllWords(nameOf(head), words))
  return pickBest(found, nameOf, wanted).map((head) => ({
    entity: 'budget',
    id: head.id,
    name: head.head.name,
    detail: head.locationName,
    place: { locationId: head.locationId, budgetId: head.id },
  }))
}

async function findPeople({ tx, organisationId, holder }: Call & SearchCaller, wanted: string, words: string[]): Promise<SearchHit[]> {
  if (!hasAnyPermission(holder, listViewPermissions('BudgetingStaffing', 'ConsoleStaffMembers'))) return []
  const found = (await loadStaffDirectory(tx, organisationId)).searchActive(words, holder.locationIds)
  return pickBest(found, formatListedName, wanted).map((member) => ({
    entity: 'staffMember',
    id: String(member.id),
    name: formatListedName(member),
    detail: member.archive ? `${member.employeeNumber} · archived` : member.employeeNumber,
    place: null,
  }))
}

/** Sorts the open budget first. */
const openFirst = (budgetId: BudgetId | null): SQL => sql`(c.budget_id = ${budgetId ?? ''}) desc`

async function findContracts(
  { tx, organisationId, holder, selection }: Call & SearchCaller,
  budgets: ReadonlyMap<string, PlacedHead>,
  words: readonly string[],
): Promise<SearchHit[]> {
  if (!canSeeStaff(holder)) return []
  const directory = await loadStaffDirectory(tx, organisationId)
  const holds = words.map((word) => {
    const people = directory.searchActive([word], null).map(({ id }) => id)
    return sql`(strpos(c.search collate "C", ${word}) > 0 ${people.length ? sql`or c.staff_id = any(${buildIntegerArray(people)})` : sql``})`
  })
  const rows = await tx.execute<{ id: string; budget_id: BudgetId; name: string; position: string | null; staff_id: StaffId | null }>(sql`
    select c.id, c.budget_id, c.contract_name as name, c.position, c.staff_id from staff_contracts c
    where c.organisation_id = ${organisationId} and c.budget_id = any(${buildDocumentIdArray([...budgets.keys()])}) and ${sql.join(holds, sql` and `)}
    order by ${openFirst(selection.budgetId)}, (strpos(c.search collate "C", ${words[0]}) = 1) desc, c.contract_name, c.id limit ${mostOfAKind}`)
  return rows.map((row) => {
    const person = row.staff_id === null ? undefined : directory.people.get(row.staff_id)
    return toHit(assertDefined(budgets.get(row.budget_id)), {
      entity: 'staffContract',
      id: row.id,
      name: row.name,
      parts: [person && formatListedName(person), row.position],
    })
  })
}

async function findEntries(
  { tx, organisationId, holder, selection }: Call & SearchCaller,
  budgets: ReadonlyMap<string, PlacedHead>,
  words: readonly string[],
): Promise<SearchHit[]> {
  if (!hasAnyPermission(holder, listViewPermissions('BudgetingNonStaffing'))) return []
  const text = sql`lower(coalesce(c.description, '') || ' ' || coalesce(c.identifier, ''))`
  const holds = words.map((word) => sql`strpos(${text}, ${word}) > 0`)
  const rows = await tx.execute<{ id: string; budget_id: BudgetId; name: string | null; identifier: string | null }>(sql`
    select c.id, c.budget_id, c.description as name, c.identifier from budget_items c
    where c.organisation_id = ${organisationId} and c.budget_id = any(${buildDocumentIdArray([...budgets.keys()])}) and c.kind = 'entry'
      and ${sql.join(holds, sql` and `)}
    order by ${openFirst(selection.budgetId)}, (strpos(${text}, ${words[0]}) = 1) desc, c.description, c.id limit ${mostOfAKind}`)
  return rows.map((row) =>
    toHit(assertDefined(budgets.get(row.budget_id)), { entity: 'budgetEntry', id: row.id, name: row.name ?? '', parts: [row.identifier] }),
  )
}

/** Matching comments and notes, with place and time. */
async function findNotes(
  call: Call<'store'> & SearchCaller,
  budgets: ReadonlyMap<BudgetId, PlacedHead>,
  words: readonly string[],
): Promise<SearchHit[]> {
  const wanted = { budgets: [...budgets.values()], openId: call.selection.budgetId, words, most: mostOfAKind }
  const found = await Promise.all([findComments(call, wanted), findEntryNotes(call, wanted), findMonitoringNotes(call, wanted)])
  return found.flat().map(({ entity, id, budgetId, excerpt, thing, at, about, monitored }) => {
    const budget = budgetId === null ? null : assertDefined(budgets.get(budgetId))
    const where = budget ? `${budget.locationName}, ${budget.head.name}` : 'All locations'
    return {
      entity,
      id,
      name: excerpt,
      detail: [thing, where, displayDate(dayInLondon(at))].filter(Boolean).join(' · '),
      place: budget && { locationId: budget.locationId, budgetId: budget.id },
      ...(about && { about }),
      ...(monitored && { monitored }),
    }
  })
}

/** Adds the budget and its location to a search result. */
function toHit(
  { id, locationId, head, locationName }: PlacedHead,
  { parts, ...found }: Pick<SearchHit, 'entity' | 'id' | 'name'> & { parts: (string | null | undefined)[] },
): SearchHit {
  const detail = [...parts, `${locationName}, ${head.name}`].filter((part) => part && part !== found.name).join(' · ')
  return { ...found, detail, place: { locationId, budgetId: id } }
}

async function findRecords({ tx, holder, rows }: Call & SearchCaller, text: string): Promise<SearchHit[]> {
  const lists = searchedRecords.map((entity) => resources[entity]).filter((list) => hasAnyPermission(holder, list.access.read))
  const nameOf = ({ name, detail }: NamedRecord): string => `${name} ${detail}`
  // The list search also matches fields that are not shown here.
  const found = (await searchRecordNames({ tx, scope: rows }, lists, { search: text, most: 50 })).filter((record) =>
    containsAllWords(nameOf(record), splitSearch(text)),
  )
  return searchedRecords.flatMap((entity) => {
    const matches = found.filter(({ list }) => list === resources[entity])
    return pickBest(matches, nameOf, text.toLowerCase()).map(
      (record): SearchHit => ({
        entity,
        id: String(record.id),
        name: record.detail ? nameOf(record) : record.name,
        detail: '',
        place: null,
      }),
    )
  })
}

/** Help articles that match the search. */
async function findHelp({ tx, rows }: Call & SearchCaller, text: string): Promise<SearchHit[]> {
  const found = await readPublishedHelp(tx, rows, text)
  return found.slice(0, mostOfAKind).map(({ slug, title }) => ({ entity: 'assist', id: slug, name: title, detail: '', place: null }))
}
