import { binRetentionDays } from '../../../domain/changes/bin.ts'
import { getResource } from '../../../domain/resources/all.ts'
import type { AnyRecord, AnyResource, ResourceOperation } from '../../../domain/resources/resource.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayDateTime } from '../../../domain/values/format.ts'
import { conflict, forbidden, notFound } from '../../../domain/words/errors.ts'
import { defaultTerms, toMidSentence } from '../../../domain/words/terms.ts'
import type { Call } from '../../core/calls/call.ts'
import type { OrganisationTx, Store } from '../../core/database/database.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import { lockByName } from '../../core/database/uniqueRules.ts'
import { readUserNames } from '../../core/database/userNames.ts'
import type { ChangedRecords } from '../change.ts'
import {
  deleteRecords,
  type RecordUpdate,
  type RefusalBuilder,
  recreateRecords,
  refuseChangeAtOtherLocations,
  writeRecord,
  writeRecords,
} from '../commands.ts'
import { readRecordNames } from '../names.ts'
import { lockRecords } from '../queries.ts'
import { clearUniqueValues } from '../writeAll.ts'
import type { WriteContext } from '../writing.ts'
import { type ChangeReference, findLoggedChange, type LaterChange, type RecordTransition } from './logged.ts'

/**
 * The operations that undoing performs: deleting created records, restoring changed ones and recreating deleted ones.
 */
type UndoOperation = Extract<ResourceOperation, 'create' | 'update' | 'delete'>

/** The caller who undoes a change. */
export interface UndoCaller extends WriteContext {
  /** Used to look up people's names. */
  store: Store
  /**
   * Whether the caller may perform an operation on records of the resource.
   * @param isOwn whether the caller made the original change
   */
  may: (what: UndoOperation, isOwn: boolean) => boolean
}

/** The result of undoing a change. */
export interface UndoResult {
  /** How many records were restored or removed. */
  count: number
  /** The record that identified the change, as it is now; null if the undo removed it. */
  record: AnyRecord | null
  changed: ChangedRecords[]
}

/** The steps of a change that concern one resource, grouped by how to undo them. */
interface UndoSteps {
  resource: AnyResource
  created: AnyRecord[]
  changed: { before: AnyRecord; after: AnyRecord }[]
  deleted: AnyRecord[]
}

/**
 * Undoes a whole change to declared records, as a new change: created records are deleted, changed ones restored, and
 * deleted ones recreated under the same ids with their parts. All or nothing.
 * @throws DomainError 404 for a change that is not in the log, 403 without permission, 409 if records changed since or
 * no longer fit
 */
export async function undoChange(tx: OrganisationTx, undoer: UndoCaller, reference: ChangeReference): Promise<UndoResult> {
  const { resource, scope, actor } = undoer
  // If two callers undo the same change, the second waits and then finds it already undone.
  await lockByName(tx, `undoing ${resource.table} of ${scope.organisationId}`)
  const change = await findLoggedChange(tx, resource, reference)
  if (!change) throw notFound('The change')
  if (change.newer) throw await changedSince(tx, undoer, change.newer)
  const lists = groupByResource(resource, change.steps)
  const isOwn = change.actorId !== null && change.actorId === actor.userId
  for (const { created, changed, deleted } of lists) {
    if (created.length && !undoer.may('delete', isOwn)) throw forbidden()
    if (changed.length && !undoer.may('update', isOwn)) throw forbidden()
    if (deleted.length && !undoer.may('create', isOwn)) throw forbidden()
    // A record that has left the bin cannot be restored by undoing its deletion either.
    if (deleted.length && actor.now.getTime() - change.at.getTime() > binRetentionDays * 86_400_000)
      throw conflict('notInBin', `Deleted records can be restored for ${binRetentionDays} days, which have passed. Nothing was undone.`)
  }
  const done = new Map<AnyResource, AnyRecord[]>(lists.map((list) => [list.resource, []]))
  // Parts are deleted before their parent and recreated after it.
  for (const list of [...lists].reverse()) assertDefined(done.get(list.resource)).push(...(await deleteCreated(tx, undoer, list)))
  for (const list of lists)
    assertDefined(done.get(list.resource)).push(...(await putBack({ tx, ...undoer, resource: list.resource }, list)))
  for (const list of lists)
    assertDefined(done.get(list.resource)).push(...(await restoreDeletedRecords({ tx, ...undoer, resource: list.resource }, list.deleted)))
  const records = assertDefined(done.get(resource))
  const isGone = lists.some((list) => list.resource === resource && list.created.some((record) => record.id === reference.id))
  return {
    count: [...done.values()].reduce((sum, list) => sum + list.length, 0),
    record: isGone ? null : (records.find((record) => record.id === reference.id) ?? null),
    changed: [...done].map(([of, list]) => ({ resource: of, records: list })),
  }
}

/**
 * Restores deleted records of one resource under their old ids.
 * @throws DomainError 409 that names the record that no longer fits, and says why
 */
export async function restoreDeletedRecords(call: Call & WriteContext, deleted: readonly AnyRecord[]): Promise<AnyRecord[]> {
  const { tx } = call
  return deleted.length ? recreateRecords(call, deleted, createNamedRefusal(tx, call.resource, 'cannot be restored')) : []
}

