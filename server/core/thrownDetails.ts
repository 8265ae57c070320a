/** The details that the operating system, the driver and libraries attach to errors, as far as this code uses them. */
export interface ThrownDetails {
  name: string | undefined
  message: string | undefined
  /** An SQLSTATE, or an error name of the operating system (`ENOENT`). */
  code: string | undefined
  syscall: string | undefined
  constraint: string | undefined
  /** The database function that raised the error. */
  routine: string | undefined
  /** The statement that failed. */
  query: string | undefined
  stack: string | undefined
  cause: unknown
}

/** Reads a thrown value, which may be anything. A part that is missing or not text is undefined. */
export function getThrownDetails(error: unknown): ThrownDetails {
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
    // Formatting a stack is expensive, and few callers read it.
    get stack() {
      return text('stack')
    },
    cause: at('cause'),
  }
}
