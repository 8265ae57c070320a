import { sql } from 'drizzle-orm'
import { bigint, boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { ConnectionKindName } from '../domain/integrations/connections/all.ts'
import type { ConnectionState, ExchangeFormat, RunOutcome } from '../domain/integrations/connections/connection.ts'
import type { FieldMapping } from '../domain/integrations/connections/mapping.ts'
import type { Schedule } from '../domain/integrations/connections/schedule.ts'
import type { IntegrationEventType } from '../domain/integrations/events.ts'
import type { FileSelection } from '../domain/integrations/files/connections.ts'
import type { FileLayout } from '../domain/integrations/files/layout.ts'
import type { DeliveryState, MessageType, WebhookState } from '../domain/integrations/webhooks.ts'
import type { UserId } from '../domain/values/ids.ts'
import { bytes, instant, moment, organisationId } from './columns.ts'

/** The links of an organisation to its ledger, payroll and other systems, and how each stood when it was tried last. */
export const integrationCredentials = pgTable(
  'integration_credentials',
  {
    organisationId: organisationId(),
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    version: integer('version').notNull().default(1),
    created: instant('created').notNull().default(sql`now()`),
    description: text('description').notNull(),
    /** As `financialIntegrationTypes`. */
    integrationType: smallint('integration_type').notNull(),
    /** As `integrationStates`. */
    state: smallint('state').notNull(),
    /** What the last try came to, for people. */
    message: text('message'),
    checkedAt: instant('checked_at'),
    /** Since when a try waits for a worker; null while none does. */
    testAsked: moment('test_asked'),
    /** How often that try was begun. */
    attempts: smallint('attempts').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    uniqueIndex('integration_credentials_description').on(table.organisationId, sql`lower("description")`),
    index('integration_credentials_test_asked').on(table.testAsked).where(sql`test_asked is not null`),
  ],
)

/** The settings of a link, a row each; a secret is sealed with the organisation's own key. */
export const integrationParameters = pgTable(
  'integration_parameters',
  {
    organisationId: organisationId(),
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    credentialId: integer('credential_id').notNull(),
    name: text('name').notNull(),
    isSecret: boolean('is_secret').notNull(),
    /** Sealed where it is a secret; empty where nothing is set. */
    value: text('value').notNull().default(''),
    version: integer('version').notNull().default(1),
    created: instant('created').notNull().default(sql`now()`),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    uniqueIndex('integration_parameters_name').on(table.organisationId, table.credentialId, table.name),
    foreignKey({
      name: 'integration_parameters_credential_fk',
      columns: [table.organisationId, table.credentialId],
      foreignColumns: [integrationCredentials.organisationId, integrationCredentials.id],
    }).onDelete('cascade'),
  ],
)

/** The systems that are told what happened, and how that goes. */
export const webhooks = pgTable(
  'webhooks',
  {
    organisationId: organisationId(),
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    version: integer('version').notNull().default(1),
    created: instant('created').notNull().default(sql`now()`),
    name: text('name').notNull(),
    address: text('address').notNull(),
    types: text('types').array().$type<IntegrationEventType[]>().notNull(),
    state: text('state').$type<WebhookState>().notNull().default('active'),
    /** Why it was disabled, for people. */
    reason: text('reason'),
    /** Sealed with the organisation's own key, as the one before is. */
    secret: text('secret').notNull(),
    secretMade: instant('secret_made').notNull().default(sql`now()`),
    previousSecret: text('previous_secret'),
    previousUntil: instant('previous_until'),
    /** The place in the chain of commits up to which messages were made. */
    position: bigint('position', { mode: 'number' }).notNull(),
    /** Since when nothing was accepted that was sent; null while all goes well. */
    failingSince: instant('failing_since'),
    lastAccepted: instant('last_accepted'),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    uniqueIndex('webhooks_name').on(table.organisationId, sql`lower("name")`),
  ],
)

/** The messages to webhooks, one row for each message and webhook, and what came of them. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    organisationId: organisationId(),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    webhookId: integer('webhook_id').notNull(),
    /** The id of the event, the same at every try and for every receiver. */
    messageId: text('message_id').notNull(),
    type: text('type').$type<MessageType>().notNull(),
    /** The very text that is signed. */
    body: text('body').notNull(),
    occurredAt: instant('occurred_at').notNull(),
    madeAt: instant('made_at').notNull().default(sql`now()`),
    state: text('state').$type<DeliveryState>().notNull().default('waiting'),
    /** When it is to be tried next; null: it has come to its end, or is held while its webhook is not active. */
    dueAt: moment('due_at'),
    tries: smallint('tries').notNull().default(0),
    /** Until when a worker has it, which is also how that worker knows that it is still its own; null while none has. */
    claimedUntil: moment('claimed_until'),
    /** How often it was begun anew: what a try comes to that was begun before is no news of this one. */
    turn: integer('turn').notNull().default(0),
    triedAt: instant('tried_at'),
    /** The HTTP status of the last answer. */
    answerStatus: smallint('answer_status'),
    /** What the last try came to, for people. */
    answer: text('answer'),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    uniqueIndex('webhook_deliveries_message').on(table.organisationId, table.webhookId, table.messageId),
    index('webhook_deliveries_due').on(table.dueAt).where(sql`due_at is not null`),
    index('webhook_deliveries_made').on(table.madeAt),
    foreignKey({
      name: 'webhook_deliveries_webhook_fk',
      columns: [table.organisationId, table.webhookId],
      foreignColumns: [webhooks.organisationId, webhooks.id],
    }).onDelete('cascade'),
  ],
)

