import { assertDefined } from '../../domain/values/assertDefined.ts'

/** A cache limited in size. The oldest entry is evicted first. */
export interface Cache<Key, Value> {
  get(key: Key): Value | undefined
  has(key: Key): boolean
  /** Stores a value as the newest. */
  put(key: Key, value: Value): void
  /** @returns whether it was stored */
  drop(key: Key): boolean
  clear(): void
}

/** @param most the largest number of entries, so that outside input cannot fill the memory */
export function createCache<Key, Value>(most: number): Cache<Key, Value> {
  const kept = new Map<Key, Value>()
  return {
    get: (key) => kept.get(key),
    has: (key) => kept.has(key),
    put(key, value) {
      kept.delete(key)
      kept.set(key, value)
      if (kept.size > most) kept.delete(assertDefined(kept.keys().next().value))
    },
    drop: (key) => kept.delete(key),
    clear: () => kept.clear(),
  }
}
