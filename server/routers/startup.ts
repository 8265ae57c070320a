import { asc, eq } from 'drizzle-orm'
import { z } from 'zod'
import { engineVersion } from '../../domain/calculation/cost.ts'
import { notFound } from '../../domain/errors.ts'
import { poundsOf } from '../../domain/format.ts'
import { applicationTypes, lookups } from '../../domain/lookups.ts'
import { apiVersion } from '../../domain/notices.ts'
import { permissionIds } from '../../domain/permissions.ts'
import { resources } from '../../domain/resources/all.ts'
import { memberships, userGroups, users } from '../../drizzle/accessTables.ts'
import { productVersion } from '../config.ts'
import { runningOf } from '../store/groupStore.ts'
import { readProgress } from '../store/importProgress.ts'
import { lastRecalculation, type RecalculationRow } from '../store/recalculationStore.ts'
import { userNames } from '../store/referenceLog.ts'
import { tableFor } from '../store/tables.ts'
import { global, inOrganisation, router } from '../trpc/procedures.ts'

/** A run as the API shows it (endpoints.json RecalculationEvent); state: 1 up to date, 3 running, 4 failed. */
export function recalculationEvent(run: RecalculationRow, startedBy: string | null) {
  return {
    id: run.id,
    budgetGroupId: run.groupId,
    state: run.finishedAt ? (run.failure ? 4 : 1) : 3,
    startedAt: new Date(run.startedAt).toISOString(),
    finishedAt: run.finishedAt ? new Date(run.finishedAt).toISOString() : null,
    startedBy,
    contracts: run.totals?.contracts ?? null,
    problems: run.totals?.notCalculated ?? null,
    totals: run.totals?.years.map(poundsOf) ?? null,
    resultHash: run.resultHash,
  }
}

export const startupRouter = router({
  types: global('signedIn', { method: 'GET', path: '/api/Application/types' }).query(({ ctx }) =>
    ctx.inTransaction(async (tx) => {
      const { table, columns } = tableFor(resources.benchmarkingGroup)
      const groups = (await tx.select({ id: columns.id!, name: columns.name! }).from(table).orderBy(asc(columns.name!))) as {
        id: number
        name: string
      }[]
      const fixed = Object.fromEntries(applicationTypes.map((name) => [name, lookups[name]]))
      return {
        ...fixed,
        benchmarkingGroups: groups,
        permissions: lookups.permissions,
      } as Record<string, { id: number; name: string }[]>
    }),
  ),
  authorisation: global('signedIn', { method: 'GET', path: '/api/Authorisation' }).query(({ ctx }) => {
    const { principal, selection } = ctx
    const held =
      selection.organisationId === null
        ? ctx.holder.permissions
        : (principal.memberships.find((one) => one.organisationId === selection.organisationId)?.permissions ?? [])
    return {
      user: { id: principal.userId ?? 0, name: principal.name, email: principal.email, avatarId: principal.avatarId },
      isAdministrator: principal.isAdministrator,
      permissions: held.map((name) => ({ id: permissionIds[name] as number, name })),
      organisationIds: principal.memberships.map((one) => one.organisationId),
    }
  }),
  roles: global('signedIn', { method: 'GET', path: '/api/Authorisation/roles' }).query(async ({ ctx }) => {
    const mine = new Set(ctx.principal.memberships.flatMap((one) => one.userGroupIds))
    const rows = await ctx.services.store.asPlatform((tx) => tx.select().from(userGroups).orderBy(asc(userGroups.name)))
    return rows
      .filter((row) => ctx.holder.isAdministrator || mine.has(row.id))
      .map((row) => ({
        id: row.id,
        name: row.name,
        permissions: row.permissions,
        created: new Date(row.created).toISOString().slice(0, 10),
        version: row.version,
      }))
  }),
  user: inOrganisation('signedIn', { method: 'GET', path: '/api/Application/users/{id:integer}' })
    .input(z.object({ id: z.int() }))
    .query(async ({ ctx, input }) => {
      const name = (await userNames(ctx.services.store, [input.id])).get(input.id)
      const rows = await ctx.services.store.asPlatform((tx) =>
        tx
          .select({ email: users.email, avatarId: users.avatarId, organisationId: memberships.organisationId })
          .from(users)
          .leftJoin(memberships, eq(memberships.userId, users.id))
          .where(eq(users.id, input.id)),
      )
      const isSeen = ctx.holder.isAdministrator || rows.some((row) => row.organisationId === ctx.organisationId)
      if (!name || !isSeen) throw notFound('User')
      return { id: input.id, name, email: rows[0]!.email, avatarId: rows[0]!.avatarId }
    }),
  /** How far an import is that the caller began. */
  importProgress: global('signedIn')
    .input(z.object({ key: z.uuid() }))
    .query(({ ctx, input }) => readProgress(ctx.services.store, input.key, ctx.actor.userId)),
  version: global('signedIn', { method: 'GET', path: '/api/Version' }).query(() => ({
    product: 'Bursar',
    version: productVersion,
    apiVersion,
    engine: engineVersion,
    commit: process.env.COMMIT ?? null,
  })),
  recalculationEvent: inOrganisation('signedIn', { method: 'GET', path: '/api/Application/staffcontracts/recalculation/event' }).query(
    async ({ ctx }) => {
      const run = await ctx.inTransaction((tx) => lastRecalculation(tx, ctx.organisationId))
      return run
        ? recalculationEvent(
            run,
            run.requestedById === null ? null : ((await userNames(ctx.services.store, [run.requestedById])).get(run.requestedById) ?? null),
          )
        : null
    },
  ),
  recalculationLocked: inOrganisation('signedIn', { method: 'GET', path: '/api/Application/staffcontracts/recalculation/locked' }).query(
    async ({ ctx }) => {
      const running = await ctx.inTransaction((tx) => runningOf(tx, ctx.organisationId))
      return { locked: running.length > 0, budgetGroupIds: running.map((run) => run.groupId) }
    },
  ),
})
