import { sql } from 'drizzle-orm'
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import * as schema from '../../drizzle/schema.ts'

export type Database = PostgresJsDatabase<typeof schema>
export type Tx = Parameters<Parameters<Database['transaction']>[0]>[0]

declare const scoped: unique symbol

/** A transaction that sees the rows of one organisation, or of the platform; only the functions of a store make one. */
export type OrganisationTx = Tx & { [scoped]: true }

export interface Store {
  db: Database
  client: postgres.Sql
  /** Runs work in one transaction in which row-level security shows the rows of this organisation only. */
  inOrganisation<T>(organisationId: number, work: (tx: OrganisationTx) => Promise<T>): Promise<T>
  /** Runs work over all organisations: sign-in, the administrator area and the sweep of the workers, nothing else. */
  asPlatform<T>(work: (tx: OrganisationTx) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Opens the database as the server's role, which owns nothing and cannot bypass row-level security. */
export function openStore(databaseUrl: string, connections = 10): Store {
  const client = postgres(databaseUrl, {
    max: connections,
    idle_timeout: 60,
    onnotice: () => undefined,
    connection: { role: 'bursar_app' } as Record<string, string>,
  })
  const db = drizzle(client, { schema })
  const scope = <T>(organisation: string, work: (tx: OrganisationTx) => Promise<T>): Promise<T> =>
    db.transaction(async (tx) => {
      await tx.execute(sql`select set_config('app.organisation_id', ${organisation}, true)`)
      return work(tx as OrganisationTx)
    })
  return {
    db,
    client,
    inOrganisation: (organisationId, work) => scope(String(organisationId), work),
    asPlatform: (work) => scope('*', work),
    close: () => client.end({ timeout: 5 }),
  }
}
