import { sql } from 'drizzle-orm'
import { bigint, boolean, char, check, index, integer, jsonb, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import type { BudgetSource } from '../domain/budget/budget.ts'
import type { ItemByKind, ItemKind } from '../domain/budget/items/item.ts'
import type { QuickCalculation } from '../domain/budget/quickCalculation.ts'
import type { StaffSource } from '../domain/budget/sharedSources.ts'
import type { Figure } from '../domain/calculation/inputs.ts'
import { mostYears } from '../domain/calculation/nonStaffing/entries.ts'
import type { LineComponent } from '../domain/calculation/staffing/posting.ts'
import type { BudgetId, ContractId, UserId } from '../domain/values/ids.ts'
import type { Pennies } from '../domain/values/units.ts'
import { contractCost, moment, organisationId } from './columns.ts'

/** Frozen inputs of calculations, named by the SHA-256 of their canonical JSON (rules.md §16). */
export const calculationInputs = pgTable(
  'calculation_inputs',
  { organisationId: organisationId(), sha256: char('sha256', { length: 64 }).notNull(), body: text('body').notNull() },
  (table) => [primaryKey({ columns: [table.organisationId, table.sha256] })],
)

/** Quick calculations as folded from their events. */
export const quickCalculations = pgTable(
  'quick_calculations',
  {
    organisationId: organisationId(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    id: char('id', { length: 24 }).notNull(),
    version: integer('version').notNull(),
    created: moment('created').notNull(),
    calculation: jsonb('calculation').$type<QuickCalculation>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.budgetId, table.id] })],
)

/** Entries, calculations, predictions, pupil numbers and opening balances as folded from their events. */
export const budgetItems = pgTable(
  'budget_items',
  {
    organisationId: organisationId(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    id: char('id', { length: 24 }).notNull(),
    kind: text('kind').$type<ItemKind>().notNull(),
    version: integer('version').notNull(),
    savedAt: moment('saved_at').notNull(),
    created: moment('created').notNull(),
    item: jsonb('item').$type<ItemByKind[ItemKind]>().notNull(),
    /** Of an entry, what it comes to in each year of the budget, in whole pennies: null where it was not calculated. */
    amounts: bigint('amounts', { mode: 'number' }).array().$type<Figure[] | null>(),
    // What lists filter, search and sort by, taken out of the item by the database itself: it cannot disagree.
    identifier: text('identifier').generatedAlwaysAs(sql`item ->> 'identifier'`),
    description: text('description').generatedAlwaysAs(sql`item ->> 'description'`),
    budgetCodeId: integer('budget_code_id').generatedAlwaysAs(sql`(item ->> 'budgetCodeId')::integer`),
    costCentreId: integer('cost_centre_id').generatedAlwaysAs(sql`(item ->> 'costCentreId')::integer`),
    profileTemplateId: integer('profile_template_id').generatedAlwaysAs(sql`(item ->> 'profileTemplateId')::integer`),
    firstYear: integer('first_year').generatedAlwaysAs(sql`(item ->> 'firstYear')::integer`),
    /** What an entry comes to in its first year, in whole pennies. */
    amount: bigint('amount', { mode: 'number' }).$type<Pennies>().generatedAlwaysAs(sql`amounts[(item ->> 'firstYear')::integer + 1]`),
    sourceKind: text('source_kind').generatedAlwaysAs(sql`item -> 'source' ->> 'kind'`),
    hasNotes: boolean('has_notes').generatedAlwaysAs(sql`(item ->> 'sealedNotes') is not null`),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.budgetId, table.id] }),
    index('budget_items_kind').on(table.organisationId, table.budgetId, table.kind),
    index('budget_items_made').on(table.organisationId, table.budgetId, table.kind, table.created, table.id),
    // In the order in which entries are listed.
    index('budget_items_described').on(
      table.organisationId,
      table.budgetId,
      table.kind,
      sql`description collate natural_order`,
      table.created,
      table.id,
    ),
    // What lists of entries are filtered by and sorted by most, besides: a page is found without reading the entries that are not on it.
    index('budget_items_amounts').on(table.organisationId, table.budgetId, table.kind, table.amount, table.created, table.id),
    index('budget_items_source').on(table.organisationId, table.budgetId).where(sql`source_kind is not null`),
    index('budget_items_notes').on(table.organisationId, table.budgetId).where(sql`has_notes`),
  ],
)

