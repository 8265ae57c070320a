import { and, desc, eq, lt } from 'drizzle-orm'
import { tell } from '../../../domain/monitoring/describe.ts'
import type { StoredMonitoringEvent } from '../../../domain/monitoring/events.ts'
import { touchedKeys } from '../../../domain/monitoring/evolve.ts'
import { resources } from '../../../domain/resources/all.ts'
import { monitoringEvents, monitoringItems } from '../../../drizzle/monitoringTables.ts'
import type { OrganisationTx, Store } from '../../core/database/database.ts'
import { rowsOf } from '../../core/database/tables.ts'
import { userNames } from '../../resources/referenceLog.ts'
import { type Changer, checkLocation } from './commands.ts'
import type { HistoryLine } from './rows.ts'

/** The lines of a history that are shown at once. */
const page = 100

/**
 * What was done in a monitoring log, newest first, in sentences. Notes and adjustments count for the whole organisation: their history is for
 * those who see all locations.
 */
export async function historyOf(
  tx: OrganisationTx,
  store: Store,
  who: Changer,
  { locationId, before }: { locationId: number; before: number | null },
): Promise<HistoryLine[]> {
  const { organisationId, actor, holder } = who
  if (locationId) await checkLocation(tx, who, locationId)
  else if (holder.locationIds) return []
  const rows = await tx
    .select()
    .from(monitoringEvents)
    .where(
      and(
        eq(monitoringEvents.organisationId, organisationId),
        eq(monitoringEvents.locationId, locationId),
        before ? lt(monitoringEvents.version, before) : undefined,
      ),
    )
    .orderBy(desc(monitoringEvents.version))
    .limit(page)
  const events = rows as unknown as StoredMonitoringEvent[]
  const items = await tx
    .select({ key: monitoringItems.key, version: monitoringItems.version })
    .from(monitoringItems)
    .where(and(eq(monitoringItems.organisationId, organisationId), eq(monitoringItems.locationId, locationId)))
  const versions = new Map(items.map((item) => [item.key, item.version]))
  const codes = new Map((await rowsOf(tx, resources.budgetCode)).map((code) => [code.id, `${code.code} ${code.description}`]))
  const names = await userNames(
    store,
    events.map((event) => event.actorId),
  )
  return events.map((event) => ({
    version: event.version,
    at: new Date(event.occurredAt).toISOString(),
    actor: event.actorId === null ? 'System' : (names.get(event.actorId) ?? 'Unknown'),
    sentence: tell(event, (id) => codes.get(id) ?? `code ${id}`),
    undoable:
      event.actorId !== null &&
      event.actorId === actor.userId &&
      event.type !== 'MonthEndClosed' &&
      event.type !== 'MonthEndReopened' &&
      event.type !== 'PackFinished' &&
      touchedKeys(event).every((key) => (versions.get(key) ?? event.version) === event.version),
  }))
}
