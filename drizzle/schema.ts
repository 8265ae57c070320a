import { sql } from 'drizzle-orm'
import { bigint, boolean, char, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { BudgetHead, CostTotals, StaffContract } from '../domain/budget/budget.ts'
import type { EventType, Recalculated } from '../domain/budget/events.ts'
import type { Figure } from '../domain/calculation/inputs.ts'
import type { Transfer } from '../domain/calculation/transfers.ts'
import { resources } from '../domain/resources/all.ts'
import { bytes, moment, organisationId } from './columns.ts'
import { tableOf } from './resourceTable.ts'

/** One named export for each table: the migration generator sees nothing else. */
export const adminTables = tableOf(resources.adminTable)
export const allowances = tableOf(resources.allowance)
export const analysisTags = tableOf(resources.analysisTag)
export const benchmarkingGroups = tableOf(resources.benchmarkingGroup)
export const bfrCodes = tableOf(resources.bFRCode)
export const budgetCodes = tableOf(resources.budgetCode)
export const contractTypes = tableOf(resources.contractType)
export const costCentres = tableOf(resources.costCentre)
export const extendedLeaveRules = tableOf(resources.extendedLeaveRule)
export const extendedLeaveRuleSets = tableOf(resources.extendedLeaveRuleSet)
export const extendedLeaveTypes = tableOf(resources.extendedLeaveType)
export const financialReportingCodes = tableOf(resources.financialReportingCode)
export const fundCodes = tableOf(resources.fundCode)
export const localAuthorities = tableOf(resources.localAuthority)
export const locations = tableOf(resources.location)
export const nationalInsurances = tableOf(resources.nationalInsurance)
export const organisations = tableOf(resources.organisation)
export const payScalePoints = tableOf(resources.payScalePoint)
export const serviceTerms = tableOf(resources.serviceTerm)
export const staffAssumptions = tableOf(resources.staffAssumptions)
export const staffErPensionRates = tableOf(resources.staffErPensionRate)
export const clusters = tableOf(resources.cluster)
export const incomeTypes = tableOf(resources.incomeType)
export const localAuthorityFundingRates = tableOf(resources.localAuthorityFundingRate)
export const payrollCodes = tableOf(resources.payrollCode)
export const profileTemplates = tableOf(resources.profileTemplate)
export const studentGroups = tableOf(resources.studentGroup)
export const inflations = tableOf(resources.inflation)
export const inflationRates = tableOf(resources.inflationRate)
export const topSliceTables = tableOf(resources.topSliceTable)
export const topSlices = tableOf(resources.topSlice)
export const gagPoolTables = tableOf(resources.gagPoolTable)
export const gagPools = tableOf(resources.gagPool)
export const apprenticeshipLevies = tableOf(resources.apprenticeshipLevy)
export const flashMessages = tableOf(resources.flashMessage)
export const newsArticles = tableOf(resources.newsArticle)
export const assistArticles = tableOf(resources.assist)
export const reminders = tableOf(resources.reminder)
export const staffInflationRates = tableOf(resources.staffInflationRate)

/** Every change of a reference record, written by the same transaction; append-only. */
export const referenceChanges = pgTable(
  'reference_changes',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    organisationId: integer('organisation_id'),
    resource: text('resource').notNull(),
    recordId: text('record_id').notNull(),
    version: integer('version').notNull(),
    action: text('action').$type<'created' | 'updated' | 'deleted' | 'restored' | 'imported'>().notNull(),
    before: jsonb('before'),
    after: jsonb('after'),
    actorId: integer('actor_id'),
    requestId: text('request_id').notNull(),
    occurredAt: moment('occurred_at').notNull().defaultNow(),
  },
  (table) => [index('reference_changes_record').on(table.resource, table.recordId, table.version)],
)

/** The words an organisation uses instead of the default ones, by the key of the thing. */
export const terms = pgTable(
  'terms',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    version: integer('version').notNull().default(1),
    created: moment('created').notNull().defaultNow(),
    organisationId: integer('organisation_id').notNull(),
    term: text('term').notNull(),
    singular: text('singular').notNull(),
    plural: text('plural').notNull(),
  },
  (table) => [uniqueIndex('terms_term').on(table.organisationId, table.term)],
)

/** One key for each person. Deleting it erases who the person is; every figure still replays. */
export const vaultKeys = pgTable('vault_keys', {
  subject: uuid('subject').primaryKey(),
  organisationId: organisationId(),
  key: bytes('key').notNull(),
})

/** Staff members: who they are stands sealed in `vault`, everything else is nobody's name. */
export const staffMembers = pgTable(
  'staff_members',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    organisationId: organisationId(),
    subject: uuid('subject').notNull(),
    vault: text('vault').notNull(),
    numberDigest: text('number_digest').notNull(),
    archive: boolean('archive').notNull().default(false),
    locationIds: integer('location_ids').array().notNull().default(sql`'{}'`),
    version: integer('version').notNull().default(1),
    created: moment('created').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('staff_members_number').on(table.organisationId, table.numberDigest)],
)

