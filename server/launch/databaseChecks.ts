import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verify } from '@node-rs/argon2'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type postgres from 'postgres'
import { assertDefined, requireSingleRow } from '../../domain/values/assertDefined.ts'
import { apiClients, users } from '../../drizzle/accessTables.ts'
import { vaultKeys } from '../../drizzle/schema.ts'
import { assertSigningKeysDecrypt } from '../auth/keys.ts'
import { type Config, SettingError } from '../core/config.ts'
import type { OrganisationTx, Store } from '../core/database/database.ts'
import { wrongDataKeyMessage } from '../core/database/keySeal.ts'
import { unsealKey } from '../core/database/vault.ts'
import { root } from '../core/root.ts'
import { sha256 } from '../core/stream/hash.ts'
import { getThrownDetails } from '../core/thrownDetails.ts'
import { demoClients, demoPassword, demoUsers } from '../demo/access.ts'

const journal: { entries: { when: number }[] } = JSON.parse(readFileSync(join(root, 'drizzle/migrations/meta/_journal.json'), 'utf8'))

export async function hasPublishedPasswords(store: Store): Promise<boolean> {
  const [people, clients] = await store.asPlatform((tx) =>
    Promise.all([
      tx
        .select({ hash: users.passwordHash })
        .from(users)
        .where(
          and(
            eq(users.active, true),
            inArray(
              users.email,
              demoUsers.map((user) => user.email),
            ),
          ),
        ),
      tx
        .select({ id: apiClients.clientId })
        .from(apiClients)
        .where(
          and(
            eq(apiClients.active, true),
            inArray(
              apiClients.secret,
              demoClients.map((client) => sha256(client.secret)),
            ),
          ),
        ),
    ]),
  )
  if (clients.length) return true
  for (const { hash } of people) if (hash && (await verify(hash, demoPassword).catch(() => false))) return true
  return false
}

const newerDataMessage = 'This data was written by a newer version of Bursar. Start that version, or a newer one.'
const olderDataMessage =
  'This data was written by a version of Bursar from before 24 November 2026, which this version cannot migrate. Start commit 56b0564 of Bursar on it once, then this version.'

/** The time (in milliseconds) of the first migration after the schema was consolidated. Older data cannot be migrated. */
export const oldestMigration = assertDefined(journal.entries[1]).when

/**
 * @param newest the time of the newest migration of the version that will use the data; by default this version's
 * @throws Error with one sentence if the data is too old to migrate, or was written by a newer version
 */
export async function assertDataVersion(
  client: postgres.Sql,
  newest = Math.max(...journal.entries.map((entry) => entry.when)),
): Promise<void> {
  const there = requireSingleRow(await client`select to_regclass('drizzle.__drizzle_migrations') is not null as is`)
  if (!there.is) return
  const { last } = requireSingleRow(await client`select max(created_at)::float8 as last from drizzle.__drizzle_migrations`)
  if (last === null) return
  if (last > newest) throw new Error(newerDataMessage)
  if (last < oldestMigration) throw new Error(olderDataMessage)
}

/** Whether the data has at least this version's migrations. A newer version may have added migrations while this version still runs. */
export async function hasAllMigrations({ client }: Pick<Store, 'client'>): Promise<boolean> {
  const row = requireSingleRow(await client`select count(*)::integer as count from drizzle.__drizzle_migrations`)
  return row.count >= journal.entries.length
}

/** Whether the data has exactly this version's migrations. */
export async function hasExactMigrations(tx: OrganisationTx): Promise<boolean> {
  const row = requireSingleRow(
    await tx.execute<{ newest: string }>(sql`select max(created_at) as newest from drizzle.__drizzle_migrations`),
  )
  return Number(row.newest) === assertDefined(journal.entries.at(-1)).when
}

/** Reads whether the store sees all organisations' rows, and whether the data is from an older version, in which every store sees them. */
export async function readRowVisibility(store: Store): Promise<{ seesAll: boolean; isOlder: boolean }> {
  const rows = await store.asPlatform((tx) =>
    tx.execute<{ seesAll: boolean; isOlder: boolean }>(
      sql`select is_platform() as "seesAll", to_regclass('public.platform_keys') is null as "isOlder"`,
    ),
  )
  return requireSingleRow(rows)
}

/** @throws SettingError if the keys in the database were sealed with a different secret */
export async function assertDataKey(store: Store): Promise<void> {
  const { seesAll, isOlder } = await readRowVisibility(store)
  // Data of an earlier version is refused elsewhere, with its own message.
  if (!seesAll && !isOlder)
    throw new SettingError(store.keySeal.hasSecret ? wrongDataKeyMessage : 'DATA_KEY is not set. Set it to the value that the servers use.')
  const [row] = await store.asPlatform((tx) => tx.select().from(vaultKeys).where(sql`octet_length(${vaultKeys.key}) > 32`).limit(1))
  if (row) unsealKey(store, row.subject, row.key)
  await assertSigningKeysDecrypt(store)
}

/** @throws Error with one sentence if a published password works in a production installation that is not a demo */
export async function assertNoPublishedPasswords(store: Store, { production, demo }: Pick<Config, 'production' | 'demo'>): Promise<void> {
  if (production && !demo && (await hasPublishedPasswords(store)))
    throw new Error(
      'The demo people and API clients of this database still have their published passwords. Switch them off with npm run admin -- end-demo, or set DEMO=1 when this is a demonstration.',
    )
}

/** Error codes for a certificate that is untrusted, expired, or for another host. */
const certificateErrors = /^(UNABLE_TO_\w+|(DEPTH_ZERO_)?SELF_SIGNED_CERT\w*|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID)$/

/** @throws SettingError that explains a certificate error; otherwise the original error */
export function rethrowCertificateError(error: unknown): never {
  const { code } = getThrownDetails(error)
  if (code === undefined || !certificateErrors.test(code)) throw error
  throw new SettingError(
    `The certificate of the database is not trusted (${code}). Set NODE_EXTRA_CA_CERTS to the certificate file of the authority that signed it, and use the host name of the certificate in DATABASE_URL.`,
  )
}

/**
 * Checks the database before a server or worker takes work: the role has no excess rights, the data matches this version, the key opens it,
 * and no published password works.
 * @throws Error with one sentence that says what to do
 */
export async function checkDatabase(store: Store, config: Pick<Config, 'production' | 'demo'>): Promise<void> {
  const role = requireSingleRow(
    await store.client<{ name: string; more: boolean }[]>`
    select session_user as name, rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication
      or exists (select from pg_auth_members where member = pg_roles.oid)
      or exists (select from pg_class where relowner = pg_roles.oid)
      or exists (select from pg_database where datdba = pg_roles.oid) as more
    from pg_roles where rolname = session_user`.catch(rethrowCertificateError),
  )
  if (role.more)
    throw new Error(
      `DATABASE_URL signs in as ${role.name}, which has more rights than a server needs. Let servers and workers sign in as bursar_app, with the password that migrate was given in DATABASE_APP_PASSWORD.`,
    )
  await assertDataVersion(store.client)
  await assertDataKey(store)
  await assertNoPublishedPasswords(store, config)
}
