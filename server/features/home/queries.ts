import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Comment } from '../../../domain/budget/items/comment.ts'
import { compareValues } from '../../../domain/lists/lists.ts'
import { recalculationState } from '../../../domain/lookups/lookupIds.ts'
import { type CalendarMonth, findPreviousMonth } from '../../../domain/monitoring/monitoring.ts'
import { findMonthEndObstacles, type MonthEndObstacle, type MonthEndTask } from '../../../domain/monitoring/monthEnd.ts'
import { monthEndPermissions } from '../../../domain/monitoring/rights.ts'
import { canMakePacks } from '../../../domain/packs/rights.ts'
import { type FirstStep, firstSteps } from '../../../domain/people/firstSteps.ts'
import {
  budgetApprovalPermissions,
  budgetRecalculationPermissions,
  budgetSubmissionPermissions,
  canSeeStaff,
  commentReadPermissions,
  commentWritePermissions,
  groupRecalculationPermissions,
  hasAnyPermission,
  listViewPermissions,
} from '../../../domain/people/permissions.ts'
import { resources } from '../../../domain/resources/all.ts'
import { assertDefined, requireSingleRow } from '../../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../../domain/values/calendar.ts'
import { toPounds } from '../../../domain/values/format.ts'
import type { BudgetId, LocationId, UserId } from '../../../domain/values/ids.ts'
import type { Pounds } from '../../../domain/values/units.ts'
import { forbidden, notFound } from '../../../domain/words/errors.ts'
import { budgetItems, commentNotices } from '../../../drizzle/costTables.ts'
import { budgets } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import type { Viewer } from '../../core/calls/viewer.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import { createCommentReadTest, readSubjectNames } from '../../shared/approval/queries.ts'
import { type LowestCash, readLowestCash } from '../../shared/monitoring/cash/queries.ts'
import { type MonthEndState, readMonthEndStates } from '../../shared/monitoring/monthEnd/queries.ts'
import { readFactsByLocation } from '../../shared/monitoring/outlook/queries.ts'
import { type LocatedBudgetHead, readBudgetHeads } from '../../shared/monitoring/requests/queries.ts'
import { readOverview } from '../../shared/overview/queries.ts'
import { readCostStates } from '../../shared/recalculation/queries.ts'
import { hasColleague } from '../../shared/users/queries.ts'
import { asItemOfKind } from '../../streams/budget/items.ts'
import { loadBudget } from '../../streams/budget/queries.ts'

/** A budget that awaits an action. */
export interface BudgetAwaitingAction {
  budgetId: BudgetId
  budget: string
  locationId: LocationId
  location: string
}

/** A budget to approve. `figures`: the balances of its first year; null if the caller may not see them. */
export interface BudgetToApprove extends BudgetAwaitingAction {
  /** Each balance is null if part of it could not be calculated or no opening balance is known. */
  figures: { year: string; inYear: Pounds | null; closing: Pounds | null } | null
}

/** The first few items by name, and the total. */
export interface FirstFew<T> {
  count: number
  first: T[]
}

export interface BudgetsAwaitingAction {
  /** Submitted budgets that the caller may approve. */
  toApprove: FirstFew<BudgetToApprove>
  /** Returned budgets that the caller may resubmit. */
  returned: FirstFew<BudgetAwaitingAction>
  /** Budgets with outdated costs that the caller may recalculate. */
  toRecalculate: FirstFew<BudgetAwaitingAction>
}

/** A location whose month is open. `inTheWay`: what prevents closing it; empty if nothing does. */
export interface OpenMonth {
  locationId: LocationId
  location: string
  /** The budget of record. */
  budgetId: BudgetId
  budget: string
  inTheWay: string[]
  /** The obstacles that the caller may remove. */
  own: MonthEndObstacle[]
}

export interface MonthToClose {
  month: CalendarMonth
  mayClose: boolean
  closed: number
  open: FirstFew<OpenMonth>
}

/** The most items named for each kind. */
const mostNamed = 4

