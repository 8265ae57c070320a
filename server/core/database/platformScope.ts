import { createHash, hkdfSync } from 'node:crypto'

/**
 * What a transaction of the server names to see the rows of all organisations. The database knows only a digest of it, so whoever smuggles a
 * statement into one of the server's can name an organisation, but not the platform.
 * @param dataKey the secret of the installation; null: of a tool that has none and signs in as the owner of the tables, from whom none is asked
 */
export function platformScopeOf(dataKey: string | null): string {
  return dataKey === null ? '*' : `*${Buffer.from(hkdfSync('sha256', dataKey, '', 'rows of all organisations', 32)).toString('base64url')}`
}

/** By what the database knows it again. */
export function platformDigestOf(dataKey: string): Buffer {
  return createHash('sha256').update(platformScopeOf(dataKey)).digest()
}
