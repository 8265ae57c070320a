import { settingUp } from '../../../domain/permissions.ts'
import { inOrganisation, router } from '../../core/calls/procedures.ts'
import { firstStepsOf, monthToClose, waitingOf } from './queries.ts'
import * as replies from './replies.ts'

/** What waits for somebody who comes in: everybody may ask, and hears of what their own permissions let them do. */
export const homeRouter = router({
  waiting: inOrganisation('signedIn')
    .output(replies.waiting)
    .query(({ ctx }) => ctx.inTransaction((tx) => waitingOf(tx, ctx))),
  month: inOrganisation('signedIn')
    .output(replies.month)
    .query(({ ctx }) => ctx.inTransaction((tx) => monthToClose(tx, ctx, ctx.now))),
  /** What a new organisation begins with, and which of it is done. */
  firstSteps: inOrganisation(settingUp)
    .output(replies.steps)
    .query(({ ctx }) => ctx.inTransaction((tx) => firstStepsOf(tx, ctx.organisationId))),
})
