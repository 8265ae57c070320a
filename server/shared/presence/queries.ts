import { and, desc, eq, gt, ne } from 'drizzle-orm'
import type { UserId } from '../../../domain/values/ids.ts'
import { presences } from '../../../drizzle/costTables.ts'
import type { Call } from '../../core/calls/call.ts'

/** Milliseconds after which a browser page that sends nothing counts as closed. */
export const presenceTimeoutMs = 45_000

/** Another user with the budget open: the place where they last were, and the fields of the shown record in which they are. */
interface OtherUser {
  userId: UserId
  place: string
  fields: string[]
}

/** The other users with a budget open. Their fields are shown only for one record. */
export async function listOtherUsers(
  { tx, organisationId, budgetId, now }: Call<'organisationId' | 'budgetId' | 'now'>,
  { userId, record }: { userId: UserId | null; record: string },
): Promise<OtherUser[]> {
  const rows = await tx
    .select({ userId: presences.userId, place: presences.place, record: presences.record, field: presences.field })
    .from(presences)
    .where(
      and(
        eq(presences.organisationId, organisationId),
        eq(presences.budgetId, budgetId),
        userId === null ? undefined : ne(presences.userId, userId),
        gt(presences.seenAt, new Date(now.getTime() - presenceTimeoutMs).toISOString()),
      ),
    )
    .orderBy(desc(presences.seenAt))
  const others = new Map<UserId, OtherUser>()
  for (const { record: of, field, ...row } of rows) {
    const other = others.get(row.userId) ?? { ...row, fields: [] }
    others.set(row.userId, other)
    if (record && of === record) other.fields.push(field)
  }
  return [...others.values()]
}
