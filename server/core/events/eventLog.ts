import { and, asc, eq, gt, lte } from 'drizzle-orm'
import type { BudgetEvent, StoredEvent } from '../../../domain/budget/events.ts'
import { budgetEvents } from '../../../drizzle/schema.ts'
import type { OrganisationTx } from '../database/database.ts'
import { eventHash, genesisHash } from './hash.ts'

/** Who does something, in which request (it only traces), and when. */
export interface Actor {
  userId: number | null
  requestId: string
  now: Date
}

/** Appends events to a budget whose row the caller has locked. @returns the events as they stand in the log */
export async function append(
  tx: OrganisationTx,
  stream: { organisationId: number; budgetId: string; version: number; lastHash: string },
  events: readonly BudgetEvent[],
  actor: Actor,
): Promise<StoredEvent[]> {
  let { version, lastHash } = stream
  const rows = events.map((event) => {
    version++
    const body = {
      organisationId: stream.organisationId,
      budgetId: stream.budgetId,
      version,
      type: event.type,
      data: event.data,
      actorId: actor.userId,
      requestId: actor.requestId,
      occurredAt: actor.now.toISOString(),
    }
    const previousHash = lastHash
    lastHash = eventHash(previousHash, body)
    return { ...body, previousHash, hash: lastHash }
  })
  if (!rows.length) return []
  const position = new Map<number, number>()
  for (let start = 0; start < rows.length; start += 1000) {
    const written = await tx
      .insert(budgetEvents)
      .values(rows.slice(start, start + 1000))
      .returning({ version: budgetEvents.version, position: budgetEvents.position })
    for (const row of written) position.set(row.version, row.position)
  }
  return rows.map((row) => ({ ...row, position: position.get(row.version)! }) as StoredEvent)
}

export const newStream = (organisationId: number, budgetId: string) => ({ organisationId, budgetId, version: 0, lastHash: genesisHash })

/** The events of a budget in order, from after one version and up to another. */
export async function readEvents(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  after = 0,
  upTo = 2_147_483_647,
): Promise<StoredEvent[]> {
  const rows = await tx
    .select()
    .from(budgetEvents)
    .where(
      and(
        eq(budgetEvents.organisationId, organisationId),
        eq(budgetEvents.budgetId, budgetId),
        gt(budgetEvents.version, after),
        lte(budgetEvents.version, upTo),
      ),
    )
    .orderBy(asc(budgetEvents.version))
  return rows.map(asStored)
}

/** A row of the log as an event, without what the database works out of it; moments as ISO 8601, so that hashes are taken of what was written. */
export function asStored({ about: _workedOut, ...row }: typeof budgetEvents.$inferSelect): StoredEvent {
  return { ...row, occurredAt: new Date(row.occurredAt).toISOString() } as StoredEvent
}
