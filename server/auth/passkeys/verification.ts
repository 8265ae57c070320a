import { z } from 'zod'
import type { PasskeySite } from './site.ts'

/** A base64url value. @param most longest length in characters: four for every three bytes */
const base64url = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[\w-]+$/)

/** At most 1023 bytes (Web Authentication Level 3, section 4). */
const credentialId = base64url(1364)

const commonFields = { id: credentialId, rawId: credentialId, type: z.literal('public-key') }

export const passkeyCreation = z.object({
  ...commonFields,
  response: z.object({
    clientDataJSON: base64url(4000),
    attestationObject: base64url(8000),
    transports: z.array(z.string().max(20)).max(10).default([]),
  }),
})
export type PasskeyCreation = z.infer<typeof passkeyCreation>

const passkeyUse = z.object({
  ...commonFields,
  response: z.object({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(2000),
    signature: base64url(1400),
    // Identifies the user; authenticators always send it for discoverable passkeys.
    userHandle: base64url(88),
  }),
})
export type PasskeySignIn = z.infer<typeof passkeyUse>

export function parsePasskeySignIn(text: string): PasskeySignIn | null {
  try {
    return passkeyUse.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** EdDSA, ES256 and RS256 (RFC 9053, RFC 8812). */
export const passkeyAlgorithms = [-8, -7, -257] as const

/** Accepted attestation formats. Attestation is not requested, and self-attestation proves nothing. */
const acceptedAttestations: ReadonlySet<string> = new Set(['none', 'packed'])

interface ExpectedResponse {
  site: PasskeySite
  challenge: string
}

export interface StoredPasskeyCredential {
  credentialId: string
  publicKey: string
  /** How many signatures the authenticator has counted. */
  signCount: number
}

/** Verifies the response to creating a passkey: for this site, and with user verification. @throws Error if it is invalid */
export async function verifyPasskeyCreation(
  { site, challenge }: ExpectedResponse,
  { response, ...credential }: PasskeyCreation,
): Promise<StoredPasskeyCredential> {
  const [{ verifyRegistrationResponse }, { decodeAttestationObject }] = await load()
  // Other formats carry certificate chains that are not trusted here, so reject them before parsing.
  const statement = decodeAttestationObject(Uint8Array.from(Buffer.from(response.attestationObject, 'base64url'))).get('fmt')
  if (!acceptedAttestations.has(statement)) throw new Error(`A statement of the form ${statement} is not accepted`)
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: { ...credential, response: { ...response, transports: [] }, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: [...passkeyAlgorithms],
  })
  if (!verified) throw new Error('The attestation of the passkey is invalid')
  const { id, publicKey, counter } = registrationInfo.credential
  return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), signCount: counter }
}

/**
 * Verifies the response to signing in with a passkey: for this site, and with user verification.
 * @returns the authenticator's signature count; the caller checks that it increased
 * @throws Error if the response is invalid
 */
export async function verifyPasskeySignIn(
  { site, challenge }: ExpectedResponse,
  used: PasskeySignIn,
  key: Omit<StoredPasskeyCredential, 'signCount'>,
): Promise<number> {
  const [{ verifyAuthenticationResponse }] = await load()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...used, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    requireUserVerification: true,
    credential: { id: key.credentialId, publicKey: Uint8Array.from(Buffer.from(key.publicKey, 'base64url')), counter: 0 },
  })
  if (!verified) throw new Error('The signature is invalid')
  return authenticationInfo.newCounter
}

/** Loaded on first use, because most processes never verify a passkey. */
const load = () => Promise.all([import('@simplewebauthn/server'), import('@simplewebauthn/server/helpers')])
