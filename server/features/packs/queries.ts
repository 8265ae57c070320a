import { and, eq, sql } from 'drizzle-orm'
import { toMonthIndex } from '../../../domain/monitoring/monitoring.ts'
import { findUnreadChapters, type UnreadChapters } from '../../../domain/packs/decide.ts'
import { figureReferences, findChangedFigures, formatPackFigure } from '../../../domain/packs/figureReferences.ts'
import { describeOutturn, type Headline, listHeadlines } from '../../../domain/packs/headlines.ts'
import {
  buildPackKey,
  type Chapter,
  type LogPositions,
  type PackFigures,
  type PackItem,
  type PackRemark,
  type PackTexts,
  type UnexplainedLine,
} from '../../../domain/packs/pack.ts'
import { buildPages, type PackContent, type PackPage } from '../../../domain/packs/pages.ts'
import { canMakePacks } from '../../../domain/packs/rights.ts'
import type { PermissionHolder } from '../../../domain/people/permissions.ts'
import { describeOutdatedCosts } from '../../../domain/reports/outdatedCosts.ts'
import { resources } from '../../../domain/resources/all.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { BudgetId, LocationId, OrganisationId, UserId } from '../../../domain/values/ids.ts'
import { DomainError, forbidden, notFound } from '../../../domain/words/errors.ts'
import { packPdfs } from '../../../drizzle/fileTables.ts'
import { monitoringItems, monitoringLogs } from '../../../drizzle/monitoringTables.ts'
import { budgets } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import type { FileReply } from '../../core/calls/reply.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import { nameActor, readUserNames } from '../../core/database/userNames.ts'
import { decryptText, ensureOrganisationKey, unsealBytes } from '../../core/database/vault.ts'
import { buildDocumentIdArray, buildIntegerArray } from '../../resources/listConditions.ts'
import { readOrganisationName } from '../../shared/reports/scopes/queries.ts'
import { type CurrentFigures, findPackBudgets, readCurrentFigures } from './figures.ts'
import { presentPages } from './rows.ts'

/** A reader or author of packs. */
export interface PackUser {
  organisationId: OrganisationId
  holder: PermissionHolder & { locationIds: LocationId[] | null }
}

/** A pack of the whole organisation requires access to all locations. */
const canSeePlace = ({ holder }: PackUser, locationId: LocationId): boolean =>
  holder.locationIds === null || (locationId !== 0 && holder.locationIds.includes(locationId))

/** A pack and the log that contains it. */
export interface FoundPack {
  locationId: LocationId
  version: number
  item: PackItem
}

/**
 * Finds a pack by its code. Drafts show current figures, so only callers who may create packs can read them.
 * @throws DomainError 404 if it does not exist, or the caller may not see it
 */
export async function findPack(call: Call & PackUser, code: string): Promise<FoundPack> {
  const { tx } = call
  const rows = await tx
    .select({ locationId: monitoringItems.locationId, version: monitoringItems.version, item: monitoringItems.item })
    .from(monitoringItems)
    .where(
      and(
        eq(monitoringItems.organisationId, call.organisationId),
        eq(monitoringItems.kind, 'pack'),
        eq(monitoringItems.key, buildPackKey(code)),
      ),
    )
  const [found] = rows.flatMap(({ item, ...row }) => (item.kind === 'pack' ? [{ ...row, item }] : []))
  if (!found || !canSeePlace(call, found.locationId) || (!found.item.finished && !canMakePacks(call.holder))) throw notFound('Pack')
  return found
}

export interface ListedPack {
  code: string
  year: number
  month: number
  /** Null for the whole organisation. */
  locationId: LocationId | null
  place: string
  started: { by: string; at: string }
  finished: { by: string; at: string } | null
}

type ListedRow = {
  locationId: LocationId
  code: string
  year: number
  month: number
  startedBy: UserId | null
  startedAt: string
  finishedBy: UserId | null
  finishedAt: string | null
}

