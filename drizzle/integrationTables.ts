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
import { bytes, organisationIdColumn, timestampText, utcTimestamp } from './columns.ts'

/** The credentials with which an organisation connects to ledger, payroll and other systems, with the result of the last test. */
export const integrationCredentials = pgTable(
  'integration_credentials',
  {
    organisationId: organisationIdColumn(),
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    version: integer('version').notNull().default(1),
    created: utcTimestamp('created').notNull().default(sql`now()`),
    description: text('description').notNull(),
    /** An id of the lookup `financialIntegrationTypes`. */
    integrationType: smallint('integration_type').notNull(),
    /** An id of the lookup `integrationStates`. */
    state: smallint('state').notNull(),
    /** The result of the last test as a sentence. */
    message: text('message'),
    checkedAt: utcTimestamp('checked_at'),
    /** When the pending test was requested; null if no test is pending. */
    testAsked: timestampText('test_asked'),
    /** The number of attempts at the pending test. */
    attempts: smallint('attempts').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    uniqueIndex('integration_credentials_description').on(table.organisationId, sql`lower("description")`),
    index('integration_credentials_test_asked').on(table.testAsked).where(sql`test_asked is not null`),
  ],
)

/** The settings of a credential; secrets are encrypted with the organisation's key. */
export const integrationParameters = pgTable(
  'integration_parameters',
  {
    organisationId: organisationIdColumn(),
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    credentialId: integer('credential_id').notNull(),
    name: text('name').notNull(),
    isSecret: boolean('is_secret').notNull(),
    /** The value of the setting: encrypted if it is a secret, empty if not set. */
    value: text('value').notNull().default(''),
    version: integer('version').notNull().default(1),
    created: utcTimestamp('created').notNull().default(sql`now()`),
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

/** Subscriptions of external systems to events, with the status of deliveries. */
export const webhooks = pgTable(
  'webhooks',
  {
    organisationId: organisationIdColumn(),
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    version: integer('version').notNull().default(1),
    created: utcTimestamp('created').notNull().default(sql`now()`),
    name: text('name').notNull(),
    address: text('address').notNull(),
    types: text('types').array().$type<IntegrationEventType[]>().notNull(),
    state: text('state').$type<WebhookState>().notNull().default('active'),
    /** Why the subscription was disabled, in one sentence. */
    reason: text('reason'),
    /** The secret that signs messages, encrypted with the organisation's key like the previous secret. */
    secret: text('secret').notNull(),
    secretMade: utcTimestamp('secret_made').notNull().default(sql`now()`),
    previousSecret: text('previous_secret'),
    previousUntil: utcTimestamp('previous_until'),
    /** The position in the organisation's chain up to which messages have been created. */
    position: bigint('position', { mode: 'number' }).notNull(),
    /** The start of the current series of failures; null if deliveries succeed. */
    failingSince: utcTimestamp('failing_since'),
    lastAccepted: utcTimestamp('last_accepted'),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    uniqueIndex('webhooks_name').on(table.organisationId, sql`lower("name")`),
  ],
)

/** Messages to webhooks, one row for each message and webhook, with the result. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    organisationId: organisationIdColumn(),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    webhookId: integer('webhook_id').notNull(),
    /** The id of the event, the same for every attempt and every receiver. */
    messageId: text('message_id').notNull(),
    type: text('type').$type<MessageType>().notNull(),
    /** The exact text that is signed. */
    body: text('body').notNull(),
    occurredAt: utcTimestamp('occurred_at').notNull(),
    madeAt: utcTimestamp('made_at').notNull().default(sql`now()`),
    state: text('state').$type<DeliveryState>().notNull().default('waiting'),
    /** When the next attempt is due; null if the delivery is finished or its webhook is inactive. */
    dueAt: timestampText('due_at'),
    tries: smallint('tries').notNull().default(0),
    /** Until when a worker has claimed the delivery. The time also identifies the claim; null if unclaimed. */
    claimedUntil: timestampText('claimed_until'),
    /** Incremented when the delivery is restarted, so that the result of an earlier attempt is ignored. */
    turn: integer('turn').notNull().default(0),
    triedAt: utcTimestamp('tried_at'),
    /** The HTTP status of the last response. */
    answerStatus: smallint('answer_status'),
    /** The result of the last attempt as a sentence. */
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

/** The format of the files that an organisation exports for other systems. */
export const fileLayouts = pgTable(
  'file_layouts',
  {
    organisationId: organisationIdColumn(),
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    version: integer('version').notNull().default(1),
    created: utcTimestamp('created').notNull().default(sql`now()`),
    name: text('name').notNull(),
    layout: jsonb('layout').$type<FileLayout>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    uniqueIndex('file_layouts_name').on(table.organisationId, sql`lower("name")`),
  ],
)

/** Scheduled exchanges with other systems, outgoing or incoming. */
export const connections = pgTable(
  'connections',
  {
    organisationId: organisationIdColumn(),
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    version: integer('version').notNull().default(1),
    created: utcTimestamp('created').notNull().default(sql`now()`),
    name: text('name').notNull(),
    kind: text('kind').$type<ConnectionKindName>().notNull(),
    credentialId: integer('credential_id').notNull(),
    /** The path relative to the address or folder of the credential. */
    path: text('path').notNull(),
    format: text('format').$type<ExchangeFormat>().notNull(),
    schedule: jsonb('schedule').$type<Schedule>().notNull(),
    /** The outgoing file; null for an incoming connection. */
    file: jsonb('file').$type<FileSelection>(),
    /** Which fields of the incoming data to use; null if the data has the fields of the documented example. */
    mapping: jsonb('mapping').$type<FieldMapping>(),
    /** The fields and first rows that the last test read, encrypted with the organisation's key because they may contain personal data. */
    sample: bytes('sample'),
    sampleAt: utcTimestamp('sample_at'),
    /** The address of the credential when the connection was saved. The connection never runs with another address. */
    destination: text('destination').notNull(),
    state: text('state').$type<ConnectionState>().notNull().default('active'),
    /** When the next scheduled run is due; null if the connection only runs on request. */
    dueAt: timestampText('due_at'),
    /** The action that a user requested; null if no action is pending. */
    asked: text('asked').$type<'run' | 'try'>(),
    askedById: integer('asked_by_id').$type<UserId>(),
    /** Until when a worker has claimed the run. The time also identifies the claim; null if unclaimed. */
    claimedUntil: timestampText('claimed_until'),
    /** The number of attempts at the current run. */
    attempts: smallint('attempts').notNull().default(0),
    /**
     * The number of runs that transferred data. The current run has the next number. A run that is repeated because its response was lost
     * keeps its number, so that the receiver recognises it.
     */
    turn: integer('turn').notNull().default(0),
    /** The number of consecutive failed runs. */
    failures: smallint('failures').notNull().default(0),
    /** The current problem as a sentence; null if there is none. */
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

/** The results of connection runs, one row for each file. */
export const connectionRuns = pgTable(
  'connection_runs',
  {
    organisationId: organisationIdColumn(),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    connectionId: integer('connection_id').notNull(),
    at: utcTimestamp('at').notNull(),
    /** The user who requested the run; null if it was scheduled. */
    askedById: integer('asked_by_id').$type<UserId>(),
    outcome: text('outcome').$type<RunOutcome>().notNull(),
    /** The file name; null if there was no file. */
    file: text('file'),
    rows: integer('rows'),
    /** The result in one sentence for users. */
    message: text('message').notNull(),
    /** The SHA-256 of the file, so that no file is imported twice. */
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
