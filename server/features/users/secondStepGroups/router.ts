import { z } from 'zod'
import { listViewPermissions } from '../../../../domain/people/permissions.ts'
import { forbidden } from '../../../../domain/words/errors.ts'
import { inOrganisation, router } from '../../../core/calls/procedures.ts'
import { emptyReply, reply } from '../../../core/calls/reply.ts'
import { secondStepGroupInput, setSecondStepRequirement } from './commands.ts'
import { readSecondStepGroups, readSecondStepHistory, type SecondStepGroup, type SecondStepHistoryLine } from './queries.ts'

const reading = listViewPermissions('ConsoleOrganisations')
const writing = ['ConsoleOrganisationsReadUpdate'] as const

const group: z.ZodType<SecondStepGroup> = z.strictObject({
  userGroupId: z.int(),
  name: z.string(),
  isAsked: z.boolean(),
  isAskedEverywhere: z.boolean(),
  people: z.int(),
  without: z.int(),
})

const line: z.ZodType<SecondStepHistoryLine> = z.strictObject({ version: z.int(), at: z.string(), actor: z.string(), sentence: z.string() })

/**
 * The user groups that must use a second step to sign in to an organisation, in addition to groups that require it
 * everywhere.
 */
export const secondStepGroupRouter = router({
  list: inOrganisation(reading, 'short')
    .output(reply(z.array(group)))
    .query(({ ctx }) =>
      ctx.services.store.asPlatform(async (tx) => (ctx.holder.locationIds ? [] : await readSecondStepGroups(tx, ctx.organisationId))),
    ),
  /** Applies to the whole organisation, so callers limited to some locations may not change it. */
  ask: inOrganisation(writing, 'rights')
    .input(secondStepGroupInput)
    .output(emptyReply)
    .mutation(({ ctx, input }) => {
      if (ctx.holder.locationIds) throw forbidden()
      return ctx.services.store.asPlatform((tx) => setSecondStepRequirement({ ...ctx, tx }, input))
    }),
  /** Lists who changed a requirement, and when. */
  history: inOrganisation(reading, 'short')
    .output(reply(z.array(line)))
    .query(({ ctx }) =>
      ctx.services.store.asPlatform(async (tx) => (ctx.holder.locationIds ? [] : await readSecondStepHistory(tx, ctx.organisationId))),
    ),
})
