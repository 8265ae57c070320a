import { isIP } from 'node:net'
import type { Config } from '../../core/config.ts'

export interface PasskeySite {
  /** Relying party id: the host name. Browsers offer a passkey to no other host. */
  rpId: string
  /** The origin that the browser must report. */
  origin: string
}

/**
 * Derives the passkey site from a public address (Web Authentication Level 3, section 5.1.2).
 * @returns null where browsers do not support passkeys: at IP addresses, and over plain HTTP except on localhost
 */
export function derivePasskeySite(address: string): PasskeySite | null {
  const { protocol, hostname, origin } = new URL(address)
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
  return isSecure && !isIP(hostname.replace(/[[\]]/g, '')) ? { rpId: hostname, origin } : null
}

/** The passkey site of an installation; null also with an outside issuer, where people have neither password nor passkey here. */
export function getPasskeySite({ origin, oidc }: Pick<Config, 'origin' | 'oidc'>): PasskeySite | null {
  return oidc ? null : derivePasskeySite(origin)
}
