import { z } from 'zod'
import { formatMonth, monthEndSteps } from '../../../../domain/monitoring/monitoring.ts'
import { abbreviateNameList } from '../../../../domain/monitoring/monthEnd.ts'
import { monthEndPermissions } from '../../../../domain/monitoring/rights.ts'
import { listViewPermissions } from '../../../../domain/people/permissions.ts'
import { inOrganisation, router } from '../../../core/calls/procedures.ts'
import { openStoreWithin } from '../../../core/database/database.ts'
import { publishLiveMessage } from '../../../core/live/announce.ts'
import { listMonthEndChecklists } from '../../../shared/monitoring/monthEnd/queries.ts'
import { runMonitoringChange, toMonitoringEditor } from '../changing.ts'
import { calendarMonth } from '../inputs.ts'
import * as commands from './commands.ts'
import * as replies from './replies.ts'

const seen = listViewPermissions('ConsoleMonitoring', 'ConsoleMonitoringBudgetActuals', 'BudgetingMonitoringBudgetActuals')
/** The permission to close a month. Schools mark their own steps as done with a different permission. */
const closing = ['ConsoleMonitoringReadUpdate'] as const

const chosen = { ...calendarMonth, locationIds: z.array(z.int().positive().brand<'LocationId'>()).min(1, 'Choose a location.').max(5000) }

/** The month-end checklist of all schools, with closing and reopening. */
export const monthEndRouter = router({
  list: inOrganisation(seen, 'short')
    .input(z.object({ ...calendarMonth, locationIds: z.array(z.int().positive().brand<'LocationId'>()).max(5000).nullish() }))
    .output(replies.checklist)
    .query(({ ctx, input: { locationIds, ...month } }) =>
      ctx.inTransaction((tx) =>
        listMonthEndChecklists(
          { ...toMonitoringEditor(ctx), tx, store: openStoreWithin(tx, ctx.services.store, ctx.organisationId) },
          month,
          locationIds ?? null,
        ),
      ),
    ),
  tick: inOrganisation(monthEndPermissions, 'short')
    .input(z.object({ ...chosen, step: z.enum(monthEndSteps), isDone: z.boolean() }))
    .output(replies.changedLocations)
    .mutation(({ ctx, input }) =>
      runMonitoringChange(ctx, async (tx) => {
        const locationIds = await commands.runMarkMonthStep({ ...toMonitoringEditor(ctx), tx }, input)
        return { result: { locationIds }, locationIds }
      }),
    ),
  close: inOrganisation(closing, 'short')
    .input(z.object(chosen))
    .output(replies.changedLocations)
    .mutation(async ({ ctx, input }) => {
      const done = await runMonitoringChange(ctx, async (tx) => {
        const locationIds = await commands.runCloseMonth({ ...toMonitoringEditor(ctx), tx }, input)
        return { result: { locationIds }, locationIds }
      })
      await ctx.services.store.asPlatform((tx) =>
        commands.runRemoveMonthEndReminders({ ...toMonitoringEditor(ctx), tx }, { ...input, locationIds: done.locationIds }),
      )
      return done
    }),
  reopen: inOrganisation(closing, 'short')
    .input(
      z.object({
        ...chosen,
        reason: z.string('Reason is required.').trim().min(1, 'Reason is required.').max(500, 'Reason can have at most 500 characters.'),
      }),
    )
    .output(replies.changedLocations)
    .mutation(({ ctx, input }) =>
      runMonitoringChange(ctx, async (tx) => {
        const locationIds = await commands.runReopenMonth({ ...toMonitoringEditor(ctx), tx }, input)
        return { result: { locationIds }, locationIds }
      }),
    ),
  /** Reminds the people of schools whose month is open, on their home page and by a live message. */
  remind: inOrganisation(closing, 'short')
    .input(z.object(calendarMonth))
    .output(replies.remindedPeople)
    .mutation(async ({ ctx, input }) => {
      const all = await ctx.inTransaction((tx) =>
        listMonthEndChecklists({ ...toMonitoringEditor(ctx), tx, store: ctx.services.store }, input, null),
      )
      const behind = all.filter((one) => one.budgetId !== null && one.inTheWay.length > 0)
      commands.refuseWithoutRecipients(behind)
      const reminded = await ctx.services.store.asPlatform((tx) =>
        commands.runRemindSchools({ ...toMonitoringEditor(ctx), tx }, input, behind),
      )
      const names = behind.map((one) => one.location)
      const message = `Month end ${formatMonth(input)} is still open at ${abbreviateNameList(names)}.`
      const argument = {
        severity: 1,
        title: ctx.principal.name,
        fromId: ctx.principal.userId,
        message,
        at: ctx.actor.now.toISOString(),
      }
      await publishLiveMessage(ctx.services, { target: 'ReceiveMessage', argument }, { organisationId: ctx.organisationId })
      return reminded
    }),
})
