import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { recalculationState } from '../../../domain/lookups/lookupIds.ts'
import { requireSingleRow } from '../../../domain/values/assertDefined.ts'
import { type BudgetGroupId, type BudgetId, type OrganisationId, toBudgetGroupId, toBudgetId } from '../../../domain/values/ids.ts'
import { recalculationBudgets, recalculations } from '../../../drizzle/schema.ts'
import { buildStatement, buildTenantCondition, type OrganisationTx, type Store } from '../../core/database/database.ts'
import type { QueuedBudget } from '../../core/queue/queues.ts'
import { listRecalculationMarks } from '../../streams/budget/marks.ts'
import { readLatestRecalculations } from '../budgetGroups/queries.ts'

export type RecalculationRow = typeof recalculations.$inferSelect

export async function loadRecalculation(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  id: string,
): Promise<RecalculationRow | undefined> {
  const [row] = await tx
    .select()
    .from(recalculations)
    .where(and(eq(recalculations.organisationId, organisationId), eq(recalculations.id, id)))
  return row
}

/** The last recalculation of an organisation. */
export async function readLastRecalculation(tx: OrganisationTx, organisationId: OrganisationId): Promise<RecalculationRow | undefined> {
  const [row] = await tx
    .select()
    .from(recalculations)
    .where(eq(recalculations.organisationId, organisationId))
    .orderBy(desc(recalculations.startedAt))
    .limit(1)
  return row
}

export const recalculationCondition = (organisationId: OrganisationId, id: string) =>
  and(eq(recalculations.organisationId, organisationId), eq(recalculations.id, id))

/** The progress of a run. Read it after the commit: until then, two budgets that finish at the same time do not see each other. */
export async function readProgressAfterCommit(
  store: Store,
  organisationId: OrganisationId,
  recalculationId: string,
): Promise<{ budgetGroupId: BudgetGroupId | null; budgetId: BudgetId | null; done: number; of: number }> {
  const run = requireSingleRow(
    await store.runStandalone(
      buildStatement(sql`
    select group_id, budget_id, count(done_at)::integer, count(*)::integer from (
      select run.group_id, run.budget_id, item.done_at from recalculations run
      join recalculation_budgets item on item.organisation_id = run.organisation_id and item.recalculation_id = run.id
      where ${buildTenantCondition(store.scopeOf(organisationId))} and run.organisation_id = ${organisationId} and run.id = ${recalculationId}
    ) as item group by group_id, budget_id`),
    ),
  )
  const text = (value: unknown) => (value === null ? null : String(value))
  const groupId = text(run[0])
  const budgetId = text(run[1])
  return {
    budgetGroupId: groupId === null ? null : toBudgetGroupId(groupId),
    budgetId: budgetId === null ? null : toBudgetId(budgetId),
    done: Number(run[2]),
    of: Number(run[3]),
  }
}

/** The finished and unfinished budgets of a run. */
export function readRunBudgets(tx: OrganisationTx, organisationId: OrganisationId, id: string) {
  return tx
    .select()
    .from(recalculationBudgets)
    .where(and(eq(recalculationBudgets.organisationId, organisationId), eq(recalculationBudgets.recalculationId, id)))
}

/** An unfinished run: how many budgets are left, and those that no worker has claimed. */
interface Unfinished {
  organisationId: OrganisationId
  id: string
  startedAt: string
  count: number
  left: QueuedBudget[]
}

/** Unfinished runs in all organisations, with the budgets that no worker has claimed, for the periodic sweep to wake. */
export async function listUnfinishedRuns(tx: OrganisationTx): Promise<Unfinished[]> {
  const runs = await tx.select().from(recalculations).where(isNull(recalculations.finishedAt))
  const result: Unfinished[] = []
  for (const { organisationId, id, startedAt } of runs) {
    const open = and(
      eq(recalculationBudgets.organisationId, organisationId),
      eq(recalculationBudgets.recalculationId, id),
      isNull(recalculationBudgets.doneAt),
    )
    const count = await tx.$count(recalculationBudgets, open)
    const { budgetId, attempts } = recalculationBudgets
    const left = await tx.select({ budgetId, attempts }).from(recalculationBudgets).where(open).for('key share', { skipLocked: true })
    result.push({ organisationId, id, startedAt, count, left })
  }
  return result
}

