import { and, eq } from 'drizzle-orm'
import { oidcPayloads } from '../../../drizzle/accessTables.ts'
import type { OrganisationTx } from '../../core/database/database.ts'

/** An ID token received at an outside issuer, stored for sign-out. */
export interface StoredIdToken {
  /** Identifies, at sign-out, the session to end at the issuer. */
  idToken?: string
}

/** Model name in the embedded issuer's table, which also holds the issuer's own models. */
const model = 'OutsideIdToken'

/** How many hours an ID token is stored: the length of a session. */
const storedHours = 12

const whereGrant = (grantId: string) => and(eq(oidcPayloads.model, model), eq(oidcPayloads.id, grantId))

export async function storeIdToken(
  tx: OrganisationTx,
  grantId: string,
  { accountId, idToken }: { accountId: string; idToken: string },
): Promise<void> {
  const expiresAt = new Date(Date.now() + storedHours * 3_600_000).toISOString()
  const row = { payload: { idToken, accountId }, expiresAt }
  await tx
    .insert(oidcPayloads)
    .values({ model, id: grantId, ...row })
    .onConflictDoUpdate({ target: [oidcPayloads.model, oidcPayloads.id], set: row })
}

/** Deletes and returns the ID token of a grant; null if none is stored. */
export async function takeStoredIdToken(tx: OrganisationTx, grantId: string): Promise<string | null> {
  const [row] = await tx.delete(oidcPayloads).where(whereGrant(grantId)).returning({ payload: oidcPayloads.payload })
  const idToken = row?.payload.idToken
  return typeof idToken === 'string' ? idToken : null
}