/** Finds the budgets that await an action by the caller. */
export async function findBudgetsAwaitingAction(tx: OrganisationTx, viewer: Viewer): Promise<BudgetsAwaitingAction> {
  const { holder, organisationId } = viewer
  const mayRecalculate = hasAnyPermission(holder, [...groupRecalculationPermissions, ...budgetRecalculationPermissions])
  const [heads, locations, costs] = await Promise.all([
    readBudgetHeads({ ...viewer, tx }, undefined),
    readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [organisationId] }),
    mayRecalculate ? readCostStates(tx, organisationId) : null,
  ])
  const locationNames = new Map(locations.map((location) => [location.id, location.name]))
  const open = heads.filter(({ head }) => !head.locked)
  const among = (chosen: readonly LocatedBudgetHead[]): FirstFew<BudgetAwaitingAction> => ({
    count: chosen.length,
    first: chosen
      .map(({ id, locationId, head }) => ({ budgetId: id, budget: head.name, locationId, location: locationNames.get(locationId) ?? '' }))
      .sort((a, b) => compareValues(a.location, b.location) || compareValues(a.budget, b.budget))
      .slice(0, mostNamed),
  })
  const standing = (state: 'submitted' | 'returned'): LocatedBudgetHead[] => open.filter(({ head }) => head.approval?.state === state)
  const isBehind = ({ id }: LocatedBudgetHead): boolean => {
    const cost = costs?.get(id)
    if (cost?.state !== recalculationState.required && cost?.state !== recalculationState.failed) return false
    return hasAnyPermission(holder, cost.groupId ? groupRecalculationPermissions : budgetRecalculationPermissions)
  }
  const toApprove = among(hasAnyPermission(holder, budgetApprovalPermissions) ? standing('submitted') : [])
  const hasFigures = hasAnyPermission(holder, listViewPermissions('BudgetingOverview')) && canSeeStaff(holder)
  const figuresOf = async (budgetId: BudgetId): Promise<BudgetToApprove['figures']> => {
    const budget = await loadBudget({ tx, organisationId }, budgetId)
    const { years, hasOpening } = await readOverview(tx, budget)
    const { inYear, closing, gaps } = assertDefined(years[0])
    return {
      year: formatBudgetYear(budget.head.firstYear, 0),
      inYear: gaps.inYear ? null : toPounds(inYear),
      closing: gaps.closing || !hasOpening ? null : toPounds(closing),
    }
  }
  const first: BudgetToApprove[] = []
  for (const one of toApprove.first) first.push({ ...one, figures: hasFigures ? await figuresOf(one.budgetId) : null })
  return {
    toApprove: { ...toApprove, first },
    returned: among(hasAnyPermission(holder, budgetSubmissionPermissions) ? standing('returned') : []),
    toRecalculate: among(open.filter(isBehind)),
  }
}

/**
 * The state of last month's month end at the locations that the caller may see; null if they may not see month ends.
 */
export async function findMonthToClose(tx: OrganisationTx, viewer: Viewer, now: Date): Promise<MonthToClose | null> {
  if (
    !hasAnyPermission(
      viewer.holder,
      listViewPermissions('ConsoleMonitoring', 'ConsoleMonitoringBudgetActuals', 'BudgetingMonitoringBudgetActuals'),
    )
  )
    return null
  const month = findPreviousMonth(now)
  const archived = new Set(
    (await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [viewer.organisationId] }))
      .filter(({ archive }) => archive)
      .map(({ id }) => id),
  )
  const standing = await readMonthEndStates({ ...viewer, tx }, month, {
    only: null,
    read: await readFactsByLocation({ ...viewer, tx }, month),
  })
  const all = standing.filter(({ budgetId, locationId }) => budgetId !== null && !archived.has(locationId))
  const open = all.filter(({ end }) => !end.closed)
  return {
    month,
    mayClose: hasAnyPermission(viewer.holder, closingPermissions),
    closed: all.length - open.length,
    open: {
      count: open.length,
      first: open.slice(0, mostNamed).map((one) => {
        const { locationId, location, ticks, readiness } = one
        const obstacles = findMonthEndObstacles(ticks, readiness)
        return {
          locationId,
          location,
          budgetId: assertDefined(one.budgetId),
          budget: assertDefined(one.budget),
          inTheWay: obstacles.map(({ words }) => words),
          own: obstacles.filter(({ task }) => mayResolve(viewer, task, one)),
        }
      }),
    },
  }
}

