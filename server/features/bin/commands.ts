import { binRetentionDays } from '../../../domain/changes/bin.ts'
import { getResource } from '../../../domain/resources/all.ts'
import type { AnyRecord, AnyResource } from '../../../domain/resources/resource.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { conflict, type DomainError, forbidden } from '../../../domain/words/errors.ts'
import { defaultTerms, toMidSentence } from '../../../domain/words/terms.ts'
import type { Actor } from '../../core/calls/actor.ts'
import type { Call } from '../../core/calls/call.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import { lockByName } from '../../core/database/uniqueRules.ts'
import type { ChangedRecords } from '../../resources/change.ts'
import { listIdsInField, listReferenceFields } from '../../resources/references.ts'
import { type BinViewer, type DeletedRecord, readBinRecords, readDeletedParts } from '../../resources/undoing/deleted.ts'
import { restoreDeletedRecords } from '../../resources/undoing/undo.ts'
import { readDeletedNames } from './queries.ts'

/** A deleted record, by list and id. */
export interface BinRecord {
  kind: string
  id: number
}

/** The records to restore, by list. */
type RecordsByResource = Map<AnyResource, Map<number, AnyRecord>>

/**
 * Restores records from the bin under their old ids, with the rows deleted with them. All or none.
 * @param withNeeded also restores the deleted records to which they refer; otherwise such a reference is refused
 * @throws DomainError 403 for a list in which the caller may not create records, 409 for a record that has left the bin or no longer fits
 */
export async function restoreFromBin(
  tx: OrganisationTx,
  { viewer, actor }: { viewer: BinViewer; actor: Actor },
  { records, withNeeded }: { records: readonly BinRecord[]; withNeeded: boolean },
): Promise<ChangedRecords[]> {
  // If two callers restore the same record, the second waits and is then refused.
  await lockByName(tx, `restoring of ${viewer.rows.organisationId}`)
  const chosen: RecordsByResource = new Map()
  for (const kind of new Set(records.map((record) => record.kind))) {
    const resource = viewer.resources.find(({ name }) => name === kind)
    if (!resource) throw forbidden()
    const ids = [...new Set(records.flatMap((record) => (record.kind === kind ? [record.id] : [])))]
    const found = await readBinRecords({ ...viewer, tx }, resource, ids)
    if (found.length < ids.length)
      throw conflict('notInBin', `Some of this is no longer in the bin: it was restored, or its ${binRetentionDays} days have passed.`)
    await addWithParts(tx, chosen, found)
  }
  for (;;) {
    const needed = await findNeededRecords({ ...viewer, tx }, chosen)
    if (!needed.length) break
    if (!withNeeded) throw await buildNeedsOthersError(tx, needed)
    await addWithParts(tx, chosen, needed)
  }
  const restored: ChangedRecords[] = []
  for (const resource of sortByReference([...chosen.keys()])) {
    const found = [...assertDefined(chosen.get(resource)).values()]
    restored.push({ resource, records: await restoreDeletedRecords({ tx, resource, scope: viewer.rows, actor }, found) })
  }
  return restored
}

/** Adds records, each with the rows deleted with it. */
async function addWithParts(
  tx: OrganisationTx,
  chosen: RecordsByResource,
  found: readonly { resource: string; record: AnyRecord }[],
): Promise<void> {
  for (const { resource, record } of found) {
    const of = getResource(resource)
    chosen.set(of, (chosen.get(of) ?? new Map<number, AnyRecord>()).set(record.id, record))
  }
  for (const name of new Set(found.map(({ resource }) => resource))) {
    const ids = found.flatMap(({ resource, record }) => (resource === name ? [record.id] : []))
    const parts = await readDeletedParts(tx, getResource(name), ids)
    if (parts.length) await addWithParts(tx, chosen, parts)
  }
}

/** The deleted records to which the restored records refer, as far as they are in the bin. */
async function findNeededRecords(call: Call & BinViewer, chosen: RecordsByResource): Promise<DeletedRecord[]> {
  const { tx } = call
  const wanted = new Map<AnyResource, Set<number>>()
  for (const [resource, records] of chosen)
    for (const [name, field] of listReferenceFields(resource)) {
      const to = getResource(field.to)
      const ids = wanted.get(to) ?? new Set<number>()
      for (const record of records.values()) for (const id of listIdsInField(field, record[name])) if (!chosen.get(to)?.has(id)) ids.add(id)
      wanted.set(to, ids)
    }
  const needed: DeletedRecord[] = []
  for (const [to, ids] of wanted) {
    const stands = new Set((await readResourceRecords(tx, to, { column: 'id', ids: [...ids] })).map((row) => row.id))
    const missing = [...ids].filter((id) => !stands.has(id))
    if (call.resources.includes(to)) needed.push(...(await readBinRecords(call, to, missing)))
  }
  return needed
}

async function buildNeedsOthersError(tx: OrganisationTx, needed: readonly DeletedRecord[]): Promise<DomainError> {
  const names = await readDeletedNames(tx, needed)
  const called = needed
    .slice(0, 3)
    .map(({ resource, id }) => `${toMidSentence(defaultTerms[getResource(resource).key].singular)} ${names.get(`${resource} ${id}`)}`)
  const rest = needed.length > called.length ? `${called.join(', ')} and ${needed.length - called.length} more` : called.join(' and ')
  return conflict(
    'needsOthers',
    `This belongs to ${rest}, which ${needed.length === 1 ? 'was' : 'were'} deleted too. Restore that first, or restore both.`,
  )
}

/** Sorts lists so that each comes after the lists to which it refers. */
function sortByReference(lists: readonly AnyResource[]): AnyResource[] {
  const ordered = new Set<AnyResource>()
  const visit = (resource: AnyResource, above: readonly AnyResource[]): void => {
    for (const [, field] of listReferenceFields(resource)) {
      const to = getResource(field.to)
      if (lists.includes(to) && !above.includes(to)) visit(to, [...above, to])
    }
    ordered.add(resource)
  }
  for (const resource of lists) visit(resource, [resource])
  return [...ordered]
}
