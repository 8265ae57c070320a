import { sql } from 'drizzle-orm'
import { bigint, boolean, char, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { JWK } from 'jose'
import type { SignInMethod } from '../domain/people/signInMethod.ts'
import type { LocationId, UserId } from '../domain/values/ids.ts'
import { bytes, lookupItems, moment, organisationId } from './columns.ts'

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
    lastSignIn: moment('last_sign_in'),
    /** How often all their sign-ins were ended: one that was proved before the last time begins no more. */
    endings: integer('endings').notNull().default(0),
    /** Who an outside issuer says they are, bound at their first sign-in with a verified address; an address that changes later moves nobody. */
    outsideIssuer: text('outside_issuer'),
    outsideSubject: text('outside_subject'),
    /** Of the digests by which the change log knows who they are; drawn again when they are erased. */
    salt: uuid('salt').notNull().defaultRandom(),
    erasedAt: moment('erased_at'),
    version: integer('version').notNull().default(1),
    created: moment('created').notNull().defaultNow(),
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
    created: moment('created').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('user_groups_unique_1').on(sql`lower(${table.name})`)],
)

/** Which organisations a user belongs to, through which groups, and at which locations; no locations mean all (behaviour B-003). */
export const memberships = pgTable(
  'memberships',
  {
    userId: integer('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    organisationId: organisationId(),
    locationIds: integer('location_ids').array().$type<LocationId[]>().notNull().default(sql`'{}'`),
    userGroupIds: integer('user_group_ids').array().notNull().default(sql`'{}'`),
  },
  (table) => [primaryKey({ columns: [table.userId, table.organisationId] })],
)

/**
 * Which value of the claim of an outside issuer gives which user group in an organisation, beside the rules of the installation's settings. A
 * rule reaches into no other organisation than its own.
 */
export const groupRules = pgTable(
  'group_rules',
  {
    organisationId: organisationId(),
    value: text('value').notNull(),
    userGroupId: integer('user_group_id')
      .notNull()
      .references(() => userGroups.id, { onDelete: 'cascade' }),
    created: moment('created').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.value, table.userGroupId] })],
)

/** User groups whose people an organisation asks for a second step at sign-in, beside those that ask for it everywhere. */
export const secondStepGroups = pgTable(
  'second_step_groups',
  {
    organisationId: organisationId(),
    userGroupId: integer('user_group_id')
      .notNull()
      .references(() => userGroups.id, { onDelete: 'cascade' }),
    created: moment('created').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.userGroupId] })],
)

/** One-time links by which a person sets a password: to join, or after a reset. Only the SHA-256 of the secret is kept. */
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
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
    created: moment('created').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('invitations_secret').on(table.secretHash), index('invitations_user').on(table.userId)],
)

/** The authenticator apps of people; the key sealed with a secret that is not in the database, and good once a code of it was typed. */
export const secondSteps = pgTable('second_steps', {
  userId: integer('user_id')
    .$type<UserId>()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  key: text('key').notNull(),
  confirmedAt: moment('confirmed_at'),
  /** The half minute of the code that was taken last: no code is taken twice. */
  lastStep: integer('last_step'),
  created: moment('created').notNull().defaultNow(),
})

/** Codes that stand in for a lost authenticator app, each good once. Only their SHA-256 is kept. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: integer('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    codeHash: char('code_hash', { length: 64 }).notNull(),
    usedAt: moment('used_at'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
)

/** What people sign in with in place of a password: the public half of a key that never leaves their device or password manager (WebAuthn). */
export const passkeys = pgTable(
  'passkeys',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    userId: integer('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** The names that the authenticator knows the key and its person by, both random, in base64url. */
    credentialId: text('credential_id').notNull(),
    userHandle: text('user_handle').notNull(),
    /** A COSE key in base64url. */
    publicKey: text('public_key').notNull(),
    /** Times that it was used, as the authenticator counts them; 0 always: it counts none. A copy gives itself away by counting anew. */
    signCount: bigint('sign_count', { mode: 'number' }).notNull(),
    transports: text('transports').array().notNull().default(sql`'{}'`),
    lastUsed: moment('last_used'),
    created: moment('created').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('passkeys_credential').on(table.credentialId), index('passkeys_user').on(table.userId)],
)

/** One-time links by which somebody becomes the first administrator of an installation. Only the SHA-256 of the secret is kept. */
export const firstLinks = pgTable(
  'first_administrator_links',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    secretHash: text('secret_hash').notNull(),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
    created: moment('created').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('first_administrator_links_secret').on(table.secretHash)],
)

