import { and, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { budgetInput } from '../../domain/budget/budget.ts'
import { isDate } from '../../domain/calendar.ts'
import { forbidden } from '../../domain/errors.ts'
import { poundsOf } from '../../domain/format.ts'
import { either, may } from '../../domain/permissions.ts'
import { budgetGroups, budgets } from '../../drizzle/schema.ts'
import { runSaveScenario } from '../commands/scenario.ts'
import type { OrganisationTx } from '../store/database.ts'
import { tryAward } from '../store/whatIfStore.ts'
import { inBudget, router } from '../trpc/procedures.ts'

const award = z.object({
  contractTypeIds: z.array(z.int()).min(1, 'Choose at least one contract type.').max(500),
  effectiveDate: z.string('Date is required.').refine(isDate, 'Date is not a date.'),
  /** Percent, with at most two decimals. */
  rate: z.number('Award is required.').min(-20, 'Award must be between -20 and 20.').max(20, 'Award must be between -20 and 20.'),
})
const asTried = ({ rate, ...rest }: z.infer<typeof award>) => ({ ...rest, rate: rate.toFixed(2) })

interface Who {
  organisationId: number
  budgetId: string
  holder: { locationIds: number[] | null }
}

/** The budgets of the group that the selected one is in, as far as the caller may see them; a budget without a group stands alone. */
async function trustOf(tx: OrganisationTx, { organisationId, budgetId, holder }: Who): Promise<string[]> {
  const [group] = await tx
    .select({ budgetIds: budgetGroups.budgetIds })
    .from(budgetGroups)
    .where(and(eq(budgetGroups.organisationId, organisationId), sql`${budgetId} = any(${budgetGroups.budgetIds})`))
  const ids = group?.budgetIds ?? [budgetId]
  if (!holder.locationIds) return ids
  const rows = await tx
    .select({ id: budgets.id })
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), inArray(budgets.id, ids), inArray(budgets.locationId, holder.locationIds)))
  return rows.map((row) => row.id)
}

/** Pay awards that are tried out over a whole trust, and kept as a scenario when they are liked. */
export const whatIfRouter = router({
  try: inBudget(either('BudgetingStaffing'))
    .input(award)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const effects = await tryAward(tx, ctx.organisationId, await trustOf(tx, ctx), asTried(input))
        return effects.map((budget) => ({
          ...budget,
          years: budget.years.map(({ year, before, after }) => ({ year, before: poundsOf(before), after: poundsOf(after) })),
        }))
      }),
    ),
  keep: inBudget(['ConsoleBudgetManagementReadUpdate'])
    .input(award.extend({ name: budgetInput.shape.name }))
    .mutation(({ ctx, input: { name, ...tried } }) => {
      if (!ctx.holder.isAdministrator && !may(ctx.holder, ['ConsoleStaffAssumptionsReadUpdate'])) throw forbidden()
      return ctx.inTransaction(async (tx) => {
        const scope = { ...ctx.rows, organisationId: ctx.organisationId }
        return { budgetIds: await runSaveScenario(tx, scope, await trustOf(tx, ctx), name, asTried(tried), ctx.actor) }
      })
    }),
})
