import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  char,
  date,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { BudgetHead, CostTotals, StaffContract } from '../domain/budget/budget.ts'
import type { EventType, Recalculation } from '../domain/budget/events.ts'
import type { EmploymentAllowance } from '../domain/calculation/employmentAllowance.ts'
import type { LevyShare } from '../domain/calculation/levy.ts'
import type { Transfer } from '../domain/calculation/nonStaffing/transfers.ts'
import { resources } from '../domain/resources/all.ts'
import type { BudgetGroupId, BudgetId, ContractId, LocationId, OrganisationId, StaffId, UserId } from '../domain/values/ids.ts'
import { bytes, organisationIdColumn, timestampText } from './columns.ts'
import { createTable } from './resourceTable.ts'

// One named export for each table, because the migration generator sees only named exports.

export const adminTables = createTable(resources.adminTable)
export const allowances = createTable(resources.allowance)
export const analysisTags = createTable(resources.analysisTag)
export const benchmarkingGroups = createTable(resources.benchmarkingGroup)
export const bfrCodes = createTable(resources.bFRCode)
export const budgetCodes = createTable(resources.budgetCode)
export const contractTypes = createTable(resources.contractType)
export const costCentres = createTable(resources.costCentre)
export const extendedLeaveRules = createTable(resources.extendedLeaveRule)
export const extendedLeaveRuleSets = createTable(resources.extendedLeaveRuleSet)
export const extendedLeaveTypes = createTable(resources.extendedLeaveType)
export const financialReportingCodes = createTable(resources.financialReportingCode)
export const fundCodes = createTable(resources.fundCode)
export const localAuthorities = createTable(resources.localAuthority)
export const locations = createTable(resources.location)
export const nationalInsurances = createTable(resources.nationalInsurance)
export const organisations = createTable(resources.organisation)
export const payScalePoints = createTable(resources.payScalePoint)
export const serviceTerms = createTable(resources.serviceTerm)
export const staffAssumptions = createTable(resources.staffAssumptions)
export const staffErPensionRates = createTable(resources.staffErPensionRate)
export const clusters = createTable(resources.cluster)
export const incomeTypes = createTable(resources.incomeType)
export const localAuthorityFundingRates = createTable(resources.localAuthorityFundingRate)
export const payrollCodes = createTable(resources.payrollCode)
export const profileTemplates = createTable(resources.profileTemplate)
export const studentGroups = createTable(resources.studentGroup)
export const inflations = createTable(resources.inflation)
export const inflationRates = createTable(resources.inflationRate)
export const topSliceTables = createTable(resources.topSliceTable)
export const topSlices = createTable(resources.topSlice)
export const gagPoolTables = createTable(resources.gagPoolTable)
export const gagPools = createTable(resources.gagPool)
export const employmentAllowances = createTable(resources.employmentAllowance)
export const apprenticeshipLevies = createTable(resources.apprenticeshipLevy)
export const flashMessages = createTable(resources.flashMessage)
export const newsArticles = createTable(resources.newsArticle)
export const assistArticles = createTable(resources.assist)
export const reminders = createTable(resources.reminder)
export const staffInflationRates = createTable(resources.staffInflationRate)

/** Every change to a reference record, written in the same transaction; append-only. */
export const referenceChanges = pgTable(
  'reference_changes',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    organisationId: integer('organisation_id').$type<OrganisationId>(),
    resource: text('resource').notNull(),
    recordId: text('record_id').notNull(),
    version: integer('version').notNull(),
    action: text('action').$type<'created' | 'updated' | 'deleted' | 'restored' | 'imported' | 'erased'>().notNull(),
    before: jsonb('before').$type<Record<string, unknown>>(),
    after: jsonb('after').$type<Record<string, unknown>>(),
    actorId: integer('actor_id').$type<UserId>(),
    requestId: text('request_id').notNull(),
    occurredAt: timestampText('occurred_at').notNull().defaultNow(),
    /** The transaction that wrote the change. At commit, all changes of the transaction are added to the chain together. */
    transaction: bigint('transaction', { mode: 'number' }).default(sql`txid_current()`),
  },
  (table) => [
    index('reference_changes_record').on(table.resource, table.recordId, table.version),
    // A change is undone together with everything that its transaction wrote.
    index('reference_changes_transaction').on(table.transaction),
    // The bin page lists recent deletions from this log.
    index('reference_changes_deleted').on(table.organisationId, table.occurredAt).where(sql`action = 'deleted'`),
  ],
)

