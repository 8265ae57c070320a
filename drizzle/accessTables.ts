import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { lookupItems, moment, organisationId } from './columns.ts'

export const users = pgTable(
  'users',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
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
    version: integer('version').notNull().default(1),
    created: moment('created').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('users_email').on(sql`lower(${table.email})`)],
)

export const userGroups = pgTable('user_groups', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  name: text('name').notNull().unique(),
  permissions: lookupItems('permissions')('permissions').notNull(),
  version: integer('version').notNull().default(1),
  created: moment('created').notNull().defaultNow(),
})

/** Which organisations a user belongs to, through which groups, and at which locations; no locations mean all (behaviour B-003). */
export const memberships = pgTable(
  'memberships',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    organisationId: organisationId(),
    locationIds: integer('location_ids').array().notNull().default(sql`'{}'`),
    userGroupIds: integer('user_group_ids').array().notNull().default(sql`'{}'`),
  },
  (table) => [primaryKey({ columns: [table.userId, table.organisationId] })],
)

/** One-time links by which a person sets a password: to join, or after a reset. Only the SHA-256 of the secret is kept. */
export const invitations = pgTable(
  'invitations',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    userId: integer('user_id')
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

/** How far an import is, for the screen that waits for it; it is written beside the transaction of the import, which nobody sees before its end. */
export const importProgress = pgTable('import_progress', {
  key: uuid('key').primaryKey(),
  userId: integer('user_id').notNull(),
  phase: text('phase').$type<'checking' | 'saving'>().notNull(),
  done: integer('done').notNull(),
  total: integer('total').notNull(),
  updated: moment('updated').notNull().defaultNow(),
})

/** External systems that sign in with the client-credentials grant, each bound to one organisation and a user group. */
export const apiClients = pgTable('api_clients', {
  clientId: text('client_id').primaryKey(),
  secret: text('secret').notNull(),
  name: text('name').notNull(),
  organisationId: organisationId(),
  userGroupId: integer('user_group_id')
    .notNull()
    .references(() => userGroups.id),
  active: boolean('active').notNull().default(true),
})

/** What the embedded sign-in keeps, of all its models. */
export const oidcPayloads = pgTable(
  'oidc_payloads',
  {
    model: text('model').notNull(),
    id: text('id').notNull(),
    payload: jsonb('payload').notNull(),
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

export const signingKeys = pgTable('signing_keys', {
  kid: text('kid').primaryKey(),
  jwk: jsonb('jwk').notNull(),
  cookieSecret: text('cookie_secret').notNull(),
  created: moment('created').notNull().defaultNow(),
})
