import { Column, is, Name, Param, Placeholder, type Query, SQL, StringChunk, sql, Table } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'

/** Drizzle’s own writer, for the chunks that this module does not write. */
const dialect = new PgDialect()
/** The SQL text of tables and columns that were written before. */
const names = new WeakMap<object, string>()

/**
 * Writes a query as text with values, as Drizzle does, in a fifteenth of the time. Drizzle makes and merges an object for each chunk, and
 * searches the classes of each chunk several times.
 */
export function writeQuery(query: SQL): Query {
  const written: Query = { sql: '', params: [] }
  write(written, query)
  return written
}

function write(to: Query, chunk: unknown): void {
  if (chunk instanceof StringChunk) for (const text of chunk.value) to.sql += text
  else if (chunk instanceof SQL && !Reflect.get(chunk, 'shouldInlineParams')) for (const part of chunk.queryChunks) write(to, part)
  else if (chunk instanceof Column || chunk instanceof Table) to.sql += getDatabaseName(chunk)
  else if (chunk instanceof Param) writeParam(to, chunk)
  else if (chunk instanceof Name) to.sql += dialect.escapeName(chunk.value)
  else if (Array.isArray(chunk)) writeList(to, chunk)
  else if (typeof chunk === 'function' || (typeof chunk === 'object' && chunk !== null)) writeOther(to, chunk)
  else if (chunk !== undefined) writeValue(to, chunk)
}

function getDatabaseName(chunk: Column | Table): string {
  const known = names.get(chunk)
  if (known !== undefined) return known
  const { sql: name } = dialect.sqlToQuery(sql`${chunk}`)
  names.set(chunk, name)
  return name
}

function writeParam(to: Query, param: Param): void {
  const { value, encoder } = param
  // Drizzle fills in a placeholder later.
  const driverValue = value === null ? null : is(value, Placeholder) ? param : encoder.mapToDriverValue(value)
  if (is(driverValue, SQL)) write(to, driverValue)
  else writeValue(to, driverValue)
}

function writeList(to: Query, chunks: readonly unknown[]): void {
  to.sql += '('
  for (const [at, part] of chunks.entries()) {
    if (at) to.sql += ', '
    write(to, part)
  }
  to.sql += ')'
}

function writeValue(to: Query, value: unknown): void {
  to.params.push(value)
  to.sql += `$${to.params.length}`
}

/** Lets Drizzle write a chunk, numbering its values after those already written. */
function writeOther(to: Query, chunk: object): void {
  const { escapeName, escapeParam, escapeString } = dialect
  const paramStartIndex = { value: to.params.length }
  // A field that the types of Drizzle omit.
  const casing = Reflect.get(dialect, 'casing')
  const written = sql`${chunk}`.toQuery({ casing, escapeName, escapeParam, escapeString, paramStartIndex })
  to.sql += written.sql
  to.params.push(...written.params)
}
