import { platformOrganisationId } from '../../../domain/values/ids.ts'
import type { Services } from '../calls/context.ts'
import { log } from '../log.ts'

/**
 * Makes every server recheck its live listeners' permissions. A lost message is made up for by the check every minute.
 */
export async function announceRightsChanged({ fanOut }: Pick<Services, 'fanOut'>): Promise<void> {
  await fanOut
    .publish(platformOrganisationId, { target: '#rightsChanged', argument: null })
    .catch((error) => log.warn({ err: error }, 'change of rights not told'))
}
