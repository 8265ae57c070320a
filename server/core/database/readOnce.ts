import { memoryOf } from '../memory.ts'
import { type DataVersion, isCurrent } from './dataVersion.ts'

/*
 * Reference data is the same for one call after another until somebody changes it: it is kept in memory under the count of those changes, which
 * every transaction reads from the database before it looks here. A change that was made through another server has moved that count, so the
 * next call of any server reads anew.
 */
const kept = memoryOf<string, { version: DataVersion; value: object }>(100)

/**
 * What is read of the reference data under a version, or what another call read under the same.
 * @param version as the transaction has read it
 * @param name tells it from what else is read under that version
 */
export async function readOnce<T extends object>(version: DataVersion, name: string, read: () => Promise<T>): Promise<T> {
  const key = JSON.stringify([version.place, name])
  const before = kept.get(key)
  const isKnown = before !== undefined && isCurrent(before.version, version)
  // Whatever stands under this name was read by the same function.
  const value = isKnown ? (before.value as T) : await read()
  if (version.isForAll) kept.put(key, isKnown ? before : { version, value })
  return value
}
