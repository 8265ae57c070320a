import { log } from './log.ts'
import type { Required } from './store/groupStore.ts'
import type { Services } from './trpc/context.ts'

/** Tells an organisation's users that groups are to be recalculated; the mark in the database is what counts. */
export async function announceRequired({ fanOut }: Pick<Services, 'fanOut'>, required: readonly Required[]): Promise<void> {
  for (const { organisationId, ...argument } of required)
    await fanOut
      .publish(organisationId, { target: 'BudgetGroupsRequireContractRecalculation', argument })
      .catch((error) => log.warn({ err: error }, 'announcement lost'))
}
