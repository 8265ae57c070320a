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
  await admin.unsafe(`create database ${name} template demo strategy file_copy`)
  await admin.end()
  return named(inject('serverUrl'), name)
}

/** The same database as the owner of its tables, as whom migrations and the audit tool run. */
export function ownerUrl(databaseUrl: string): string {
  return named(inject('templateUrl'), new URL(databaseUrl).pathname.slice(1))
}

/** A connection as the owner of the tables, who may do what the product's role may not. */
export function asOwner(databaseUrl: string): postgres.Sql {
  const sql = postgres(ownerUrl(databaseUrl), { max: 2, onnotice: () => undefined })
  atEnd(() => sql.end())
  return sql
}