/**
 * One key for each person, encrypted with a secret outside the database. Deleting the key erases the person's data; a replay of the log
 * still gives every figure.
 */
export const vaultKeys = pgTable(
  'vault_keys',
  {
    subject: uuid('subject').notNull(),
    organisationId: organisationIdColumn(),
    key: bytes('key').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.subject] }), index('vault_keys_subject').on(table.subject)],
)

/** Staff members. Personal data is encrypted in `vault`; the other columns do not identify anyone. */
export const staffMembers = pgTable(
  'staff_members',
  {
    id: integer('id').$type<StaffId>().notNull().generatedAlwaysAsIdentity(),
    organisationId: organisationIdColumn(),
    subject: uuid('subject').notNull(),
    /**
     * Encrypted personal data. After an erasure, it contains only the days on which the person reached age limits, because costs depend on
     * them.
     */
    vault: text('vault').notNull(),
    numberDigest: text('number_digest').notNull(),
    archive: boolean('archive').notNull().default(false),
    locationIds: integer('location_ids').array().$type<LocationId[]>().notNull().default(sql`'{}'`),
    version: integer('version').notNull().default(1),
    created: timestampText('created').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    index('staff_members_id').on(table.id),
    uniqueIndex('staff_members_number').on(table.organisationId, table.numberDigest),
    index('staff_members_subject').on(table.subject),
  ],
)

/**
 * The log of all budgets. It is append-only: the server's role may insert and select, and a trigger refuses other changes from every role.
 */
export const budgetEvents = pgTable(
  'budget_events',
  {
    organisationId: organisationIdColumn(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    version: integer('version').notNull(),
    position: bigint('position', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    type: text('type').$type<EventType>().notNull(),
    /** The version of the shape of `data` (domain/budget/eventSchemas.ts). */
    schema: integer('schema').notNull().default(1),
    data: jsonb('data').notNull(),
    /**
     * The id of the item that the event changes. It is a column, because under row-level security the planner does not use an index on an
     * expression that might leak a value.
     */
    about: text('about').generatedAlwaysAs(sql`data ->> 'id'`),
    actorId: integer('actor_id').$type<UserId>(),
    requestId: text('request_id').notNull(),
    occurredAt: timestampText('occurred_at').notNull(),
    previousHash: char('previous_hash', { length: 64 }).notNull(),
    hash: char('hash', { length: 64 }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.budgetId, table.version] }),
    index('budget_events_position').on(table.position),
    // For histories, for undo, and to find a budget's latest settings and recalculation without reading the whole log.
    index('budget_events_about').on(table.organisationId, table.budgetId, table.about, table.version).where(sql`about is not null`),
    index('budget_events_type').on(table.organisationId, table.budgetId, table.type, table.version),
    // The bin page lists recent deletions from the logs.
    index('budget_events_deleted').on(table.organisationId, table.occurredAt).where(sql`type = 'BudgetDeleted'`),
    index('budget_events_group_run')
      .on(table.organisationId, table.budgetId, table.version)
      .where(sql`type = 'StaffContractsRecalculated' and data ->> 'cause' = 'group'`),
  ],
)

/**
 * How many changes each person made to a budget on each day, with the last event. The timeline reads this instead of the log. A trigger
 * updates the rows (see the migrations); the server's role can only read them.
 */