const closingPermissions = ['ConsoleMonitoringReadUpdate'] as const

/** Whether a user may do the work that removes an obstacle: users are asked to do only what they are allowed to do. */
function mayResolve({ holder }: Viewer, task: MonthEndTask, { adjusted, followsPayroll }: MonthEndState): boolean {
  const seesAll = holder.locationIds === null
  const explaining = ['ConsoleMonitoringBudgetActualsReadUpdate'] as const
  switch (task) {
    case 'actuals':
    case 'close':
      return hasAnyPermission(holder, closingPermissions)
    case 'explain':
      return adjusted.groupId
        ? hasAnyPermission(holder, ['BudgetingMonitoringBudgetActualsReadUpdate', ...explaining])
        : seesAll && hasAnyPermission(holder, explaining)
    case 'payroll':
      // Completing a payroll month needs every location of its group.
      return followsPayroll
        ? seesAll && hasAnyPermission(holder, ['BudgetingPayrollReconciliationReadUpdate', 'ConsolePayrollReconciliationReadUpdate'])
        : hasAnyPermission(holder, monthEndPermissions)
    case 'pack':
      return canMakePacks(holder)
    case 'adjustments':
      return hasAnyPermission(holder, monthEndPermissions)
  }
}

/** The lowest cash of each location in the current year; null if the caller may not see cash. */
export async function findLowestCash(tx: OrganisationTx, viewer: Viewer, now: Date): Promise<LowestCash[] | null> {
  if (!hasAnyPermission(viewer.holder, listViewPermissions('BudgetingMonitoringBudgetForecast', 'ConsoleMonitoringBudgetForecast')))
    return null
  return readLowestCash({ ...viewer, tx }, findPreviousMonth(now))
}

/**
 * The steps for setting up a new organisation, and which of them its records show as done. Archived locations do not count.
 * @param userId the caller: an administrator does not invite themselves
 * @param isInvited whether users join by invitation; otherwise added users sign in elsewhere
 */
export async function listSetupSteps(
  { tx, store, organisationId }: Call<'store' | 'organisationId'>,
  asking: { userId: UserId | null; isInvited: boolean },
): Promise<{ step: FirstStep; isDone: boolean }[]> {
  const inThisOrganisation = sql`organisation_id = ${organisationId}`
  const found = requireSingleRow(
    await tx.execute<Record<Exclude<FirstStep, 'users'>, boolean>>(sql`
      select exists (select from locations where ${inThisOrganisation} and not coalesce(archive, false)) as "locations",
        exists (select from budget_codes where ${inThisOrganisation}) as "codes",
        exists (select from contract_types where ${inThisOrganisation}) as "contractTypes",
        exists (select from service_terms where ${inThisOrganisation}) as "payrollCodes",
        exists (select from staff_er_pension_rates where ${inThisOrganisation})
          and not exists (select from contract_types t where ${inThisOrganisation} and not exists
            (select from staff_er_pension_rates r where r.organisation_id = t.organisation_id and r.contract_type_id = t.id)) as "assumptions",
        exists (select from budgets where ${inThisOrganisation}) as "budget",
        exists (select from budget_group_members where ${inThisOrganisation}) as "group",
        exists (select from staff_contracts where ${inThisOrganisation}) as "contracts",
        exists (select from budget_items where ${inThisOrganisation} and kind = 'entry') as "entries",
        exists (select from budget_items where ${inThisOrganisation} and kind = 'balance') as "balances",
        exists (select from budget_groups where ${inThisOrganisation} and last_recalculated is not null)
          or exists (select from budgets where ${inThisOrganisation} and levy_shares is not null) as "recalculation",
        exists (select from budgets where ${inThisOrganisation} and head ->> 'approval' is not null) as "approval"`),
  )
  const done = { ...found, users: await hasColleague({ tx, store, organisationId }, asking) }
  return firstSteps.map((step) => ({ step, isDone: done[step] }))
}

