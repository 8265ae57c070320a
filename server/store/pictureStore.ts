import type { StoredEvent } from '../../domain/budget/events.ts'
import { foldLog } from '../../domain/budget/pictures/foldLog.ts'
import { type Picture, pictureOf, type RunInputs } from '../../domain/budget/pictures/picture.ts'
import type { FrozenBudget, SharedInputs } from '../../domain/calculation/frozen.ts'
import { notFound } from '../../domain/errors.ts'
import type { OrganisationTx } from './database.ts'
import { readEvents } from './eventLog.ts'
import { readInputs } from './frozenStore.ts'

/** A budget at one of its versions, the log it was made from, and the kept inputs of its figures. */
export interface LoadedPicture {
  picture: Picture
  events: StoredEvent[]
  inputsOf: RunInputs
}

/**
 * A budget as it stood at a version, with every figure, from its log and kept inputs alone; without a version, as it stands.
 * @throws DomainError 404 for a version that the budget does not have
 */
export async function loadPicture(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  version: number | null | undefined,
): Promise<LoadedPicture> {
  const events = await readEvents(tx, organisationId, budgetId, 0, version ?? undefined)
  const folded = foldLog(events)
  if (!folded.state.head || (version != null && folded.state.version !== version)) throw notFound('Version')
  const read = new Map<string, { frozen: FrozenBudget; shared: SharedInputs }>()
  for (const sha of new Set([...folded.runs.values()].map((run) => run.inputs)))
    read.set(sha, await readInputs(tx, organisationId, sha, budgetId))
  const inputsOf: RunInputs = (run) => read.get(run.inputs)!
  return { picture: pictureOf(folded, inputsOf), events, inputsOf }
}