export const budgetChangesByDay = pgTable(
  'budget_days',
  {
    organisationId: organisationIdColumn(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    /** The day in UTC. */
    day: date('day', { mode: 'string' }).notNull(),
    /** The user who made the changes; null if the product made them. */
    actorId: integer('actor_id').$type<UserId>(),
    changes: integer('changes').notNull(),
    version: integer('version').notNull(),
    at: timestampText('at').notNull(),
  },
  (table) => [unique('budget_days_person').on(table.organisationId, table.budgetId, table.day, table.actorId).nullsNotDistinct()],
)

/**
 * A hash chain for each organisation over everything that its logs record, in commit order: the latest version of each changed event log,
 * and changes to reference records. Links are numbered without gaps, so that the removal of a whole budget or of a single change is
 * detected. A trigger adds links at commit (see the migrations); the server's role can only read them. Organisation 0 holds national and
 * platform data.
 */
export const logChain = pgTable(
  'log_chain',
  {
    organisationId: organisationIdColumn(),
    sequence: bigint('sequence', { mode: 'number' }).notNull(),
    kind: text('kind').$type<'budget' | 'reference' | 'monitoring' | 'payroll'>().notNull(),
    /** The id of the budget or of the reference change, or the location of a monitoring or payroll log. */
    subject: text('subject').notNull(),
    /** The version of the log; null for a reference change. */
    version: integer('version'),
    /** The hash of the log's last event, or the SHA-256 of the reference change. */
    content: char('content', { length: 64 }).notNull(),
    at: timestampText('at').notNull(),
    previousHash: char('previous_hash', { length: 64 }).notNull(),
    hash: char('hash', { length: 64 }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.sequence] }),
    // Finds the previous link of the same log. The events after that link are those of this commit.
    index('log_chain_subject').on(table.organisationId, table.kind, table.subject, table.sequence),
  ],
)

/** How far each organisation's chain has been checked, and the problem that was found, which remains until the chain is intact again. */
export const logChecks = pgTable(
  'log_checks',
  {
    organisationId: organisationIdColumn(),
    /** The number of the last intact link, followed by its hash. Before the first check they are 0 and the initial hash. */
    sequence: bigint('sequence', { mode: 'number' }).notNull(),
    hash: char('hash', { length: 64 }).notNull(),
    checkedAt: timestampText('checked_at'),
    finding: text('finding'),
    foundAt: timestampText('found_at'),
  },
  (table) => [primaryKey({ columns: [table.organisationId] })],
)

/** A projection of budgets. */
export const budgets = pgTable(
  'budgets',
  {
    organisationId: organisationIdColumn(),
    id: char('id', { length: 24 }).$type<BudgetId>().notNull(),
    locationId: integer('location_id').$type<LocationId>().notNull(),
    name: text('name').notNull(),
    version: integer('version').notNull(),
    head: jsonb('head').$type<BudgetHead>().notNull(),
    levyShares: jsonb('levy_shares').$type<LevyShare[] | null>(),
    employmentAllowance: jsonb('employment_allowance').$type<EmploymentAllowance | null>(),
    transfers: jsonb('transfers').$type<{ transfers: Transfer[]; problems: string[] } | null>(),
    recalculated: jsonb('recalculated').$type<(Recalculation & { version: number; at: string }) | null>(),
    savedAt: timestampText('saved_at').notNull(),
    savedById: integer('saved_by_id').$type<UserId>(),
    lastHash: char('last_hash', { length: 64 }).notNull(),
    created: timestampText('created').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    uniqueIndex('budgets_name').on(table.organisationId, table.locationId, sql`lower(${table.name})`),
  ],
)

