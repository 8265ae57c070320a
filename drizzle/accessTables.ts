import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  char,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { JWK } from 'jose'
import type { SignInMethod } from '../domain/people/signInMethod.ts'
import type { LocationId, UserId } from '../domain/values/ids.ts'
import { bytes, lookupItems, organisationIdColumn, timestampText } from './columns.ts'

export const users = pgTable(
  'users',
  {
    id: integer('id').$type<UserId>().primaryKey().generatedAlwaysAsIdentity(),
    email: text('email').notNull(),
    forename: text('forename').notNull(),
    surname: text('surname').notNull(),
    position: text('position'),
    phoneNumber: text('phone_number'),
    avatarId: integer('avatar_id'),
    passwordHash: text('password_hash'),
    isAdministrator: boolean('is_administrator').notNull().default(false),
    active: boolean('active').notNull().default(true),
    lastSignIn: timestampText('last_sign_in'),
    /** How many times all sign-ins of the user have been ended. A sign-in that authenticated before the last time is refused. */
    endings: integer('endings').notNull().default(0),
    /**
     * The user's identity at an outside issuer. The first sign-in with a verified email address links it to the user; changing that
     * address later does not affect it.
     */
    outsideIssuer: text('outside_issuer'),
    outsideSubject: text('outside_subject'),
    /** Salt of the digests that identify the user in the change log. It is replaced when the user is erased. */
    salt: uuid('salt').notNull().defaultRandom(),
    erasedAt: timestampText('erased_at'),
    version: integer('version').notNull().default(1),
    created: timestampText('created').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('users_email').on(sql`lower(${table.email})`),
    uniqueIndex('users_outside').on(table.outsideIssuer, table.outsideSubject),
  ],
)

export const userGroups = pgTable(
  'user_groups',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    name: text('name').notNull(),
    permissions: lookupItems('permissions')('permissions').notNull(),
    secondStepRequired: boolean('second_step_required').notNull().default(false),
    version: integer('version').notNull().default(1),
    created: timestampText('created').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('user_groups_unique_1').on(sql`lower(${table.name})`)],
)

/** The organisations that a user belongs to, with the user's groups and locations in each; no locations means all (behaviour B-003). */
export const memberships = pgTable(
  'memberships',
  {
    userId: integer('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    organisationId: organisationIdColumn(),
    locationIds: integer('location_ids').array().$type<LocationId[]>().notNull().default(sql`'{}'`),
    userGroupIds: integer('user_group_ids').array().notNull().default(sql`'{}'`),
  },
  (table) => [primaryKey({ columns: [table.userId, table.organisationId] })],
)

/**
 * For each value of an outside issuer's claim, the user groups of one organisation that it gives, in addition to the rules in the
 * installation's settings.
 */
export const groupRules = pgTable(
  'group_rules',
  {
    organisationId: organisationIdColumn(),
    value: text('value').notNull(),
    userGroupId: integer('user_group_id')
      .notNull()
      .references(() => userGroups.id, { onDelete: 'cascade' }),
    created: timestampText('created').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.value, table.userGroupId] })],
)

/** User groups for which an organisation requires a second step at sign-in, in addition to the groups that always require it. */
export const secondStepGroups = pgTable(
  'second_step_groups',
  {
    organisationId: organisationIdColumn(),
    userGroupId: integer('user_group_id')
      .notNull()
      .references(() => userGroups.id, { onDelete: 'cascade' }),
    created: timestampText('created').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.userGroupId] })],
)

/** One-time links for setting a password, when joining or after a reset. Only the SHA-256 of the secret is stored. */
export const invitations = pgTable(
  'invitations',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    userId: integer('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    secretHash: text('secret_hash').notNull(),
    kind: text('kind').$type<'invite' | 'reset'>().notNull(),
    expiresAt: timestampText('expires_at').notNull(),
    usedAt: timestampText('used_at'),
    created: timestampText('created').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('invitations_secret').on(table.secretHash), index('invitations_user').on(table.userId)],
)

