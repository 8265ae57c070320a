import { sql } from 'drizzle-orm'
import { bigint, boolean, char, check, index, integer, jsonb, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import type { BudgetSource } from '../domain/budget/budget.ts'
import type { ItemByKind, ItemKind } from '../domain/budget/items/item.ts'
import type { QuickCalculation } from '../domain/budget/quickCalculation.ts'
import type { StaffSource } from '../domain/budget/sharedSources.ts'
import type { Figure } from '../domain/calculation/inputs.ts'
import { maxBudgetYears } from '../domain/calculation/nonStaffing/entries.ts'
import type { LineComponent } from '../domain/calculation/staffing/posting.ts'
import type { BudgetId, ContractId, UserId } from '../domain/values/ids.ts'
import type { Pennies } from '../domain/values/units.ts'
import { contractCost, organisationIdColumn, timestampText } from './columns.ts'

/** The inputs that a calculation used, which never change. They are identified by the SHA-256 of their canonical JSON (rules.md §16). */
export const calculationInputs = pgTable(
  'calculation_inputs',
  { organisationId: organisationIdColumn(), sha256: char('sha256', { length: 64 }).notNull(), body: text('body').notNull() },
  (table) => [primaryKey({ columns: [table.organisationId, table.sha256] })],
)

/** A projection of quick calculations. */
export const quickCalculations = pgTable(
  'quick_calculations',
  {
    organisationId: organisationIdColumn(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    id: char('id', { length: 24 }).notNull(),
    version: integer('version').notNull(),
    created: timestampText('created').notNull(),
    calculation: jsonb('calculation').$type<QuickCalculation>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.budgetId, table.id] })],
)

/** A projection of budget entries, calculations, predictions, pupil numbers and opening balances. */
export const budgetItems = pgTable(
  'budget_items',
  {
    organisationId: organisationIdColumn(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    id: char('id', { length: 24 }).notNull(),
    kind: text('kind').$type<ItemKind>().notNull(),
    version: integer('version').notNull(),
    savedAt: timestampText('saved_at').notNull(),
    created: timestampText('created').notNull(),
    item: jsonb('item').$type<ItemByKind[ItemKind]>().notNull(),
    /** For an entry, the amount of each year of the budget in whole pennies; null if not calculated. */
    amounts: bigint('amounts', { mode: 'number' }).array().$type<Figure[] | null>(),
    // Generated from the item for filtering, searching and sorting lists, so that the columns always agree with the item.
    identifier: text('identifier').generatedAlwaysAs(sql`item ->> 'identifier'`),
    description: text('description').generatedAlwaysAs(sql`item ->> 'description'`),
    budgetCodeId: integer('budget_code_id').generatedAlwaysAs(sql`(item ->> 'budgetCodeId')::integer`),
    costCentreId: integer('cost_centre_id').generatedAlwaysAs(sql`(item ->> 'costCentreId')::integer`),
    profileTemplateId: integer('profile_template_id').generatedAlwaysAs(sql`(item ->> 'profileTemplateId')::integer`),
    firstYear: integer('first_year').generatedAlwaysAs(sql`(item ->> 'firstYear')::integer`),
    /** The entry's amount in its first year, in whole pennies. */
    amount: bigint('amount', { mode: 'number' }).$type<Pennies>().generatedAlwaysAs(sql`amounts[(item ->> 'firstYear')::integer + 1]`),
    sourceKind: text('source_kind').generatedAlwaysAs(sql`item -> 'source' ->> 'kind'`),
    hasNotes: boolean('has_notes').generatedAlwaysAs(sql`(item ->> 'sealedNotes') is not null`),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.budgetId, table.id] }),
    index('budget_items_kind').on(table.organisationId, table.budgetId, table.kind),
    index('budget_items_made').on(table.organisationId, table.budgetId, table.kind, table.created, table.id),
    // The order in which entries are listed.
    index('budget_items_described').on(
      table.organisationId,
      table.budgetId,
      table.kind,
      sql`description collate natural_order`,
      table.created,
      table.id,
    ),
    // The other common filters and sort orders of entries, so that a page is found without reading all entries.
    index('budget_items_amounts').on(table.organisationId, table.budgetId, table.kind, table.amount, table.created, table.id),
    index('budget_items_source').on(table.organisationId, table.budgetId).where(sql`source_kind is not null`),
    index('budget_items_notes').on(table.organisationId, table.budgetId).where(sql`has_notes`),
  ],
)