/** How the organisation's files are written that other systems take in. */
export const fileLayouts = pgTable(
  'file_layouts',
  {
    organisationId: organisationId(),
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    version: integer('version').notNull().default(1),
    created: instant('created').notNull().default(sql`now()`),
    name: text('name').notNull(),
    layout: jsonb('layout').$type<FileLayout>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    uniqueIndex('file_layouts_name').on(table.organisationId, sql`lower("name")`),
  ],
)

/** What goes to another system, or is fetched from one, by itself. */
export const connections = pgTable(
  'connections',
  {
    organisationId: organisationId(),
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    version: integer('version').notNull().default(1),
    created: instant('created').notNull().default(sql`now()`),
    name: text('name').notNull(),
    kind: text('kind').$type<ConnectionKindName>().notNull(),
    credentialId: integer('credential_id').notNull(),
    /** Below the credential's address, or in its folder. */
    path: text('path').notNull(),
    format: text('format').$type<ExchangeFormat>().notNull(),
    schedule: jsonb('schedule').$type<Schedule>().notNull(),
    /** Which file goes out; null for what comes in. */
    file: jsonb('file').$type<FileSelection>(),
    /** Where what comes in stands in what the other system writes; null: as in the example. */
    mapping: jsonb('mapping').$type<FieldMapping>(),
    /** What was found when it was tried last: fields and the first rows, sealed with the organisation's key, for they may name somebody. */
    sample: bytes('sample'),
    sampleAt: instant('sample_at'),
    /** Where the credential led when the connection was saved: it is run there and nowhere else. */
    destination: text('destination').notNull(),
    state: text('state').$type<ConnectionState>().notNull().default('active'),
    /** When it is to be run next; null: not by itself. */
    dueAt: moment('due_at'),
    /** What somebody has asked for by hand. */
    asked: text('asked').$type<'run' | 'try'>(),
    askedById: integer('asked_by_id').$type<UserId>(),
    /** Until when a worker has it, which is also how that worker knows that it is still its own; null while none has. */
    claimedUntil: moment('claimed_until'),
    /** How often the run was begun that is under way. */
    attempts: smallint('attempts').notNull().default(0),
    /** How many runs have sent or taken something: one that is sent again because its answer was lost has the same number. */
    turn: integer('turn').notNull().default(0),
    /** How many runs have failed since one did not. */
    failures: smallint('failures').notNull().default(0),
    /** What is wrong since the last run, for people; null while all goes well. */
    problem: text('problem'),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    uniqueIndex('connections_name').on(table.organisationId, sql`lower("name")`),
    index('connections_due').on(table.dueAt).where(sql`due_at is not null`),
    foreignKey({
      name: 'connections_credential_fk',
      columns: [table.organisationId, table.credentialId],
      foreignColumns: [integrationCredentials.organisationId, integrationCredentials.id],
    }),
  ],
)

/** What runs of connections came to, one row for each file. */
export const connectionRuns = pgTable(
  'connection_runs',
  {
    organisationId: organisationId(),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    connectionId: integer('connection_id').notNull(),
    at: instant('at').notNull(),
    /** Who asked for it; null: its schedule. */
    askedById: integer('asked_by_id').$type<UserId>(),
    outcome: text('outcome').$type<RunOutcome>().notNull(),
    /** What the file was called; null where there was none. */
    file: text('file'),
    rows: integer('rows'),
    /** One sentence for people. */
    message: text('message').notNull(),
    /** SHA-256 of the file: one that was taken is not taken again. */
    digest: text('digest'),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    index('connection_runs_connection').on(table.organisationId, table.connectionId, table.id),
    index('connection_runs_at').on(table.at),
    foreignKey({
      name: 'connection_runs_connection_fk',
      columns: [table.organisationId, table.connectionId],
      foreignColumns: [connections.organisationId, connections.id],
    }).onDelete('cascade'),
  ],
)
