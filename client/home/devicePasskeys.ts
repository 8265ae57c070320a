import type { api } from '../shell/api.ts'

type PasskeyRequest = Awaited<ReturnType<typeof api.account.beginPasskey.mutate>>
type NewPasskey = Parameters<typeof api.account.addPasskey.mutate>[0]['made']
type ValidPasskeys = Awaited<ReturnType<typeof api.account.removePasskey.mutate>>

/** Whether this browser supports passkeys. */
export const supportsPasskeys = (): boolean =>
  'PublicKeyCredential' in window && typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function'

/** Messages for a passkey that could not be created, by the browser's error name. */
const failureMessages: Record<string, string> = {
  InvalidStateError: 'This device or password manager already has a passkey for Bursar.',
  NotAllowedError: 'No passkey was created: the request was cancelled or took too long. Try again.',
}

/**
 * Asks the device to create a passkey.
 * @throws Error with a message for the user if the device does not create one
 */
export async function createPasskey(request: PasskeyRequest): Promise<NewPasskey> {
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(request)
    const credential = await navigator.credentials.create({ publicKey })
    if (credential instanceof PublicKeyCredential) {
      const { id, rawId, response } = credential.toJSON()
      if ('attestationObject' in response) {
        // Send only these properties. Browsers return more, and the server refuses additional ones.
        const { clientDataJSON, attestationObject, transports } = response
        return { id, rawId, type: 'public-key', response: { clientDataJSON, attestationObject, transports } }
      }
    }
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    throw new Error(failureMessages[name] ?? 'This device made no passkey. Try another device or browser.')
  }
  throw new Error('This device made no passkey. Try another device or browser.')
}

/**
 * Tells the device which passkeys are still valid, so that it no longer offers the others. Does nothing if the browser does not support
 * this.
 */
export async function signalValidPasskeys(validPasskeys: ValidPasskeys): Promise<void> {
  if (!('PublicKeyCredential' in window) || !('signalAllAcceptedCredentials' in PublicKeyCredential)) return
  const { signalAllAcceptedCredentials: signal } = PublicKeyCredential
  // A failure does no harm: the device then offers a passkey that sign-in refuses.
  if (typeof signal === 'function') await Promise.resolve(signal.call(PublicKeyCredential, validPasskeys)).catch(() => undefined)
}
