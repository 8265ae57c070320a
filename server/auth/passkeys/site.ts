import { isIP } from 'node:net'
import type { Config } from '../../core/config.ts'

/** What passkeys are bound to. */
export interface PasskeySite {
  /** The name of the host: a passkey that was made for it is offered nowhere else. */
  rpId: string
  /** Where browsers must say that one was used. */
  origin: string
}

/**
 * What passkeys of a public address are bound to (Web Authentication Level 3, section 5.1.2).
 * @returns null where browsers take none: at an IP address, and over plain HTTP anywhere but on the same machine
 */
export function passkeySite(address: string): PasskeySite | null {
  const { protocol, hostname, origin } = new URL(address)
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
  return isSecure && !isIP(hostname.replace(/[[\]]/g, '')) ? { rpId: hostname, origin } : null
}

/** The same for an installation; null too where people sign in elsewhere: who has no password here has no passkey here. */
export function passkeySiteOf({ origin, oidc }: Pick<Config, 'origin' | 'oidc'>): PasskeySite | null {
  return oidc ? null : passkeySite(origin)
}