/** The packs that the caller may see, latest month first, without their figures. @param which all, or only the latest finished one */
export async function listPacks(call: Call<'store'> & PackUser, which: 'all' | 'latestFinished' = 'all'): Promise<ListedPack[]> {
  const { tx, store, organisationId, holder } = call
  const { locationIds } = holder
  const isFinishedOnly = which === 'latestFinished' || !canMakePacks(holder)
  const rows = await tx.execute<ListedRow>(sql`
    select location_id as "locationId", item ->> 'code' as code, year, month,
      (item #>> '{started,by}')::integer as "startedBy", item #>> '{started,at}' as "startedAt",
      (item #>> '{finished,by}')::integer as "finishedBy", item #>> '{finished,at}' as "finishedAt"
    from monitoring_items
    where organisation_id = ${organisationId} and kind = 'pack'
      ${locationIds ? sql`and location_id <> 0 and location_id = any(${buildIntegerArray(locationIds)})` : sql``}
      ${isFinishedOnly ? sql`and item -> 'finished' <> 'null'::jsonb` : sql``}
    order by year desc, month desc, item #>> '{started,at}' desc
    limit ${which === 'all' ? 1000 : 1}`)
  const all = [...rows]
  const names = await readUserNames(
    store,
    all.flatMap((row) => [row.startedBy, row.finishedBy]),
  )
  const nameOf = (id: number | null): string => nameActor(names, id)
  const places = new Map(
    (await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [organisationId] })).map(({ id, name }) => [
      id,
      name,
    ]),
  )
  const organisation = await readOrganisationName(tx, organisationId)
  return all.map(({ locationId, code, year, month, startedBy, startedAt, finishedBy, finishedAt }) => ({
    code,
    year,
    month,
    locationId: locationId || null,
    place: locationId ? (places.get(locationId) ?? '') : organisation,
    started: { by: nameOf(startedBy), at: startedAt },
    finished: finishedAt ? { by: nameOf(finishedBy), at: finishedAt } : null,
  }))
}

/** The latest finished pack that the caller may see, with the figures of its first page. */
export interface LatestPack extends ListedPack {
  finished: { by: string; at: string }
  headlines: Headline[]
  sentence: string
}

/** Reads the latest finished pack; null if there is none that the caller may see. */
export async function readLatestPack(call: Call<'store'> & PackUser): Promise<LatestPack | null> {
  const [latest] = await listPacks(call, 'latestFinished')
  if (!latest?.finished) return null
  const { item } = await findPack(call, latest.code)
  const { figures } = assertDefined(item.finished)
  return { ...latest, finished: latest.finished, headlines: listHeadlines(figures), sentence: describeOutturn(figures) }
}

/**
 * Finds the last finished pack for the same location, up to and including a month; null if there is none. A new pack copies its chapters
 * and texts.
 */
export async function findPreviousPack(
  call: Call & PackUser,
  { locationId, ...month }: { locationId: LocationId; year: number; month: number },
): Promise<PackItem | null> {
  const { tx } = call
  const rows = await tx
    .select({ item: monitoringItems.item })
    .from(monitoringItems)
    .where(
      and(
        eq(monitoringItems.organisationId, call.organisationId),
        eq(monitoringItems.locationId, locationId),
        eq(monitoringItems.kind, 'pack'),
        sql`item -> 'finished' <> 'null'::jsonb and year * 12 + month - 1 <= ${toMonthIndex(month)}`,
      ),
    )
    .orderBy(sql`year desc, month desc, item #>> '{finished,at}' desc`)
    .limit(1)
  const [item] = rows.flatMap((row) => (row.item.kind === 'pack' ? [row.item] : []))
  return item ?? null
}

/** A pack with all that its pages show: stored figures if it is finished, otherwise current ones. */
export interface LoadedPack {
  found: FoundPack
  content: PackContent
  /** Null for a finished pack. */
  current: CurrentFigures | null
  /** The text of an earlier month that a draft began with; null without such a text. */
  earlier: EarlierPackTexts | null
}

/** Text of an earlier month. It must be read or changed before the pack that continues it is finished. */
export interface EarlierPackTexts extends Pick<PackTexts, 'texts' | 'decisions'> {
  year: number
  month: number
}

export async function loadPack(call: Call & PackUser, code: string): Promise<LoadedPack> {
  const { tx } = call
  const found = await findPack(call, code)
  const { item, locationId } = found
  const key = await ensureOrganisationKey(tx, call.organisationId)
  const before = await findComparedPack({ ...call, locationId }, item)
  const current = item.finished ? null : await readCurrentFigures(call, { year: item.year, month: item.month, locationId })
  const remarks: PackRemark[] = item.finished ? JSON.parse(decryptText(key, item.finished.sealedRemarks)) : assertDefined(current).remarks
  return {
    found,
    current,
    earlier: await readEarlierWords(call, found),
    content: {
      month: item,
      chapters: item.chapters,
      words: await decryptPackTexts(call, item),
      figures: item.finished ? item.finished.figures : assertDefined(current).figures,
      remarks,
      due: current?.due ?? [],
      before: before?.finished ? { month: before, figures: before.finished.figures } : null,
    },
  }
}

/** The text of an earlier month that a draft began with; null without such a text, or for a finished pack. */
async function readEarlierWords(call: Call & PackUser, { locationId, item }: FoundPack): Promise<EarlierPackTexts | null> {
  const from = item.from && !item.finished ? await readPredecessor({ ...call, locationId }, item.from) : null
  if (!from || toMonthIndex(from) >= toMonthIndex(item)) return null
  const { texts, decisions } = await decryptPackTexts(call, from)
  return { year: from.year, month: from.month, texts, decisions }
}

