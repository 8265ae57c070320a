import type postgres from 'postgres'
import { must } from '../../../domain/must.ts'

/** Statements that every connection keeps prepared at most: each takes memory of the database for as long as the connection lives. */
const mostPrepared = 300
/** Statements of which it is remembered that they were met. */
const mostMet = 2000
/** What is longer or has more values is written for one call and does not come again. */
const longestText = 8000
const mostValues = 40

type Values = Parameters<postgres.Sql['unsafe']>[1]
type Options = Parameters<postgres.Sql['unsafe']>[2]
/** What Drizzle uses of a connection, or of all of them. */
type Client = Pick<postgres.Sql, 'unsafe'> & Partial<Pick<postgres.Sql, 'options' | 'begin'> & Pick<postgres.TransactionSql, 'savepoint'>>

/**
 * A client of whose statements those that come again are prepared: Drizzle has every statement read and described anew, which takes the
 * database twice the way for each.
 */
export function preparing(client: postgres.Sql): postgres.Sql {
  const met = new Set<string>()
  const prepared = new Set<string>()

  function isPrepared(text: string, values: Values): boolean {
    if (prepared.has(text)) return true
    if (text.length > longestText || (values?.length ?? 0) > mostValues || prepared.size >= mostPrepared) return false
    if (met.delete(text)) return Boolean(prepared.add(text))
    met.add(text)
    const [oldest] = met
    if (met.size > mostMet) met.delete(must(oldest))
    return false
  }

  function wrap(inner: Client): Client {
    return {
      options: inner.options,
      unsafe: (text: string, values?: Values, options?: Options) =>
        inner.unsafe(text, values, { ...options, prepare: isPrepared(text, values) }),
      begin: ((work: (tx: postgres.TransactionSql) => unknown) =>
        must(inner.begin)((tx) => work(wrap(tx) as postgres.TransactionSql))) as postgres.Sql['begin'],
      savepoint: ((work: (tx: postgres.TransactionSql) => unknown) =>
        must(inner.savepoint)((tx) => work(wrap(tx) as postgres.TransactionSql))) as postgres.TransactionSql['savepoint'],
    }
  }
  // Drizzle calls nothing else.
  return wrap(client) as postgres.Sql
}
