import type { LiveMessage } from '../../../domain/changes/live.ts'
import type { BudgetGroupId, BudgetId, OrganisationId } from '../../../domain/values/ids.ts'
import { log } from '../log.ts'
import type { FanOut } from '../queue/queues.ts'

/** The groups of an organisation, and budgets outside groups, that were marked as requiring a recalculation. */
export interface RecalculationRequired {
  organisationId: OrganisationId
  budgetGroupIds: BudgetGroupId[]
  budgetIds: BudgetId[]
  names: string[]
  reason: string
}

type Line = { fanOut: FanOut }

/**
 * Tells everybody of an organisation who is looking. A message that does not go out is no failure of what it tells of: whoever hears
 * nothing for a time reads everything again. @returns whether it went out
 */
export async function publish(
  { fanOut }: Line,
  message: LiveMessage,
  { organisationId, except }: { organisationId: OrganisationId; except?: string },
): Promise<boolean> {
  try {
    await fanOut.publish(organisationId, { ...message, ...(except ? { except } : {}) })
    return true
  } catch (error) {
    log.warn({ err: error, target: message.target }, 'live message not sent')
    return false
  }
}

/** Tells an organisation's users what is to be recalculated; the mark in the database is what counts. */
export async function announceRequired(line: Line, required: readonly RecalculationRequired[]): Promise<void> {
  for (const { organisationId, ...argument } of required)
    await publish(line, { target: 'BudgetGroupsRequireContractRecalculation', argument }, { organisationId })
}
