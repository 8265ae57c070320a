import { z } from 'zod'
import { budgetMongoId } from '../../../../domain/budget/budget.ts'
import { maximumForecastMonths, maximumLagMonths, minimumForecastMonths } from '../../../../domain/monitoring/cash.ts'
import { forecastPermissions } from '../../../../domain/monitoring/rights.ts'
import { listViewPermissions } from '../../../../domain/people/permissions.ts'
import { toPennies } from '../../../../domain/values/format.ts'
import { inOrganisation, router } from '../../../core/calls/procedures.ts'
import { emptyReply } from '../../../core/calls/reply.ts'
import * as queries from '../../../shared/monitoring/cash/queries.ts'
import { runMonitoringChange, toMonitoringEditor } from '../changing.ts'
import { calendarMonth, id, locationId, pounds, year } from '../inputs.ts'
import * as commands from './commands.ts'
import * as replies from './replies.ts'

const seen = listViewPermissions('BudgetingMonitoringBudgetForecast', 'ConsoleMonitoringBudgetForecast')
const whole = ['ConsoleMonitoringBudgetForecastReadUpdate'] as const

/** The cash forecast of a location or the trust. */
export const cashRouter = router({
  forecast: inOrganisation(seen, 'report')
    .input(
      z.object({
        ...calendarMonth,
        budgetId: budgetMongoId.nullish(),
        locationIds: z.array(locationId).max(5000).nullish(),
        count: z
          .int()
          .min(minimumForecastMonths, `Choose ${minimumForecastMonths} to ${maximumForecastMonths} months.`)
          .max(maximumForecastMonths, `Choose ${minimumForecastMonths} to ${maximumForecastMonths} months.`)
          .default(minimumForecastMonths),
      }),
    )
    .output(replies.forecast)
    .query(({ ctx, input: { count, ...request } }) =>
      ctx.inTransaction((tx) => queries.readVisibleCashForecast({ ...ctx, tx }, request, count)),
    ),
  settings: inOrganisation(seen, 'short')
    .output(replies.settings)
    .query(({ ctx }) => ctx.inTransaction((tx) => queries.readCashSettings({ ...ctx, tx }))),
  saveOpening: inOrganisation(forecastPermissions, 'short')
    .input(z.object({ locationId, year, value: pounds.nullable() }))
    .output(emptyReply)
    .mutation(({ ctx, input: { value, ...at } }) =>
      runMonitoringChange(ctx, async (tx) => ({
        result: await commands.runSaveOpeningCash(
          { ...toMonitoringEditor(ctx), tx },
          { ...at, value: value === null ? null : toPennies(value) },
        ),
        locationIds: [at.locationId],
      })),
    ),
  chooseLag: inOrganisation(whole, 'short')
    .input(
      z.object({
        budgetCodeIds: z.array(id).min(1).max(2000),
        lag: z
          .int()
          .min(0, `Choose 0 to ${maximumLagMonths} months.`)
          .max(maximumLagMonths, `Choose 0 to ${maximumLagMonths} months.`)
          .nullable(),
      }),
    )
    .output(emptyReply)
    .mutation(({ ctx, input }) =>
      runMonitoringChange(ctx, async (tx) => ({
        result: await commands.runSetCashLag({ ...toMonitoringEditor(ctx), tx }, input.budgetCodeIds, input.lag),
        locationIds: [],
      })),
    ),
  saveFloor: inOrganisation(whole, 'short')
    .input(z.object({ value: pounds.nullable() }))
    .output(emptyReply)
    .mutation(({ ctx, input: { value } }) =>
      runMonitoringChange(ctx, async (tx) => ({
        result: await commands.runSetCashFloor({ ...toMonitoringEditor(ctx), tx }, value === null ? null : toPennies(value)),
        locationIds: [],
      })),
    ),
})
