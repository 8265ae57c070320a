import { z } from 'zod'
import { calculateShareOfWhole } from '../../../domain/calculation/nonStaffing/balances.ts'
import { listViewPermissions } from '../../../domain/people/permissions.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { toPounds } from '../../../domain/values/format.ts'
import { inBudget, router } from '../../core/calls/procedures.ts'
import { readReferenceThroughCache } from '../../core/database/readOnce.ts'
import { countCosts } from '../../shared/costing/costs/queries.ts'
import { readHiddenCodes } from '../../shared/fewPeople/queries.ts'
import { findOutdatedEntries } from '../../shared/funding/queries.ts'
import { findGroupShareProblems } from '../../shared/groupMoney/levy/queries.ts'
import { presentOverviewYear, readOverview, readSumsByCoding, type YearSum } from '../../shared/overview/queries.ts'
import { readReserveFloor } from '../../shared/reports/reserveFloor/queries.ts'
import { listGroupsByName } from '../../streams/budget/groupMembers.ts'
import { loadLinkedEntries } from '../../streams/budget/items.ts'
import { hashLineTexts, readLineTexts } from '../../streams/budget/lineTexts.ts'
import { listRecalculationMarks } from '../../streams/budget/marks.ts'
import * as replies from './replies.ts'
import { readSourcesOfCode, readTree } from './tree/queries.ts'

const reading = listViewPermissions('BudgetingOverview')
const differsSentence =
  'The lines of this budget no longer add up to the approved figures. The approved figures are shown. Ask the people who run Bursar to check the log.'
const pounds = ({ total, missing }: YearSum) => ({ total: toPounds(total), missing })

/** A budget as a whole: its years at a glance, and the tree down to the lines. */
export const overviewRouter = router({
  summary: inBudget(reading, 'report')
    .output(replies.summary)
    .query(({ ctx }) =>
      ctx.inTransaction(async (tx) => {
        await readHiddenCodes({ ...ctx, tx }, [ctx.budgetId])
        // Start these queries before awaiting any of them, so that they are sent together.
        const linked = loadLinkedEntries(tx, ctx.organisationId, ctx.budgetId)
        const groups = listGroupsByName(tx, ctx.organisationId)
        const [{ years, pupils, hasOpening }, costs, entries, stale, marks, shared, policy] = await Promise.all([
          readOverview(tx, ctx.budget),
          countCosts({ ...ctx, tx }),
          linked,
          findOutdatedEntries({ ...ctx, tx }, ctx.budget.head, linked),
          listRecalculationMarks(tx, ctx.organisationId, groups),
          findGroupShareProblems(tx, ctx.budget, groups),
          readReferenceThroughCache(tx, 'reserve floor', async () => ({ floor: await readReserveFloor(tx, ctx.organisationId) })),
        ])
        const approved = ctx.budget.head.approval?.figures
        const isOther = approved !== undefined && hashLineTexts(await readLineTexts({ ...ctx, tx })) !== approved.lines
        const required = ctx.budget.head.locked ? null : (marks.get(ctx.budgetId) ?? null)
        return {
          years: years.map((year, index) => ({
            ...presentOverviewYear(year),
            /** A percentage with one decimal; null if there is no income. */
            staffShare: calculateShareOfWhole(year.staffing, year.income),
            pupils: pupils[index] ?? null,
            balances: year.balances.map(({ type, ...balance }) => ({
              type,
              opening: toPounds(balance.opening),
              inYear: toPounds(balance.inYear),
              closing: toPounds(balance.closing),
            })),
          })),
          hasOpening,
          reserveFloor: policy.floor,
          contracts: costs.contracts,
          contractsNotCalculated: costs.incomplete,
          outOfDate: entries
            .filter((entry) => stale.has(entry.id))
            .map(({ id, item }) => ({
              id,
              description: item.description,
              source: assertDefined(item.source).kind,
              sourceId: assertDefined(item.source).id,
            })),
          /** Why the figures are out of date, and the group with which the budget is recalculated; null if they are up to date. */
          recalculation: required && { group: required.group?.name ?? null, reason: required.reason },
          problems: [...(isOther ? [differsSentence] : []), ...(ctx.budget.transfers?.problems ?? []), ...shared],
        }
      }),
    ),
  tree: inBudget(reading, 'report')
    .input(z.object({ scheme: z.enum(['cfr', 'gag', 'acoa', 'custom', 'category']) }))
    .output(replies.tree)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) =>
        (await readTree({ ...ctx, tx }, ctx.budget, input.scheme)).map(({ codes, ...node }) => ({
          ...node,
          codes: codes.map((code) => ({
            ...code,
            years: code.years.map(pounds),
            months: code.months.map((year) => year.map(toPounds)),
          })),
        })),
      ),
    ),
  /** All income and expenditure by cost centre or by fund, year by year. */
  byCoding: inBudget(reading, 'report')
    .input(z.object({ by: z.enum(['costCentre', 'fundCode']) }))
    .output(replies.byCoding)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) =>
        (await readSumsByCoding({ ...ctx, tx }, ctx.budget, input.by)).map(({ years, ...code }) => ({
          ...code,
          years: years.map(({ income, staffing, nonStaffing }) => ({
            income: pounds(income),
            staffing: pounds(staffing),
            nonStaffing: pounds(nonStaffing),
          })),
        })),
      ),
    ),
  /** The sources of one code, year by year and month by month. */
  sources: inBudget(reading, 'report')
    .input(z.object({ codeId: z.int().nullable() }))
    .output(replies.sources)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) =>
        (await readSourcesOfCode({ ...ctx, tx }, ctx.budget, input.codeId)).map(({ years, months, ...source }) => ({
          ...source,
          years: years.map(pounds),
          months: months.map((year) => year.map((month) => (month === null ? null : toPounds(month)))),
        })),
      ),
    ),
})
