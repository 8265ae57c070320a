import { and, eq, inArray, ne, or, sql } from 'drizzle-orm'
import { withdrawLevyShares } from '../../../../domain/budget/decideShared.ts'
import { postLevy } from '../../../../domain/budget/sharedLines.ts'
import { getEngine } from '../../../../domain/calculation/engines/engines.ts'
import type { Figure } from '../../../../domain/calculation/inputs.ts'
import { calculateLevyShares, type LevyShare, resolveEnteredLevyShares } from '../../../../domain/calculation/levy.ts'
import { joinYears } from '../../../../domain/calculation/staffing/posting.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { assertDefined, requireSingleRow } from '../../../../domain/values/assertDefined.ts'
import { type Day, listBudgetPeriods, toDay } from '../../../../domain/values/calendar.ts'
import type { BudgetGroupId, BudgetId } from '../../../../domain/values/ids.ts'
import { budgets } from '../../../../drizzle/schema.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { BudgetRow } from '../../../core/calls/selectedBudget.ts'
import { advisoryLocks } from '../../../core/database/advisoryLocks.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { LockConflict } from '../../../core/database/errors.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { loadGroupOfBudget, selectBudgetsInSameGroup } from '../../../streams/budget/groupMembers.ts'
import { readSourceLines, replaceSourceLines, writeChangedLines } from '../../../streams/budget/lines.ts'
import { hasEmploymentAllowanceCondition, isUnlockedCondition } from '../../../streams/budget/marks.ts'
import { loadBudget, lockBudgets } from '../../../streams/budget/queries.ts'
import { commitEventsReturningRow, commitToEachBudget } from '../../../streams/budget/stream.ts'
import { withdrawAllowances } from '../allowance/commands.ts'
import { hasLevyShareCondition, readMonthlyGross } from './queries.ts'

/**
 * Posts a budget's levy again with its stored share of the allowance; without a share, the levy counts as not calculated (rules.md §7 and
 * §9).
 * @param grossByMonth the budget's gross pay by month, if already read
 */
export async function repostLevy(tx: OrganisationTx, row: BudgetRow, grossByMonth?: readonly Figure[]): Promise<void> {
  const gross = grossByMonth ?? assertDefined((await readMonthlyGross(tx, row.organisationId, [row])).get(row.id))
  await writeLevy(tx, row, { gross, shares: row.levyShares ?? [] })
}

/**
 * Withdraws a budget's share of the allowance, because its pay changed or it left its group: its levy is not calculated
 * until its group is recalculated (rules.md §7).
 */
export async function withdrawLevyShare(call: Call<'organisationId' | 'budgetId' | 'actor'>): Promise<void> {
  const { budgetId } = call
  const row = await loadBudget(call, budgetId, true)
  if (!row.head.locked) await withdrawLockedLevyShare(call, row)
}

/** As `withdrawLevyShare`, for an open budget that the caller has locked. */
async function withdrawLockedLevyShare(call: Call<'actor'>, row: BudgetRow): Promise<void> {
  const { tx } = call
  const events = withdrawLevyShares(row.levyShares)
  const { now = row } = events.length ? await commitEventsReturningRow(call, row, { events }) : {}
  await repostLevy(tx, now)
}

/**
 * Withdraws the shares of all other open budgets in a budget's group, because pay in it has changed and each share
 * depends on all of them (rules.md §7). Budgets without a share are not touched, so only the first save after a
 * recalculation does this.
 */
export async function withdrawOtherLevyShares(call: Call<'organisationId' | 'budgetId' | 'actor'>): Promise<void> {
  await withdrawInGroup(call, 'pay')
}

/**
 * Marks the Employment Allowance in a budget and its group as not calculated, because national insurance in the budget changed.
 * @returns whether any of that allowance had been calculated
 */
export function withdrawEmploymentAllowance(call: Call<'organisationId' | 'budgetId' | 'actor'>): Promise<boolean> {
  return withdrawInGroup(call, 'ni')
}

