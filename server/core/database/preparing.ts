import type postgres from 'postgres'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { memoryOf } from '../memory.ts'
import { tracedStatements } from './tracedStatements.ts'

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
interface Client extends Pick<postgres.Sql, 'unsafe'>, Partial<Pick<postgres.Sql, 'options'>> {
  begin?(work: Work): Promise<unknown>
  savepoint?(work: Work): Promise<unknown>
}
type Work = (tx: postgres.TransactionSql) => unknown

// Of what the driver offers Drizzle calls what a `Client` has, and nothing else.
const asSql = (client: Client): postgres.Sql => client as postgres.Sql
// As above.
const asTransaction = (client: Client): postgres.TransactionSql => client as postgres.TransactionSql

/** The same client, by how a transaction begins. */
interface Clients {
  /** Work begins when the database has said that the transaction has: for what changes. */
  changing: postgres.Sql
  /** What is asked first goes out together with the beginning, and whoever asked does not wait for the end: for what only looks. */
  looking: postgres.Sql
}

/**
 * A client of whose statements those that come again are prepared: Drizzle has every statement read and described anew, which takes the
 * database twice the way for each.
 */
export function preparing(client: postgres.Sql): Clients {
  const met = memoryOf<string, true>(mostMet)
  const prepared = new Set<string>()

  function isPrepared(text: string, values: Values): boolean {
    if (prepared.has(text)) return true
    if (text.length > longestText || (values?.length ?? 0) > mostValues || prepared.size >= mostPrepared) return false
    if (met.drop(text)) return Boolean(prepared.add(text))
    met.put(text, true)
    return false
  }

  function wrap({ options, unsafe, begin, savepoint }: Client): Client {
    return {
      options,
      unsafe: tracedStatements((text: string, values?: Values, how?: Options) =>
        unsafe(text, values, { ...how, prepare: isPrepared(text, values) }),
      ),
      begin: (work) => assertDefined(begin)((tx) => work(asTransaction(wrap(tx)))),
      savepoint: (work) => assertDefined(savepoint)((tx) => work(asTransaction(wrap(tx)))),
    }
  }
  return {
    changing: asSql(wrap(client)),
    looking: asSql(wrap({ options: client.options, unsafe: client.unsafe, begin: (work) => look(client, work) })),
  }
}

/**
 * Runs work in a transaction that can change nothing, on a connection of its own: beginning, work and end are sent without waiting for each
 * other.
 */
async function look(client: postgres.Sql, work: Work): Promise<unknown> {
  const connection = await client.reserve()
  const say = (statement: string): Promise<unknown> => connection.unsafe(statement, [], { prepare: true }).execute()
  const begun = say('begin read only')
  // What follows fails with it, and is what is told.
  begun.catch(() => undefined)
  let parts = 0
  const within: Client = {
    unsafe: tracedStatements(connection.unsafe),
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
    // A connection that was lost is given back by its client.
    say('rollback').then(connection.release, connection.release)
  }
}