/** Finished runs in all organisations about which users have not been notified. */
export function listUnannouncedRuns(tx: OrganisationTx): Promise<{ organisationId: OrganisationId; id: string }[]> {
  const { organisationId, id, finishedAt, announcedAt } = recalculations
  return tx
    .select({ organisationId, id })
    .from(recalculations)
    .where(and(isNotNull(finishedAt), isNull(announcedAt)))
    .limit(1000)
}

/** The budgets of a run. */
export async function listRunBudgetIds(tx: OrganisationTx, organisationId: OrganisationId, id: string): Promise<BudgetId[]> {
  return (await readRunBudgets(tx, organisationId, id)).map((row) => row.budgetId)
}

/** The unfinished run of a single budget. */
export async function findRunOfSingleBudget(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  budgetId: BudgetId,
): Promise<RecalculationRow | undefined> {
  const [run] = await tx
    .select()
    .from(recalculations)
    .where(and(eq(recalculations.organisationId, organisationId), eq(recalculations.budgetId, budgetId), isNull(recalculations.finishedAt)))
  return run
}

/**
 * Whether a budget's figures are up to date (lookup recalculationStates: 1 up to date, 2 required, 3 running, 4
 * failed), and why not.
 */
export interface CostState {
  state: 1 | 2 | 3 | 4
  /** A sentence on what has changed; null if nothing has. */
  reason: string | null
  since: string | null
  /** The group with which the budget must be recalculated; null if it has none or is up to date. */
  groupId: BudgetGroupId | null
}

export const upToDateState: CostState = { state: recalculationState.upToDate, reason: null, since: null, groupId: null }

/** The state of each budget of an organisation whose figures are out of date. */
export async function readCostStates(tx: OrganisationTx, organisationId: OrganisationId): Promise<Map<string, CostState>> {
  const states = new Map<string, CostState>()
  const lastAlone = tx
    .selectDistinctOn([recalculations.budgetId], { budgetId: recalculations.budgetId, status: recalculations.status })
    .from(recalculations)
    .where(and(eq(recalculations.organisationId, organisationId), isNotNull(recalculations.budgetId)))
    .orderBy(recalculations.budgetId, desc(recalculations.startedAt))
  const unfinished = tx
    .select({ budgetId: recalculationBudgets.budgetId, groupId: recalculations.groupId, since: recalculations.startedAt })
    .from(recalculations)
    .innerJoin(
      recalculationBudgets,
      and(
        eq(recalculationBudgets.organisationId, recalculations.organisationId),
        eq(recalculationBudgets.recalculationId, recalculations.id),
      ),
    )
    .where(and(eq(recalculations.organisationId, organisationId), isNull(recalculations.finishedAt)))
  const [groups, alone, marks, running] = await Promise.all([
    readLatestRecalculations(tx, organisationId),
    lastAlone,
    listRecalculationMarks(tx, organisationId),
    unfinished,
  ])
  const failed = new Set(alone.flatMap((run) => (run.status === 'failed' ? [run.budgetId] : [])))
  for (const [budgetId, { group, since, reason }] of marks) {
    const isFailed = group ? groups.get(group.id)?.status === 'failed' : failed.has(budgetId)
    states.set(budgetId, {
      state: isFailed ? recalculationState.failed : recalculationState.required,
      reason,
      since,
      groupId: group?.id ?? null,
    })
  }
  for (const { budgetId, groupId, since } of running)
    states.set(budgetId, { state: 3, reason: null, since: new Date(since).toISOString(), groupId })
  return states
}
