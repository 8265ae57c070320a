import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { resources } from '../../../../domain/resources/all.ts'
import type { OrganisationId } from '../../../../domain/values/ids.ts'
import { groupRules, userGroups } from '../../../../drizzle/accessTables.ts'
import { referenceChanges } from '../../../../drizzle/schema.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { getResourceTable } from '../../../core/database/tables.ts'
import { nameActor, readUserNamesWithin } from '../../../core/database/userNames.ts'
import { groupRuleLog } from '../../../resources/hooks/userGroup.ts'

/** A rule as the log stores it. */
export const loggedRule = z.object({ value: z.string(), userGroupId: z.int() })

/** A rule that an administrator created: a user for whom the external issuer reports this value gets the user group in the organisation. */
export interface StoredGroupRule {
  organisationId: OrganisationId
  organisation: string
  value: string
  userGroupId: number
  userGroup: string
}

/** The rules of one organisation, or of all, with names. Rules of deleted organisations are omitted. */
export async function listGroupRules(tx: OrganisationTx, organisationId?: OrganisationId): Promise<StoredGroupRule[]> {
  const { table, columns } = getResourceTable(resources.organisation)
  const rows = await tx
    .select({
      organisationId: groupRules.organisationId,
      organisation: sql<string>`${columns.name}`,
      value: groupRules.value,
      userGroupId: groupRules.userGroupId,
      userGroup: userGroups.name,
    })
    .from(groupRules)
    .innerJoin(userGroups, eq(userGroups.id, groupRules.userGroupId))
    .innerJoin(table, eq(sql`${columns.id}`, groupRules.organisationId))
    .where(organisationId === undefined ? undefined : eq(groupRules.organisationId, organisationId))
    .orderBy(asc(groupRules.value), asc(userGroups.name))
  return rows
}

/** A rule change as a sentence. */
export interface RuleHistoryLine {
  /** The number of the change in the log, with which it can be undone. */
  version: number
  /** ISO 8601. */
  at: string
  actor: string
  sentence: string
  /** Whether the change can be undone without losing a later change. */
  undoable: boolean
}

/** The most changes in a history of rules. */
const mostLines = 200

const saidOf = (action: string): string => (action === 'deleted' ? 'removed' : action === 'restored' ? 'restored' : 'added')

/** Lists who created and deleted rules of an organisation, newest first. A deleted user group appears under its last name. */
export async function readRuleHistory(tx: OrganisationTx, organisationId: OrganisationId): Promise<RuleHistoryLine[]> {
  const { id, resource, recordId, before, after, action, actorId, occurredAt, organisationId: of } = referenceChanges
  const groupId = sql`coalesce(${after}, ${before}) ->> 'userGroupId'`
  const rows = await tx
    .select({
      id,
      recordId,
      action,
      rule: sql`coalesce(${after}, ${before})`,
      actorId,
      occurredAt,
      group: userGroups.name,
      lastName: sql<string | null>`(select coalesce(named.after, named.before) ->> 'name' from reference_changes named
        where ${userGroups.id} is null and named.resource = 'userGroup' and named.record_id = ${groupId} order by named.id desc limit 1)`,
      stands: sql<boolean>`${groupRules.value} is not null`,
    })
    .from(referenceChanges)
    .leftJoin(userGroups, sql`${userGroups.id} = (${groupId})::integer`)
    .leftJoin(
      groupRules,
      and(
        eq(groupRules.organisationId, organisationId),
        eq(groupRules.userGroupId, userGroups.id),
        sql`${groupRules.value} = coalesce(${after}, ${before}) ->> 'value'`,
      ),
    )
    .where(and(eq(resource, groupRuleLog.name), eq(of, organisationId)))
    .orderBy(desc(id))
    .limit(mostLines)
  const names = await readUserNamesWithin(
    tx,
    rows.map((row) => row.actorId),
  )
  const seen = new Set<string>()
  return rows.map((row) => {
    const isNewest = !seen.has(row.recordId)
    seen.add(row.recordId)
    const isThere = row.action !== 'deleted'
    const group = row.group ?? row.lastName ?? 'a user group'
    const went = isNewest && isThere && !row.stands ? '. It was removed when the user group was deleted' : ''
    return {
      version: row.id,
      at: new Date(row.occurredAt).toISOString(),
      actor: nameActor(names, row.actorId),
      sentence: `${saidOf(row.action)} the rule that puts everyone with “${loggedRule.parse(row.rule).value}” in ${group}${went}`,
      undoable: isNewest && (isThere ? row.stands : row.group !== null && !row.stands),
    }
  })
}
