import { sql } from 'drizzle-orm'
import { boolean, foreignKey, index, integer, pgTable, primaryKey, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { instant, moment, organisationId } from './columns.ts'

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
