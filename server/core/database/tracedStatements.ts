import type postgres from 'postgres'
import { getThrownDetails } from '../thrownDetails.ts'
import { beginSpan } from '../watch/tracing.ts'

type UnsafeQuery = postgres.Sql['unsafe']

/** The driver's private methods that settle a statement. */
interface SettlingQuery {
  resolve(rows: unknown): void
  reject(error: unknown): void
}

/** A statement's operation and table for traces. Traces never contain the text, which may include a value. */
export function parseStatementForTrace(text: string): { operation: string; table: string } {
  const operation = /\b(select|insert|update|delete|begin|commit|rollback|savepoint)\b/i.exec(text)?.[1]?.toLowerCase() ?? 'other'
  const table = /\b(?:from|into|update|join)\s+"?([a-z_]+)"?/i.exec(text)?.[1] ?? ''
  return { operation, table: table === 'lateral' || table === 'only' ? '' : table }
}

/** Runs the same statements and records a trace of each, from request to answer, if tracing is on. */
export function traceStatements(unsafe: UnsafeQuery): UnsafeQuery {
  // The same call; its type has more overloads than one function can match.
  return ((text: string, ...rest: [never, never]) => {
    const query = unsafe(text, ...rest)
    const ended = beginSpan(() => {
      const { operation, table } = parseStatementForTrace(text)
      return {
        name: table ? `${operation} ${table}` : operation,
        kind: 'client',
        attributes: { 'db.system.name': 'postgresql', 'db.operation.name': operation, ...(table && { 'db.collection.name': table }) },
      }
    })
    // The driver's types omit these methods.
    if (ended) watch(query as typeof query & SettlingQuery, ended)
    return query
  }) as UnsafeQuery // The cast described above.
}

function watch(query: SettlingQuery, ended: (outcome?: string, isFailure?: boolean) => void): void {
  const { resolve, reject } = query
  query.resolve = (rows) => {
    ended()
    resolve(rows)
  }
  query.reject = (error) => {
    const { code } = getThrownDetails(error)
    ended(code ?? 'failed', true)
    reject(error)
  }
}
