import { and, desc, eq, gt, isNotNull, isNull, or } from 'drizzle-orm'
import { canSeePayroll, canSeeStaff, hasAnyPermission } from '../../../domain/people/permissions.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { type LocationId, noUserId, type OrganisationId, type UserId } from '../../../domain/values/ids.ts'
import { isRecord } from '../../../domain/values/unknownValues.ts'
import { DomainError, forbidden, notFound } from '../../../domain/words/errors.ts'
import { requestedFiles } from '../../../drizzle/fileTables.ts'
import type { Call } from '../../core/calls/call.ts'
import type { CallerRights } from '../../core/calls/context.ts'
import type { FileReply } from '../../core/calls/reply.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { ensureOrganisationKey, unsealBytes } from '../../core/database/vault.ts'
import type { FileJob } from '../../core/queue/queues.ts'
import { type FileRow, presentFile, type ShownFile } from './rows.ts'

/** How many days a file can be downloaded. */
const daysKept = 30

/** The moment before which files are too old to download. */
export function getExpiryCutoff(now: Date): string {
  return new Date(now.getTime() - daysKept * 86_400_000).toISOString()
}

/** The owner of files: one person in one organisation. */
export interface FileOwner {
  organisationId: OrganisationId
  principal: { userId: UserId | null }
  now: Date
}

const shownColumns = {
  id: requestedFiles.id,
  title: requestedFiles.title,
  requestedAt: requestedFiles.requestedAt,
  percent: requestedFiles.percent,
  failure: requestedFiles.failure,
  cancelledAt: requestedFiles.cancelledAt,
  madeAt: requestedFiles.madeAt,
}

const ownerCondition = ({ organisationId, principal, now }: FileOwner) =>
  and(
    eq(requestedFiles.organisationId, organisationId),
    eq(requestedFiles.requestedById, principal.userId ?? noUserId),
    gt(requestedFiles.requestedAt, getExpiryCutoff(now)),
  )

/** A user's files that are still available, newest first. */
export async function listFilesOfUser(tx: OrganisationTx, owner: FileOwner): Promise<ShownFile[]> {
  const rows = await tx
    .select(shownColumns)
    .from(requestedFiles)
    .where(and(ownerCondition(owner), isNull(requestedFiles.cancelledAt)))
    .orderBy(desc(requestedFiles.requestedAt))
    .limit(100)
  return rows.map((row) => presentFile(row, daysKept))
}

/**
 * The progress of one file.
 * @throws DomainError 404 if it belongs to someone else or no longer exists
 */
export async function readFileOfUser(tx: OrganisationTx, owner: FileOwner, id: string): Promise<ShownFile> {
  const [row] = await tx
    .select(shownColumns)
    .from(requestedFiles)
    .where(and(ownerCondition(owner), eq(requestedFiles.id, id)))
  if (!row) throw notFound('File')
  return presentFile(row, daysKept)
}

/**
 * Downloads a file for its owner, if they may still see everything in it.
 * @throws DomainError 404 if it belongs to someone else or no longer exists; 409 before it is ready; 403 if the owner may now see less than
 * when they requested it
 */
export async function fetchFile(tx: OrganisationTx, owner: FileOwner & { holder: CallerRights }, id: string): Promise<FileReply<Buffer>> {
  const [row] = await tx
    .select()
    .from(requestedFiles)
    .where(and(ownerCondition(owner), eq(requestedFiles.id, id)))
  if (!row) throw notFound('File')
  if (!row.madeAt || !row.sealed) throw new DomainError('conflict', 'notMade', 'This file is not ready yet. Try again in a moment.')
  const { holder } = owner
  const sees = (locationId: LocationId): boolean => !holder.locationIds || holder.locationIds.includes(locationId)
  if (!(row.locationIds ?? []).every(sees) || !mayFetch(row, holder)) throw forbidden()
  const body = unsealBytes(await ensureOrganisationKey(tx, owner.organisationId), row.sealed)
  return { fileName: assertDefined(row.fileName), contentType: assertDefined(row.contentType), body }
}

/** A file may be downloaded by callers who may see the same content on screen. */
function mayFetch({ kind, namesStaff, request }: Pick<FileRow, 'kind' | 'namesStaff' | 'request'>, holder: CallerRights): boolean {
  if (kind === 'payroll') return canSeePayroll(holder, isRecord(request) && request.groupId ? 'part' : 'whole')
  return hasAnyPermission(holder, ['BudgetingReportsRead']) && (!namesStaff || canSeeStaff(holder))
}

export const unfinishedCondition = assertDefined(
  and(isNull(requestedFiles.madeAt), isNull(requestedFiles.failure), isNull(requestedFiles.cancelledAt)),
)

/**
 * Reads and locks an unfinished file; undefined if there is nothing to do.
 * @param attempts the expected number of starts; if it is higher, another worker has taken over the file
 */
export async function lockUnfinishedFile(
  { tx, organisationId }: Call<'organisationId'>,
  id: string,
  attempts?: number,
): Promise<FileRow | undefined> {
  const isMine = attempts === undefined ? undefined : eq(requestedFiles.attempts, attempts)
  const [row] = await tx
    .select()
    .from(requestedFiles)
    .where(and(eq(requestedFiles.organisationId, organisationId), eq(requestedFiles.id, id), unfinishedCondition, isMine))
    .for('update')
  return row
}

/** All unfinished files, in all organisations, for the sweep to restart. */
export function listUnfinishedFiles(tx: OrganisationTx): Promise<FileJob[]> {
  return tx
    .select({ organisationId: requestedFiles.organisationId, fileId: requestedFiles.id })
    .from(requestedFiles)
    .where(unfinishedCondition)
    .orderBy(requestedFiles.requestedAt)
    .limit(1000)
}

/** Finished files whose users were not notified, in all organisations. */
export function listUnannouncedFiles(tx: OrganisationTx): Promise<{ organisationId: OrganisationId; fileId: string }[]> {
  return tx
    .select({ organisationId: requestedFiles.organisationId, fileId: requestedFiles.id })
    .from(requestedFiles)
    .where(and(isNull(requestedFiles.announcedAt), or(isNotNull(requestedFiles.madeAt), isNotNull(requestedFiles.failure))))
    .limit(1000)
}

/** The user for whom a file was created, and whether it succeeded; undefined if it no longer exists. */
export async function readFileOutcome(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  id: string,
): Promise<{ forId: UserId; isMade: boolean } | undefined> {
  const [row] = await tx
    .select({ forId: requestedFiles.requestedById, madeAt: requestedFiles.madeAt })
    .from(requestedFiles)
    .where(and(eq(requestedFiles.organisationId, organisationId), eq(requestedFiles.id, id)))
  return row && { forId: row.forId, isMade: row.madeAt !== null }
}
