import { eq } from 'drizzle-orm'
import type { UserId } from '../../domain/values/ids.ts'
import { conflict, type DomainError } from '../../domain/words/errors.ts'
import { users } from '../../drizzle/accessTables.ts'
import type { OrganisationTx } from '../core/database/database.ts'

export const createUserErasedError = (): DomainError => conflict('erased', 'This user was erased and can no longer be changed.')

/** Locks a user so that nobody can erase them until the transaction ends. @throws DomainError 409 if the user was erased */
export async function lockUserUnlessErased(tx: OrganisationTx, userId: UserId): Promise<void> {
  const [user] = await tx.select({ erasedAt: users.erasedAt }).from(users).where(eq(users.id, userId)).for('update')
  if (user?.erasedAt) throw createUserErasedError()
}
