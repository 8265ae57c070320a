import { createCache } from '../cache.ts'
import type { OrganisationTx } from './database.ts'
import { type DataVersion, isVersionCurrent, readDataVersion } from './dataVersion.ts'

/* Reference data in memory, by the change count under which it was read. Every transaction reads that count from the
   database before it looks here, so a change made through another server is seen by the next call of any server. */
const cached = createCache<string, { version: DataVersion; value: object }>(300)

/**
 * Reads reference data, or returns what another call read under the same version.
 * @param version as this transaction read it
 * @param name identifies the data under that version
 */
export async function readThroughCache<T extends object>(version: DataVersion, name: string, read: () => Promise<T>): Promise<T> {
  const key = JSON.stringify([version.place, name])
  const before = cached.get(key)
  const isKnown = before !== undefined && isVersionCurrent(before.version, version)
  // Only one function reads data under each name, so the type is that of the cached value.
  const value = isKnown ? (before.value as T) : await read()
  if (version.isForAll) cached.put(key, isKnown ? before : { version, value })
  return value
}

/** Reads reference data of the transaction's organisation, or returns what another call read since it last changed. */
export async function readReferenceThroughCache<T extends object>(tx: OrganisationTx, name: string, read: () => Promise<T>): Promise<T> {
  const { organisationId } = tx
  return organisationId === null ? read() : readThroughCache(await readDataVersion(tx, organisationId, 'reference'), name, read)
}
