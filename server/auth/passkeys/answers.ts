import { z } from 'zod'
import type { PasskeySite } from './site.ts'

/** Bytes as browsers send them. @param most characters: four for three bytes */
const bytes = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[\w-]+$/)

/** An authenticator may name a key by 1023 bytes at most (Web Authentication Level 3, section 4). */
const credentialId = bytes(1364)

const answer = { id: credentialId, rawId: credentialId, type: z.literal('public-key') }

/** What a browser says once a passkey was made. */
export const madePasskey = z.object({
  ...answer,
  response: z.object({
    clientDataJSON: bytes(4000),
    attestationObject: bytes(8000),
    transports: z.array(z.string().max(20)).max(10).default([]),
  }),
})
export type MadePasskey = z.infer<typeof madePasskey>

/** What a browser says once a passkey was used. */
const usedPasskey = z.object({
  ...answer,
  response: z.object({
    clientDataJSON: bytes(4000),
    authenticatorData: bytes(2000),
    signature: bytes(1400),
    // Whose it is: always said of a passkey that nobody was named to.
    userHandle: bytes(88),
  }),
})
export type UsedPasskey = z.infer<typeof usedPasskey>

/** Reads what a form sends of a passkey that was used; null for what is none. */
export function readUsedPasskey(text: string): UsedPasskey | null {
  try {
    return usedPasskey.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** EdDSA, ES256 and RS256 (RFC 9053, RFC 8812). */
export const algorithms = [-8, -7, -257] as const

/** Forms of a statement about the device: none is asked for, and a key that vouches for itself vouches for nobody. */
const statements: ReadonlySet<string> = new Set(['none', 'packed'])

interface Asked {
  site: PasskeySite
  challenge: string
}

/** What is kept of a passkey, in base64url where it is bytes. */
export interface PasskeyKey {
  credentialId: string
  publicKey: string
  /** How often the authenticator says that it was used. */
  signCount: number
}

/** Looks whether a passkey was made for this site, by somebody who proved to the device who they are. @throws Error for one that was not */
export async function keyOfMade({ site, challenge }: Asked, { response, ...made }: MadePasskey): Promise<PasskeyKey> {
  const [{ verifyRegistrationResponse }, { decodeAttestationObject }] = await load()
  // Others bring chains of certificates along, of which nothing is believed here; so nothing of them is read.
  const statement = decodeAttestationObject(Uint8Array.from(Buffer.from(response.attestationObject, 'base64url'))).get('fmt')
  if (!statements.has(statement)) throw new Error(`A statement of the form ${statement} was not asked for`)
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: { ...made, response: { ...response, transports: [] }, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: [...algorithms],
  })
  if (!verified) throw new Error('The statement about the passkey does not hold')
  const { id, publicKey, counter } = registrationInfo.credential
  return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), signCount: counter }
}

/**
 * Looks whether a passkey was used at this site, by somebody who proved to the device who they are.
 * @returns how often the authenticator says that it was used; whether that goes on from the time before is for who keeps the count
 * @throws Error for an answer that does not hold
 */
export async function countOfUsed({ site, challenge }: Asked, used: UsedPasskey, key: Omit<PasskeyKey, 'signCount'>): Promise<number> {
  const [{ verifyAuthenticationResponse }] = await load()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...used, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    requireUserVerification: true,
    credential: { id: key.credentialId, publicKey: Uint8Array.from(Buffer.from(key.publicKey, 'base64url')), counter: 0 },
  })
  if (!verified) throw new Error('The signature is another')
  return authenticationInfo.newCounter
}

/** What verifies is loaded when the first passkey is met: most processes never do. */
const load = () => Promise.all([import('@simplewebauthn/server'), import('@simplewebauthn/server/helpers')])