async function withdrawInGroup(call: Call<'organisationId' | 'budgetId' | 'actor'>, changed: 'pay' | 'ni'): Promise<boolean> {
  const { tx, organisationId, budgetId } = call
  const isConcerned = changed === 'pay' ? ne(budgets.id, budgetId) : sql`true`
  const members = sql`(${budgets.id} = ${budgetId} or ${inArray(budgets.id, selectBudgetsInSameGroup(organisationId, budgetId))})`
  const [any] = await tx
    .select({ id: budgets.id })
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), isConcerned, members, isUnlockedCondition, shareConditions[changed]))
    .limit(1)
  if (!any) return false
  const group = await loadGroupOfBudget(tx, organisationId, budgetId)
  if (group) {
    const budgetIds = changed === 'pay' ? group.budgetIds.filter((id) => id !== budgetId) : group.budgetIds
    await withdrawGroupShares(call, { groupId: group.id, budgetIds, changed: [changed] })
  } else await withdrawAllowances(call, [await loadBudget(call, budgetId, true)])
  return true
}

/** For each kind of change, the condition for budgets with a share that depends on it. */
const shareConditions = { pay: hasLevyShareCondition, ni: hasEmploymentAllowanceCondition } as const

/** The second key of the advisory lock for withdrawing a group's shares. */
const hashGroupId = (groupId: BudgetGroupId) => sql`hashtext(${groupId})`

/**
 * Waits for other transactions that withdraw shares of a group. Call it before taking any other lock, if the transaction is not retried.
 */