/** Makes errors that name the record they are about. */
function createNamedRefusal(tx: OrganisationTx, resource: AnyResource, what: string): RefusalBuilder {
  return async ({ record, refusal }) => {
    const name = (await readRecordNames(tx, resource, [record])).get(record.id) || defaultTerms[resource.key].singular
    const [problem] = refusal.fields
    return conflict('doesNotFit', `${name} ${what}: ${problem?.message ?? refusal.message}`)
  }
}

async function changedSince(tx: OrganisationTx, { store }: UndoCaller, { resource, record, isDeleted, actorId, at }: LaterChange) {
  const of = getResource(resource)
  const name = (await readRecordNames(tx, of, [record])).get(record.id) || defaultTerms[of.key].singular
  const who = actorId === null ? 'the system' : ((await readUserNames(store, [actorId])).get(actorId) ?? 'another user')
  return conflict(
    'changedSince',
    `${name} has since been ${isDeleted ? 'deleted' : 'changed'} by ${who} on ${displayDateTime(at)}. Nothing was undone.`,
  )
}

/**
 * Groups the steps of a change by resource, parents first.
 * @throws DomainError 409 if the change also affected resources that cannot be undone, because undoing only part of a change is not allowed
 */
function groupByResource(resource: AnyResource, steps: readonly RecordTransition[]): UndoSteps[] {
  const lists = [resource, ...(resource.parts ?? []).map((part) => getResource(part.of))].map(
    (of): UndoSteps => ({ resource: of, created: [], changed: [], deleted: [] }),
  )
  for (const { resource: name, before, after } of steps) {
    const list = lists.find((one) => one.resource.name === name)
    if (!list) throw conflict('partOfMore', 'This is part of a larger change and cannot be undone by itself.')
    if (before && after) list.changed.push({ before, after })
    else if (after) list.created.push(after)
    else if (before) list.deleted.push(before)
  }
  return lists
}

/** Deletes the records that a change created. @throws DomainError 409 if one is in use or has gained parts */
async function deleteCreated(tx: OrganisationTx, undoer: UndoCaller, { resource, created }: UndoSteps): Promise<AnyRecord[]> {
  if (!created.length) return []
  const ids = created.map((record) => record.id)
  for (const part of resource.parts ?? []) {
    const later = await readResourceRecords(tx, getResource(part.of), { column: part.by, ids })
    if (later.length) {
      const terms = defaultTerms[getResource(part.of).key]
      throw conflict('hasParts', `${defaultTerms[resource.key].singular} now has ${toMidSentence(terms.plural)}. Delete it instead.`)
    }
  }
  const removed = await deleteRecords({ tx, ...undoer, resource }, ids)
  await refuseChangedMeanwhile(tx, resource, { locked: removed, left: created })
  return removed
}

/**
 * Refuses to undo if a record was saved after the log was read and before the locks were taken.
 * @param locked the records as they are now
 * @param left the records as the original change left them
 * @throws DomainError 409
 */
async function refuseChangedMeanwhile(
  tx: OrganisationTx,
  resource: AnyResource,
  { locked, left }: { locked: readonly AnyRecord[]; left: readonly AnyRecord[] },
): Promise<void> {
  const versions = new Map(left.map((record) => [record.id, record.version]))
  const other = locked.find((record) => record.version !== versions.get(record.id))
  if (!other) return
  const name = (await readRecordNames(tx, resource, [other])).get(other.id) || defaultTerms[resource.key].singular
  throw conflict('changedSince', `${name} has just been changed by someone else. Nothing was undone.`)
}

async function putBack(call: Call & WriteContext, { resource, changed }: UndoSteps): Promise<AnyRecord[]> {
  const { tx } = call
  if (!changed.length) return []
  const locked = await lockRecords(call, resource, { ids: changed.map(({ after }) => after.id) })
  await refuseChangedMeanwhile(tx, resource, { locked, left: changed.map(({ after }) => after) })
  const was = new Map(changed.map(({ before }) => [before.id, before]))
  const drafts = locked.map((record): RecordUpdate => ({ record, wanted: assertDefined(was.get(record.id)) }))
  const refuse = createNamedRefusal(tx, resource, 'cannot be changed back')
  if (resource.nonOverlapping) return restoreInTurn(call, changed, locked)
  await clearUniqueValues(tx, resource, {
    sets: resource.unique,
    drafts: drafts.map(({ record, wanted }) => ({ before: record, values: wanted })),
  })
  return writeRecords(call, { drafts, action: 'restored', refuse })
}

/** Restores records with date ranges one at a time, in the reverse of the order in which their ranges moved. */
async function restoreInTurn(call: Call & WriteContext, changed: UndoSteps['changed'], locked: readonly AnyRecord[]): Promise<AnyRecord[]> {
  const stands = new Map(locked.map((record) => [record.id, record]))
  const written: AnyRecord[] = []
  for (const { before: was } of [...changed].reverse()) {
    const before = assertDefined(stands.get(was.id))
    refuseChangeAtOtherLocations(call, before, was)
    written.push(await writeRecord(call, { action: 'restored', before, after: was }))
  }
  return written
}
