import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import type { RecordValues } from '../../domain/resources/schema.ts'
import { isKeyOf } from '../../domain/values/keysOf.ts'
import { DomainError } from '../../domain/words/errors.ts'
import { defaultTerms } from '../../domain/words/terms.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { Services } from '../core/calls/context.ts'
import type { RowScope } from '../core/calls/scope.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { announceRecalculationRequired, publishLiveMessage, type RecalculationRequired } from '../core/live/announce.ts'
import { markBudgetsUsing } from '../streams/budget/marks.ts'

export interface ChangeCall {
  inTransaction<T>(work: (tx: OrganisationTx) => Promise<T>): Promise<T>
  services: Services
  rows: RowScope
  actor: Actor
  requestId: string
}

/** Records of a resource that were created, changed or deleted. */
export interface ChangedRecords {
  resource: AnyResource
  records: AnyRecord[]
}

/** Runs a change and marks the budget groups that depend on the records as needing recalculation. */
export function runRecordChange<T>(
  call: ChangeCall,
  resource: AnyResource,
  work: (tx: OrganisationTx) => Promise<{ result: T; changed: AnyRecord[] }>,
): Promise<T> {
  return runRecordChanges(call, async (tx) => {
    const { result, changed } = await work(tx)
    return { result, changed: [{ resource, records: changed }] }
  })
}

/** As `runRecordChange`, for a change to records of several resources. */
export async function runRecordChanges<T>(
  call: ChangeCall,
  work: (tx: OrganisationTx) => Promise<{ result: T; changed: readonly ChangedRecords[] }>,
): Promise<T> {
  const { result, changed, required } = await call.inTransaction(async (tx) => {
    const { result, changed } = await work(tx)
    const required: RecalculationRequired[] = []
    for (const { resource, records } of changed)
      required.push(
        ...(await markBudgetsUsing({ tx, now: call.actor.now }, resource, { records, reason: defaultTerms[resource.key].plural })),
      )
    return { result, changed, required }
  })
  await announceRecalculationRequired(call.services, required)
  for (const { resource, records } of changed) await announceChange(call, resource, records)
  return result
}

/** Announces changed records to the open screens of the organisations that own them. */
async function announceChange(
  { services, rows, actor, requestId }: ChangeCall,
  { name: resource }: AnyResource,
  changed: readonly AnyRecord[],
): Promise<void> {
  const ids = new Set(changed.map((record) => (typeof record.organisationId === 'number' ? record.organisationId : rows.organisationId)))
  const argument = { resource, byId: actor.userId, requestId }
  for (const id of ids) if (id !== null) await publishLiveMessage(services, { target: 'RecordsChanged', argument }, { organisationId: id })
}

/**
 * Reads the new values from a patch.
 * @throws DomainError 400 for an operation other than replace, or a path that is not a field (behaviour B-106)
 */
export function parsePatchValues(
  resource: AnyResource,
  patch: { op: string; path: string; value: unknown }[],
  hidden: readonly string[],
): RecordValues {
  return Object.fromEntries(
    patch.map(({ op, path, value }) => {
      if (op !== 'replace') throw new DomainError('invalid', 'patchOp', 'Only replace is supported.')
      const name = path.replace(/^\//, '')
      if (!isKeyOf(resource.fields, name) || hidden.includes(name) || name === 'organisationId')
        throw new DomainError('invalid', 'patchOp', `${name || 'The path'} is not a field that can be changed.`)
      return [name, value]
    }),
  )
}
