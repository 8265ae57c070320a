/** The keys of a table that is written out, by their own names: nothing else stands in one. */
export function keysOf<T extends object>(table: T): (keyof T & string)[] {
  // Object.keys answers text, for a value may hold more than its type says; a table that is declared in place does not.
  return Object.keys(table) as (keyof T & string)[]
}

/** The keys of a table that is written out, each with what stands there. */
export function entriesOf<T extends object>(table: T): { [K in keyof T & string]: [K, T[K]] }[keyof T & string][] {
  // As with `keysOf`: Object.entries forgets which value stands under which key.
  return Object.entries(table) as { [K in keyof T & string]: [K, T[K]] }[keyof T & string][]
}

/** Whether a name from elsewhere is a key of a table that is written out. */
export function isKeyOf<T extends object>(table: T, name: PropertyKey | null | undefined): name is keyof T & string {
  return typeof name === 'string' && Object.hasOwn(table, name)
}

/** Whether a value from elsewhere is one of a list that is written out. */
export function isOneOf<const V>(list: readonly V[], value: unknown): value is V {
  return list.some((one) => one === value)
}

/** The one of a list that a value is: what was chosen where nothing else is offered. @throws Error for another */
export function requireOneOf<const V>(list: readonly V[], value: unknown): V {
  const match = list.find((one) => one === value)
  if (match === undefined) throw new Error('What is chosen is not offered')
  return match
}

/** A table with something under each of these names, and nothing else. */
export function recordFromKeys<K extends string, V>(keys: readonly K[], make: (key: K, index: number) => V): Record<K, V> {
  // Object.fromEntries forgets which names it was given.
  return Object.fromEntries(keys.map((key, index) => [key, make(key, index)])) as Record<K, V>
}
