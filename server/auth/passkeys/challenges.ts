import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { UserId } from '../../../domain/values/ids.ts'
import { oidcPayloads } from '../../../drizzle/accessTables.ts'
import type { OrganisationTx } from '../../core/database/database.ts'

/** What the table of the embedded issuer calls these, beside its own models. */
const model = 'PasskeyChallenge'

/** Milliseconds for which the answer to a challenge is taken: asking for a fingerprint, finding a phone. */
export const challengeMs = 5 * 60_000

const kept = z.object({ challenge: z.string(), userHandle: z.string().optional() })

/** What an authenticator is to sign, and what it is to know its person by. */
export type PasskeyChallenge = z.infer<typeof kept>

/** What a challenge is good for: one sign-in, or the adding of a passkey in one sign-in of a person. */
export const challengeFor = {
  signIn: (uid: string): string => `sign in ${uid}`,
  adding: (userId: UserId, signInId: string | null): string => `add ${userId} ${signInId}`,
}

/**
 * Makes a challenge; the one before it for the same is good no longer.
 * @param whose somebody whose sign-ins may be ended, and the challenge with them
 */
export async function newChallenge(
  tx: OrganisationTx,
  what: string,
  whose: { userId: UserId; userHandle: string } | null,
): Promise<string> {
  const challenge = randomBytes(32).toString('base64url')
  const payload = { challenge, ...(whose && { accountId: String(whose.userId), userHandle: whose.userHandle }) }
  const row = { payload, expiresAt: new Date(Date.now() + challengeMs).toISOString() }
  await tx
    .insert(oidcPayloads)
    .values({ model, id: what, ...row })
    .onConflictDoUpdate({ target: [oidcPayloads.model, oidcPayloads.id], set: row })
  return challenge
}

/** Takes a challenge, which is good once; null where there is none, or it is too old. */
export async function takeChallenge(tx: OrganisationTx, what: string): Promise<PasskeyChallenge | null> {
  const [row] = await tx
    .delete(oidcPayloads)
    .where(and(eq(oidcPayloads.model, model), eq(oidcPayloads.id, what)))
    .returning({ payload: oidcPayloads.payload, expiresAt: oidcPayloads.expiresAt })
  return row?.expiresAt && new Date(row.expiresAt) > new Date() ? kept.parse(row.payload) : null
}
