import { z } from 'zod'
import { signInMethodNames } from '../../../domain/people/signInMethod.ts'
import { keysOf } from '../../../domain/values/keysOf.ts'
import { reply } from '../../core/calls/reply.ts'

export const secondStep = reply(
  z
    .strictObject({
      isOn: z.boolean(),
      since: z.string().nullable(),
      codesLeft: z.int(),
      isRequired: z.boolean(),
      asksPassword: z.boolean().describe('Whether the password is requested again before a change.'),
    })
    .nullable(),
)

export const authenticatorSetup = reply(
  z.strictObject({
    key: z.string().describe('To be typed into an app.'),
    picture: z.string().describe('The QR code for an app to scan, as SVG.'),
  }),
)

export const recoveryCodes = reply(z.strictObject({ codes: z.array(z.string()) }))

export const signIns = reply(
  z
    .array(
      z.strictObject({
        id: z.string(),
        device: z.string(),
        address: z.string(),
        way: z.enum(keysOf(signInMethodNames)).nullable().describe('The method; null if the sign-in was made before Bursar recorded it.'),
        started: z.string(),
        lastUsed: z.string(),
        isThis: z.boolean().describe('Whether this call uses this sign-in.'),
      }),
    )
    .nullable(),
)

const passkeyType = z.literal('public-key')

export const passkeys = reply(
  z
    .strictObject({
      list: z.array(z.strictObject({ id: z.int(), name: z.string(), created: z.string(), lastUsed: z.string().nullable() })),
      asksCode: z.boolean().describe('Whether a code from the app is requested, as well as the password, before a passkey is added.'),
    })
    .nullable(),
)

/** PublicKeyCredentialCreationOptionsJSON for the browser's request to the device. */
export const passkeyCreationOptions = reply(
  z.strictObject({
    rp: z.strictObject({ id: z.string(), name: z.string() }),
    user: z.strictObject({ id: z.string(), name: z.string(), displayName: z.string() }),
    challenge: z.string(),
    pubKeyCredParams: z.array(z.strictObject({ type: passkeyType, alg: z.int() })),
    timeout: z.int(),
    excludeCredentials: z.array(z.strictObject({ type: passkeyType, id: z.string(), transports: z.array(z.string()) })),
    authenticatorSelection: z.strictObject({
      residentKey: z.literal('required'),
      requireResidentKey: z.boolean(),
      userVerification: z.literal('required'),
    }),
    attestation: z.literal('none'),
  }),
)

/** Tells the device which of the user's passkeys are still valid. */
export const acceptedPasskeys = reply(
  z.strictObject({ rpId: z.string(), userId: z.string(), allAcceptedCredentialIds: z.array(z.string()) }),
)
