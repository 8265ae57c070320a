import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { afterAll, inject } from 'vitest'

/** A database of this test file's own, with the demo trusts in it. */
export async function ownDatabase(): Promise<string> {
  const templateUrl = inject('templateUrl')
  const name = `t${randomBytes(8).toString('hex')}`
  const admin = postgres(templateUrl.replace(/\/[^/]*$/, '/postgres'), { max: 1, onnotice: () => undefined })
  await admin.unsafe(`create database ${name} template demo strategy file_copy`)
  await admin.end()
  return templateUrl.replace(/\/[^/]*$/, `/${name}`)
}

/** A connection as the owner of the tables, who may do what the product's role may not. */
export function asOwner(databaseUrl: string): postgres.Sql {
  const sql = postgres(databaseUrl, { max: 2, onnotice: () => undefined })
  afterAll(() => sql.end())
  return sql
}
