import type postgres from 'postgres'
import { thrown } from '../thrown.ts'
import { beginTraced } from '../watch/tracing.ts'

type Unsafe = postgres.Sql['unsafe']

/** How the driver says what came of a statement. */
interface Carried {
  resolve(rows: unknown): void
  reject(error: unknown): void
}

/** What a statement does to which table: never its text, in which a value might stand. */
export function nameOfStatement(text: string): { operation: string; table: string } {
  const operation = /\b(select|insert|update|delete|begin|commit|rollback|savepoint)\b/i.exec(text)?.[1]?.toLowerCase() ?? 'other'
  const table = /\b(?:from|into|update|join)\s+"?([a-z_]+)"?/i.exec(text)?.[1] ?? ''
  return { operation, table: table === 'lateral' || table === 'only' ? '' : table }
}

/** The same statements, each told of as work of the database from when it is asked until it is answered, where somebody listens. */
export function tracedStatements(unsafe: Unsafe): Unsafe {
  // The same call as before, of which the type has more forms than one function can be seen to have.
  return ((text: string, ...rest: [never, never]) => {
    const query = unsafe(text, ...rest)
    const ended = beginTraced(() => {
      const { operation, table } = nameOfStatement(text)
      return {
        name: table ? `${operation} ${table}` : operation,
        kind: 'client',
        attributes: { 'db.system.name': 'postgresql', 'db.operation.name': operation, ...(table && { 'db.collection.name': table }) },
      }
    })
    // Its types do not say how the driver settles it.
    if (ended) watch(query as typeof query & Carried, ended)
    return query
  }) as Unsafe // as said above
}

function watch(query: Carried, ended: (outcome?: string, isFailure?: boolean) => void): void {
  const { resolve, reject } = query
  query.resolve = (rows) => {
    ended()
    resolve(rows)
  }
  query.reject = (error) => {
    const { code } = thrown(error)
    ended(code ?? 'failed', true)
    reject(error)
  }
}
