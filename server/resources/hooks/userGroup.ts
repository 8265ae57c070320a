import { sql } from 'drizzle-orm'
import { either } from '../../../domain/permissions.ts'
import { apiClients, memberships } from '../../../drizzle/accessTables.ts'
import { idList, ofOwn, onlyWith, seenMemberships } from '../useSources.ts'
import type { ResourceHooks } from './resourceHooks.ts'

export const userGroup: ResourceHooks = {
  uses: (ids) => [
    {
      table: memberships,
      where: sql`${memberships.userGroupIds} && ${idList(ids)}`,
      key: 'User',
      seen: onlyWith(either('ConsoleUsers'), seenMemberships),
    },
    {
      table: apiClients,
      where: sql`${apiClients.userGroupIds} && ${idList(ids)}`,
      key: 'IntegrationCredential',
      seen: onlyWith(either('ConsoleUsers'), (sight) => ofOwn(apiClients.organisationId, sight)),
    },
  ],
}
