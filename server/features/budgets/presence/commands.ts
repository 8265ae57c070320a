import { and, eq, lt } from 'drizzle-orm'
import { presences } from '../../../../drizzle/costTables.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { presentMs } from './queries.ts'

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
