import { eq } from 'drizzle-orm'
import type { UserId } from '../../domain/values/ids.ts'
import { conflict, type DomainError } from '../../domain/words/errors.ts'
import { users } from '../../drizzle/accessTables.ts'
import type { OrganisationTx } from '../core/database/database.ts'

/** What refuses every change of a user who was erased. */
export const userIsErased = (): DomainError => conflict('erased', 'This user was erased and can no longer be changed.')

/** Holds a user until the end of the transaction, so that nobody erases them meanwhile. @throws DomainError 409 for one who was erased */
export async function refuseErased(tx: OrganisationTx, userId: UserId): Promise<void> {
  const [user] = await tx.select({ erasedAt: users.erasedAt }).from(users).where(eq(users.id, userId)).for('update')
  if (user?.erasedAt) throw userIsErased()
}
