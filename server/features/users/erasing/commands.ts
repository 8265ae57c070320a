import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { UserId } from '../../../../domain/values/ids.ts'
import { conflict, invalid } from '../../../../domain/words/errors.ts'
import {
  authenticatorApps,
  browserSessions,
  importProgress,
  invitations,
  memberships,
  passkeys,
  recoveryCodes,
  users,
} from '../../../../drizzle/accessTables.ts'
import { images, listViews } from '../../../../drizzle/consoleTables.ts'
import { commentNotices, presences } from '../../../../drizzle/costTables.ts'
import { endAllSignIns } from '../../../auth/signIns.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { eraseUserKey } from '../../../core/database/userSeal.ts'
import { logRecordChange } from '../../../resources/referenceLog.ts'
import { isImageUsed } from '../../../shared/images/queries.ts'
import { deleteRemindersOfUser } from '../../../shared/reminders/commands.ts'
import { deletePrivateLayouts } from '../../../shared/reports/layouts/commands.ts'
import { renameReasonAuthor } from '../../../shared/reports/reasons/commands.ts'
import { readUser } from '../../../shared/users/queries.ts'
import { lockUserChanges, refuseLastManager, toLoggedUser } from '../commands.ts'

/** The tables that hold a user's personal data, or how they sign in. */
const ownTables = [
  browserSessions,
  invitations,
  passkeys,
  authenticatorApps,
  recoveryCodes,
  memberships,
  listViews,
  importProgress,
  commentNotices,
  presences,
]

/**
 * Permanently erases a user's identity. The account leaves every organisation and can no longer sign in. The user's actions remain under
 * “Erased user” with a number, and the key that encrypts their data in the change log is deleted.
 * @param confirmedEmail the email address, typed to confirm
 * @throws DomainError 400 for another address; 404 for an unknown user; 409 for the caller, the last administrator or an erased user
 */
export async function eraseUser(call: Call<'actor'>, id: UserId, confirmedEmail: string): Promise<void> {
  const { tx, actor } = call
  await lockUserChanges(tx)
  const before = await readUser(tx, id)
  if (before.isErased) throw conflict('erased', 'This user has already been erased.')
  if (id === actor.userId) throw conflict('self', 'You cannot erase yourself. Ask another administrator.')
  if (confirmedEmail.trim().toLowerCase() !== before.email.trim().toLowerCase())
    throw invalid([{ field: 'email', message: 'This is not the email address of this user. Type it exactly as shown above.' }])
  await refuseLastManager(tx, before)
  await endAllSignIns(tx, id)
  for (const table of ownTables) await tx.delete(table).where(eq(table.userId, id))
  await tx
    .update(users)
    .set({
      // With the space it is not a valid address, so no real address can be the same.
      email: `erased ${id}`,
      forename: 'Erased',
      surname: `user ${id}`,
      position: null,
      phoneNumber: null,
      avatarId: null,
      passwordHash: null,
      isAdministrator: false,
      active: false,
      lastSignIn: null,
      outsideIssuer: null,
      outsideSubject: null,
      salt: randomUUID(),
      erasedAt: actor.now.toISOString(),
      version: before.version + 1,
    })
    .where(eq(users.id, id))
  for (const picture of await listPictures(tx, id)) await removePicture(tx, picture)
  await eraseUserKey(tx, id)
  await deleteRemindersOfUser(call, id)
  await deletePrivateLayouts(call, id)
  await renameReasonAuthor(call, id, `Erased user ${id}`)
  await logRecordChange(
    call,
    { name: 'user' },
    { action: 'erased', before: toLoggedUser(before), after: toLoggedUser(await readUser(tx, id)) },
  )
}

/** Every picture that a user has or had, according to the log. */
async function listPictures(tx: OrganisationTx, id: UserId): Promise<number[]> {
  const rows = await tx.execute<{ id: number }>(sql`
    select distinct (said.record ->> 'avatarId')::integer as id
    from reference_changes cross join lateral (values (before), (after)) as said (record)
    where resource = 'user' and record_id = ${String(id)} and said.record ->> 'avatarId' is not null`)
  return [...rows].map((row) => row.id)
}

/** Deletes a picture, unless something else uses it. */
async function removePicture(tx: OrganisationTx, avatarId: number): Promise<void> {
  if (!(await isImageUsed(tx, avatarId))) await tx.delete(images).where(eq(images.id, avatarId))
}
