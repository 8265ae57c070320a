import type { api } from '../shell/api.ts'

type PasskeyRequest = Awaited<ReturnType<typeof api.account.beginPasskey.mutate>>
type NewPasskey = Parameters<typeof api.account.addPasskey.mutate>[0]['made']
type ValidPasskeys = Awaited<ReturnType<typeof api.account.removePasskey.mutate>>

/** Whether this browser supports passkeys. */
export const supportsPasskeys = (): boolean =>
  'PublicKeyCredential' in window && typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function'

/** Messages for a failed passkey, by the browser's error name. */
const failureMessages: Record<string, string> = {
  InvalidStateError: 'This device or password manager has a passkey for Bursar already.',
  NotAllowedError: 'No passkey was created: the request was cancelled or took too long. Try again.',
}

/**
 * Asks the device to create a passkey.
 * @throws Error with a message for the user if the device creates none
 */
export async function createPasskey(request: PasskeyRequest): Promise<NewPasskey> {
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(request)
    const credential = await navigator.credentials.create({ publicKey })
    if (credential instanceof PublicKeyCredential) {
      const { id, rawId, response } = credential.toJSON()
      if ('attestationObject' in response) {
        // Send only these properties: browsers return more, which the server refuses.
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
 * Tells the device which passkeys are still valid, where the browser supports it, so that it stops offering the others.
 */
export async function signalValidPasskeys(validPasskeys: ValidPasskeys): Promise<void> {
  if (!('PublicKeyCredential' in window) || !('signalAllAcceptedCredentials' in PublicKeyCredential)) return
  const { signalAllAcceptedCredentials: signal } = PublicKeyCredential
  // Harmless if it fails: the device then offers a passkey that sign-in refuses.
  if (typeof signal === 'function') await Promise.resolve(signal.call(PublicKeyCredential, validPasskeys)).catch(() => undefined)
}
