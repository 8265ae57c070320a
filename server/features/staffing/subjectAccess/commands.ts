import { must } from '../../../../domain/must.ts'
import type { OrganisationTx, Store } from '../../../core/database/database.ts'
import type { Actor } from '../../../core/events/eventLog.ts'
import { recordChange } from '../../../resources/referenceLog.ts'
import { type AccessPack, type Asker, accessPack, tracedPacks } from './queries.ts'

/** Gathers everything that is held on a person, and writes down who asked for it. */
export async function makePack(
  tx: OrganisationTx,
  { store, actor }: { store: Store; actor: Actor },
  asker: Asker,
  id: number,
): Promise<AccessPack> {
  const pack = await accessPack(tx, store, asker, id, actor.now)
  const record = { id, version: 1, organisationId: must(asker.rows.organisationId), created: pack.madeAt }
  await recordChange(tx, tracedPacks, { action: 'created', before: null, after: record }, actor)
  return pack
}
