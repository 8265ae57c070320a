import { randomBytes } from 'node:crypto'
import { and, desc, eq, gt, lt, not, notInArray, sql } from 'drizzle-orm'
import { noUserId, type OrganisationId } from '../../../domain/values/ids.ts'
import { mongoIdFromBytes } from '../../../domain/values/mongoId.ts'
import { DomainError, forbidden, notFound } from '../../../domain/words/errors.ts'
import { requestedFiles, staffFiles } from '../../../drizzle/fileTables.ts'
import { connections } from '../../../drizzle/integrationTables.ts'
import { findPrincipal } from '../../auth/accounts.ts'
import type { Actor } from '../../core/calls/actor.ts'
import type { Call } from '../../core/calls/call.ts'
import { buildCallerRights } from '../../core/calls/context.ts'
import type { CallTools } from '../../core/calls/oneTransaction.ts'
import { advisoryLocks } from '../../core/database/advisoryLocks.ts'
import { type OrganisationTx, openStoreWithin, type Store } from '../../core/database/database.ts'
import { ensureOrganisationKey, sealBytes } from '../../core/database/vault.ts'
import { log } from '../../core/log.ts'
import { renderPdf } from '../../core/paper/paper.ts'
import type { DocumentReader, DocumentSource, RequestedDocument } from '../../core/paper/request.ts'
import { fingerprintFailure, isTemporaryFailure, maximumJobAttempts } from '../../core/queue/attempts.ts'
import { type FileOwner, getExpiryCutoff, lockUnfinishedFile, unfinishedCondition } from './queries.ts'
import type { FileRow } from './rows.ts'

/** For each kind of file, the function that makes it from a request. */
export type FileMakers = Readonly<
  Record<string, (source: DocumentSource, reader: DocumentReader, request: unknown) => Promise<RequestedDocument>>
>

/** The most files being created for one user; further requests are refused until some are finished. */
const mostAtOnce = 10
/** The most stored files of one user; the oldest are deleted. */
const mostKept = 100
const notMadeSentence = 'It could not be created. Try again with fewer locations or years.'

type Asking = FileOwner & Pick<CallTools, 'afterwards'> & { actor: Actor }

/**
 * Records a request for a file and wakes a worker to create it. Beyond the limit, the user's oldest files are deleted.
 * @throws DomainError 403 for an API client, for which files cannot be stored; 409 while many of the user's files are being created
 */
export async function requestFile(
  tx: OrganisationTx,
  { organisationId, principal, actor, afterwards }: Asking,
  { kind, title, request }: { kind: string; title: string; request: object },
): Promise<{ id: string }> {
  const { userId } = principal
  if (userId === null) throw forbidden()
  await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.filesAsked}, ${userId})`)
  const own = and(eq(requestedFiles.organisationId, organisationId), eq(requestedFiles.requestedById, userId))
  const open = await tx.$count(requestedFiles, and(own, unfinishedCondition))
  if (open >= mostAtOnce)
    throw new DomainError('conflict', 'tooManyFiles', 'Ten of your files are being created. Wait until some are done, or cancel some.')
  const newest = tx
    .select({ id: requestedFiles.id })
    .from(requestedFiles)
    .where(own)
    .orderBy(sql`${requestedFiles.cancelledAt} is null desc`, desc(requestedFiles.requestedAt))
    .limit(mostKept - 1)
  await tx.delete(requestedFiles).where(and(own, not(unfinishedCondition), notInArray(requestedFiles.id, newest)))
  const id = mongoIdFromBytes(randomBytes(12))
  await tx.insert(requestedFiles).values({
    organisationId,
    id,
    kind,
    title,
    request,
    requestedById: userId,
    requestId: actor.requestId,
    requestedAt: actor.now.toISOString(),
  })
  afterwards(({ queues }) => queues.wakeFile({ organisationId, fileId: id }))
  return { id }
}

/**
 * Cancels a file that is being created, or deletes a finished one.
 * @throws DomainError 404 if it belongs to someone else or no longer exists
 */
export async function cancelFile(tx: OrganisationTx, { organisationId, principal, now }: FileOwner, id: string): Promise<void> {
  const ended = await tx
    .update(requestedFiles)
    .set({ cancelledAt: now.toISOString(), sealed: null })
    .where(
      and(
        eq(requestedFiles.organisationId, organisationId),
        eq(requestedFiles.requestedById, principal.userId ?? noUserId),
        eq(requestedFiles.id, id),
      ),
    )
    .returning({ id: requestedFiles.id })
  if (!ended.length) throw notFound('File')
}

/** Deletes files that are too old, in all organisations. */
export async function deleteOldFiles(tx: OrganisationTx, now: Date): Promise<void> {
  await tx.delete(requestedFiles).where(lt(requestedFiles.requestedAt, getExpiryCutoff(now)))
}

/**
 * Deletes all files that may identify people when somebody is erased, including HR files and connection samples: nothing says which of
 * these files name the person. A file that is being created may have read the name already, so its attempt count is raised: its worker must
 * then discard it, and the periodic sweep restarts it. A file started after this transaction reads the new data.
 */
export async function deleteFilesWithNames(tx: OrganisationTx, organisationId: OrganisationId): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.filesWithNames}, ${organisationId})`)
  // Unfinished files come first: one that finishes meanwhile is found by the delete below.
  await tx
    .update(requestedFiles)
    .set({ attempts: sql`${requestedFiles.attempts} + 1` })
    .where(and(eq(requestedFiles.organisationId, organisationId), unfinishedCondition, gt(requestedFiles.attempts, 0)))
  await tx.delete(requestedFiles).where(and(eq(requestedFiles.organisationId, organisationId), eq(requestedFiles.namesStaff, true)))
  await tx.update(connections).set({ sample: null, sampleAt: null }).where(eq(connections.organisationId, organisationId))
  await tx.delete(staffFiles).where(eq(staffFiles.organisationId, organisationId))
}

