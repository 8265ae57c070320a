import { and, eq, isNull, sql } from 'drizzle-orm'
import type { ReturnKey } from '../../../../domain/reports/returns/returnReasons.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { displayNumber } from '../../../../domain/values/format.ts'
import type { OrganisationId, UserId } from '../../../../domain/values/ids.ts'
import { conflict, forbidden, notFound, staleRecord } from '../../../../domain/words/errors.ts'
import { returnReasons } from '../../../../drizzle/consoleTables.ts'
import type { Actor } from '../../../core/calls/actor.ts'
import type { Call } from '../../../core/calls/call.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { encryptText, ensureOrganisationKey } from '../../../core/database/vault.ts'
import { logRecordChange } from '../../../resources/referenceLog.ts'
import { deleteUndeclaredRecord, lockUndeclaredRecord, type UndeclaredKind, updateUndeclaredRecord } from '../../../resources/undeclared.ts'
import type { ReportReader } from '../scopes/queries.ts'
import type { ReasonInput } from './inputs.ts'
import { loadReason, mayExplainReturn, type ReasonRow } from './queries.ts'

/** The most reasons of one return. A return has fewer lines than this. */
const mostReasons = 1000

/** The author of a reason, with the name that is stored. */
export interface ReasonAuthor extends ReportReader {
  actor: Actor
  name: string
}

/** How reasons are logged: encrypted, with the author's id in place of the name. */
const reasonKind: UndeclaredKind<ReasonRow> = {
  name: 'returnReason',
  table: returnReasons,
  get: loadReason,
  toLogged: ({ writtenBy: _name, ...row }) => ({ ...row, created: row.writtenAt }),
}

const ofReturn = (organisationId: OrganisationId, { locationId, firstYear }: ReturnKey) =>
  and(
    eq(returnReasons.organisationId, organisationId),
    locationId === null ? isNull(returnReasons.locationId) : eq(returnReasons.locationId, locationId),
    eq(returnReasons.firstYear, firstYear),
  )

/**
 * Saves why a line of a return differs from the previous return, replacing an earlier reason; an empty text deletes it.
 * @throws DomainError 403 for a caller who may not explain that return; 404 for a location of another organisation; 409 if someone else
 * saved the reason since the caller read it
 */
export async function saveReason(call: Call & ReasonAuthor, { text, version, line, ...of }: ReasonInput): Promise<void> {
  const { tx, organisationId, actor } = call
  if (of.locationId !== null) {
    const locations = await readResourceRecords(tx, resources.location, { column: 'id', ids: [of.locationId] })
    if (!locations.some((location) => location.organisationId === organisationId)) throw notFound('Location')
    if (call.holder.locationIds && !call.holder.locationIds.includes(of.locationId)) throw notFound('Location')
  }
  if (!mayExplainReturn(of, call.holder)) throw forbidden()
  const lineCondition = ofReturn(organisationId, of)
  const [found] = await tx
    .select({ id: returnReasons.id })
    .from(returnReasons)
    .where(and(lineCondition, eq(returnReasons.line, line)))
  if (!found && version) throw staleRecord(null)
  const key = await ensureOrganisationKey(tx, organisationId)
  const values = { reason: encryptText(key, text), writtenBy: encryptText(key, call.name), writtenAt: actor.now.toISOString() }
  if (found) {
    const before = await lockUndeclaredRecord(tx, reasonKind, { organisationId, id: found.id, version })
    if (text) await updateUndeclaredRecord({ tx, actor }, reasonKind, { before, set: values })
    else await deleteUndeclaredRecord({ tx, actor }, reasonKind, before)
    return
  }
  if (!text) return
  if ((await tx.$count(returnReasons, lineCondition)) >= mostReasons)
    throw conflict(
      'tooMany',
      `A return can have at most ${displayNumber(mostReasons)} reasons. Remove the reasons for lines that are no longer in it.`,
    )
  const [inserted] = await tx
    .insert(returnReasons)
    .values({ ...of, ...values, organisationId, line })
    .onConflictDoNothing()
    .returning()
  if (!inserted) throw staleRecord(null)
  await logRecordChange({ tx, actor }, reasonKind, { action: 'created', before: null, after: reasonKind.toLogged(inserted) })
}

/**
 * Replaces the name of an erased user on their reasons, in all organisations. The author of a reason is the user who last saved its text;
 * the log also contains changes that only replaced the name.
 */
export async function renameReasonAuthor(call: Call<'actor'>, userId: UserId, name: string): Promise<void> {
  const { tx } = call
  const rows = await tx
    .select({ organisationId: returnReasons.organisationId, id: returnReasons.id })
    .from(returnReasons)
    .where(
      sql`${userId} = (select change.actor_id from reference_changes change where change.resource = ${reasonKind.name}
        and change.record_id = ${returnReasons.id}::text and change.organisation_id = ${returnReasons.organisationId}
        and change.after ->> 'reason' is distinct from change.before ->> 'reason' order by change.id desc limit 1)`,
    )
    .orderBy(returnReasons.organisationId, returnReasons.id)
  for (const row of rows) {
    const before = await lockUndeclaredRecord(tx, reasonKind, row)
    await updateUndeclaredRecord(call, reasonKind, {
      before,
      set: { writtenBy: encryptText(await ensureOrganisationKey(tx, row.organisationId), name) },
    })
  }
}