/** What each contract costs: twelve figures a year and component, with the totals of the years and the event that wrote it. */
export const staffCosts = pgTable(
  'staff_costs',
  {
    organisationId: organisationId(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    contractId: char('contract_id', { length: 24 }).$type<ContractId>().notNull(),
    costing: contractCost('costing').notNull(),
    yearTotals: jsonb('year_totals').$type<Figure[]>().notNull(),
    /** The first of the recalculations in a row that came to this. */
    version: integer('version').notNull(),
    /** The SHA-256 of the costing and of all else that its lines follow from; null for one that was kept before lines were compared. */
    content: char('content', { length: 64 }),
    /** How many lines it is posted to, each year of one counted. */
    posted: smallint('posted').notNull().default(0),
    // What lists and checks look for: the months of each costing are large.
    firstYear: bigint('first_year', { mode: 'number' }).$type<Pennies>().generatedAlwaysAs(sql`(year_totals ->> 0)::bigint`),
    isIncomplete: boolean('is_incomplete').generatedAlwaysAs(sql`year_totals @> '[null]'`),
    hasProblems: boolean('has_problems').notNull(),
    /** Whether some month has pay, or a figure that could not be calculated. */
    hasPay: boolean('has_pay').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.budgetId, table.contractId] }),
    // What lists add up, and what checks look at, without the months.
    index('staff_costs_sums').on(table.organisationId, table.budgetId, table.contractId, table.firstYear, table.isIncomplete),
    index('staff_costs_checked').on(table.organisationId, table.budgetId, table.contractId).where(sql`has_problems or not has_pay`),
  ],
)

/** Of each year that a line has, in order, a term over its twelve months; nothing for those it has not. */
const byYear = (of: (months: readonly string[]) => string): string =>
  Array.from({ length: mostYears }, (_unused, year) => {
    const term = of(Array.from({ length: 12 }, (_month, month) => `amounts[${year * 12 + month + 1}]`))
    return year ? `case when cardinality(amounts) > ${year * 12} then ${term} end` : term
  }).join(', ')

/**
 * Every figure of a budget, by source and coding: reports, monitoring and exports are sums of these (rules.md §9). One row holds the months of
 * years that follow each other, in whole pennies, null where one could not be calculated. Most readers want a row a year: that is the view
 * `budget_lines`, which has the year, its months as `amounts` and as `month_1` to `month_12`, and the `total` and `missing` of it.
 */
