import { sql } from 'drizzle-orm'
import { listViewPermissions } from '../../../domain/people/permissions.ts'
import { apiClients, groupRules, memberships, secondStepGroups } from '../../../drizzle/accessTables.ts'
import { organisations, referenceChanges } from '../../../drizzle/schema.ts'
import { buildCallerOrganisationCondition, buildIdArray, buildVisibleMembershipsCondition, requirePermissionToSee } from '../useSources.ts'
import type { ResourceHooks } from './resourceHooks.ts'

/** Name under which the log records rules that assign a user group by what an external issuer reports about a user. */
export const groupRuleLog = { name: 'groupRule' }

/** Name under which the log records that an organisation requires a second step from a user group. */
export const secondStepGroupLog = { name: 'secondStepGroup' }

export const userGroupHooks: ResourceHooks = {
  uses: (ids) => [
    {
      table: memberships,
      where: sql`${memberships.userGroupIds} && ${buildIdArray(ids)}`,
      key: 'User',
      visibilityFor: requirePermissionToSee(listViewPermissions('ConsoleUsers'), buildVisibleMembershipsCondition),
    },
    {
      table: apiClients,
      where: sql`${apiClients.userGroupIds} && ${buildIdArray(ids)}`,
      key: 'IntegrationCredential',
      visibilityFor: requirePermissionToSee(listViewPermissions('ConsoleUsers'), (viewer) =>
        buildCallerOrganisationCondition(apiClients.organisationId, viewer),
      ),
    },
  ],
  // These rows have no log line for their deletion, so the last line about each row shows whether it existed until then.
  restoreDependents: async (tx, ids) => {
    await tx.execute(sql`
      insert into ${groupRules} (organisation_id, value, user_group_id)
      select last.organisation_id, last.rule ->> 'value', (last.rule ->> 'userGroupId')::integer
      from (
        select distinct on (organisation_id, record_id) organisation_id, after as rule
        from ${referenceChanges}
        where resource = ${groupRuleLog.name} and (coalesce(after, before) ->> 'userGroupId')::integer = any(${buildIdArray(ids)})
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
        where resource = ${secondStepGroupLog.name} and record_id::integer = any(${buildIdArray(ids)})
        order by organisation_id, record_id, id desc
      ) last
      where last.after is not null and exists (select from ${organisations} where id = last.organisation_id)
      on conflict do nothing`)
  },
}
