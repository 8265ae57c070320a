import { verify } from '@node-rs/argon2'
import { eq, inArray } from 'drizzle-orm'
import { users } from '../../drizzle/accessTables.ts'
import type { Store } from '../core/database/database.ts'
import { sha256 } from '../core/stream/hash.ts'
import { revokeApiClientsBySecret } from '../features/apiClients/commands.ts'
import { logRecordChange } from '../resources/referenceLog.ts'
import { readUser } from '../shared/users/queries.ts'
import { demoClients, demoPassword, demoUsers } from './access.ts'

/**
 * Disables the demo's published passwords and secrets: its users cannot sign in until they are invited again, and its API clients are
 * revoked. This includes the last administrator, whose password is public too.
 * @returns the number of people and clients
 */
export async function endDemo(store: Store, now: Date): Promise<{ people: number; clients: number }> {
  const actor = { userId: null, requestId: 'end-demo', now }
  return store.asPlatform(async (tx) => {
    const addresses = demoUsers.map((user) => user.email)
    const secrets = demoClients.map((client) => sha256(client.secret))
    let people = 0
    for (const user of await tx.select().from(users).where(inArray(users.email, addresses))) {
      if (!user.passwordHash || !(await verify(user.passwordHash, demoPassword).catch(() => false))) continue
      const before = await readUser(tx, user.id)
      await tx
        .update(users)
        .set({ passwordHash: null, active: false, version: user.version + 1 })
        .where(eq(users.id, user.id))
      await logRecordChange(
        { tx, actor },
        { name: 'user' },
        {
          action: 'updated',
          before: { ...before, organisationId: null },
          after: { ...(await readUser(tx, user.id)), organisationId: null },
        },
      )
      people++
    }
    return { people, clients: await revokeApiClientsBySecret(tx, secrets, actor) }
  })
}
