import { and, eq, lt, not, type SQL, sql } from 'drizzle-orm'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { type apiClients, oidcPayloads } from '../../drizzle/accessTables.ts'
import type { Store } from '../core/database/database.ts'
import { activeClient } from './accounts.ts'
import { browserClientId } from './browserClient.ts'
import { forgetSignIns, hasEnded } from './signIns.ts'

/** The grant that belongs to a row of a model: what is of a sign-in that has ended is not found, even if it was written after its end. */
const grantOf: Record<string, SQL> = {
  Session: sql`${oidcPayloads.payload} -> 'authorizations' -> ${browserClientId}::text ->> 'grantId'`,
  Grant: sql`${oidcPayloads.id}`,
  AuthorizationCode: sql`${oidcPayloads.grantId}`,
}

const secondsLeft = sql<number | null>`extract(epoch from ${oidcPayloads.expiresAt} - now())::float8`

/**
 * Keeps what the embedded sign-in must remember in PostgreSQL, one table for all its models, so that servers hold no state. How long each
 * lasts is measured by the clock of the database alone: what one server wrote, another whose clock is minutes off finds as long as it lasts.
 */
export function adapterFor(store: Store): new (model: string) => Adapter {
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

    /** API clients are rows of ours, read as they stand, so that one switched off is refused at once. */
    find = async (id: string) => {
      if (this.model !== 'Client') return this.first(eq(oidcPayloads.id, id))
      const client = await activeClient(store, id)
      return client && clientMetadata(client)
    }

    findByUid = (uid: string) => this.first(eq(oidcPayloads.uid, uid))
    findByUserCode = (userCode: string) => this.first(eq(oidcPayloads.userCode, userCode))

    private async first(condition: ReturnType<typeof eq>): Promise<AdapterPayload | undefined> {
      const grantId = grantOf[this.model]
      const [row] = await store.asPlatform((tx) =>
        tx
          .select({ payload: oidcPayloads.payload, consumedAt: oidcPayloads.consumedAt, secondsLeft })
          .from(oidcPayloads)
          .where(and(eq(oidcPayloads.model, this.model), condition, grantId && not(hasEnded(tx, grantId)))),
      )
      if (!row || (row.secondsLeft !== null && row.secondsLeft <= 0)) return undefined
      return {
        ...row.payload,
        // As the clock of this server, to which the provider holds it, will show the same moment.
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

/** Removes what the sign-in no longer needs to remember. Any server may do it at any time. */
export async function forgetExpired(store: Store): Promise<void> {
  await store.asPlatform(async (tx) => {
    await tx.delete(oidcPayloads).where(lt(oidcPayloads.expiresAt, sql`now()`))
    await forgetSignIns(tx)
  })
}

/** Between the digests of the secrets that are good now: the newest, and for a while the one before. */
export const betweenSecrets = '.'

function clientMetadata(client: typeof apiClients.$inferSelect): AdapterPayload {
  const { clientId, secret, previousSecret, previousUntil, name } = client
  const isPreviousGood = previousSecret && previousUntil && new Date(previousUntil) > new Date()
  return {
    client_id: clientId,
    client_secret: isPreviousGood ? [secret, previousSecret].join(betweenSecrets) : secret,
    client_name: name,
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
    token_endpoint_auth_method: 'client_secret_post',
    scope: 'api',
  }
}