/** How far an import is, for the screen that waits for it; it is written beside the transaction of the import, which nobody sees before its end. */
export const importProgress = pgTable('import_progress', {
  key: uuid('key').primaryKey(),
  userId: integer('user_id').$type<UserId>().notNull(),
  phase: text('phase').$type<'checking' | 'saving'>().notNull(),
  done: integer('done').notNull(),
  total: integer('total').notNull(),
  updated: moment('updated').notNull().defaultNow(),
})

/**
 * Calls that named an `Idempotency-Key`, written by the transaction that did what they asked for, so that the same call again is answered
 * and not done again. Only digests of key and call are kept; the answer is sealed with the key, which nobody but the caller has.
 */
export const answeredCalls = pgTable(
  'answered_calls',
  {
    /** 0: a call of the platform. */
    organisationId: organisationId(),
    caller: text('caller').notNull(),
    keyDigest: char('key_digest', { length: 64 }).notNull(),
    callDigest: char('call_digest', { length: 64 }).notNull(),
    /** Empty: it was too large to keep. */
    sealedAnswer: text('sealed_answer'),
    created: moment('created').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.caller, table.keyDigest] }),
    index('answered_calls_created').on(table.created),
  ],
)

/**
 * External systems that sign in with the client-credentials grant, each bound to one organisation, with the rights of its user groups at its
 * locations (none: all). Only SHA-256 digests of secrets are kept; after a new one is made the one before holds on for a while.
 */
export const apiClients = pgTable(
  'api_clients',
  {
    clientId: text('client_id').primaryKey(),
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    version: integer('version').notNull().default(1),
    created: moment('created').notNull().defaultNow(),
    createdById: integer('created_by_id').$type<UserId>(),
    secret: text('secret').notNull(),
    secretMade: moment('secret_made').notNull().defaultNow(),
    previousSecret: text('previous_secret'),
    previousUntil: moment('previous_until'),
    name: text('name').notNull(),
    organisationId: organisationId(),
    userGroupIds: integer('user_group_ids').array().notNull().default(sql`'{}'`),
    locationIds: integer('location_ids').array().$type<LocationId[]>().notNull().default(sql`'{}'`),
    active: boolean('active').notNull().default(true),
    lastUsed: moment('last_used'),
  },
  (table) => [
    uniqueIndex('api_clients_id').on(table.id),
    uniqueIndex('api_clients_name').on(table.organisationId, sql`lower(${table.name})`).where(sql`active`),
  ],
)

/**
 * The browsers in which somebody is signed in, by the id of what the issuer has granted. One that was ended is kept as ended for a while, so
 * that nothing of it that is still on its way counts.
 */
export const signIns = pgTable(
  'sign_ins',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    device: text('device').notNull(),
    address: text('address').notNull(),
    /** By what somebody signed in; null: in a version that did not keep it. */
    way: text('way').$type<SignInMethod>(),
    started: moment('started').notNull().defaultNow(),
    lastUsed: moment('last_used').notNull(),
    endedAt: moment('ended_at'),
  },
  (table) => [index('sign_ins_user').on(table.userId)],
)

/** What the embedded sign-in keeps, of all its models. */
export const oidcPayloads = pgTable(
  'oidc_payloads',
  {
    model: text('model').notNull(),
    id: text('id').notNull(),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    grantId: text('grant_id'),
    uid: text('uid'),
    userCode: text('user_code'),
    consumedAt: moment('consumed_at'),
    expiresAt: moment('expires_at'),
  },
  (table) => [
    primaryKey({ columns: [table.model, table.id] }),
    index('oidc_payloads_grant').on(table.grantId),
    index('oidc_payloads_uid').on(table.uid),
  ],
)

/** How often somebody did what is limited, of all servers; digests of who, no names. */
export const rateLimits = pgTable('rate_limits', {
  key: text('key').primaryKey(),
  points: integer('points').notNull(),
  expire: timestamp('expire', { withTimezone: true }),
})

/**
 * Digests of the keys with which servers see the rows of all organisations. While none is required yet, a server needs no key: servers of an
 * earlier version, which have none, may still be running.
 */
export const platformKeys = pgTable('platform_keys', {
  digest: bytes('digest').primaryKey(),
  requiredFrom: timestamp('required_from', { withTimezone: true }).notNull(),
})

/** What signs tokens and cookies, both sealed with a secret that is not in the database. */
export const signingKeys = pgTable('signing_keys', {
  kid: text('kid').primaryKey(),
  jwk: jsonb('jwk').$type<JWK | string>().notNull(),
  cookieSecret: text('cookie_secret').notNull(),
  created: moment('created').notNull().defaultNow(),
})
