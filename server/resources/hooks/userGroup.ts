import { sql } from 'drizzle-orm'
import { viewPermissions } from '../../../domain/people/permissions.ts'
import { apiClients, groupRules, memberships, secondStepGroups } from '../../../drizzle/accessTables.ts'
import { organisations, referenceChanges } from '../../../drizzle/schema.ts'
import { callerOrganisationCondition, idArray, visibleMembershipsCondition, visibleWithPermission } from '../useSources.ts'
import type { ResourceHooks } from './resourceHooks.ts'

/** Name under which the log records rules that assign a user group by what an external issuer reports about a user. */
export const ruleLog = { name: 'groupRule' }

/** Name under which the log records that an organisation requires a second step from a user group. */
export const secondStepGroupLog = { name: 'secondStepGroup' }

export const userGroupHooks: ResourceHooks = {
  uses: (ids) => [
    {
      table: memberships,
      where: sql`${memberships.userGroupIds} && ${idArray(ids)}`,
      key: 'User',
      seen: visibleWithPermission(viewPermissions('ConsoleUsers'), visibleMembershipsCondition),
    },
    {
      table: apiClients,
      where: sql`${apiClients.userGroupIds} && ${idArray(ids)}`,
      key: 'IntegrationCredential',
      seen: visibleWithPermission(viewPermissions('ConsoleUsers'), (viewer) =>
        callerOrganisationCondition(apiClients.organisationId, viewer),
      ),
    },
  ],
  // These rows have no log line for their deletion, so the last line about each row shows whether it existed until then.
  comesBackWith: async (tx, ids) => {
    await tx.execute(sql`
      insert into ${groupRules} (organisation_id, value, user_group_id)
      select last.organisation_id, last.rule ->> 'value', (last.rule ->> 'userGroupId')::integer
      from (
        select distinct on (organisation_id, record_id) organisation_id, after as rule
        from ${referenceChanges}
        where resource = ${ruleLog.name} and (coalesce(after, before) ->> 'userGroupId')::integer = any(${idArray(ids)})
        order by organisation_id, record_id, id desc
      ) last
      where last.rule is not null and exists (select from ${organisations} where id = last.organisation_id)
      on conflict do nothing`)
    await tx.execute(sql`
      insert into ${secondStepGroups} (organisation_id, user_group_id)
      select last.organisation_id, last.record_id::integer
      from (
        select distinct on (organisation_id, record_id) organisation_id, record_id, after
        from ${referenceChanges}
        where resource = ${secondStepGroupLog.name} and record_id::integer = any(${idArray(ids)})
        order by organisation_id, record_id, id desc
      ) last
      where last.after is not null and exists (select from ${organisations} where id = last.organisation_id)
      on conflict do nothing`)
  },
}
