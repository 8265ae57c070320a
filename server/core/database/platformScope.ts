import { createHash, hkdfSync } from 'node:crypto'

/**
 * What a transaction names to see the rows of all organisations. The database holds only a digest of it, so an injected statement can name an
 * organisation, but not the platform.
 * @param dataKey the secret of the installation; null: of a tool without one, which sees all rows only as the owner of the tables
 */
export function platformScopeOf(dataKey: string | null): string {
  return dataKey === null ? '*' : `*${Buffer.from(hkdfSync('sha256', dataKey, '', 'rows of all organisations', 32)).toString('base64url')}`
}

/** The SHA-256 digest that the database holds of it. */
export function platformDigestOf(dataKey: string): Buffer {
  return createHash('sha256').update(platformScopeOf(dataKey)).digest()
}
