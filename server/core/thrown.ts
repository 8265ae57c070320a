/** What the system, the driver and libraries hang on what they throw, as far as anybody here reads it. */
export interface Thrown {
  name: string | undefined
  message: string | undefined
  /** SQLSTATE of the database, or the name the system has for it (`ENOENT`). */
  code: string | undefined
  syscall: string | undefined
  constraint: string | undefined
  /** The function of the database that refused. */
  routine: string | undefined
  /** The statement that failed. */
  query: string | undefined
  stack: string | undefined
  cause: unknown
}

/** Reads what was thrown, which may be anything. What is not there, or no text, is undefined. */
export function thrown(error: unknown): Thrown {
  const at = (name: string): unknown =>
    typeof error === 'object' && error !== null && name in error ? Reflect.get(error, name) : undefined
  const text = (name: string): string | undefined => {
    const value = at(name)
    return typeof value === 'string' ? value : undefined
  }
  return {
    name: text('name'),
    message: text('message'),
    code: text('code'),
    syscall: text('syscall'),
    constraint: text('constraint_name'),
    routine: text('routine'),
    query: text('query'),
    // Putting a stack into words is dear, and few ask for it.
    get stack() {
      return text('stack')
    },
    cause: at('cause'),
  }
}