export async function decryptPackTexts({ tx, organisationId }: Call<'organisationId'>, { sealedWords }: PackItem): Promise<PackTexts> {
  return JSON.parse(decryptText(await ensureOrganisationKey(tx, organisationId), sealedWords))
}

/** The chapters of a draft whose text from an earlier month is still unread; null if the draft began without such texts. */
export async function findUnreadEarlierTexts(call: Call & PackUser, found: FoundPack): Promise<UnreadChapters | null> {
  const earlier = await readEarlierWords(call, found)
  if (!earlier) return null
  const { year, month } = earlier
  const { chapters } = found.item
  return { year, month, chapters: findUnreadChapters({ ...(await decryptPackTexts(call, found.item)), chapters }, earlier) }
}

/** The pack with which a pack's figures are compared: the latest of its predecessors that is for an earlier month. */
async function findComparedPack(call: Call<'organisationId' | 'locationId'>, item: PackItem): Promise<PackItem | null> {
  let before = item.from ? await readPredecessor(call, item.from) : null
  while (before && toMonthIndex(before) >= toMonthIndex(item)) before = before.from ? await readPredecessor(call, before.from) : null
  return before
}

/** Reads a predecessor of a pack. Both packs are for the same location, so a caller who may see one may see the other. */
async function readPredecessor(
  { tx, organisationId, locationId }: Call<'organisationId' | 'locationId'>,
  code: string,
): Promise<PackItem | null> {
  const [row] = await tx
    .select({ item: monitoringItems.item })
    .from(monitoringItems)
    .where(
      and(
        eq(monitoringItems.organisationId, organisationId),
        eq(monitoringItems.locationId, locationId),
        eq(monitoringItems.key, buildPackKey(code)),
      ),
    )
  return row?.item.kind === 'pack' ? row.item : null
}

/** The current versions of the logs of some budgets, and of some monitoring logs. */
export async function readLogPositions(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  { budgetIds, locationIds }: { budgetIds: readonly BudgetId[]; locationIds: readonly LocationId[] },
): Promise<LogPositions> {
  const heads = await tx
    .select({ id: budgets.id, version: budgets.version, hash: budgets.lastHash })
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), sql`id = any(${buildDocumentIdArray([...budgetIds])})`))
    .orderBy(budgets.id)
  const logs = await tx
    .select({ locationId: monitoringLogs.locationId, version: monitoringLogs.version, hash: monitoringLogs.lastHash })
    .from(monitoringLogs)
    .where(and(eq(monitoringLogs.organisationId, organisationId), sql`location_id = any(${buildIntegerArray([...locationIds])})`))
    .orderBy(monitoringLogs.locationId)
  return { budgets: heads, logs }
}

/** A figure that has changed since the pack was finished, as text. */
interface Difference {
  label: string
  was: string
  now: string
}

/** What has changed since a pack was finished. */
export interface ChangesSince {
  /** The names of the budgets that changed, even if no figure in the pack did. */
  budgets: string[]
  /** Whether monitoring changed, even if no figure in the pack did. */
  monitoring: boolean
  /** Null if the caller may not see current figures, or if none exist any more. */
  figures: Difference[] | null
}

/** A pack as a screen shows it. */
export interface ShownPack extends ListedPack {
  version: number
  from: string | null
  chapters: Chapter[]
  words: PackTexts
  pages: PackPage[]
  /** The references that the author may put into sentences, each with its text in this pack. */
  references: { key: string; label: string; text: string }[]
  due: UnexplainedLine[]
  /** For a draft, a sentence that says which costs are outdated and prevent finishing it; null if none are. */
  olderCosts: string | null
  /** For a pack of one school, the budget in which its lines are explained. */
  budgetId: BudgetId | null
  pins: LogPositions | null
  since: ChangesSince | null
  /** For a draft, the text of an earlier month that it began with. */
  earlier: EarlierPackTexts | null
  hasPaper: boolean
  mayMake: boolean
}

/**
 * A pack with its pages; money in pounds.
 * @throws DomainError as `findPack`
 */
export async function readShownPack(call: Call<'store'> & PackUser, code: string): Promise<ShownPack> {
  const { tx, store } = call
  const { found, content, current, earlier } = await loadPack(call, code)
  const { item, locationId, version } = found
  const names = await readUserNames(store, [item.started.by, item.finished?.by ?? null])
  const nameOf = (id: number | null): string => nameActor(names, id)
  const { figures } = content
  const kept = await tx.$count(packPdfs, and(eq(packPdfs.organisationId, call.organisationId), eq(packPdfs.code, code)))
  return {
    code,
    year: item.year,
    month: item.month,
    locationId: locationId || null,
    place: figures.place?.name ?? figures.organisation,
    started: { by: nameOf(item.started.by), at: item.started.at },
    finished: item.finished && { by: nameOf(item.finished.by), at: item.finished.at },
    version,
    from: item.from,
    chapters: item.chapters,
    words: content.words,
    pages: presentPages(buildPages(content)),
    references: figureReferences.map(({ key, label, type, read }) => ({ key, label, text: formatPackFigure(read(figures), type) })),
    due: current?.due ?? [],
    olderCosts: describeOutdatedCosts(current?.older ?? []),
    budgetId: locationId ? (figures.budgets[0]?.id ?? null) : null,
    pins: item.finished?.pins ?? null,
    since: item.finished ? await sinceOf(call, { ...found, finished: item.finished }) : null,
    earlier,
    hasPaper: kept > 0,
    mayMake: canMakePacks(call.holder),
  }
}

