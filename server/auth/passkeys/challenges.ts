import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { UserId } from '../../../domain/values/ids.ts'
import { oidcPayloads } from '../../../drizzle/accessTables.ts'
import type { OrganisationTx } from '../../core/database/database.ts'

/** Model name in the embedded issuer's table, which also holds the issuer's own models. */
const model = 'PasskeyChallenge'

/** Milliseconds a challenge is valid, long enough to find a phone or scan a fingerprint. */
export const passkeyChallengeMs = 5 * 60_000

const storedChallenge = z.object({ challenge: z.string(), userHandle: z.string().optional() })

export type PasskeyChallenge = z.infer<typeof storedChallenge>

/** The purpose a challenge is valid for: one sign-in, or adding a passkey in one signed-in session. */
export const challengePurposes = {
  signIn: (uid: string): string => `sign in ${uid}`,
  adding: (userId: UserId, signInId: string | null): string => `add ${userId} ${signInId}`,
}

/**
 * Creates a challenge and replaces the previous one for the same purpose.
 * @param owner the user; ending all their sign-ins also deletes the challenge
 */
export async function createChallenge(
  tx: OrganisationTx,
  purpose: string,
  owner: { userId: UserId; userHandle: string } | null,
): Promise<string> {
  const challenge = randomBytes(32).toString('base64url')
  const payload = { challenge, ...(owner && { accountId: String(owner.userId), userHandle: owner.userHandle }) }
  const row = { payload, expiresAt: new Date(Date.now() + passkeyChallengeMs).toISOString() }
  await tx
    .insert(oidcPayloads)
    .values({ model, id: purpose, ...row })
    .onConflictDoUpdate({ target: [oidcPayloads.model, oidcPayloads.id], set: row })
  return challenge
}

/** Deletes and returns a challenge, so that it works once; null if it is missing or expired. */
export async function takeChallenge(tx: OrganisationTx, purpose: string): Promise<PasskeyChallenge | null> {
  const [row] = await tx
    .delete(oidcPayloads)
    .where(and(eq(oidcPayloads.model, model), eq(oidcPayloads.id, purpose)))
    .returning({ payload: oidcPayloads.payload, expiresAt: oidcPayloads.expiresAt })
  return row?.expiresAt && new Date(row.expiresAt) > new Date() ? storedChallenge.parse(row.payload) : null
}
