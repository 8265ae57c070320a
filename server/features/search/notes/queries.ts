import { and, desc, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { locateMonth } from '../../../../domain/budget/budgetOfRecord.ts'
import { type CommentSubject, replaceUserIdsWithNames } from '../../../../domain/budget/items/comment.ts'
import { containsAllWords, excerptText } from '../../../../domain/lists/search.ts'
import { monitoringNoteType } from '../../../../domain/lookups/lookupIds.ts'
import { formatIsoMonth, formatMonth } from '../../../../domain/monitoring/monitoring.ts'
import type { MonitoringScreen } from '../../../../domain/monitoring/rows.ts'
import { commentReadPermissions, hasAnyPermission, listViewPermissions } from '../../../../domain/people/permissions.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { type BudgetId, type OrganisationId, organisationWideLocationId } from '../../../../domain/values/ids.ts'
import { budgetItems } from '../../../../drizzle/costTables.ts'
import { monitoringItems } from '../../../../drizzle/monitoringTables.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { Viewer } from '../../../core/calls/viewer.ts'
import { openStoreWithin } from '../../../core/database/database.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { readUserNames } from '../../../core/database/userNames.ts'
import { decryptText, ensureOrganisationKey } from '../../../core/database/vault.ts'
import { createYielder } from '../../../core/yielding.ts'
import { buildDocumentIdArray } from '../../../resources/listConditions.ts'
import { createCommentReadTest, presentSubject, readSubjectNames } from '../../../shared/approval/queries.ts'
import type { commentSubject as shownThing } from '../../../shared/approval/replies.ts'
import type { LocatedBudgetHead } from '../../../shared/monitoring/requests/queries.ts'
import { createNotesSealer } from '../../../shared/nonStaffing/entries/rows.ts'
import { selectGroups } from '../../../streams/budget/groupMembers.ts'
import { asItemOfKind } from '../../../streams/budget/items.ts'

/* Texts are encrypted with the organisation's key, so the database cannot search them. A search decrypts a limited
   number, latest first, as lists of entries do, and keeps none. Texts encrypted with a person's key (contract notes,
   payroll explanations) are not searched, as in lists. */

/** The most texts of each kind that a search decrypts: those of the open budget first, then the latest. */
const mostOpened = 1000

/** The words of a search, and where it looks. */
export interface NoteSearch {
  /** The budgets that the caller may see. */
  budgets: readonly LocatedBudgetHead[]
  openId: BudgetId | null
  words: readonly string[]
  most: number
}

/** A text that matches the search. */
export interface FoundNote {
  entity: 'comment' | 'entryNote' | 'monitoringNote'
  /** The id of the comment or of the entry that has the note, or the key of a monitoring note. */
  id: string
  /** Null for a note that applies to all locations. */
  budgetId: BudgetId | null
  excerpt: string
  /** The name of the record that it is about; null if it is about the budget itself. */
  thing: string | null
  at: string
  about?: z.infer<typeof shownThing>
  /** For a monitoring note, its screen and month as in the URL. */
  monitored?: { versus: MonitoringScreen; month: string }
}

/** Comments that contain every word, on budgets and records that still exist and that the caller may read. */
export async function findComments(call: Call<'store'> & Viewer, wanted: NoteSearch): Promise<FoundNote[]> {
  const { tx, organisationId, holder } = call
  if (!hasAnyPermission(holder, commentReadPermissions)) return []
  const { id, budgetId, item } = budgetItems
  const rows = await tx
    .select({ id, budgetId, item })
    .from(budgetItems)
    .where(and(within(organisationId, wanted), eq(budgetItems.kind, 'comment'), stillExistsCondition(organisationId)))
    .orderBy(...openThenLatest(wanted))
    .limit(mostOpened)
  if (!rows.length) return []
  const comments = rows.map((row) => ({ ...row, item: asItemOfKind('comment', row.item) }))
  const mayRead = await createCommentReadTest(
    tx,
    call,
    comments.map((one) => one.item.about),
  )
  const seen = comments.filter((one) => mayRead(one.item.about))
  const key = await ensureOrganisationKey(tx, organisationId)
  const names = await readUserNames(
    openStoreWithin(tx, call.store, organisationId),
    seen.flatMap((one) => one.item.mentionIds ?? []),
  )
  const personOf = (userId: number): string => names.get(userId) ?? 'Unknown'
  const found = await findFirstMatches(
    seen,
    (one) => replaceUserIdsWithNames({ text: decryptText(key, one.item.sealedText), mentionIds: one.item.mentionIds }, personOf),
    wanted,
  )
  const nameOf = await readSubjectNames(
    tx,
    organisationId,
    found.map(({ row }): CommentSubject => row.item.about),
  )
  return found.map(({ row, excerpt }) => ({
    entity: 'comment',
    id: row.id,
    budgetId: row.budgetId,
    excerpt,
    thing: nameOf(row.item.about),
    at: row.item.at,
    about: presentSubject(row.item.about),
  }))
}

/** Entries whose notes contain every word. */
export async function findEntryNotes({ tx, organisationId, holder }: Call & Viewer, wanted: NoteSearch): Promise<FoundNote[]> {
  if (!hasAnyPermission(holder, listViewPermissions('BudgetingNonStaffing'))) return []
  const { id, budgetId, description, savedAt, item } = budgetItems
  const sealed = sql<string>`${item} ->> 'sealedNotes'`
  const rows = await tx
    .select({ id, budgetId, description, savedAt, sealed })
    .from(budgetItems)
    .where(and(within(organisationId, wanted), eq(budgetItems.kind, 'entry'), budgetItems.hasNotes, isNotNull(sealed)))
    .orderBy(...openThenLatest(wanted))
    .limit(mostOpened)
  if (!rows.length) return []
  const { openSealed } = await createNotesSealer(tx, organisationId)
  const found = await findFirstMatches(rows, (row) => openSealed(row.sealed), wanted)
  return found.map(({ row, excerpt }) => ({
    entity: 'entryNote',
    id: row.id,
    budgetId: row.budgetId,
    excerpt,
    thing: row.description,
    at: row.savedAt,
  }))
}

/** The screens whose notes a search covers, with the permissions to read the notes of a budget and those for all locations. */
const monitoringScreens = [
  {
    type: monitoringNoteType.versusActuals,
    versus: 'actuals',
    ofBudget: listViewPermissions('BudgetingMonitoringBudgetActuals'),
    ofAll: listViewPermissions('ConsoleMonitoringBudgetActuals'),
  },
  {
    type: monitoringNoteType.versusForecast,
    versus: 'forecast',
    ofBudget: listViewPermissions('BudgetingMonitoringBudgetForecast'),
    ofAll: listViewPermissions('ConsoleMonitoringBudgetForecast'),
  },
] as const

/**
 * Monitoring notes and actions that contain every word. Notes for all locations require access to all; notes of a group require that the
 * caller sees one of its budgets that covers the month.
 */
export async function findMonitoringNotes({ tx, organisationId, holder }: Call & Viewer, wanted: NoteSearch): Promise<FoundNote[]> {
  const screens = monitoringScreens.filter(({ ofBudget, ofAll }) => hasAnyPermission(holder, [...ofBudget, ...ofAll]))
  if (!screens.length) return []
  const { key: id, savedAt, item } = monitoringItems
  const rows = await tx
    .select({ id, savedAt, item })
    .from(monitoringItems)
    .where(
      and(
        eq(monitoringItems.organisationId, organisationId),
        eq(monitoringItems.locationId, organisationWideLocationId),
        eq(monitoringItems.kind, 'note'),
        sql`(${item} ->> 'budgetCodeId')::integer in (select id from budget_codes where organisation_id = ${organisationId})`,
      ),
    )
    .orderBy(desc(savedAt), id)
    .limit(mostOpened)
  if (!rows.length) return []
  const heads = new Map(wanted.budgets.map((head) => [head.id, head]))
  const groups = new Map(
    (await selectGroups(tx, organisationId)).map((group) => [group.id, group.budgetIds.flatMap((one) => heads.get(one) ?? [])]),
  )
  const seen = rows.flatMap(({ item: note, ...row }) => {
    const screen = note.kind === 'note' ? screens.find(({ type }) => type === note.type) : undefined
    if (note.kind !== 'note' || !screen) return []
    const shownIn = (budgetId: BudgetId | null) => [{ ...row, note, versus: screen.versus, budgetId }]
    if (note.groupId === null) return !holder.locationIds && hasAnyPermission(holder, screen.ofAll) ? shownIn(null) : []
    if (!hasAnyPermission(holder, screen.ofBudget)) return []
    const groupHeads = groups.get(note.groupId)?.filter(({ head }) => locateMonth(head, note))
    const budget = groupHeads?.find((one) => one.id === wanted.openId) ?? groupHeads?.[0]
    return budget ? shownIn(budget.id) : []
  })
  const key = await ensureOrganisationKey(tx, organisationId)
  const textOf = ({ note: { sealedNotes, sealedAction } }: (typeof seen)[number]): string =>
    [sealedNotes, sealedAction].flatMap((sealed) => (sealed ? decryptText(key, sealed) : [])).join('\n')
  const found = await findFirstMatches(seen, textOf, wanted)
  const codes = await readResourceRecords(tx, resources.budgetCode, {
    column: 'id',
    ids: [...new Set(found.map(({ row }) => row.note.budgetCodeId))],
  })
  const names = new Map(codes.map((code) => [code.id, `${code.code} ${code.description}`]))
  return found.map(({ row, excerpt }) => ({
    entity: 'monitoringNote',
    id: row.id,
    budgetId: row.budgetId,
    excerpt,
    thing: [names.get(row.note.budgetCodeId), formatMonth(row.note)].filter(Boolean).join(', '),
    at: row.savedAt,
    monitored: { versus: row.versus, month: formatIsoMonth(row.note) },
  }))
}

const within = (organisationId: OrganisationId, { budgets }: NoteSearch): SQL | undefined =>
  and(
    eq(budgetItems.organisationId, organisationId),
    sql`${budgetItems.budgetId} = any(${buildDocumentIdArray(budgets.map(({ id }) => id))})`,
  )

const openThenLatest = ({ openId }: NoteSearch): SQL[] => [
  sql`(${budgetItems.budgetId} = ${openId ?? ''}) desc`,
  sql`${budgetItems.created} desc`,
  sql`${budgetItems.id}`,
]

const [home, about] = [budgetItems.budgetId, sql`${budgetItems.item} -> 'about'`]
/**
 * Whether the record that a comment is about still exists; otherwise no screen can show the comment. Each branch compares the organisation
 * with a constant and not with the comment's column, so that the database never lists the contracts of all organisations.
 */
function stillExistsCondition(organisationId: OrganisationId): SQL {
  return sql`case ${about} ->> 'kind'
    when 'contract' then exists (select from staff_contracts one
      where one.organisation_id = ${organisationId} and one.budget_id = ${home} and one.id = (${about} ->> 'ref')::char(24))
    when 'entry' then exists (select from budget_items one
      where one.organisation_id = ${organisationId} and one.budget_id = ${home} and one.kind = 'entry' and one.id = (${about} ->> 'ref')::char(24))
    when 'code' then exists (select from budget_codes one where one.organisation_id = ${organisationId} and one.id::text = ${about} ->> 'ref')
    else true end`
}

/** The first rows whose text contains every word. Decrypts no more texts than needed, and yields to other requests in between. */
async function findFirstMatches<R>(
  rows: readonly R[],
  textOf: (row: R) => string,
  { words, most }: NoteSearch,
): Promise<{ row: R; excerpt: string }[]> {
  const found: { row: R; excerpt: string }[] = []
  const breathe = createYielder()
  for (const row of rows) {
    const text = textOf(row)
    if (containsAllWords(text, words)) found.push({ row, excerpt: excerptText(text, words) })
    if (found.length >= most) break
    await breathe()
  }
  return found
}
