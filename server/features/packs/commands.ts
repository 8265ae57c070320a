import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { formatMonth } from '../../../domain/monitoring/monitoring.ts'
import { checkPackContent, discardPack, finishPack, savePack, startPack } from '../../../domain/packs/decide.ts'
import {
  buildPackKey,
  chapterNames,
  createDefaultPackTexts,
  createPackCode,
  type PackContentInput,
  type PackItem,
  type PackTexts,
} from '../../../domain/packs/pack.ts'
import { resources } from '../../../domain/resources/all.ts'
import { canonicalJson } from '../../../domain/values/canonicalJson.ts'
import { type LocationId, type OrganisationId, organisationWideLocationId } from '../../../domain/values/ids.ts'
import { staleRecord } from '../../../domain/words/errors.ts'
import { packPdfs } from '../../../drizzle/fileTables.ts'
import type { Call } from '../../core/calls/call.ts'
import type { FileReply } from '../../core/calls/reply.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import { encryptText, ensureOrganisationKey, sealBytes } from '../../core/database/vault.ts'
import { buildDocumentIdArray } from '../../resources/listConditions.ts'
import { type MonitoringEditor, refuseHiddenLocation } from '../../shared/monitoring/commands.ts'
import { readOrganisationName } from '../../shared/reports/scopes/queries.ts'
import { changeMonitoring } from '../../streams/monitoring/stream.ts'
import { findPackBudgets, readCurrentFigures } from './figures.ts'
import {
  checkMayMakePack,
  decryptPackTexts,
  type FoundPack,
  findPack,
  findPreviousPack,
  findUnreadEarlierTexts,
  readLogPositions,
} from './queries.ts'

/**
 * Starts a pack for a month, with the chapters and texts of the last pack for the same location.
 * @param locationId 0 for the whole organisation
 * @throws DomainError 403; 404 for a location that the caller may not see; 409 if no budget covers the month
 */
export async function runStartPack(
  call: Call & MonitoringEditor,
  { locationId, ...month }: { year: number; month: number; locationId: LocationId },
): Promise<{ code: string }> {
  const { tx, organisationId, actor } = call
  if (locationId) await refuseHiddenLocation({ ...call, locationId })
  checkMayMakePack(call, locationId)
  await findPackBudgets(call, { ...month, locationId })
  const before = await findPreviousPack(call, { ...month, locationId })
  const code = createPackCode(randomBytes(8))
  const key = await ensureOrganisationKey(tx, organisationId)
  const [place] = locationId ? await readResourceRecords(tx, resources.location, { column: 'id', ids: [locationId] }) : []
  const start = {
    ...month,
    code,
    from: before?.code ?? null,
    chapters: before?.chapters ?? [...chapterNames],
    sealedWords: encryptText(
      key,
      canonicalJson(before ? await offerWords(call, before) : createDefaultPackTexts(place?.reportSignatory || null)),
    ),
  }
  await changeMonitoring({ tx, organisationId, locationId, actor }, [buildPackKey(code)], (state) => startPack(state, start))
  return { code }
}

/** The texts of the last pack, as a draft that nobody has read yet. */
async function offerWords(call: Call<'organisationId'>, before: PackItem): Promise<PackTexts> {
  const { read: _read, ...words } = await decryptPackTexts(call, before)
  return words
}

/**
 * Saves the chapters and texts of a draft.
 * @throws DomainError as `savePack`; 400 at the field for a reference to an unknown figure
 */
export async function runSavePack(
  call: Call & MonitoringEditor,
  { code, version, content }: { code: string; version: number; content: PackContentInput },
): Promise<LocationId> {
  const { tx, organisationId, actor } = call
  const { locationId } = await findPack(call, code)
  checkMayMakePack(call, locationId)
  checkPackContent(content)
  const { chapters, ...words } = content
  const sealedWords = encryptText(await ensureOrganisationKey(tx, organisationId), canonicalJson(words))
  await changeMonitoring({ tx, organisationId, locationId, actor }, [buildPackKey(code)], (state) =>
    savePack(state, { code, version, chapters, sealedWords }),
  )
  return locationId
}

