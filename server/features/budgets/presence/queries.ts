import { and, eq, gt, ne } from 'drizzle-orm'
import type { UserId } from '../../../../domain/ids.ts'
import { presences } from '../../../../drizzle/costTables.ts'
import type { Call } from '../../../core/calls/call.ts'

/** A screen that was silent for so long is not there any more. */
export const presentMs = 45_000

/** The people who have a budget open besides one, each with where they are, the latest first. */
export async function othersIn(
  { tx, organisationId, budgetId, now }: Call<'organisationId' | 'budgetId' | 'now'>,
  userId: UserId | null,
): Promise<{ userId: UserId; place: string }[]> {
  const rows = await tx
    .select({ userId: presences.userId, place: presences.place, seenAt: presences.seenAt })
    .from(presences)
    .where(
      and(
        eq(presences.organisationId, organisationId),
        eq(presences.budgetId, budgetId),
        userId === null ? undefined : ne(presences.userId, userId),
        gt(presences.seenAt, new Date(now.getTime() - presentMs).toISOString()),
      ),
    )
  const latest = new Map<number, (typeof rows)[number]>()
  for (const row of rows) if ((latest.get(row.userId)?.seenAt ?? '') < row.seenAt) latest.set(row.userId, row)
  return [...latest.values()].map(({ userId: id, place }) => ({ userId: id, place }))
}
