import { platformOrganisationId } from '../../../domain/values/ids.ts'
import type { Services } from '../calls/context.ts'
import { log } from '../log.ts'

/** Has every server ask again whether those who listen still may. A message that is lost is made good by the asking of every minute. */
export async function tellRightsChanged({ fanOut }: Pick<Services, 'fanOut'>): Promise<void> {
  await fanOut
    .publish(platformOrganisationId, { target: '#rightsChanged', argument: null })
    .catch((error) => log.warn({ err: error }, 'change of rights not told'))
}
