import type { OrganisationId } from '../../../domain/values/ids.ts'
import type { Services } from '../../core/calls/context.ts'
import { publishLiveMessage } from '../../core/live/announce.ts'
import { markFileAnnounced } from '../../shared/files/commands.ts'
import { readFileOutcome } from '../../shared/files/queries.ts'

type LiveServices = Pick<Services, 'store' | 'fanOut'>

/**
 * Tells the user who requested a file that it is ready or has failed. If the message cannot be sent, the next sweep
 * sends it.
 */
export async function announceFile({ store, fanOut }: LiveServices, organisationId: OrganisationId, fileId: string): Promise<void> {
  const end = await store.inOrganisation(organisationId, (tx) => readFileOutcome(tx, organisationId, fileId))
  if (end && !(await publishLiveMessage({ fanOut }, { target: 'FileMade', argument: { fileId, ...end } }, { organisationId }))) return
  await store.inOrganisation(organisationId, (tx) => markFileAnnounced({ tx, organisationId, now: new Date() }, fileId))
}