/**
 * The cost of each contract: twelve figures for each year and component, and the yearly totals, with the version of the event that wrote
 * them.
 */
export const staffCosts = pgTable(
  'staff_costs',
  {
    organisationId: organisationIdColumn(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    contractId: char('contract_id', { length: 24 }).$type<ContractId>().notNull(),
    costing: contractCost('costing').notNull(),
    yearTotals: jsonb('year_totals').$type<Figure[]>().notNull(),
    /** The version of the recalculation that first had this result. Later recalculations with the same result do not change it. */
    version: integer('version').notNull(),
    /** The SHA-256 of the cost and of everything else that its lines depend on; null in rows that older versions of the product wrote. */
    content: char('content', { length: 64 }),
    /** The number of years for which lines have been posted from this cost. */
    posted: smallint('posted').notNull().default(0),
    // The total of the first year. It is extracted so that lists and checks need not read the large monthly figures.
    firstYear: bigint('first_year', { mode: 'number' }).$type<Pennies>().generatedAlwaysAs(sql`(year_totals ->> 0)::bigint`),
    isIncomplete: boolean('is_incomplete').generatedAlwaysAs(sql`year_totals @> '[null]'`),
    hasProblems: boolean('has_problems').notNull(),
    /** Whether any month has pay, or a figure that could not be calculated. */
    hasPay: boolean('has_pay').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.budgetId, table.contractId] }),
    // Contains all columns that lists and checks read to sum costs.
    index('staff_costs_sums').on(table.organisationId, table.budgetId, table.contractId, table.firstYear, table.isIncomplete),
    index('staff_costs_checked').on(table.organisationId, table.budgetId, table.contractId).where(sql`has_problems or not has_pay`),
  ],
)

/** SQL that lists `of(months)` for each of the five possible years of a line, from the SQL of its twelve months. */
const listByYear = (of: (months: readonly string[]) => string): string =>
  Array.from({ length: maxBudgetYears }, (_unused, year) => {
    const term = of(Array.from({ length: 12 }, (_month, month) => `amounts[${year * 12 + month + 1}]`))
    return year ? `case when cardinality(amounts) > ${year * 12} then ${term} end` : term
  }).join(', ')

/**
 * Every figure of a budget by source and coding. Reports, monitoring and exports are sums of these figures (rules.md §9). A row holds the
 * months of consecutive years in whole pennies; a month is null if not calculated. Most readers use the view `budget_lines`, which has a
 * row for each year with `amounts`, `month_1` to `month_12`, `total` and `missing`.
 */