/** Authenticator apps. The key is encrypted with a secret outside the database, and takes effect after the user has entered a code. */
export const authenticatorApps = pgTable('second_steps', {
  userId: integer('user_id')
    .$type<UserId>()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  key: text('key').notNull(),
  confirmedAt: timestampText('confirmed_at'),
  /** The time step of the last accepted code, in half-minutes since 1970. No code is accepted twice. */
  lastStep: integer('last_step'),
  created: timestampText('created').notNull().defaultNow(),
})

/** One-time codes that replace a lost authenticator app. Only the SHA-256 of each code is stored. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: integer('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    codeHash: char('code_hash', { length: 64 }).notNull(),
    usedAt: timestampText('used_at'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
)

/**
 * Passkeys, which replace passwords. Each row is the public half of a key; the private half stays on the device or in a password manager
 * (WebAuthn).
 */
export const passkeys = pgTable(
  'passkeys',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    userId: integer('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** The random identifier of the key, in base64url. The next column is that of its user. */
    credentialId: text('credential_id').notNull(),
    userHandle: text('user_handle').notNull(),
    /** A COSE key in base64url. */
    publicKey: text('public_key').notNull(),
    /** The authenticator's use counter; always 0 if the authenticator does not count. A counter that decreases reveals a cloned key. */
    signCount: bigint('sign_count', { mode: 'number' }).notNull(),
    transports: text('transports').array().notNull().default(sql`'{}'`),
    lastUsed: timestampText('last_used'),
    created: timestampText('created').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('passkeys_credential').on(table.credentialId), index('passkeys_user').on(table.userId)],
)

/** One-time links that create the first administrator of an installation. Only the SHA-256 of the secret is stored. */
export const firstAdministratorLinks = pgTable(
  'first_administrator_links',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    secretHash: text('secret_hash').notNull(),
    expiresAt: timestampText('expires_at').notNull(),
    usedAt: timestampText('used_at'),
    created: timestampText('created').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('first_administrator_links_secret').on(table.secretHash)],
)

/**
 * The progress of an import, which the screen shows. It is written in a separate transaction, because other connections see nothing of the
 * import until it commits.
 */
export const importProgress = pgTable('import_progress', {
  key: uuid('key').primaryKey(),
  userId: integer('user_id').$type<UserId>().notNull(),
  phase: text('phase').$type<'checking' | 'saving'>().notNull(),
  done: integer('done').notNull(),
  total: integer('total').notNull(),
  updated: timestampText('updated').notNull().defaultNow(),
})

/**
 * Calls with an `Idempotency-Key` and their replies, so that a repeated call gets the same reply and is not carried out twice. The call's
 * transaction writes the row. Only digests of key and call are stored. The reply is encrypted with the key, which only the caller has.
 */
export const idempotentCalls = pgTable(
  'answered_calls',
  {
    /** The organisation; 0 for a call that concerns no single organisation, such as a change to national data. */
    organisationId: organisationIdColumn(),
    caller: text('caller').notNull(),
    keyDigest: char('key_digest', { length: 64 }).notNull(),
    callDigest: char('call_digest', { length: 64 }).notNull(),
    /** The encrypted reply; null if it was too large to store. */
    sealedAnswer: text('sealed_answer'),
    created: timestampText('created').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.caller, table.keyDigest] }),
    index('answered_calls_created').on(table.created),
  ],
)

/**
 * External systems that use the client-credentials grant. Each belongs to one organisation and has the rights of its user groups at its
 * locations (no locations means all). Only SHA-256 digests of secrets are stored. After a secret is rotated, the previous secret stays
 * valid for a while.
 */
