import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { OrganisationId } from '../../../../domain/values/ids.ts'
import { authenticatorApps, memberships, passkeys, secondStepGroups, userGroups, users } from '../../../../drizzle/accessTables.ts'
import { referenceChanges } from '../../../../drizzle/schema.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { nameActor, readUserNamesWithin } from '../../../core/database/userNames.ts'
import { secondStepGroupLog } from '../../../resources/hooks/userGroup.ts'

/** A user group with members in an organisation, and whether they must use a second step to sign in. */
export interface SecondStepGroup {
  userGroupId: number
  name: string
  /** Whether this organisation requires the second step. */
  isAsked: boolean
  /** Whether the second step is required in every organisation. */
  isAskedEverywhere: boolean
  /** How many active members the group has in this organisation. */
  people: number
  /** How many of these members have neither an authenticator app nor a passkey. */
  without: number
}

/**
 * The user groups with members in an organisation. Runs with platform scope, because user groups and users are stored
 * outside the tenants.
 */
export async function readSecondStepGroups(tx: OrganisationTx, organisationId: OrganisationId): Promise<SecondStepGroup[]> {
  const [groups, requiredGroups] = await Promise.all([
    tx
      .select({
        userGroupId: userGroups.id,
        name: userGroups.name,
        isAskedEverywhere: userGroups.secondStepRequired,
        people: sql<number>`count(*) filter (where ${users.active})::int`,
        without: sql<number>`count(*) filter (where ${users.active} and ${authenticatorApps.confirmedAt} is null
          and not exists (select from ${passkeys} where ${passkeys.userId} = ${users.id}))::int`,
      })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .innerJoin(userGroups, sql`${userGroups.id} = any(${memberships.userGroupIds})`)
      .leftJoin(authenticatorApps, eq(authenticatorApps.userId, users.id))
      .where(eq(memberships.organisationId, organisationId))
      .groupBy(userGroups.id)
      .orderBy(asc(userGroups.name)),
    tx.select({ id: secondStepGroups.userGroupId }).from(secondStepGroups).where(eq(secondStepGroups.organisationId, organisationId)),
  ])
  const isAsked = new Set(requiredGroups.map(({ id }) => id))
  return groups.map((group) => ({ ...group, isAsked: isAsked.has(group.userGroupId) }))
}

/** A change to the second-step requirement of a user group, with who made it. */
export interface SecondStepHistoryLine {
  version: number
  /** ISO 8601. */
  at: string
  actor: string
  sentence: string
}

/** The most changes in the history. */
const mostLines = 200

/** The changes to an organisation's second-step requirements, newest first. */
export async function readSecondStepHistory(tx: OrganisationTx, organisationId: OrganisationId): Promise<SecondStepHistoryLine[]> {
  const { id, resource, recordId, after, actorId, occurredAt, organisationId: of } = referenceChanges
  const rows = await tx
    .select({ id, isAsked: sql<boolean>`${after} is not null`, actorId, occurredAt, group: userGroups.name })
    .from(referenceChanges)
    .leftJoin(userGroups, sql`${userGroups.id}::text = ${recordId}`)
    .where(and(eq(resource, secondStepGroupLog.name), eq(of, organisationId)))
    .orderBy(desc(id))
    .limit(mostLines)
  const names = await readUserNamesWithin(
    tx,
    rows.map((row) => row.actorId),
  )
  return rows.map((row) => ({
    version: row.id,
    at: new Date(row.occurredAt).toISOString(),
    actor: nameActor(names, row.actorId),
    sentence: `${row.isAsked ? 'required' : 'stopped requiring'} two-step verification for ${row.group ?? 'a user group that was deleted'}`,
  }))
}
