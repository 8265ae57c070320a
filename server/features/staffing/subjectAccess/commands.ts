import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { StaffId } from '../../../../domain/values/ids.ts'
import type { Call } from '../../../core/calls/call.ts'
import { logRecordChange } from '../../../resources/referenceLog.ts'
import { type AccessPack, type AccessPackCaller, accessPackLog, collectAccessPack } from './queries.ts'

/** Collects all data held about a person, and logs who requested it. */
export async function makeAccessPack(call: Call<'store' | 'actor'>, asker: AccessPackCaller, id: StaffId): Promise<AccessPack> {
  const { tx, store, actor } = call
  const pack = await collectAccessPack({ ...asker, tx, store, now: actor.now }, id)
  const record = { id, version: 1, organisationId: assertDefined(asker.rows.organisationId), created: pack.madeAt }
  await logRecordChange(call, accessPackLog, { action: 'created', before: null, after: record })
  return pack
}
