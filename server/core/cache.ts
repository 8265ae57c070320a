import { assertDefined } from '../../domain/values/assertDefined.ts'

/** A cache limited in size. The oldest entry is evicted first. */
export interface Cache<Key, Value> {
  get(key: Key): Value | undefined
  has(key: Key): boolean
  /** Stores a value as the newest. */
  put(key: Key, value: Value): void
  /**
   * Removes a value.
   * @returns whether it was stored
   */
  drop(key: Key): boolean
  clear(): void
}

/** @param most the maximum number of entries, so that outside input cannot fill the memory */
export function createCache<Key, Value>(most: number): Cache<Key, Value> {
  const entries = new Map<Key, Value>()
  return {
    get: (key) => entries.get(key),
    has: (key) => entries.has(key),
    put(key, value) {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size > most) entries.delete(assertDefined(entries.keys().next().value))
    },
    drop: (key) => entries.delete(key),
    clear: () => entries.clear(),
  }
}
