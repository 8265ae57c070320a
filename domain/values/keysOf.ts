/** Returns the keys of an object literal, typed by name. */
export function keysOf<T extends object>(table: T): (keyof T & string)[] {
  // Object.keys returns strings because an object may have more keys than its type. A literal does not.
  return Object.keys(table) as (keyof T & string)[]
}

/** Returns the entries of an object literal, each value typed by its key. */
export function entriesOf<T extends object>(table: T): { [K in keyof T & string]: [K, T[K]] }[keyof T & string][] {
  // Object.entries loses the connection between key and value types.
  return Object.entries(table) as { [K in keyof T & string]: [K, T[K]] }[keyof T & string][]
}

/** Narrows an untrusted name to a key of an object literal. */
export function isKeyOf<T extends object>(table: T, name: PropertyKey | null | undefined): name is keyof T & string {
  return typeof name === 'string' && Object.hasOwn(table, name)
}

/** Narrows an untrusted value to an item of a list literal. */
export function isOneOf<const V>(list: readonly V[], value: unknown): value is V {
  return list.some((one) => one === value)
}

/**
 * Returns the item of a list that equals a value.
 * @throws Error if no item does
 */
export function requireOneOf<const V>(list: readonly V[], value: unknown): V {
  const match = list.find((one) => one === value)
  if (match === undefined) throw new Error('What is chosen is not offered')
  return match
}

/** Builds an object with exactly the given keys. */
export function recordFromKeys<K extends string, V>(keys: readonly K[], make: (key: K, index: number) => V): Record<K, V> {
  // Object.fromEntries loses the key type.
  return Object.fromEntries(keys.map((key, index) => [key, make(key, index)])) as Record<K, V>
}