/**
 * Finishes a draft. Its figures are read once, while every log that they come from is locked, and stored permanently with the versions of
 * those logs.
 * @throws DomainError as `finishPack`; 409 while costs are outdated, or while a line over the threshold lacks a reason or action
 */
export async function runFinishPack(
  call: Call & MonitoringEditor,
  { code, version }: { code: string; version: number },
): Promise<LocationId> {
  const { tx, organisationId, actor } = call
  const found = await findPack(call, code)
  const { locationId, item } = found
  checkMayMakePack(call, locationId)
  const unread = await findUnreadEarlierTexts(call, found)
  const month = { year: item.year, month: item.month }
  const { budgets: wanted } = await findPackBudgets(call, { ...month, locationId })
  const locationIds = [organisationWideLocationId, ...new Set([locationId, ...wanted.map((one) => one.locationId)].filter(Boolean))].sort(
    (a, b) => a - b,
  )
  const budgetIds = wanted.map(({ id }) => id)
  for (const at of locationIds) await changeMonitoring({ tx, organisationId, locationId: at, actor }, [], () => [])
  await tx.execute(
    sql`select id from budgets where organisation_id = ${organisationId} and id = any(${buildDocumentIdArray(budgetIds)}) order by id for share`,
  )
  const { figures, remarks, due, budgets, older } = await readCurrentFigures(call, { ...month, locationId })
  // Another budget became the budget of record before the locks were taken, so its log is not locked.
  if (budgets.length !== budgetIds.length || !budgets.every(({ id }) => budgetIds.includes(id))) throw staleRecord(undefined)
  const pins = await readLogPositions(tx, organisationId, { budgetIds, locationIds })
  const sealedRemarks = encryptText(await ensureOrganisationKey(tx, organisationId), canonicalJson(remarks))
  await changeMonitoring({ tx, organisationId, locationId, actor }, [buildPackKey(code)], (state) =>
    finishPack(state, { code, version, due, older, unread, pins, figures, sealedRemarks }),
  )
  return locationId
}

/** The title of a pack. */
export const formatPackTitle = (month: { year: number; month: number }): string => `Governors’ pack ${formatMonth(month)}`

/** The title of a pack's file, which includes the place and whether it is a draft. */
export async function buildFileTitle(tx: OrganisationTx, organisationId: OrganisationId, { locationId, item }: FoundPack): Promise<string> {
  const [place] = locationId ? await readResourceRecords(tx, resources.location, { column: 'id', ids: [locationId] }) : []
  const of = place?.name ?? (await readOrganisationName(tx, organisationId))
  return `${formatPackTitle(item)}, ${of}${item.finished ? '' : ', draft'}`
}

/**
 * Deletes a draft.
 * @throws DomainError 409 for a finished pack
 */
export async function runDiscardPack(call: Call & MonitoringEditor, code: string): Promise<LocationId> {
  const { tx, organisationId, actor } = call
  const { locationId } = await findPack(call, code)
  checkMayMakePack(call, locationId)
  await changeMonitoring({ tx, organisationId, locationId, actor }, [buildPackKey(code)], (state) => discardPack(state, code))
  return locationId
}

/** Stores the PDF of a finished pack permanently. If there is one already, it stays. */
export async function storePackPdf(
  { tx, organisationId, now }: Call<'organisationId' | 'now'>,
  code: string,
  file: FileReply<Buffer>,
): Promise<void> {
  const { fileName, contentType, body } = file
  const sealed = sealBytes(await ensureOrganisationKey(tx, organisationId), body)
  await tx.insert(packPdfs).values({ organisationId, code, fileName, contentType, sealed, madeAt: now.toISOString() }).onConflictDoNothing()
}
