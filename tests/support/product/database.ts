import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { inject } from 'vitest'
import { atEnd } from './endings.ts'

const named = (url: string, name: string): string => url.replace(/\/[^/]*$/, `/${name}`)

/** A database of this test file's own, with the demo trusts in it, as servers and workers sign in to it. */
export async function ownDatabase(): Promise<string> {
  const templateUrl = inject('templateUrl')
  const name = `t${randomBytes(8).toString('hex')}`
  const admin = postgres(named(templateUrl, 'postgres'), { max: 1, onnotice: () => undefined })
  await admin.unsafe(`create database ${name} template bursar strategy file_copy`)
  await admin.end()
  return named(inject('serverUrl'), name)
}

/** A database of this test file's own with nothing in it, not even tables, as its owner. */
export async function emptyDatabase(): Promise<string> {
  const templateUrl = inject('templateUrl')
  const name = `t${randomBytes(8).toString('hex')}`
  const admin = postgres(named(templateUrl, 'postgres'), { max: 1, onnotice: () => undefined })
  await admin.unsafe(`create database ${name}`)
  await admin.end()
  return named(templateUrl, name)
}

/** The password with which servers and workers sign in to the databases of the tests. */
export const serverPassword = (): string => decodeURIComponent(new URL(inject('serverUrl')).password)

/** The same database as the owner of its tables, as whom migrations and the audit tool run. */
export function ownerUrl(databaseUrl: string): string {
  return named(inject('templateUrl'), new URL(databaseUrl).pathname.slice(1))
}

const owners = new Map<string, postgres.Sql>()

/**
 * A connection as the owner of the tables, which may do what the product's own role may not. Created once per test
 * file and reused.
 */
export function asOwner(databaseUrl: string): postgres.Sql {
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

/** Holds the lines of all budgets, so that saves wait in the middle of what they do. @returns what lets them go, once they are held */
export function holdLines(owner: postgres.Sql): Promise<() => Promise<void>> {
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
