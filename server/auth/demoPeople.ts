import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import { users } from '../../drizzle/accessTables.ts'
import type { Store } from '../core/database/database.ts'
import { type DemoUser, demoUsers } from '../demo/access.ts'

/** The people of the demo who can still sign in; none once the demo has been ended. */
export async function listActiveDemoPeople(store: Store): Promise<DemoUser[]> {
  const emails = demoUsers.map(({ email }) => email)
  const rows = await store.asPlatform((tx) =>
    tx
      .select({ email: users.email })
      .from(users)
      .where(and(inArray(users.email, emails), eq(users.active, true), isNotNull(users.passwordHash))),
  )
  const active = new Set(rows.map(({ email }) => email))
  return demoUsers.filter(({ email }) => active.has(email))
}
