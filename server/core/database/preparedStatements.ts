import type postgres from 'postgres'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { createCache } from '../cache.ts'
import { traceStatements } from './tracedStatements.ts'

/** The most prepared statements for each connection. Each uses database memory as long as the connection lives. */
const mostPrepared = 300
/** How many statements are remembered to recognise repeated ones. */
const mostRemembered = 2000
/** Longer statements, or those with more values, are assembled for a single call and not repeated. */
const longestText = 8000
const mostValues = 40
/**
 * Statements that search for a text are planned for each call: a search for one letter needs another plan than one for
 * ten.
 */
const searchPattern = /\b(i?like|strpos)\b/i

type Values = Parameters<postgres.Sql['unsafe']>[1]
type Options = Parameters<postgres.Sql['unsafe']>[2]
/** The part of a connection or pool that Drizzle uses. */
interface Client extends Pick<postgres.Sql, 'unsafe'>, Partial<Pick<postgres.Sql, 'options'>> {
  begin?(work: TransactionWork): Promise<unknown>
  savepoint?(work: TransactionWork): Promise<unknown>
}
type TransactionWork = (tx: postgres.TransactionSql) => unknown

// Drizzle calls only those driver methods that a `Client` has.
const asSql = (client: Client): postgres.Sql => client as postgres.Sql
// Drizzle calls only those driver methods that a `Client` has.
const asTransaction = (client: Client): postgres.TransactionSql => client as postgres.TransactionSql

/** The same client with two ways to start a transaction. */
interface Clients {
  /** For changes: work starts once the database has confirmed the transaction. */
  changing: postgres.Sql
  /** For reads: the first statement is sent together with `begin`, and the caller does not wait for the transaction to end. */
  looking: postgres.Sql
}

/**
 * A client that prepares repeated statements. Drizzle otherwise has each statement parsed and described every time,
 * which doubles the round trips.
 */
export function createPreparingClients(client: postgres.Sql): Clients {
  const met = createCache<string, true>(mostRemembered)
  const prepared = new Set<string>()

  function isPrepared(text: string, values: Values): boolean {
    if (prepared.has(text)) return true
    if (text.length > longestText || (values?.length ?? 0) > mostValues || prepared.size >= mostPrepared) return false
    if (met.drop(text)) return !searchPattern.test(text) && Boolean(prepared.add(text))
    met.put(text, true)
    return false
  }

  /**
   * Refuses statements after the end of a transaction. If one of several concurrent reads fails, the others may still be running while
   * their connection already serves another call.
   * @param check throws if a surrounding transaction has ended
   */
  function wrap({ options, unsafe, begin, savepoint }: Client, check = (): void => undefined): Client {
    const untilEnd =
      (start: Client['begin']): Client['begin'] =>
      (work) => {
        check()
        return assertDefined(start)(async (tx) => {
          let hasEnded = false
          const checkAll = (): void => {
            check()
            if (hasEnded) throw new Error('A statement came after the end of its transaction.')
          }
          try {
            return await work(asTransaction(wrap(tx, checkAll)))
          } finally {
            hasEnded = true
          }
        })
      }
    return {
      options,
      unsafe: traceStatements((text: string, values?: Values, how?: Options) => {
        check()
        return unsafe(text, values, { ...how, prepare: how?.prepare || isPrepared(text, values) })
      }),
      begin: untilEnd(begin),
      savepoint: untilEnd(savepoint),
    }
  }
  return {
    changing: asSql(wrap(client)),
    looking: asSql(wrap({ options: client.options, unsafe: client.unsafe, begin: (work) => runReadOnly(client, work) })),
  }
}

/** Runs work in a read-only transaction on its own connection. `begin`, the work and the end are sent without waiting for each other. */
async function runReadOnly(client: postgres.Sql, work: TransactionWork): Promise<unknown> {
  const connection = await client.reserve()
  const send = (statement: string): Promise<unknown> => connection.unsafe(statement, [], { prepare: true }).execute()
  const begun = send('begin read only')
  // The statements after it fail too, and they report the error.
  begun.catch(() => undefined)
  let parts = 0
  const within: Client = {
    unsafe: connection.unsafe,
    savepoint: async (part) => {
      const name = `part_${parts++}`
      await connection.unsafe(`savepoint ${name}`)
      try {
        return await part(asTransaction(within))
      } catch (error) {
        await connection.unsafe(`rollback to ${name}`)
        throw error
      }
    },
  }
  try {
    return await work(asTransaction(within))
  } finally {
    // The driver's client releases a lost connection.
    send('rollback').then(connection.release, connection.release)
  }
}