export const postedLines = pgTable(
  'posted_lines',
  {
    organisationId: organisationIdColumn(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    sourceKind: text('source_kind').$type<StaffSource | 'entry' | 'transfer'>().notNull(),
    sourceId: char('source_id', { length: 24 }).notNull(),
    component: text('component').$type<LineComponent>().notNull(),
    /** Null for an apprenticeship levy or Employment Allowance without a budget code. */
    budgetCodeId: integer('budget_code_id'),
    costCentreId: integer('cost_centre_id'),
    fundCodeId: integer('fund_code_id'),
    /** The first year that the row covers, counted from 0. */
    firstYear: smallint('first_year').notNull(),
    /** Twelve months for each year, starting with `firstYear`. */
    amounts: bigint('amounts', { mode: 'number' }).array().$type<Figure[]>().notNull(),
    /** Yearly totals, generated from the months so that they always agree. */
    totals: bigint('totals', { mode: 'number' })
      .array()
      .$type<(Pennies | null)[]>()
      .notNull()
      .generatedAlwaysAs(sql.raw(`array[${listByYear((months) => months.map((month) => `coalesce(${month}, 0)`).join(' + '))}]`)),
    /** The number of months of each year that could not be calculated. */
    missing: smallint('missing')
      .array()
      .$type<(number | null)[]>()
      .notNull()
      .generatedAlwaysAs(
        sql.raw(
          // Most rows have every month, so this case comes first.
          `case when array_position(amounts, null) is null then ('{0,0,0,0,0}'::smallint[])[:cardinality(amounts) / 12] else array[${listByYear((months) => `num_nulls(${months.join(', ')})::smallint`)}] end`,
        ),
      ),
  },
  (table) => [
    index('posted_lines_source').on(table.organisationId, table.budgetId, table.sourceKind, table.sourceId),
    // Every report counts missing figures. They are rare, and this index finds them without reading the other lines.
    index('posted_lines_missing').on(table.organisationId, table.budgetId).where(sql`0 < any(missing)`),
    check(
      'posted_lines_years',
      sql`array_ndims(amounts) = 1 and array_lower(amounts, 1) = 1 and cardinality(amounts) in (12, 24, 36, 48, 60) and first_year >= 0 and first_year * 12 + cardinality(amounts) <= 60`,
    ),
  ],
)

/** The gross pay of a budget by year: monthly sums of its pay lines, and how many of the lines have a missing figure. */
export const budgetPay = pgTable(
  'budget_pay',
  {
    organisationId: organisationIdColumn(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    /** The year of the budget, counted from 0. */
    year: smallint('year').notNull(),
    amounts: bigint('amounts', { mode: 'number' }).array().$type<Pennies[]>().notNull(),
    missing: integer('missing').array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.budgetId, table.year] })],
)

/** Jobs that create budgets from other budgets. The new budgets already exist; a worker fills them. The queue only wakes the worker. */
export const budgetJobs = pgTable(
  'budget_jobs',
  {
    organisationId: organisationIdColumn(),
    id: uuid('id').notNull(),
    how: text('how').$type<BudgetSource['how']>().notNull(),
    requestedById: integer('requested_by_id').$type<UserId>(),
    requestId: text('request_id').notNull(),
    startedAt: timestampText('started_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.id] })],
)

/** A budget to fill from a version of its source budget. If filling it failed, `failure` is the reason in one sentence. */
export const budgetJobItems = pgTable(
  'budget_job_items',
  {
    organisationId: organisationIdColumn(),
    jobId: uuid('job_id').notNull(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    sourceId: char('source_id', { length: 24 }).$type<BudgetId>().notNull(),
    sourceVersion: integer('source_version').notNull(),
    doneAt: timestampText('done_at'),
    failure: text('failure'),
    /** The number of attempts. The next column is the last error. */
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    announcedAt: timestampText('announced_at'),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.budgetId] }),
    index('budget_job_items_job').on(table.organisationId, table.jobId),
  ],
)

/** Notifications of comments, deleted when they are old. The comments themselves are stored in the budget. */
export const commentNotices = pgTable(
  'comment_notices',
  {
    organisationId: organisationIdColumn(),
    userId: integer('user_id').$type<UserId>().notNull(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    commentId: char('comment_id', { length: 24 }).notNull(),
    isMention: boolean('is_mention').notNull(),
    at: timestampText('at').notNull(),
    seenAt: timestampText('seen_at'),
    /** When the email was started, or when it turned out to be unnecessary. */
    mailedAt: timestampText('mailed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.userId, table.commentId] }),
    index('comment_notices_unmailed').on(table.at).where(sql`mailed_at is null and seen_at is null`),
  ],
)

/** The users who have a budget open, by connection. A row expires if the connection no longer refreshes it. */
export const presences = pgTable(
  'presences',
  {
    organisationId: organisationIdColumn(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    screenId: uuid('screen_id').notNull(),
    userId: integer('user_id').$type<UserId>().notNull(),
    place: text('place').notNull(),
    /** The path of the record that the user has open; empty if there is none. The next column is the field with the cursor. */
    record: text('record').notNull().default(''),
    field: text('field').notNull().default(''),
    seenAt: timestampText('seen_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.screenId] }),
    index('presences_budget').on(table.organisationId, table.budgetId),
  ],
)
