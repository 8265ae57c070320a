import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Comment } from '../../../domain/budget/items/comment.ts'
import { compareValues } from '../../../domain/lists/lists.ts'
import { recalculationState } from '../../../domain/lookups/lookupIds.ts'
import { type CalendarMonth, lastMonth } from '../../../domain/monitoring/monitoring.ts'
import { listMonthEndObstacles } from '../../../domain/monitoring/monthEnd.ts'
import { type FirstStep, firstSteps } from '../../../domain/people/firstSteps.ts'
import {
  budgetApprovalPermissions,
  budgetRecalculationPermissions,
  budgetSubmissionPermissions,
  commentReadPermissions,
  groupRecalculationPermissions,
  hasAnyPermission,
  viewPermissions,
} from '../../../domain/people/permissions.ts'
import { resources } from '../../../domain/resources/all.ts'
import { onlyRow } from '../../../domain/values/assertDefined.ts'
import type { BudgetId, LocationId, UserId } from '../../../domain/values/ids.ts'
import { budgetItems, commentNotices } from '../../../drizzle/costTables.ts'
import type { Call } from '../../core/calls/call.ts'
import type { Viewer } from '../../core/calls/viewer.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import { createCommentReadTest, readSubjectNames } from '../../shared/approval/queries.ts'
import { readMonthEndStates } from '../../shared/monitoring/monthEnd/queries.ts'
import { readMonthByLocation } from '../../shared/monitoring/outlook/queries.ts'
import { type Head, headsWhere } from '../../shared/monitoring/requests/queries.ts'
import { costStates } from '../../shared/recalculation/queries.ts'
import { hasColleague } from '../../shared/users/queries.ts'
import { asItemOfKind } from '../../streams/budget/items.ts'

/** A budget that awaits an action. */
export interface WaitingBudget {
  budgetId: BudgetId
  budget: string
  locationId: LocationId
  location: string
}

/** The first few items by name, and the total. */
export interface FirstFew<T> {
  count: number
  first: T[]
}

export interface WaitingBudgets {
  /** Submitted budgets that the caller may approve. */
  toApprove: FirstFew<WaitingBudget>
  /** Returned budgets that the caller may resubmit. */
  returned: FirstFew<WaitingBudget>
  /** Budgets with outdated costs that the caller may recalculate. */
  toRecalculate: FirstFew<WaitingBudget>
}

/** A location whose month is open, and what prevents closing it; empty if nothing does. */
export interface OpenMonth {
  locationId: LocationId
  location: string
  inTheWay: string[]
}

export interface MonthToClose {
  month: CalendarMonth
  closed: number
  open: FirstFew<OpenMonth>
}

/** The most items named for each kind. */
const mostNamed = 4

/** The budgets that await the caller. */
export async function findWaitingBudgets(tx: OrganisationTx, who: Viewer): Promise<WaitingBudgets> {
  const { holder, organisationId } = who
  const mayRecalculate = hasAnyPermission(holder, [...groupRecalculationPermissions, ...budgetRecalculationPermissions])
  const [heads, locations, costs] = await Promise.all([
    headsWhere({ ...who, tx }, undefined),
    readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [organisationId] }),
    mayRecalculate ? costStates(tx, organisationId) : null,
  ])
  const places = new Map(locations.map((place) => [place.id, place.name]))
  const open = heads.filter(({ head }) => !head.locked)
  const among = (budgets: readonly Head[]): FirstFew<WaitingBudget> => ({
    count: budgets.length,
    first: budgets
      .map(({ id, locationId, head }) => ({ budgetId: id, budget: head.name, locationId, location: places.get(locationId) ?? '' }))
      .sort((a, b) => compareValues(a.location, b.location) || compareValues(a.budget, b.budget))
      .slice(0, mostNamed),
  })
  const standing = (state: 'submitted' | 'returned'): Head[] => open.filter(({ head }) => head.approval?.state === state)
  const isBehind = ({ id }: Head): boolean => {
    const cost = costs?.get(id)
    if (cost?.state !== recalculationState.required && cost?.state !== recalculationState.failed) return false
    return hasAnyPermission(holder, cost.groupId ? groupRecalculationPermissions : budgetRecalculationPermissions)
  }
  return {
    toApprove: among(hasAnyPermission(holder, budgetApprovalPermissions) ? standing('submitted') : []),
    returned: among(hasAnyPermission(holder, budgetSubmissionPermissions) ? standing('returned') : []),
    toRecalculate: among(open.filter(isBehind)),
  }
}

/**
 * The state of last month's month end at the locations that the caller may see; null if they may not see month ends.
 */