/** An unread comment for the caller. */
export interface UnreadComment extends BudgetAwaitingAction {
  comment: Comment
  isMention: boolean
  /** Whether the caller may answer: they were mentioned or may comment, and the budget is open. */
  mayAnswer: boolean
  /** The name of the record that it is about; null for the budget itself. */
  name: string | null
}

/** SQL condition: the item is the comment of the notice. */
const isNoticedComment = and(
  eq(budgetItems.organisationId, commentNotices.organisationId),
  eq(budgetItems.budgetId, commentNotices.budgetId),
  eq(budgetItems.id, commentNotices.commentId),
)

/** The most unread comments that one call loads. */
const mostUnread = 100

/** The caller's unread comments on budgets and records that they may still see, newest first. */
export async function findUnreadComments(tx: OrganisationTx, viewer: Viewer, userId: UserId): Promise<FirstFew<UnreadComment>> {
  const { organisationId, holder } = viewer
  const rows = await tx
    .select({ budgetId: commentNotices.budgetId, isMention: commentNotices.isMention, item: budgetItems.item })
    .from(commentNotices)
    .innerJoin(budgetItems, isNoticedComment)
    .where(and(eq(commentNotices.organisationId, organisationId), eq(commentNotices.userId, userId), isNull(commentNotices.seenAt)))
    .orderBy(desc(commentNotices.at))
    .limit(mostUnread)
  if (!rows.length || !hasAnyPermission(holder, commentReadPermissions)) return { count: 0, first: [] }
  const heads = new Map((await readBudgetHeads({ ...viewer, tx }, undefined)).map((head) => [head.id, head]))
  const locationNames = new Map(
    (await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [organisationId] })).map(({ id, name }) => [
      id,
      name,
    ]),
  )
  const comments = rows.map(({ item, ...row }) => ({ ...row, comment: asItemOfKind('comment', item) }))
  const mayRead = await createCommentReadTest(
    tx,
    viewer,
    comments.map(({ comment }) => comment.about),
  )
  const mayComment = hasAnyPermission(holder, commentWritePermissions)
  const shown = comments.flatMap(({ budgetId, isMention, comment }) => {
    const head = heads.get(budgetId)
    if (!head || !mayRead(comment.about)) return []
    const { locationId } = head
    return [
      {
        budgetId,
        budget: head.head.name,
        locationId,
        location: locationNames.get(locationId) ?? '',
        isMention,
        mayAnswer: !head.head.locked && (mayComment || isMention),
        comment,
      },
    ]
  })
  const first = shown.slice(0, mostNamed)
  const nameOf = await readSubjectNames(
    tx,
    organisationId,
    first.map(({ comment }) => comment.about),
  )
  return { count: shown.length, first: first.map((one) => ({ ...one, name: nameOf(one.comment.about) })) }
}

/**
 * The comment that a caller answers.
 * @throws DomainError 404 for a comment that was not brought to their notice or that they may not see; 403 if they may
 * not comment and were not mentioned
 */
export async function findCommentToAnswer(
  tx: OrganisationTx,
  viewer: Viewer,
  { userId, budgetId, id }: { userId: UserId; budgetId: BudgetId; id: string },
): Promise<{ comment: Comment; locationId: LocationId }> {
  const { organisationId, holder } = viewer
  const [head] = await readBudgetHeads({ ...viewer, tx }, eq(budgets.id, budgetId))
  const [row] = await tx
    .select({ isMention: commentNotices.isMention, item: budgetItems.item })
    .from(commentNotices)
    .innerJoin(budgetItems, isNoticedComment)
    .where(
      and(
        eq(commentNotices.organisationId, organisationId),
        eq(commentNotices.userId, userId),
        eq(commentNotices.budgetId, budgetId),
        eq(commentNotices.commentId, id),
      ),
    )
    .limit(1)
  if (!head || !row) throw notFound('Comment')
  const comment = asItemOfKind('comment', row.item)
  if (!(await createCommentReadTest(tx, viewer, [comment.about]))(comment.about)) throw notFound('Comment')
  if (!row.isMention && !hasAnyPermission(holder, commentWritePermissions)) throw forbidden()
  return { comment, locationId: head.locationId }
}
