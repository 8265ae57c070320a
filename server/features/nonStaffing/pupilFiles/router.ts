import { z } from 'zod'
import { pupilFile } from '../../../../domain/budget/items/pupilFile.ts'
import { listViewPermissions } from '../../../../domain/people/permissions.ts'
import { dayInLondon } from '../../../../domain/values/format.ts'
import { defineRestPaths, inBudget, inLocation, router } from '../../../core/calls/procedures.ts'
import { announceRecalculationRequired } from '../../../core/live/announce.ts'
import { logLeftOutRows } from '../../../resources/import/leftOut.ts'
import { importInput } from '../../../resources/procedures.ts'
import { template } from '../../../resources/replies.ts'
import { buildTemplate } from '../../../resources/template.ts'
import { describePupilImport, importPupilFile } from '../../../shared/nonStaffing/pupilFiles/commands.ts'
import * as replies from './replies.ts'

const writing = ['BudgetingNonStaffingReadUpdate'] as const
const at = defineRestPaths('/api/integrations/pupils', { term: { singular: 'Pupil file', plural: 'Pupil files' } })

/** Pupil counts from a management information system, imported into a location's working budgets. */
export const pupilFileRouter = router({
  import: inLocation(writing, 'import', at('PUT', '', { summary: 'Import pupil counts from an MIS into a location’s budgets' }))
    .input(
      z.object({
        ...importInput.pick({ rows: true, leftOut: true }).shape,
        day: z.iso.date('Enter the day as 2026-11-24.').describe('The date for rows that do not state an October.'),
      }),
    )
    .output(replies.importedPupils)
    .mutation(async ({ ctx, input: { rows, day, leftOut } }) => {
      const scope = { ...ctx.rows, organisationId: ctx.organisationId }
      const taken = await ctx.inTransaction(async (tx) => {
        await logLeftOutRows({ ...ctx, tx }, { entity: pupilFile.name, organisationId: ctx.organisationId, leftOut })
        return importPupilFile({ ...ctx, tx }, scope, {
          taken: { rows, day, locationId: ctx.locationId },
          today: dayInLondon(ctx.actor.now),
        })
      })
      await announceRecalculationRequired(ctx.services, taken.required)
      return { rows: rows.length, message: `Imported ${describePupilImport(taken)}.` }
    }),
  template: inBudget(listViewPermissions('BudgetingNonStaffing'), 'short')
    .output(template)
    .query(({ ctx }) => ctx.inTransaction((tx) => buildTemplate(tx, pupilFile, ctx))),
})