async function sinceOf(
  call: Call & PackUser,
  { item, locationId, finished }: FoundPack & { finished: NonNullable<PackItem['finished']> },
): Promise<ChangesSince> {
  const { tx } = call
  const { pins, figures } = finished
  const now = await readLogPositions(tx, call.organisationId, { budgetIds: pins.budgets.map(({ id }) => id), locationIds: [] })
  const moved = pins.budgets.filter(({ id, hash }) => now.budgets.find((one) => one.id === id)?.hash !== hash)
  const own = figures.budgets
  const scope = { year: item.year, month: item.month, locationId }
  const ofRecord = await nullIfGone(findPackBudgets(call, scope))
  const places = new Map(
    (await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [call.organisationId] })).map(({ id, name }) => [
      id,
      name,
    ]),
  )
  const nameOf = (location: string, name: string): string => (figures.place ? name : `${location}, ${name}`)
  return {
    budgets: [
      ...moved.map(({ id }) => {
        const budget = own.find((one) => one.id === id)
        return budget ? nameOf(budget.location, budget.name) : id
      }),
      // If another budget has become the budget of record, the stored budget's log does not show it.
      ...(ofRecord?.budgets ?? [])
        .filter(({ id }) => !pins.budgets.some((one) => one.id === id))
        .map(({ locationId: at, head }) => nameOf(places.get(at) ?? '', head.name)),
    ],
    monitoring: await hasChangedSince(tx, call.organisationId, pins.logs),
    figures: canMakePacks(call.holder) ? await findDifferences(call, scope, figures) : null,
  }
}

/** Awaits current figures. Returns null if the budgets or school no longer exist, because the stored figures of a pack outlive them. */
async function nullIfGone<T>(made: Promise<T>): Promise<T | null> {
  try {
    return await made
  } catch (error) {
    if (error instanceof DomainError && (error.code === 'noBudget' || error.kind === 'notFound')) return null
    throw error
  }
}

/** Whether anything except packs was written to some monitoring logs after the given versions. */
async function hasChangedSince(tx: OrganisationTx, organisationId: OrganisationId, logs: LogPositions['logs']): Promise<boolean> {
  const [row] = await tx.execute<{ moved: boolean }>(sql`
    select exists (
      select from json_to_recordset(${JSON.stringify(logs)}::json) as pin("locationId" integer, version integer)
      join monitoring_events event on event.organisation_id = ${organisationId} and event.location_id = pin."locationId"
        and event.version > pin.version and event.type not like 'Pack%'
    ) as moved`)
  return Boolean(row?.moved)
}

async function findDifferences(
  call: Call & PackUser,
  scope: { year: number; month: number; locationId: LocationId },
  figures: PackFigures,
): Promise<Difference[] | null> {
  const now = await nullIfGone(readCurrentFigures(call, scope))
  return (
    now &&
    findChangedFigures(figures, now.figures).map(({ label, type, before, now: is }) => ({
      label,
      was: formatPackFigure(before, type, true),
      now: formatPackFigure(is, type, true),
    }))
  )
}

/**
 * The stored PDF of a finished pack.
 * @throws DomainError 404; 409 until it is ready
 */
export async function readPackPdf(call: Call & PackUser, code: string): Promise<FileReply<Buffer>> {
  const { tx } = call
  const { item } = await findPack(call, code)
  const [row] = await tx
    .select()
    .from(packPdfs)
    .where(and(eq(packPdfs.organisationId, call.organisationId), eq(packPdfs.code, code)))
  if (!row || !item.finished)
    throw new DomainError('conflict', 'notMade', 'The PDF of this pack has not been created yet. Try again in a moment.')
  return {
    fileName: row.fileName,
    contentType: row.contentType,
    body: unsealBytes(await ensureOrganisationKey(tx, call.organisationId), row.sealed),
  }
}

/** @throws DomainError 403 for a caller who may not create packs, or not for that place */
export function checkMayMakePack(who: PackUser, locationId: LocationId): void {
  if (!canMakePacks(who.holder) || !canSeePlace(who, locationId)) throw forbidden()
}