export async function findMonthToClose(tx: OrganisationTx, who: Viewer, now: Date): Promise<MonthToClose | null> {
  if (
    !hasAnyPermission(
      who.holder,
      viewPermissions('ConsoleMonitoring', 'ConsoleMonitoringBudgetActuals', 'BudgetingMonitoringBudgetActuals'),
    )
  )
    return null
  const month = lastMonth(now)
  const archived = new Set(
    (await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [who.organisationId] }))
      .filter(({ archive }) => archive)
      .map(({ id }) => id),
  )
  const standing = await readMonthEndStates({ ...who, tx }, month, { only: null, read: await readMonthByLocation({ ...who, tx }, month) })
  const all = standing.filter(({ budgetId, locationId }) => budgetId !== null && !archived.has(locationId))
  const open = all.filter(({ end }) => !end.closed)
  return {
    month,
    closed: all.length - open.length,
    open: {
      count: open.length,
      first: open.slice(0, mostNamed).map(({ locationId, location, ticks, readiness }) => ({
        locationId,
        location,
        inTheWay: listMonthEndObstacles(ticks, readiness),
      })),
    },
  }
}

/**
 * The steps for setting up a new organisation, and which of them its records show as done. Archived locations do not count.
 * @param userId the caller: an administrator does not invite themselves
 * @param isInvited whether users join by invitation; otherwise added users sign in elsewhere
 */
export async function findFirstSteps(
  { tx, store, organisationId }: Call<'store' | 'organisationId'>,
  asking: { userId: UserId | null; isInvited: boolean },
): Promise<{ step: FirstStep; isDone: boolean }[]> {
  const own = sql`organisation_id = ${organisationId}`
  const found = onlyRow(
    await tx.execute<Record<Exclude<FirstStep, 'users'>, boolean>>(sql`
      select exists (select from locations where ${own} and not coalesce(archive, false)) as "locations",
        exists (select from budget_codes where ${own}) as "codes",
        exists (select from contract_types where ${own}) as "contractTypes",
        exists (select from service_terms where ${own}) as "payrollCodes",
        exists (select from staff_er_pension_rates where ${own}) as "assumptions",
        exists (select from budgets where ${own}) as "budget",
        exists (select from staff_contracts where ${own}) as "contracts",
        exists (select from budget_items where ${own} and kind = 'entry') as "entries",
        exists (select from budget_items where ${own} and kind = 'balance') as "balances",
        exists (select from budgets where ${own} and head ->> 'approval' is not null) as "approval"`),
  )
  const done = { ...found, users: await hasColleague({ tx, store, organisationId }, asking) }
  return firstSteps.map((step) => ({ step, isDone: done[step] }))
}

/** An unread comment for the caller. */
export interface UnreadComment extends WaitingBudget {
  comment: Comment
  isMention: boolean
  /** The name of the record that it is about; null for the budget itself. */
  name: string | null
}

/** The most unread comments that one call loads. */
const mostUnread = 100

/** The caller's unread comments on budgets and records that they may still see, newest first. */
export async function findUnreadComments(tx: OrganisationTx, who: Viewer, userId: UserId): Promise<FirstFew<UnreadComment>> {
  const { organisationId, holder } = who
  const rows = await tx
    .select({ budgetId: commentNotices.budgetId, isMention: commentNotices.isMention, item: budgetItems.item })
    .from(commentNotices)
    .innerJoin(
      budgetItems,
      and(
        eq(budgetItems.organisationId, commentNotices.organisationId),
        eq(budgetItems.budgetId, commentNotices.budgetId),
        eq(budgetItems.id, commentNotices.commentId),
      ),
    )
    .where(and(eq(commentNotices.organisationId, organisationId), eq(commentNotices.userId, userId), isNull(commentNotices.seenAt)))
    .orderBy(desc(commentNotices.at))
    .limit(mostUnread)
  if (!rows.length || !hasAnyPermission(holder, commentReadPermissions)) return { count: 0, first: [] }
  const heads = new Map((await headsWhere({ ...who, tx }, undefined)).map((head) => [head.id, head]))
  const places = new Map(
    (await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [organisationId] })).map(({ id, name }) => [
      id,
      name,
    ]),
  )
  const comments = rows.map(({ item, ...row }) => ({ ...row, comment: asItemOfKind('comment', item) }))
  const mayRead = await createCommentReadTest(
    tx,
    who,
    comments.map(({ comment }) => comment.about),
  )
  const shown = comments.flatMap(({ budgetId, isMention, comment }) => {
    const head = heads.get(budgetId)
    if (!head || !mayRead(comment.about)) return []
    const { locationId } = head
    return [{ budgetId, budget: head.head.name, locationId, location: places.get(locationId) ?? '', isMention, comment }]
  })
  const first = shown.slice(0, mostNamed)
  const nameOf = await readSubjectNames(
    tx,
    organisationId,
    first.map(({ comment }) => comment.about),
  )
  return { count: shown.length, first: first.map((one) => ({ ...one, name: nameOf(one.comment.about) })) }
}
