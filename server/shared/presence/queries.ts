import { and, desc, eq, gt, ne } from 'drizzle-orm'
import type { UserId } from '../../../domain/values/ids.ts'
import { presences } from '../../../drizzle/costTables.ts'
import type { Call } from '../../core/calls/call.ts'

/** A screen that was silent for so long is not there any more. */
export const presentMs = 45_000

/** Somebody else who has a budget open, where they were seen last, and the fields that they are in of one record: empty where they are in none. */
interface Other {
  userId: UserId
  place: string
  fields: string[]
}

/** The people who have a budget open besides one. What they are at in another record than this is told to nobody. */
export async function othersIn(
  { tx, organisationId, budgetId, now }: Call<'organisationId' | 'budgetId' | 'now'>,
  { userId, record }: { userId: UserId | null; record: string },
): Promise<Other[]> {
  const rows = await tx
    .select({ userId: presences.userId, place: presences.place, record: presences.record, field: presences.field })
    .from(presences)
    .where(
      and(
        eq(presences.organisationId, organisationId),
        eq(presences.budgetId, budgetId),
        userId === null ? undefined : ne(presences.userId, userId),
        gt(presences.seenAt, new Date(now.getTime() - presentMs).toISOString()),
      ),
    )
    .orderBy(desc(presences.seenAt))
  const others = new Map<UserId, Other>()
  for (const { record: of, field, ...row } of rows) {
    const other = others.get(row.userId) ?? { ...row, fields: [] }
    others.set(row.userId, other)
    if (record && of === record) other.fields.push(field)
  }
  return [...others.values()]
}
