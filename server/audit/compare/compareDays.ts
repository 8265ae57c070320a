import { and, eq } from 'drizzle-orm'
import type { StoredEvent } from '../../../domain/budget/events.ts'
import { displayDate } from '../../../domain/values/format.ts'
import type { UserId } from '../../../domain/values/ids.ts'
import { budgetChangesByDay } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import type { AuditFinding } from '../verify/verify.ts'
import { isSameMoment } from './same.ts'

/** The number of changes one person made to a budget on one day, with the last of those events. */
export interface DayChanges {
  changes: number
  version: number
  at: string
}

const dayKey = (day: string, actorId: UserId | null): string => `${day} ${actorId ?? ''}`

export function countChangeOnDay(days: Map<string, DayChanges>, { occurredAt, actorId, version }: StoredEvent): void {
  const key = dayKey(occurredAt.slice(0, 10), actorId)
  days.set(key, { changes: (days.get(key)?.changes ?? 0) + 1, version, at: occurredAt })
}

export async function compareBudgetDays(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  days: ReadonlyMap<string, DayChanges>,
): Promise<AuditFinding[]> {
  const rows = await tx
    .select()
    .from(budgetChangesByDay)
    .where(and(eq(budgetChangesByDay.organisationId, organisationId), eq(budgetChangesByDay.budgetId, budgetId)))
  const stored = new Map(rows.map((row) => [dayKey(row.day, row.actorId), row]))
  return [...new Set([...days.keys(), ...stored.keys()])].flatMap((key) => {
    const [logged, row] = [days.get(key), stored.get(key)]
    const isSame = logged && row && logged.changes === row.changes && logged.version === row.version && isSameMoment(row.at, logged.at)
    const problem = `The changes on ${displayDate(key.slice(0, 10))} in the table differ from the log.`
    return isSame ? [] : [{ budgetId, version: logged?.version ?? null, problem }]
  })
}
