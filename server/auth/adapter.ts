import { and, eq, lt, not, type SQL, sql } from 'drizzle-orm'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { type apiClients, oidcPayloads } from '../../drizzle/accessTables.ts'
import type { Store } from '../core/database/database.ts'
import { findActiveClient } from './accounts.ts'
import { browserClientId } from './browserClient.ts'
import { deleteOldSignIns, whereSignInEnded } from './signIns.ts'

/** SQL for the grant that a stored model belongs to. Rows of an ended sign-in are treated as missing, even those written after it ended. */
const grantIdByModel: Record<string, SQL> = {
  Session: sql`${oidcPayloads.payload} -> 'authorizations' -> ${browserClientId}::text ->> 'grantId'`,
  Grant: sql`${oidcPayloads.id}`,
  AuthorizationCode: sql`${oidcPayloads.grantId}`,
}

const secondsLeft = sql<number | null>`extract(epoch from ${oidcPayloads.expiresAt} - now())::float8`

/**
 * Stores the state of the embedded issuer in PostgreSQL, one table for all its models, so that servers hold no state. Only the database's
 * clock decides when a row expires, because server clocks may differ by minutes.
 */
export function createIssuerAdapterClass(store: Store): new (model: string) => Adapter {
  return class implements Adapter {
    readonly model: string
    constructor(model: string) {
      this.model = model
    }

    async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
      const expiresAt = expiresIn ? sql`now() + make_interval(secs => ${expiresIn})` : null
      const row = { payload, grantId: payload.grantId ?? null, uid: payload.uid ?? null, userCode: payload.userCode ?? null, expiresAt }
      await store.asPlatform((tx) =>
        tx
          .insert(oidcPayloads)
          .values({ model: this.model, id, ...row })
          .onConflictDoUpdate({ target: [oidcPayloads.model, oidcPayloads.id], set: row }),
      )
    }

    /** API clients are read from their table on each request, so that a deactivated one is refused at once. */
    find = async (id: string) => {
      if (this.model !== 'Client') return this.first(eq(oidcPayloads.id, id))
      const client = await findActiveClient(store, id)
      return client && clientMetadata(client)
    }

    findByUid = (uid: string) => this.first(eq(oidcPayloads.uid, uid))
    findByUserCode = (userCode: string) => this.first(eq(oidcPayloads.userCode, userCode))

    private async first(condition: ReturnType<typeof eq>): Promise<AdapterPayload | undefined> {
      const grantId = grantIdByModel[this.model]
      const [row] = await store.asPlatform((tx) =>
        tx
          .select({ payload: oidcPayloads.payload, consumedAt: oidcPayloads.consumedAt, secondsLeft })
          .from(oidcPayloads)
          .where(and(eq(oidcPayloads.model, this.model), condition, grantId && not(whereSignInEnded(tx, grantId)))),
      )
      if (!row || (row.secondsLeft !== null && row.secondsLeft <= 0)) return undefined
      return {
        ...row.payload,
        // The provider compares `exp` with this server's clock, so convert the time left to that clock.
        ...(row.secondsLeft !== null && { exp: Math.floor(Date.now() / 1000) + Math.round(row.secondsLeft) }),
        ...(row.consumedAt && { consumed: true }),
      }
    }

    async consume(id: string): Promise<void> {
      await store.asPlatform((tx) =>
        tx
          .update(oidcPayloads)
          .set({ consumedAt: new Date().toISOString() })
          .where(and(eq(oidcPayloads.model, this.model), eq(oidcPayloads.id, id))),
      )
    }

    async destroy(id: string): Promise<void> {
      await store.asPlatform((tx) => tx.delete(oidcPayloads).where(and(eq(oidcPayloads.model, this.model), eq(oidcPayloads.id, id))))
    }

    async revokeByGrantId(grantId: string): Promise<void> {
      await store.asPlatform((tx) => tx.delete(oidcPayloads).where(eq(oidcPayloads.grantId, grantId)))
    }
  }
}

/** Deletes expired state of the issuer and old sign-ins. Several servers may run it at once. */
export async function deleteExpiredSignInState(store: Store): Promise<void> {
  await store.asPlatform(async (tx) => {
    await tx.delete(oidcPayloads).where(lt(oidcPayloads.expiresAt, sql`now()`))
    await deleteOldSignIns(tx)
  })
}

/** Separates the digests of a client's valid secrets: the newest and, for a while, the previous one. */
export const secretSeparator = '.'

function clientMetadata(client: typeof apiClients.$inferSelect): AdapterPayload {
  const { clientId, secret, previousSecret, previousUntil, name } = client
  const isPreviousGood = previousSecret && previousUntil && new Date(previousUntil) > new Date()
  return {
    client_id: clientId,
    client_secret: isPreviousGood ? [secret, previousSecret].join(secretSeparator) : secret,
    client_name: name,
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
    token_endpoint_auth_method: 'client_secret_post',
    scope: 'api',
  }
}
