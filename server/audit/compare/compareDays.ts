import { and, eq } from 'drizzle-orm'
import type { StoredEvent } from '../../../domain/budget/events.ts'
import type { UserId } from '../../../domain/values/ids.ts'
import { budgetDays } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import type { Finding } from '../verify/verify.ts'
import { isSameMoment } from './same.ts'

/** How often somebody changed a budget on a day, with the last of those events. */
export interface CountedDay {
  changes: number
  version: number
  at: string
}

const dayOf = (day: string, actorId: UserId | null): string => `${day} ${actorId ?? ''}`

/** Counts an event to its day and person. */
export function countDay(days: Map<string, CountedDay>, { occurredAt, actorId, version }: StoredEvent): void {
  const key = dayOf(occurredAt.slice(0, 10), actorId)
  days.set(key, { changes: (days.get(key)?.changes ?? 0) + 1, version, at: occurredAt })
}

/** Whether the days of a timeline are those of the log. */
export async function compareDays(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  days: ReadonlyMap<string, CountedDay>,
): Promise<Finding[]> {
  const rows = await tx
    .select()
    .from(budgetDays)
    .where(and(eq(budgetDays.organisationId, organisationId), eq(budgetDays.budgetId, budgetId)))
  const kept = new Map(rows.map((row) => [dayOf(row.day, row.actorId), row]))
  return [...new Set([...days.keys(), ...kept.keys()])].flatMap((key) => {
    const [logged, row] = [days.get(key), kept.get(key)]
    const isSame = logged && row && logged.changes === row.changes && logged.version === row.version && isSameMoment(row.at, logged.at)
    const problem = `The changes of ${key.split(' ')[0]} in the table are not those of the log.`
    return isSame ? [] : [{ budgetId, version: logged?.version ?? null, problem }]
  })
}