export const staffContracts = pgTable(
  'staff_contracts',
  {
    organisationId: organisationIdColumn(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    id: char('id', { length: 24 }).$type<ContractId>().notNull(),
    staffId: integer('staff_id').$type<StaffId>(),
    version: integer('version').notNull(),
    savedAt: timestampText('saved_at').notNull(),
    created: timestampText('created').notNull(),
    contract: jsonb('contract').$type<StaffContract>().notNull(),
    // Generated from the contract for filtering, searching and sorting lists, so that the columns always agree with the contract.
    contractName: text('contract_name').notNull().generatedAlwaysAs(sql`contract ->> 'contractName'`),
    position: text('position').generatedAlwaysAs(sql`contract ->> 'position'`),
    department: text('department').generatedAlwaysAs(sql`contract ->> 'department'`),
    type: integer('type').generatedAlwaysAs(sql`(contract ->> 'type')::integer`),
    contractTypeId: integer('contract_type_id').generatedAlwaysAs(sql`(contract ->> 'contractTypeId')::integer`),
    startDate: text('start_date').generatedAlwaysAs(sql`contract ->> 'startDate'`),
    endDate: text('end_date').generatedAlwaysAs(sql`contract ->> 'endDate'`),
    apprentice: boolean('apprentice').generatedAlwaysAs(sql`(contract ->> 'apprentice')::boolean`),
    attritionContract: boolean('attrition_contract').generatedAlwaysAs(sql`(contract ->> 'attritionContract')::boolean`),
    maximumScalePointId: integer('maximum_scale_point_id').generatedAlwaysAs(sql`(contract -> 'maximumScalePoint' ->> 'id')::integer`),
    /** Whether any salary row is above the contract's maximum point, or on another scale than this point. */
    aboveMaximum: boolean('above_maximum').generatedAlwaysAs(
      sql`jsonb_path_exists(contract, '$.salary[*].scalePoint ? (@.kind != $.maximumScalePoint.kind || @.scale != $.maximumScalePoint.scale || @.increment > $.maximumScalePoint.increment)')`,
    ),
    /**
     * Approximately the largest FTE of any salary row. Checks use it together with the weekly hours in the next column to find people above
     * full time.
     */
    mostFte: doublePrecision('most_fte').generatedAlwaysAs(sql`salary_most(contract, 'fte')`),
    mostHours: doublePrecision('most_hours').generatedAlwaysAs(sql`salary_most(contract, 'hoursPerWeek')`),
    /** Whether any salary row has no FTE, which means full time. */
    hasNoFte: boolean('has_no_fte').generatedAlwaysAs(sql`jsonb_path_exists(contract, '$.salary[*].fte ? (@ == null)')`),
    /** The text that a search covers, in lower case. It does not include the employee's name. */
    search: text('search').generatedAlwaysAs(
      sql`lower(((contract ->> 'contractName') || E'\\n' || coalesce(contract ->> 'position', '') || E'\\n' || coalesce(contract ->> 'department', '')) collate natural_order)`,
    ),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.budgetId, table.id] }),
    index('staff_contracts_staff').on(table.organisationId, table.staffId),
    // Finds contracts by employee and working time without reading the whole contracts.
    index('staff_contracts_holder').on(
      table.organisationId,
      table.budgetId,
      table.staffId,
      table.id,
      table.contractTypeId,
      table.mostFte,
      table.mostHours,
      table.hasNoFte,
    ),
    // For searching, and for sorting lists by text.
    index('staff_contracts_search').on(
      table.organisationId,
      table.budgetId,
      table.id,
      table.staffId,
      table.search,
      table.contractName,
      table.position,
      table.department,
    ),
    index('staff_contracts_ended').on(table.organisationId, table.budgetId, table.endDate),
    index('staff_contracts_above').on(table.organisationId, table.budgetId).where(sql`above_maximum`),
  ],
)

export const budgetGroups = pgTable(
  'budget_groups',
  {
    organisationId: organisationIdColumn(),
    id: char('id', { length: 24 }).$type<BudgetGroupId>().notNull(),
    name: text('name').notNull(),
    description: text('description'),
    version: integer('version').notNull().default(1),
    /** When an input to the group's figures last changed; null if the figures are up to date. */
    requiredSince: timestampText('required_since'),
    requiredReason: text('required_reason'),
    lastRecalculated: timestampText('last_recalculated'),
    /** Whether the group claims the Employment Allowance, and where it is posted (rules.md §7). */
    claimsEmploymentAllowance: boolean('claims_employment_allowance').notNull().default(false),
    allowanceBudgetCodeId: integer('allowance_budget_code_id'),
    allowanceCostCentreId: integer('allowance_cost_centre_id'),
    created: timestampText('created').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    uniqueIndex('budget_groups_name').on(table.organisationId, sql`lower(${table.name})`),
    foreignKey({
      name: 'budget_groups_allowance_budget_code_fk',
      columns: [table.organisationId, table.allowanceBudgetCodeId],
      foreignColumns: [budgetCodes.organisationId, budgetCodes.id],
    }),
    foreignKey({
      name: 'budget_groups_allowance_cost_centre_fk',
      columns: [table.organisationId, table.allowanceCostCentreId],
      foreignColumns: [costCentres.organisationId, costCentres.id],
    }),
  ],
)