export const postedLines = pgTable(
  'posted_lines',
  {
    organisationId: organisationId(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    sourceKind: text('source_kind').$type<StaffSource | 'entry' | 'transfer'>().notNull(),
    sourceId: char('source_id', { length: 24 }).notNull(),
    component: text('component').$type<LineComponent>().notNull(),
    /** Empty for the apprenticeship levy: nothing says which code it goes to; and for an Employment Allowance without one. */
    budgetCodeId: integer('budget_code_id'),
    costCentreId: integer('cost_centre_id'),
    fundCodeId: integer('fund_code_id'),
    /** From 0. */
    firstYear: smallint('first_year').notNull(),
    /** Twelve for each year from the first on. */
    amounts: bigint('amounts', { mode: 'number' }).array().$type<Figure[]>().notNull(),
    /** What screens sum, of each of its years; the database works it out of the months itself, so that the two cannot differ. */
    totals: bigint('totals', { mode: 'number' })
      .array()
      .$type<(Pennies | null)[]>()
      .notNull()
      .generatedAlwaysAs(sql.raw(`array[${byYear((months) => months.map((month) => `coalesce(${month}, 0)`).join(' + '))}]`)),
    /** Months of each of its years that could not be calculated. */
    missing: smallint('missing')
      .array()
      .$type<(number | null)[]>()
      .notNull()
      .generatedAlwaysAs(
        sql.raw(
          // Most rows have every month, which is soon seen.
          `case when array_position(amounts, null) is null then ('{0,0,0,0,0}'::smallint[])[:cardinality(amounts) / 12] else array[${byYear((months) => `num_nulls(${months.join(', ')})::smallint`)}] end`,
        ),
      ),
  },
  (table) => [
    index('posted_lines_source').on(table.organisationId, table.budgetId, table.sourceKind, table.sourceId),
    // What could not be calculated is counted beside every report: there is little of it, and none is looked for among the rest.
    index('posted_lines_missing').on(table.organisationId, table.budgetId).where(sql`0 < any(missing)`),
    check(
      'posted_lines_years',
      sql`array_ndims(amounts) = 1 and array_lower(amounts, 1) = 1 and cardinality(amounts) in (12, 24, 36, 48, 60) and first_year >= 0 and first_year * 12 + cardinality(amounts) <= 60`,
    ),
  ],
)

/** The gross pay of a budget by year: the sums of its lines of pay over the twelve months, and how many lines lack a figure. */
export const budgetPay = pgTable(
  'budget_pay',
  {
    organisationId: organisationId(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    /** From 0. */
    year: smallint('year').notNull(),
    amounts: bigint('amounts', { mode: 'number' }).array().$type<Pennies[]>().notNull(),
    missing: integer('missing').array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.budgetId, table.year] })],
)

/** Budgets that are being made of others: each stands already, and a worker fills it. The queue only says "look". */
export const budgetJobs = pgTable(
  'budget_jobs',
  {
    organisationId: organisationId(),
    id: uuid('id').notNull(),
    how: text('how').$type<BudgetSource['how']>().notNull(),
    requestedById: integer('requested_by_id').$type<UserId>(),
    requestId: text('request_id').notNull(),
    startedAt: moment('started_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.id] })],
)

/** One budget to be filled from its source as that stood at a version; `failure` says in one sentence why it could not be. */
export const budgetJobItems = pgTable(
  'budget_job_items',
  {
    organisationId: organisationId(),
    jobId: uuid('job_id').notNull(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    sourceId: char('source_id', { length: 24 }).$type<BudgetId>().notNull(),
    sourceVersion: integer('source_version').notNull(),
    doneAt: moment('done_at'),
    failure: text('failure'),
    /** How often it was begun, and how it failed last. */
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    announcedAt: moment('announced_at'),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.budgetId] }),
    index('budget_job_items_job').on(table.organisationId, table.jobId),
  ],
)

/** What was said to somebody in a comment, until it is so old that nobody asks; the comment itself stands in the budget. */
export const commentNotices = pgTable(
  'comment_notices',
  {
    organisationId: organisationId(),
    userId: integer('user_id').$type<UserId>().notNull(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    commentId: char('comment_id', { length: 24 }).notNull(),
    isMention: boolean('is_mention').notNull(),
    at: moment('at').notNull(),
    seenAt: moment('seen_at'),
    /** When a mail about it was begun, or found to be needed no more. */
    mailedAt: moment('mailed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.userId, table.commentId] }),
    index('comment_notices_unmailed').on(table.at).where(sql`mailed_at is null and seen_at is null`),
  ],
)

/** Who has a budget open, by connection of a screen; old rows mean nothing. */
export const presences = pgTable(
  'presences',
  {
    organisationId: organisationId(),
    budgetId: char('budget_id', { length: 24 }).$type<BudgetId>().notNull(),
    screenId: uuid('screen_id').notNull(),
    userId: integer('user_id').$type<UserId>().notNull(),
    place: text('place').notNull(),
    /** The record that is open there, by its address, and the field of it that the cursor is in; empty: none. */
    record: text('record').notNull().default(''),
    field: text('field').notNull().default(''),
    seenAt: moment('seen_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.screenId] }),
    index('presences_budget').on(table.organisationId, table.budgetId),
  ],
)
