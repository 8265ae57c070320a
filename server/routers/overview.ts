import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { shareOf } from '../../domain/calculation/balances.ts'
import { poundsOf } from '../../domain/format.ts'
import { either, may } from '../../domain/permissions.ts'
import { budgetGroups } from '../../drizzle/schema.ts'
import { costSummaries } from '../store/costStore.ts'
import { loadItems } from '../store/itemStore.ts'
import { outOfDate } from '../store/linkedItems.ts'
import { overviewOf } from '../store/overviewStore.ts'
import { sourcesOfCode, treeOf, type YearSum } from '../store/overviewTree.ts'
import { inBudget, router } from '../trpc/procedures.ts'

const reading = either('BudgetingOverview')
const pounds = ({ total, missing }: YearSum) => ({ total: poundsOf(total), missing })

/** A budget as a whole: its years at a glance, and the tree down to the lines. */
export const overviewRouter = router({
  summary: inBudget(reading).query(({ ctx }) =>
    ctx.inTransaction(async (tx) => {
      const { years, pupils, hasOpening } = await overviewOf(tx, ctx.budget)
      const costs = [...(await costSummaries(tx, ctx.organisationId, ctx.budgetId)).values()]
      const entries = await loadItems(tx, ctx.organisationId, ctx.budgetId, 'entry')
      const stale = await outOfDate(tx, ctx.organisationId, ctx.budget.head, entries)
      const [group] = await tx
        .select({ name: budgetGroups.name, since: budgetGroups.requiredSince, reason: budgetGroups.requiredReason })
        .from(budgetGroups)
        .where(sql`${eq(budgetGroups.organisationId, ctx.organisationId)} and ${ctx.budgetId} = any(${budgetGroups.budgetIds})`)
      return {
        years: years.map(({ balances, missing, ...year }, index) => ({
          income: poundsOf(year.income),
          staffing: poundsOf(year.staffing),
          nonStaffing: poundsOf(year.nonStaffing),
          inYear: poundsOf(year.inYear),
          opening: poundsOf(year.opening),
          closing: poundsOf(year.closing),
          missing,
          /** Per cent with one decimal; null without income. */
          staffShare: shareOf(year.staffing, year.income),
          pupils: pupils[index] ?? null,
          balances: balances.map(({ type, ...balance }) => ({
            type,
            opening: poundsOf(balance.opening),
            inYear: poundsOf(balance.inYear),
            closing: poundsOf(balance.closing),
          })),
        })),
        hasOpening,
        contracts: costs.length,
        /** Contracts of which some figure could not be calculated. */
        contractsNotCalculated: costs.filter((cost) => cost.yearTotals.includes(null)).length,
        outOfDate: entries
          .filter((entry) => stale.has(entry.id))
          .map(({ id, item }) => ({ id, description: item.description, source: item.source!.kind, sourceId: item.source!.id })),
        recalculation: group?.since ? { group: group.name, reason: group.reason } : null,
        problems: ctx.budget.transfers?.problems ?? [],
      }
    }),
  ),
  tree: inBudget(reading)
    .input(z.object({ scheme: z.enum(['cfr', 'gag', 'acoa', 'custom', 'category']) }))
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) =>
        (await treeOf(tx, ctx.budget, input.scheme)).map(({ codes, ...node }) => ({
          ...node,
          codes: codes.map((code) => ({
            ...code,
            years: code.years.map(pounds),
            months: code.months.map((year) => year.map(poundsOf)),
          })),
        })),
      ),
    ),
  /** What one code is made of, year by year and month by month. */
  sources: inBudget(reading)
    .input(z.object({ codeId: z.int().nullable() }))
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) =>
        (await sourcesOfCode(tx, ctx.budget, input.codeId, may(ctx.holder, either('BudgetingStaffing')))).map(
          ({ years, months, ...source }) => ({
            ...source,
            years: years.map(pounds),
            months: months.map((year) => year.map((month) => (month === null ? null : poundsOf(month)))),
          }),
        ),
      ),
    ),
})