export const apiClients = pgTable(
  'api_clients',
  {
    clientId: text('client_id').primaryKey(),
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    version: integer('version').notNull().default(1),
    created: timestampText('created').notNull().defaultNow(),
    createdById: integer('created_by_id').$type<UserId>(),
    secret: text('secret').notNull(),
    secretMade: timestampText('secret_made').notNull().defaultNow(),
    previousSecret: text('previous_secret'),
    previousUntil: timestampText('previous_until'),
    name: text('name').notNull(),
    organisationId: organisationIdColumn(),
    userGroupIds: integer('user_group_ids').array().notNull().default(sql`'{}'`),
    locationIds: integer('location_ids').array().$type<LocationId[]>().notNull().default(sql`'{}'`),
    active: boolean('active').notNull().default(true),
    lastUsed: timestampText('last_used'),
  },
  (table) => [
    uniqueIndex('api_clients_id').on(table.id),
    uniqueIndex('api_clients_name').on(table.organisationId, sql`lower(${table.name})`).where(sql`active`),
  ],
)

/**
 * Browser sessions by the id of the issuer's grant. The row of an ended session is retained for a while, so that tokens issued before the
 * end are refused.
 */
export const browserSessions = pgTable(
  'sign_ins',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    device: text('device').notNull(),
    address: text('address').notNull(),
    /** How the user signed in; null for sign-ins from a version that did not record it. */
    way: text('way').$type<SignInMethod>(),
    started: timestampText('started').notNull().defaultNow(),
    lastUsed: timestampText('last_used').notNull(),
    endedAt: timestampText('ended_at'),
  },
  (table) => [index('sign_ins_user').on(table.userId)],
)

/** The data of all models of the embedded OpenID provider. */
export const oidcPayloads = pgTable(
  'oidc_payloads',
  {
    model: text('model').notNull(),
    id: text('id').notNull(),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    grantId: text('grant_id'),
    uid: text('uid'),
    userCode: text('user_code'),
    consumedAt: timestampText('consumed_at'),
    expiresAt: timestampText('expires_at'),
  },
  (table) => [
    primaryKey({ columns: [table.model, table.id] }),
    index('oidc_payloads_grant').on(table.grantId),
    index('oidc_payloads_uid').on(table.uid),
  ],
)

/** Rate-limit counters shared by all servers. The key is a digest of what is limited, such as an address. */
export const rateLimits = pgTable('rate_limits', {
  key: text('key').primaryKey(),
  points: integer('points').notNull(),
  expire: timestamp('expire', { withTimezone: true }),
})

/**
 * A row for each running server and worker. The process updates its row every few seconds (core/watch/heartbeat.ts) and deletes it when it
 * stops. It belongs to no organisation.
 */
export const processHeartbeats = pgTable('processes', {
  id: uuid('id').primaryKey(),
  kind: text('kind').$type<'server' | 'worker'>().notNull(),
  version: text('version').notNull(),
  /** When the process last updated the row, by the database's clock. */
  seenAt: timestamp('seen_at', { withTimezone: true }).notNull(),
  /** How many seconds the clock of the process's machine is ahead of the database's clock. */
  clockSeconds: doublePrecision('clock_seconds').notNull(),
})

/** When each backup was finished. The doctor and the metrics report the age of the last one. */
export const backups = pgTable('backups', {
  madeAt: timestamp('made_at', { withTimezone: true }).primaryKey(),
})

/** The result of each rehearsal of a restore, for the doctor and the metrics. */
export const restoreRehearsals = pgTable('restore_rehearsals', {
  madeAt: timestamp('made_at', { withTimezone: true }).primaryKey(),
  /** What was wrong, in one sentence; null if the backup could be restored. */
  problem: text('problem'),
})

/**
 * Digests of the keys that allow servers to see the rows of all organisations. A key is required only from `requiredFrom`, because servers
 * of earlier versions have no key and may still be running.
 */
export const platformKeys = pgTable('platform_keys', {
  digest: bytes('digest').primaryKey(),
  requiredFrom: timestamp('required_from', { withTimezone: true }).notNull(),
})

/** Keys that sign tokens and cookies, encrypted with a secret outside the database. */
export const signingKeys = pgTable('signing_keys', {
  kid: text('kid').primaryKey(),
  jwk: jsonb('jwk').$type<JWK | string>().notNull(),
  cookieSecret: text('cookie_secret').notNull(),
  created: timestampText('created').notNull().defaultNow(),
})
