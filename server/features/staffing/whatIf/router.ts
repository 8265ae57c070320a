import { z } from 'zod'
import { budgetInput } from '../../../../domain/budget/budget.ts'
import { hasAnyPermission, listViewPermissions } from '../../../../domain/people/permissions.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { isDate } from '../../../../domain/values/calendar.ts'
import { toPounds } from '../../../../domain/values/format.ts'
import { forbidden } from '../../../../domain/words/errors.ts'
import { inBudget, router } from '../../../core/calls/procedures.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { runSaveScenario } from '../../../shared/whatIf/commands.ts'
import { calculateAwardEffects, listExistingAwards, listTrustBudgets } from '../../../shared/whatIf/queries.ts'
import * as replies from './replies.ts'
import { sumEffectsByContractType } from './rows.ts'

const award = z.object({
  contractTypeIds: z.array(z.int()).min(1, 'Choose at least one contract type.').max(500),
  effectiveDate: z.string('Date is required.').refine(isDate, 'Date is not a valid date.'),
  /** Per cent, with at most two decimals. */
  rate: z.number('Award is required.').min(-20, 'Award must be between -20 and 20.').max(20, 'Award must be between -20 and 20.'),
})
const asTried = ({ rate, ...rest }: z.infer<typeof award>) => ({ ...rest, rate: rate.toFixed(2) })

/** Pay awards tried out across a trust, which can be saved as scenarios. */
export const whatIfRouter = router({
  try: inBudget(listViewPermissions('BudgetingStaffing'), 'short')
    .input(award)
    .output(replies.outcome)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const effects = await calculateAwardEffects({ ...ctx, tx }, await listTrustBudgets({ ...ctx, tx }), asTried(input))
        const names = new Map((await readResourceRecords(tx, resources.contractType)).map((type) => [type.id, type.name]))
        return {
          budgets: effects.map(({ types: _types, ...budget }) => ({
            ...budget,
            years: budget.years.map(({ year, before, after }) => ({ year, before: toPounds(before), after: toPounds(after) })),
          })),
          types: sumEffectsByContractType(effects, (id) => names.get(id) ?? ''),
        }
      }),
    ),
  /** The awards already in force in the trust's budgets, from pay tables and staff assumptions. A trial award may replace one of them. */
  standing: inBudget(listViewPermissions('BudgetingStaffing'), 'short')
    .output(replies.awardsInForce)
    .query(({ ctx }) =>
      ctx.inTransaction(async (tx) => listExistingAwards(tx, ctx.organisationId, await listTrustBudgets({ ...ctx, tx }))),
    ),
  keep: inBudget(['ConsoleBudgetManagementReadUpdate'], 'short')
    .input(award.extend({ name: budgetInput.shape.name }))
    .output(replies.savedScenarios)
    .mutation(({ ctx, input: { name, ...tried } }) => {
      if (!ctx.holder.isAdministrator && !hasAnyPermission(ctx.holder, ['ConsoleStaffAssumptionsReadUpdate'])) throw forbidden()
      return ctx.inTransaction(async (tx) => {
        const scope = { ...ctx.rows, organisationId: ctx.organisationId }
        return {
          budgetIds: await runSaveScenario({ tx, scope, actor: ctx.actor }, await listTrustBudgets({ ...ctx, tx }), {
            name,
            award: asTried(tried),
          }),
        }
      })
    }),
})