/** The budgets of each group in the order that users chose. The primary key limits a budget to one group. */
export const budgetGroupMembers = pgTable(
  'budget_group_members',
  {
    organisationId: organisationIdColumn(),
    groupId: char('group_id', { length: 24 }).$type<BudgetGroupId>().notNull(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    /** The position in the group, counted from 0 without gaps. */
    position: integer('position').notNull(),
  },
  (table) => [
    primaryKey({ name: 'budget_group_members_budget', columns: [table.organisationId, table.budgetId] }),
    unique('budget_group_members_position').on(table.organisationId, table.groupId, table.position),
    foreignKey({
      name: 'budget_group_members_group_fk',
      columns: [table.organisationId, table.groupId],
      foreignColumns: [budgetGroups.organisationId, budgetGroups.id],
    }),
    foreignKey({
      name: 'budget_group_members_budget_fk',
      columns: [table.organisationId, table.budgetId],
      foreignColumns: [budgets.organisationId, budgets.id],
    }),
  ],
)

/** Budgets whose inputs changed after their last calculation. A budget without a row is up to date. */
export const recalculationMarks = pgTable(
  'recalculation_marks',
  {
    organisationId: organisationIdColumn(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    since: timestampText('since').notNull(),
    reason: text('reason').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.budgetId] })],
)

export type RecalculationStatus = 'running' | 'done' | 'failed' | 'cancelled'

/**
 * Recalculations of groups and single budgets, with their progress. The queue only wakes a worker. If a worker stopped before it told the
 * screens that a recalculation had ended, the next sweep tells them.
 */
export const recalculations = pgTable(
  'recalculations',
  {
    organisationId: organisationIdColumn(),
    id: uuid('id').notNull(),
    /** The group; null for a recalculation of a single budget. */
    groupId: char('group_id', { length: 24 }).$type<BudgetGroupId>(),
    /** The budget; null for a recalculation of a group. */
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>(),
    status: text('status').$type<RecalculationStatus>().notNull().default('running'),
    inputs: char('inputs', { length: 64 }).notNull(),
    requestedById: integer('requested_by_id').$type<UserId>(),
    startedAt: timestampText('started_at').notNull().defaultNow(),
    finishedAt: timestampText('finished_at'),
    failure: text('failure'),
    totals: jsonb('totals').$type<CostTotals | null>(),
    resultHash: char('result_hash', { length: 64 }),
    position: bigint('position', { mode: 'number' }),
    announcedAt: timestampText('announced_at'),
    /** The number of attempts. The next column is the last error. */
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    uniqueIndex('recalculations_running').on(table.organisationId, table.groupId).where(sql`finished_at is null`),
    uniqueIndex('recalculations_running_alone').on(table.organisationId, table.budgetId).where(sql`finished_at is null`),
    index('recalculations_to_announce').on(table.finishedAt).where(sql`announced_at is null`),
  ],
)

export const recalculationBudgets = pgTable(
  'recalculation_budgets',
  {
    organisationId: organisationIdColumn(),
    recalculationId: uuid('recalculation_id').notNull(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    doneAt: timestampText('done_at'),
    totals: jsonb('totals').$type<CostTotals | null>(),
    resultHash: char('result_hash', { length: 64 }),
    /** The number of attempts. The next column is the last error. */
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.recalculationId, table.budgetId] }),
    index('recalculation_budgets_open').on(table.organisationId, table.budgetId).where(sql`done_at is null`),
  ],
)
