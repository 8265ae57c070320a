import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { inject } from 'vitest'
import { atEnd } from './endings.ts'

const named = (url: string, name: string): string => url.replace(/\/[^/]*$/, `/${name}`)

/** Creates a database for this test file, with the demo trusts. @returns its URL for the role of servers and workers */
export async function createDatabase(): Promise<string> {
  const templateUrl = inject('templateUrl')
  const name = `t${randomBytes(8).toString('hex')}`
  const admin = postgres(named(templateUrl, 'postgres'), { max: 1, onnotice: () => undefined })
  await admin.unsafe(`create database ${name} template bursar strategy file_copy`)
  await admin.end()
  return named(inject('serverUrl'), name)
}

/** Creates an empty database for this test file, without tables. @returns its URL as its owner */
export async function createEmptyDatabase(): Promise<string> {
  const templateUrl = inject('templateUrl')
  const name = `t${randomBytes(8).toString('hex')}`
  const admin = postgres(named(templateUrl, 'postgres'), { max: 1, onnotice: () => undefined })
  await admin.unsafe(`create database ${name}`)
  await admin.end()
  return named(templateUrl, name)
}

/** The password of the role with which servers and workers sign in to the test databases. */
export const readServerPassword = (): string => decodeURIComponent(new URL(inject('serverUrl')).password)

/** The URL of the same database for the owner of its tables, who runs migrations and the audit tool. */
export function ownerUrl(databaseUrl: string): string {
  return named(inject('templateUrl'), new URL(databaseUrl).pathname.slice(1))
}

const withHost = (url: string, host: string): string => Object.assign(new URL(url), { host }).href

/** The addresses of a test database for servers and workers: with `POOLER`, through PgBouncer. */
export function throughPooler(databaseUrl: string): { databaseUrl: string; databaseDirectUrl: string | null } {
  const pooler = inject('poolerHost')
  const { host } = new URL(inject('serverUrl'))
  if (!pooler || ![host, pooler].includes(new URL(databaseUrl).host)) return { databaseUrl, databaseDirectUrl: null }
  return { databaseUrl: withHost(databaseUrl, pooler), databaseDirectUrl: withHost(databaseUrl, host) }
}

const owners = new Map<string, postgres.Sql>()

/**
 * A connection as the owner of the tables, which may do what the product's own role may not. Created once per test
 * file and reused.
 */
export function connectAsOwner(databaseUrl: string): postgres.Sql {
  const known = owners.get(databaseUrl)
  if (known) return known
  const sql = postgres(ownerUrl(databaseUrl), { max: 4, onnotice: () => undefined })
  owners.set(databaseUrl, sql)
  atEnd(() => {
    owners.delete(databaseUrl)
    return sql.end()
  })
  return sql
}

/** Locks the lines of all budgets, so that saves wait halfway. @returns a function that releases them, once they are locked */
export function lockLines(owner: postgres.Sql): Promise<() => Promise<void>> {
  return hold(owner, (tx) => tx`lock table posted_lines in share mode`)
}

async function hold(owner: postgres.Sql, take: (tx: postgres.TransactionSql) => Promise<unknown>): Promise<() => Promise<void>> {
  let letGo: () => void = () => undefined
  const released = new Promise<void>((done) => {
    letGo = done
  })
  let holding: Promise<unknown> | undefined
  await new Promise<void>((held, failed) => {
    holding = owner
      .begin(async (tx) => {
        await take(tx)
        held()
        await released
      })
      .catch(failed)
  })
  return async () => {
    letGo()
    await holding
  }
}
