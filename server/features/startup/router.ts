import { z } from 'zod'
import { engineVersion } from '../../../domain/calculation/engine.ts'
import { applicationTypes, lookups } from '../../../domain/lookups/lookups.ts'
import { permissionIds } from '../../../domain/people/permissions.ts'
import { resources } from '../../../domain/resources/all.ts'
import { apiVersion } from '../../../domain/words/notices.ts'
import { canSeeAllStaffCosts } from '../../core/calls/context.ts'
import { defineRestPaths, global, inOrganisation, router } from '../../core/calls/procedures.ts'
import { productVersion, releasedCommit } from '../../core/config.ts'
import { readUserNames } from '../../core/database/userNames.ts'
import { env } from '../../core/settings.ts'
import { readImportProgress } from '../../resources/import/progress.ts'
import { selectRunningRecalculations } from '../../shared/budgetGroups/queries.ts'
import { listRecordNames } from '../../shared/lookups/queries.ts'
import { readLastRecalculation } from '../../shared/recalculation/queries.ts'
import { presentRecalculation } from '../../shared/recalculation/rows.ts'
import { listUserGroups, readColleague } from './queries.ts'
import * as replies from './replies.ts'

const at = defineRestPaths('/api/', { term: { singular: 'User', plural: 'Start-up' } })

export const startupRouter = router({
  types: global('signedIn', 'short', at('GET', 'Application/types', { summary: 'List the values of the fixed choices' }))
    .output(replies.types)
    .query(({ ctx }) =>
      ctx.inTransaction(async (tx) => {
        const groups = await listRecordNames(tx, resources.benchmarkingGroup)
        const fixed = Object.fromEntries(applicationTypes.map((name) => [name, lookups[name]]))
        return {
          ...fixed,
          benchmarkingGroups: groups,
          permissions: lookups.permissions,
        }
      }),
    ),
  authorisation: global('signedIn', 'short', at('GET', 'Authorisation', { summary: 'Read the signed-in user and their permissions' }))
    .output(replies.authorisation)
    .query(({ ctx }) => {
      const { principal, selection } = ctx
      // If no organisation is selected, list the permissions that the user has in any, so that they can choose one. The list grants no
      // access.
      const held =
        selection.organisationId === null
          ? [...new Set(principal.memberships.flatMap((one) => one.permissions))]
          : (principal.memberships.find((one) => one.organisationId === selection.organisationId)?.permissions ?? [])
      return {
        user: { id: principal.userId ?? 0, name: principal.name, email: principal.email, avatarId: principal.avatarId },
        isAdministrator: principal.isAdministrator,
        permissions: held.map((name) => ({ id: permissionIds[name], name })),
        organisationIds: principal.memberships.map((one) => one.organisationId),
        locationIds: selection.organisationId === null ? null : ctx.holder.locationIds,
      }
    }),
  roles: global('signedIn', 'short', at('GET', 'Authorisation/roles', { summary: 'List the user groups of the signed-in user' }))
    .output(replies.roles)
    .query(({ ctx }) => {
      const mine = new Set(ctx.principal.memberships.flatMap((one) => one.userGroupIds))
      return ctx.services.store.asPlatform((tx) => listUserGroups(tx, ctx.holder.isAdministrator ? null : mine))
    }),
  user: inOrganisation('signedIn', 'short', at('GET', 'Application/users/{id:integer}', { summary: 'Read the name of a user' }))
    .input(z.object({ id: z.int().brand<'UserId'>() }))
    .output(replies.user)
    .query(({ ctx, input }) => ctx.services.store.asPlatform((tx) => readColleague(tx, ctx, input.id))),
  /** The progress of an import that the caller started. */
  importProgress: global('signedIn', 'short')
    .input(z.object({ key: z.uuid() }))
    .output(replies.importProgress)
    .query(({ ctx, input }) => readImportProgress(ctx.services.store, input.key, ctx.actor.userId)),
  version: global('signedIn', 'short', at('GET', 'Version', { summary: 'Read the version of Bursar' }))
    .output(replies.version)
    .query(() => ({
      product: 'Bursar',
      version: productVersion,
      apiVersion,
      engine: engineVersion,
      commit: env.COMMIT || releasedCommit,
    })),
  recalculationEvent: inOrganisation(
    'signedIn',
    'short',
    at('GET', 'Application/staffcontracts/recalculation/event', { summary: 'Read the status of the last recalculation' }),
  )
    .output(replies.recalculationEvent)
    .query(async ({ ctx }) => {
      const run = await ctx.inTransaction((tx) => readLastRecalculation(tx, ctx.organisationId))
      if (!run) return null
      const by =
        run.requestedById === null ? null : ((await readUserNames(ctx.services.store, [run.requestedById])).get(run.requestedById) ?? null)
      const event = presentRecalculation(run, by)
      // Callers limited to some locations must not see the cost or number of staff at other schools.
      return canSeeAllStaffCosts(ctx.holder) ? event : { ...event, contracts: null, problems: null, totals: null }
    }),
  recalculationLocked: inOrganisation(
    'signedIn',
    'short',
    at('GET', 'Application/staffcontracts/recalculation/locked', { summary: 'Read which recalculations are running' }),
  )
    .output(replies.recalculationLocked)
    .query(async ({ ctx }) => {
      const running = await ctx.inTransaction((tx) => selectRunningRecalculations(tx, ctx.organisationId))
      return { locked: running.length > 0, budgetGroupIds: running.flatMap((run) => run.groupId ?? []) }
    }),
})
