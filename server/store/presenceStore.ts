import { and, eq, gt, lt, ne } from 'drizzle-orm'
import { presences } from '../../drizzle/costTables.ts'
import type { OrganisationTx } from './database.ts'

/** A screen that was silent for so long is not there any more. */
const presentMs = 45_000

/** Says that a screen has a budget open. @returns whether that is news to the others */
export async function setPresence(
  tx: OrganisationTx,
  organisationId: number,
  { budgetId, screenId, userId, place }: { budgetId: string; screenId: string; userId: number; place: string },
  now: Date,
): Promise<boolean> {
  const key = and(eq(presences.organisationId, organisationId), eq(presences.screenId, screenId))
  const [before] = await tx.select().from(presences).where(key)
  // A screen of somebody else's is not taken over.
  if (before && before.userId !== userId) return false
  const seenAt = now.toISOString()
  await tx
    .insert(presences)
    .values({ organisationId, budgetId, screenId, userId, place, seenAt })
    .onConflictDoUpdate({ target: [presences.organisationId, presences.screenId], set: { budgetId, place, seenAt } })
  await tx
    .delete(presences)
    .where(and(eq(presences.organisationId, organisationId), lt(presences.seenAt, new Date(now.getTime() - 10 * presentMs).toISOString())))
  const isOld = before && now.getTime() - new Date(before.seenAt).getTime() > presentMs
  return !before || isOld || before.budgetId !== budgetId || before.place !== place
}

export async function endPresence(tx: OrganisationTx, organisationId: number, screenId: string, userId: number): Promise<void> {
  await tx
    .delete(presences)
    .where(and(eq(presences.organisationId, organisationId), eq(presences.screenId, screenId), eq(presences.userId, userId)))
}

/** The people who have a budget open besides one, each with where they are, the latest first. */
export async function othersIn(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  userId: number,
  now: Date,
): Promise<{ userId: number; place: string }[]> {
  const rows = await tx
    .select({ userId: presences.userId, place: presences.place, seenAt: presences.seenAt })
    .from(presences)
    .where(
      and(
        eq(presences.organisationId, organisationId),
        eq(presences.budgetId, budgetId),
        ne(presences.userId, userId),
        gt(presences.seenAt, new Date(now.getTime() - presentMs).toISOString()),
      ),
    )
  const latest = new Map<number, (typeof rows)[number]>()
  for (const row of rows) if ((latest.get(row.userId)?.seenAt ?? '') < row.seenAt) latest.set(row.userId, row)
  return [...latest.values()].map(({ userId: id, place }) => ({ userId: id, place }))
}
