import type { LiveMessage } from '../../../domain/changes/live.ts'
import type { BudgetGroupId, BudgetId, OrganisationId } from '../../../domain/values/ids.ts'
import { log } from '../log.ts'
import type { FanOut } from '../queue/queues.ts'

/** The groups of an organisation, and the budgets outside groups, that now require recalculation. */
export interface RecalculationRequired {
  organisationId: OrganisationId
  budgetGroupIds: BudgetGroupId[]
  budgetIds: BudgetId[]
  names: string[]
  reason: string
}

type LiveServices = { fanOut: FanOut }

/**
 * Sends a message to everyone in an organisation who is connected. A lost message is harmless, because clients that
 * hear nothing for a while reload everything.
 * @returns whether it was sent
 */
export async function publishLiveMessage(
  { fanOut }: LiveServices,
  message: LiveMessage,
  { organisationId, except }: { organisationId: OrganisationId; except?: string },
): Promise<boolean> {
  try {
    await fanOut.publish(organisationId, { ...message, ...(except ? { except } : {}) })
    return true
  } catch (error) {
    log.warn({ err: error, target: message.target }, 'a live message was not sent')
    return false
  }
}

/** Tells an organisation's users what requires recalculation. The marks in the database remain authoritative. */
export async function announceRecalculationRequired(line: LiveServices, required: readonly RecalculationRequired[]): Promise<void> {
  for (const { organisationId, ...argument } of required)
    await publishLiveMessage(line, { target: 'BudgetGroupsRequireContractRecalculation', argument }, { organisationId })
}
