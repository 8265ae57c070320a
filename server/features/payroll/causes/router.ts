import { forbidden } from '../../../../domain/errors.ts'
import { either, may } from '../../../../domain/permissions.ts'
import { inOrganisation, router } from '../../../core/calls/procedures.ts'
import { reconciliationRequest } from '../inputs.ts'
import { shownPerson } from '../rows.ts'
import { explainMonth } from './queries.ts'
import * as replies from './replies.ts'

const seen = either('BudgetingPayrollReconciliation', 'ConsolePayrollReconciliation')

/** Why payrolls paid something else than the budgets calculate, and what the controls of a month find (rules.md §18). */
export const payrollCausesRouter = router({
  explain: inOrganisation(seen)
    .input(reconciliationRequest)
    .output(replies.explained)
    .query(({ ctx, input: { budgetGroupId, useInflation, payScaleTableIds, ...input } }) => {
      if (!input.budgetId && !budgetGroupId && !may(ctx.holder, either('ConsolePayrollReconciliation'))) throw forbidden()
      return ctx.inTransaction(async (tx) => {
        const asked = { ...input, groupId: budgetGroupId, useInflation: useInflation ?? true, payScaleTableIds: payScaleTableIds ?? [] }
        const { found, explained } = await explainMonth(tx, ctx, asked)
        return explained.map(({ employee, ...one }) => {
          const { staffId, employeeNumber } = shownPerson(found.people, employee, {
            numbers: found.numbers,
            locationIds: ctx.holder.locationIds,
          })
          return { ...one, staffId, employeeNumber }
        })
      })
    }),
})
