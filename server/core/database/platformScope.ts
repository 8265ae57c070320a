import { createHash, hkdfSync } from 'node:crypto'
import { splitDataKeys } from '../config.ts'

/**
 * The value that a transaction sets to see the rows of all organisations. The database holds only its digest, so an injected statement can
 * select an organisation but not the platform.
 * @param dataKey the secrets of the installation, of which the last counts: during a change, it is the one that the database already knows.
 * Null for a tool without one, which sees all rows only if it connects as the owner of the tables
 */
export function derivePlatformScope(dataKey: string | null): string {
  const secret = dataKey === null ? undefined : splitDataKeys(dataKey).at(-1)
  return secret === undefined
    ? '*'
    : `*${Buffer.from(hkdfSync('sha256', secret, '', 'rows of all organisations', 32)).toString('base64url')}`
}

/** The SHA-256 digest of the platform scope, stored in the database. */
export function hashPlatformScope(dataKey: string): Buffer {
  return createHash('sha256').update(derivePlatformScope(dataKey)).digest()
}
