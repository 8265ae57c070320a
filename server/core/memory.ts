import { assertDefined } from '../../domain/values/assertDefined.ts'

/** Some values at a time, by key; what was put down longest ago is forgotten first. */
export interface Memory<Key, Value> {
  get(key: Key): Value | undefined
  has(key: Key): boolean
  /** Puts a value down anew, as the newest. */
  put(key: Key, value: Value): void
  /** @returns whether it was there */
  drop(key: Key): boolean
  clear(): void
}

/** @param most how many values at a time: what comes from outside never fills the memory of the process */
export function memoryOf<Key, Value>(most: number): Memory<Key, Value> {
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
