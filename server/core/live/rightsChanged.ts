import { platformOrganisationId } from '../../../domain/values/ids.ts'
import type { Services } from '../calls/context.ts'
import { log } from '../log.ts'

/**
 * Makes every server recheck the permissions of its live listeners. If the message is lost, the check that runs every minute makes up for
 * it.
 */
export async function announceRightsChanged({ fanOut }: Pick<Services, 'fanOut'>): Promise<void> {
  await fanOut
    .publish(platformOrganisationId, { target: '#rightsChanged', argument: null })
    .catch((error) => log.warn({ err: error }, 'a change of permissions was not announced'))
}