export async function markFileAnnounced(call: Call<'organisationId' | 'now'>, id: string): Promise<void> {
  const { now } = call
  await change(call, id, { announcedAt: now.toISOString() })
}

function change({ tx, organisationId }: Call<'organisationId'>, id: string, set: Partial<typeof requestedFiles.$inferInsert>) {
  return tx
    .update(requestedFiles)
    .set(set)
    .where(and(eq(requestedFiles.organisationId, organisationId), eq(requestedFiles.id, id)))
}

/** Why a worker discards a file: its owner cancelled it, it was restarted elsewhere, or it is finished. */
class NotWanted extends Error {}

/** Milliseconds between checks on whether a file is still wanted. */
const wantedCheckMs = 700

/**
 * Creates a file and records the outcome. A duplicate or late job finds it finished and does nothing; if the same error occurs again, the
 * file fails for good, with a sentence for the user. The owner's permissions are checked when it is created.
 * @returns whether the file is now finished, successfully or not
 */
export async function tryToMakeFile(
  store: Store,
  { organisationId, id, makers }: { organisationId: OrganisationId; id: string; makers: FileMakers },
): Promise<boolean> {
  const begun = await store.inOrganisation(organisationId, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock_shared(${advisoryLocks.filesWithNames}, ${organisationId})`)
    const row = await lockUnfinishedFile({ tx, organisationId }, id)
    if (!row) return null
    const isOver = row.attempts >= maximumJobAttempts
    const attempts = row.attempts + 1
    await change({ tx, organisationId }, id, isOver ? { failure: notMadeSentence } : { attempts })
    return { row: { ...row, attempts }, isOver }
  })
  if (!begun) return false
  if (begun.isOver) return true
  try {
    await makeAndStore(store, begun.row, makers)
    return true
  } catch (error) {
    if (error instanceof NotWanted) return false
    const isOver = await store.inOrganisation(organisationId, (tx) => recordFailure(tx, begun.row, error))
    log.warn({ cause: fingerprintFailure(error), file: id, isOver }, 'a file was not created')
    return isOver
  }
}

async function makeAndStore(store: Store, { organisationId, id, attempts, kind, request, requestedById }: FileRow, makers: FileMakers) {
  const maker = makers[kind]
  if (!maker) throw new DomainError('invalid', 'fileKind', 'This type of file is not available.')
  const principal = await findPrincipal(store, { sub: String(requestedById) })
  if (!principal) throw forbidden()
  const reader = { organisationId, userId: requestedById, name: principal.name, holder: buildCallerRights(principal, organisationId) }
  const { paper, fileName, locationIds, namesStaff, keep } = await store.inOrganisation(
    organisationId,
    (tx) => maker({ tx, store: openStoreWithin(tx, store, organisationId), now: new Date() }, reader, request),
    'look',
  )
  let lookedAt = performance.now()
  const file = await renderPdf(`${fileName}.pdf`, paper, async (share) => {
    if (performance.now() - lookedAt < wantedCheckMs) return
    lookedAt = performance.now()
    await store.inOrganisation(organisationId, async (tx) => {
      if (!(await lockUnfinishedFile({ tx, organisationId }, id, attempts))) throw new NotWanted()
      await change({ tx, organisationId }, id, { percent: Math.min(99, Math.floor(share * 100)) })
    })
  })
  await store.inOrganisation(organisationId, async (tx) => {
    if (!(await lockUnfinishedFile({ tx, organisationId }, id, attempts))) throw new NotWanted()
    const { fileName: name, contentType, body } = file
    const sealed = sealBytes(await ensureOrganisationKey(tx, organisationId), body)
    const made = { fileName: name, contentType, sealed, locationIds, namesStaff, percent: 100, madeAt: new Date().toISOString() }
    await change({ tx, organisationId }, id, made)
    await keep?.(tx, file)
  })
}

/** Records a failure. @returns whether it is final: at once for a refusal with a message, the second time for any other error */
async function recordFailure(tx: OrganisationTx, { organisationId, id, attempts }: FileRow, error: unknown): Promise<boolean> {
  const row = await lockUnfinishedFile({ tx, organisationId }, id, attempts)
  if (!row) return false
  const refusal = error instanceof DomainError ? error.message : null
  const isOver = refusal !== null || (!isTemporaryFailure(error) && row.lastError === fingerprintFailure(error))
  const again = isTemporaryFailure(error) ? { attempts: row.attempts - 1 } : { lastError: fingerprintFailure(error) }
  await change({ tx, organisationId }, id, isOver ? { failure: refusal ?? notMadeSentence } : again)
  return isOver
}
