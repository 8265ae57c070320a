/** The keys of a table that is written out, by their own names: nothing else stands in one. */
export function keysOf<T extends object>(table: T): (keyof T & string)[] {
  // Object.keys answers text, for a value may hold more than its type says; a table that is declared in place does not.
  return Object.keys(table) as (keyof T & string)[]
}

/** A table with something under each of these names, and nothing else. */
export function recordOf<K extends string, V>(keys: readonly K[], make: (key: K, index: number) => V): Record<K, V> {
  // Object.fromEntries forgets which names it was given.
  return Object.fromEntries(keys.map((key, index) => [key, make(key, index)])) as Record<K, V>
}
