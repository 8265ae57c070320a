import { z } from 'zod'
import { isTrust } from '../../../domain/lookups/codingSchemes.ts'
import { hasAnyPermission } from '../../../domain/people/permissions.ts'
import { buildStartKit, isKitFor, startKitNames, startKitPermissions } from '../../../domain/startKits/startKits.ts'
import { forbidden, invalid } from '../../../domain/words/errors.ts'
import { refuseLimitedCaller } from '../../core/calls/context.ts'
import { inOrganisation, router } from '../../core/calls/procedures.ts'
import { runRecordChanges } from '../../resources/change.ts'
import { readOrganisationType } from '../../shared/budgets/queries.ts'
import { addStartKit } from './commands.ts'
import * as replies from './replies.ts'

const lgps = z.object({
  rate: z.number('Enter the rate of your pension fund.').min(0, 'Rate must be at least 0.').max(100, 'Rate must be at most 100.'),
  from: z.iso.date('Enter the date from which the rate applies.'),
})

export const startKitRouter = router({
  /** Adds a chart of accounts and the records that go with it to an organisation that is new, without changing what it has. */
  add: inOrganisation(['ConsoleBudgetCodesReadUpdate'], 'import')
    .input(z.object({ kit: z.enum(startKitNames, 'Choose a start kit.'), lgps: lgps.nullish() }))
    .output(replies.kitResults)
    .mutation(({ ctx, input }) => {
      refuseLimitedCaller(ctx.holder)
      // The procedure admits callers with any one of its permissions, but a kit needs all of them.
      if (!startKitPermissions.every((permission) => hasAnyPermission(ctx.holder, [permission]))) throw forbidden()
      return runRecordChanges(ctx, async (tx) => {
        const trust = isTrust(await readOrganisationType(tx, ctx.organisationId))
        if (!isKitFor(input.kit, trust))
          throw invalid([
            {
              field: 'kit',
              message: trust ? 'This kit is for local authorities and maintained schools.' : 'This kit is for academy trusts.',
            },
          ])
        return addStartKit({ ...ctx, scope: ctx.rows, tx }, buildStartKit(input.kit, trust), input.lgps ?? null)
      })
    }),
})
