import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { conflict, forbidden, invalid, notFound } from '../../domain/errors.ts'
import { exportRequest, listRequest, pageOf } from '../../domain/lists.ts'
import type { Membership } from '../../domain/memberships.ts'
import { either } from '../../domain/permissions.ts'
import { user as declaration } from '../../domain/resources/entities/user.ts'
import { sameValue } from '../../domain/resources/schema.ts'
import { memberships } from '../../drizzle/accessTables.ts'
import type { OrganisationTx } from '../store/database.ts'
import { allUsers, getUser, permissionsOfGroups, refuseMoreThanOwn, saveUser, type User, userInput } from '../store/userStore.ts'
import type { Holder } from '../trpc/context.ts'
import { inOrganisation, type RestMeta, router } from '../trpc/procedures.ts'
import { searchedOfUser, sendInvitation, userFile, userHistory } from './userCalls.ts'

const reading = either('ConsoleUsers')
const writing = ['ConsoleUsersReadUpdate'] as const
const byId = z.object({ id: z.int().positive() })
const place = (method: RestMeta['method'], path: string): RestMeta => ({ method, path: `/api/MyUsers${path}`, entity: 'User' })

interface Reach {
  organisationId: number
  holder: Holder
}

const membershipIn = (user: User, organisationId: number): Membership | undefined =>
  user.memberships.find((one) => one.organisationId === organisationId)

/** A user as one organisation sees them: nothing of what they are elsewhere. */
function within(user: User, organisationId: number): User {
  const own = membershipIn(user, organisationId)!
  return { ...user, memberships: [own], organisationIds: [organisationId], locationIds: own.locationIds, userGroupIds: own.userGroupIds }
}

/** The users of the organisation whom the caller may see: somebody limited to some locations sees the people of these and of all. */
async function ownUsers(tx: OrganisationTx, { organisationId, holder }: Reach): Promise<User[]> {
  const rows = await tx.select({ userId: memberships.userId }).from(memberships).where(eq(memberships.organisationId, organisationId))
  const users = (
    await allUsers(
      tx,
      rows.map((row) => row.userId),
    )
  ).map((user) => within(user, organisationId))
  const { locationIds } = holder
  return locationIds ? users.filter((user) => !user.locationIds.length || user.locationIds.some((id) => locationIds.includes(id))) : users
}

/** @throws DomainError 404 for somebody of another organisation or location */
async function ownUser(tx: OrganisationTx, reach: Reach, id: number): Promise<User> {
  const found = (await ownUsers(tx, reach)).find((user) => user.id === id)
  if (!found) throw notFound('User')
  return found
}

const details = ['forename', 'surname', 'position', 'phoneNumber', 'avatarId', 'active'] as const

/**
 * What a console user may change of somebody: locations and groups within the organisation, as far as they hold them themselves
 * (behaviour B-273); and the person's details while the person belongs to no other organisation. Addresses and the administrator flag are
 * the administrator's.
 */
async function changeOwn(tx: OrganisationTx, reach: Reach, input: z.infer<typeof userInput> & { id: number }): Promise<User> {
  const { organisationId, holder } = reach
  const seen = await ownUser(tx, reach, input.id)
  const whole = await getUser(tx, input.id)
  const changes = (name: string): boolean => {
    const given = (input as Record<string, unknown>)[name]
    return given !== undefined && !sameValue(declaration.fields[name as keyof typeof declaration.fields], given, seen[name as keyof User])
  }
  if (changes('isAdministrator') || (whole.isAdministrator && !holder.isAdministrator)) throw forbidden()
  if (changes('email')) throw invalid([{ field: 'email', message: 'Only an administrator of the product can change an email address.' }])
  const isShared = whole.memberships.length > 1
  const touched = details.find((name) => changes(name))
  if (isShared && touched)
    throw invalid([
      { field: touched, message: 'This user belongs to other organisations too. Only an administrator of the product can change this.' },
    ])
  const before = membershipIn(whole, organisationId)!
  const given = input.memberships?.find((one) => one.organisationId === organisationId)
  const after: Membership = {
    organisationId,
    locationIds: given?.locationIds ?? (input.locationIds as number[] | undefined) ?? before.locationIds,
    userGroupIds: given?.userGroupIds ?? (input.userGroupIds as number[] | undefined) ?? before.userGroupIds,
  }
  if (!holder.isAdministrator) await refuseMoreThanOwn(tx, holder, before, after)
  const own = Object.fromEntries(details.flatMap((name) => (name in input ? [[name, (input as Record<string, unknown>)[name]]] : [])))
  return {
    ...whole,
    ...own,
    version: input.version ?? whole.version,
    memberships: whole.memberships.map((one) => (one === before ? after : one)),
  } as User
}

/** The users of one organisation, for its own people in the console: they are neither added nor deleted there. */
export const ownUserRouter = router({
  list: inOrganisation(reading, place('POST', '/list'))
    .input(listRequest)
    .query(({ ctx, input }) =>
      ctx.services.store.asPlatform(async (tx) => pageOf(await ownUsers(tx, ctx), input, searchedOfUser, 'surname')),
    ),
  get: inOrganisation(reading, place('GET', '/{id:integer}'))
    .input(byId)
    .query(({ ctx, input }) => ctx.services.store.asPlatform((tx) => ownUser(tx, ctx, input.id))),
  update: inOrganisation(writing, place('PUT', ''))
    .input(userInput.extend({ id: z.int().positive() }))
    .mutation(({ ctx, input }) =>
      ctx.services.store.asPlatform(async (tx) => {
        await saveUser(tx, { ...(await changeOwn(tx, ctx, input)) }, ctx.actor)
        return ownUser(tx, ctx, input.id)
      }),
    ),
  export: inOrganisation(reading, place('POST', '/export'))
    .input(exportRequest)
    .query(({ ctx, input }) =>
      ctx.services.store.asPlatform(async (tx) => userFile(tx, ctx.rows, await ownUsers(tx, ctx), input, ctx.now)),
    ),
  history: inOrganisation(reading)
    .input(byId)
    .query(async ({ ctx, input }) => {
      const user = await ctx.services.store.asPlatform((tx) => ownUser(tx, ctx, input.id).then(() => getUser(tx, input.id)))
      // What somebody is elsewhere is no business of this organisation.
      return user.memberships.length > 1 ? [] : userHistory(ctx.services, input.id)
    }),
  /** A new password, only for people who may do no more than the caller: a link would let its holder be them. */
  invite: inOrganisation(writing)
    .input(byId)
    .mutation(async ({ ctx, input }) => {
      await ctx.services.store.asPlatform(async (tx) => {
        await ownUser(tx, ctx, input.id)
        const whole = await getUser(tx, input.id)
        if (ctx.holder.isAdministrator) return
        const rights = await permissionsOfGroups(
          tx,
          whole.memberships.flatMap((one) => one.userGroupIds),
        )
        const [own] = whole.memberships
        const reachesFurther =
          ctx.holder.locationIds && (!own!.locationIds.length || own!.locationIds.some((id) => !ctx.holder.locationIds!.includes(id)))
        if (
          whole.isAdministrator ||
          whole.memberships.length > 1 ||
          reachesFurther ||
          [...rights].some((name) => !ctx.holder.permissions.includes(name))
        )
          throw conflict('beyond', 'This user may do more than you may. Ask an administrator of the product.')
      })
      return sendInvitation(ctx.services, input.id, ctx.now)
    }),
})