export async function lockShareWithdrawal(tx: OrganisationTx, groupId: BudgetGroupId): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.shares}::integer, ${hashGroupId(groupId)})`)
}

/**
 * Withdraws the levy shares and known Employment Allowance of the open budgets in a group. The first saves after a recalculation would each
 * lock their own budget and wait for the others: so one proceeds, and the others are rolled back, retried after it and find nothing left to
 * do.
 * @throws LockConflict if another transaction is withdrawing the group's shares
 */
export async function withdrawGroupShares(
  call: Call<'organisationId' | 'actor'>,
  {
    groupId,
    budgetIds,
    changed = ['pay', 'ni'],
  }: { groupId: BudgetGroupId; budgetIds: readonly BudgetId[]; changed?: readonly ('pay' | 'ni')[] },
): Promise<void> {
  const { tx, organisationId } = call
  if (!budgetIds.length) return
  const some = or(...changed.map((one) => shareConditions[one]))
  const sharing = and(eq(budgets.organisationId, organisationId), inArray(budgets.id, [...budgetIds]), isUnlockedCondition, some)
  const [any] = await tx.select({ id: budgets.id }).from(budgets).where(sharing).limit(1)
  if (!any) return
  const { isFree, group } = requireSingleRow(
    await tx.execute<{ isFree: boolean; group: number }>(
      sql`select pg_try_advisory_xact_lock(${advisoryLocks.shares}::integer, ${hashGroupId(groupId)}) as "isFree", ${hashGroupId(groupId)} as "group"`,
    ),
  )
  if (!isFree) throw new LockConflict([advisoryLocks.shares, group])
  const rows = await tx.select().from(budgets).where(sharing).orderBy(budgets.id).for('update')
  if (changed.includes('ni')) await withdrawAllowances(call, rows)
  if (!changed.includes('pay')) return
  const sharers = rows.filter((row) => row.levyShares?.some((share) => share !== null)).map(({ id }) => id)
  // Read again: withdrawing the allowance may have changed the rows.
  const now = await lockBudgets(tx, organisationId, sharers)
  const given = now.map((row) => ({ row, shares: assertDefined(row.levyShares).map(() => null) }))
  await storeShares(call, given, await readMonthlyGross(tx, organisationId, now))
}

/**
 * Stores changed allowance shares of open budgets, which the caller has locked, and posts the resulting levy.
 * @param gross each budget's gross pay by month
 */
async function storeShares(
  call: Call<'organisationId' | 'actor'>,
  given: readonly { row: BudgetRow; shares: LevyShare[] }[],
  gross: ReadonlyMap<string, readonly Figure[]>,
): Promise<void> {
  const budgetIds = given.map(({ row }) => row.id)
  if (!budgetIds.length) return
  const standing = await readSourceLines(call, 'levy', { budgetIds })
  const others = given.filter(({ row, shares }) => JSON.stringify(row.levyShares) !== JSON.stringify(shares))
  await commitToEachBudget(
    call,
    others.map(({ row, shares }) => ({ row, event: { type: 'LevyAllowanceShared', data: { shares } } })),
  )
  const posted = new Map(given.map(({ row, shares }) => [row.id, [levyOfRow(row, assertDefined(gross.get(row.id)), shares)]]))
  await writeChangedLines(call, 'levy', { posted, stored: standing })
}

/** Posts the levy of a budget without an allowance share again, after its pay changed. */
export async function repostLevyWithoutShare(
  tx: OrganisationTx,
  row: BudgetRow,
  { before, after }: { before: readonly Figure[]; after: readonly Figure[] },
): Promise<void> {
  const shares = row.levyShares ?? []
  if (JSON.stringify(linesOfRow(row, before, shares)) !== JSON.stringify(linesOfRow(row, after, shares)))
    await writeLevy(tx, row, { gross: after, shares })
}

async function writeLevy(
  tx: OrganisationTx,
  row: BudgetRow,
  { gross, shares }: { gross: readonly Figure[]; shares: readonly LevyShare[] },
): Promise<void> {
  await replaceSourceLines({ tx, organisationId: row.organisationId, budgetId: row.id }, 'levy', {
    posted: [levyOfRow(row, gross, shares)],
    replacesAll: true,
  })
}

/** The levy lines for a budget's years; the pay may extend beyond them. */
const linesOfRow = (row: BudgetRow, gross: readonly Figure[], shares: readonly LevyShare[]) =>
  postLevy(gross.slice(0, row.head.numberOfYears * 12), shares, getEngine(row.recalculated?.engine))

const levyOfRow = (row: BudgetRow, gross: readonly Figure[], shares: readonly LevyShare[]) => ({
  sourceId: row.id,
  lines: joinYears(linesOfRow(row, gross, shares)),
})

/**
 * Shares the trust's allowance among the budgets of a group and posts the levy. Locked budgets keep their shares, and
 * the others share the rest.
 */
export async function postGroupLevy(call: Call<'organisationId' | 'actor'>, budgetIds: readonly BudgetId[]): Promise<void> {
  const { tx, organisationId } = call
  if (!budgetIds.length) return
  const rows = await lockBudgets(tx, organisationId, budgetIds)
  const [organisation] = await readResourceRecords(tx, resources.organisation, { column: 'id', ids: [organisationId] })
  const gross = await readMonthlyGross(tx, organisationId, rows)
  const months = rows.map(({ head }) =>
    listBudgetPeriods(head.firstYear, head.numberOfYears, head.startMonth).map((period) => period.first),
  )
  const shares = organisation?.calculateApprenticeshipLevyAutomatically
    ? calculateLevyShares(
        rows.map((row, index) => ({
          gross: assertDefined(gross.get(row.id)).map((amount, month) => ({
            month: assertDefined(assertDefined(months[index])[month]),
            amount,
          })),
          kept: row.head.locked ? (row.levyShares ?? []) : null,
        })),
      )
    : await readEnteredShares(tx, rows, { months, asPercentage: Boolean(organisation?.apprenticeshipLevyAllowanceAsPercentage) })
  const given = rows.flatMap((row, index) => (row.head.locked ? [] : [{ row, shares: assertDefined(shares[index]) }]))
  await storeShares(call, given, gross)
}

async function readEnteredShares(
  tx: OrganisationTx,
  rows: readonly BudgetRow[],
  { months, asPercentage }: { months: readonly Day[][]; asPercentage: boolean },
): Promise<LevyShare[][]> {
  const list = await readResourceRecords(tx, resources.apprenticeshipLevy, {
    column: 'locationId',
    ids: [...new Set(rows.map((row) => row.head.locationId))],
  })
  return rows.map(({ head }, index) => {
    const locationAllowances = list
      .filter((entry) => entry.locationId === head.locationId)
      .map((entry) => ({ from: toDay(entry.effectiveDate), allowance: entry.allowance, percentage: entry.percentage }))
    return resolveEnteredLevyShares(locationAllowances, asPercentage, assertDefined(months[index]))
  })
}
