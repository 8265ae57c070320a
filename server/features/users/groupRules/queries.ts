import { asc, eq, sql } from 'drizzle-orm'
import type { OrganisationId } from '../../../../domain/ids.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { groupRules, userGroups } from '../../../../drizzle/accessTables.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { tableFor } from '../../../core/database/tables.ts'

/** A rule that an administrator made: whoever an outside issuer gives the value has the user group in the organisation. */
export interface KeptRule {
  organisationId: OrganisationId
  organisation: string
  value: string
  userGroupId: number
  userGroup: string
}

/** The rules of one organisation, or of all, with the names of what they name; those of an organisation that is gone are not there. */
export async function keptRules(tx: OrganisationTx, organisationId?: OrganisationId): Promise<KeptRule[]> {
  const { table, columns } = tableFor(resources.organisation)
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