/** The log of all budgets. Append only: the role of the server may insert and select, a trigger refuses everything else to everyone. */
export const budgetEvents = pgTable(
  'budget_events',
  {
    organisationId: organisationId(),
    budgetId: char('budget_id', { length: 24 }).notNull(),
    version: integer('version').notNull(),
    position: bigint('position', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    type: text('type').$type<EventType>().notNull(),
    data: jsonb('data').notNull(),
    actorId: integer('actor_id'),
    requestId: text('request_id').notNull(),
    requestPart: integer('request_part').notNull(),
    occurredAt: moment('occurred_at').notNull(),
    previousHash: char('previous_hash', { length: 64 }).notNull(),
    hash: char('hash', { length: 64 }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.budgetId, table.version] }),
    uniqueIndex('budget_events_request').on(table.organisationId, table.requestId, table.budgetId, table.type, table.requestPart),
    uniqueIndex('budget_events_position').on(table.position),
  ],
)

/** The heads of the chains as they stood at the end of a day, so that a chain that was rewritten whole does not match. */
export const chainAnchors = pgTable(
  'chain_anchors',
  {
    organisationId: organisationId(),
    budgetId: char('budget_id', { length: 24 }).notNull(),
    day: char('day', { length: 10 }).notNull(),
    version: integer('version').notNull(),
    hash: char('hash', { length: 64 }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.budgetId, table.day] })],
)

/** Budgets as folded from their events. */
export const budgets = pgTable(
  'budgets',
  {
    organisationId: organisationId(),
    id: char('id', { length: 24 }).notNull(),
    locationId: integer('location_id').notNull(),
    name: text('name').notNull(),
    version: integer('version').notNull(),
    head: jsonb('head').$type<BudgetHead>().notNull(),
    levyShares: jsonb('levy_shares').$type<Figure[] | null>(),
    transfers: jsonb('transfers').$type<{ transfers: Transfer[]; problems: string[] } | null>(),
    recalculated: jsonb('recalculated').$type<(Recalculated & { version: number; at: string }) | null>(),
    savedAt: moment('saved_at').notNull(),
    savedById: integer('saved_by_id'),
    lastHash: char('last_hash', { length: 64 }).notNull(),
    created: moment('created').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    uniqueIndex('budgets_name').on(table.organisationId, table.locationId, sql`lower(${table.name})`),
  ],
)

export const staffContracts = pgTable(
  'staff_contracts',
  {
    organisationId: organisationId(),
    budgetId: char('budget_id', { length: 24 }).notNull(),
    id: char('id', { length: 24 }).notNull(),
    staffId: integer('staff_id'),
    version: integer('version').notNull(),
    savedAt: moment('saved_at').notNull(),
    created: moment('created').notNull(),
    contract: jsonb('contract').$type<StaffContract>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.budgetId, table.id] }),
    index('staff_contracts_staff').on(table.organisationId, table.staffId),
  ],
)

export const budgetGroups = pgTable(
  'budget_groups',
  {
    organisationId: organisationId(),
    id: char('id', { length: 24 }).notNull(),
    name: text('name').notNull(),
    description: text('description'),
    budgetIds: text('budget_ids').array().notNull().default(sql`'{}'`),
    version: integer('version').notNull().default(1),
    /** When something that its figures depend on changed last; empty: up to date. */
    requiredSince: moment('required_since'),
    requiredReason: text('required_reason'),
    lastRecalculated: moment('last_recalculated'),
    created: moment('created').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    uniqueIndex('budget_groups_name').on(table.organisationId, sql`lower(${table.name})`),
  ],
)

/** Recalculations of groups: what is to be done and what is done. The queue only says "look". */
export const recalculations = pgTable(
  'recalculations',
  {
    organisationId: organisationId(),
    id: uuid('id').notNull(),
    groupId: char('group_id', { length: 24 }).notNull(),
    inputs: char('inputs', { length: 64 }).notNull(),
    requestedById: integer('requested_by_id'),
    startedAt: moment('started_at').notNull().defaultNow(),
    finishedAt: moment('finished_at'),
    failure: text('failure'),
    totals: jsonb('totals').$type<CostTotals | null>(),
    resultHash: char('result_hash', { length: 64 }),
    position: bigint('position', { mode: 'number' }),
    announcedAt: moment('announced_at'),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    uniqueIndex('recalculations_running').on(table.organisationId, table.groupId).where(sql`finished_at is null`),
  ],
)

export const recalculationBudgets = pgTable(
  'recalculation_budgets',
  {
    organisationId: organisationId(),
    recalculationId: uuid('recalculation_id').notNull(),
    budgetId: char('budget_id', { length: 24 }).notNull(),
    doneAt: moment('done_at'),
    totals: jsonb('totals').$type<CostTotals | null>(),
    resultHash: char('result_hash', { length: 64 }),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.recalculationId, table.budgetId] })],
)
