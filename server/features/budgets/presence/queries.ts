import { and, desc, eq, gt, ne } from 'drizzle-orm'
import type { UserId } from '../../../../domain/ids.ts'
import { presences } from '../../../../drizzle/costTables.ts'
import type { Call } from '../../../core/calls/call.ts'

/** A screen that was silent for so long is not there any more. */
export const presentMs = 45_000

/** Somebody else who has a budget open, where they were seen last, and the records that their screens have open. */
interface Other {
  userId: UserId
  place: string
  records: { record: string; field: string }[]
}

/** The people who have a budget open besides one. */
export async function othersIn(
  { tx, organisationId, budgetId, now }: Call<'organisationId' | 'budgetId' | 'now'>,
  userId: UserId | null,
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
  for (const { record, field, ...row } of rows) {
    const other = others.get(row.userId) ?? { ...row, records: [] }
    others.set(row.userId, other)
    if (record) other.records.push({ record, field })
  }
  return [...others.values()]
}
