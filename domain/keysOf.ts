/** The keys of a table that is written out, by their own names: nothing else stands in one. */
export function keysOf<T extends object>(table: T): (keyof T & string)[] {
  // Object.keys answers text, for a value may hold more than its type says; a table that is declared in place does not.
  return Object.keys(table) as (keyof T & string)[]
}
