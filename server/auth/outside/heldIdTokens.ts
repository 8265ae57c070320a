import { and, eq } from 'drizzle-orm'
import { oidcPayloads } from '../../../drizzle/accessTables.ts'
import type { OrganisationTx } from '../../core/database/database.ts'

/** What somebody who signed in at an outside issuer brought from there. */
export interface HeldIdToken {
  /** With which the issuer is told whose sign-in there ends. */
  idToken?: string
}

/** What the table of the embedded issuer calls these, beside its own models. */
const model = 'OutsideIdToken'

/** Hours for which an ID token is kept: as long as a sign-in lasts. */
const keptHours = 12

const ofGrant = (grantId: string) => and(eq(oidcPayloads.model, model), eq(oidcPayloads.id, grantId))

/** Keeps the ID token of an outside issuer for the end of the sign-in that it began. */
export async function holdIdToken(
  tx: OrganisationTx,
  grantId: string,
  { accountId, idToken }: { accountId: string; idToken: string },
): Promise<void> {
  const expiresAt = new Date(Date.now() + keptHours * 3_600_000).toISOString()
  const row = { payload: { idToken, accountId }, expiresAt }
  await tx
    .insert(oidcPayloads)
    .values({ model, id: grantId, ...row })
    .onConflictDoUpdate({ target: [oidcPayloads.model, oidcPayloads.id], set: row })
}

/** Takes the ID token of a sign-in that has ended; null where it was none of an outside issuer. */
export async function takeIdToken(tx: OrganisationTx, grantId: string): Promise<string | null> {
  const [row] = await tx.delete(oidcPayloads).where(ofGrant(grantId)).returning({ payload: oidcPayloads.payload })
  const idToken = row?.payload.idToken
  return typeof idToken === 'string' ? idToken : null
}
