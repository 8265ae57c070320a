import { and, eq, inArray, lt, ne, or } from 'drizzle-orm'
import type { BudgetId, OrganisationId, UserId } from '../../../../domain/values/ids.ts'
import { presences } from '../../../../drizzle/costTables.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { presenceTimeoutMs } from '../../../shared/presence/queries.ts'

/** What a user has open in one browser window: a budget, a record in it, and a field of that record. */
interface OpenPlace {
  budgetId: BudgetId
  screenId: string
  userId: UserId
  place: string
  record: string
  field: string
}

/**
 * Records what a browser window has open.
 * @returns whether that differs from what was recorded before
 */
export async function setPresence(
  { tx, organisationId, now }: Call<'organisationId' | 'now'>,
  { screenId, ...where }: OpenPlace,
): Promise<boolean> {
  const seenAt = now.toISOString()
  const changed = await tx
    .insert(presences)
    .values({ organisationId, screenId, ...where, seenAt })
    .onConflictDoUpdate({
      target: [presences.organisationId, presences.screenId],
      set: { ...where, seenAt },
      setWhere: or(
        ne(presences.budgetId, where.budgetId),
        ne(presences.place, where.place),
        ne(presences.record, where.record),
        ne(presences.field, where.field),
      ),
    })
    .returning({ screenId: presences.screenId })
  return changed.length > 0
}

/** Records that browser windows still have their budgets open, and deletes those of the organisation that have not reported for long. */
export async function storePresences(
  { tx, organisationId, now }: Call<'organisationId' | 'now'>,
  screenIds: readonly string[],
): Promise<void> {
  const inThisOrganisation = eq(presences.organisationId, organisationId)
  await tx
    .update(presences)
    .set({ seenAt: now.toISOString() })
    .where(and(inThisOrganisation, inArray(presences.screenId, [...screenIds])))
  await tx
    .delete(presences)
    .where(and(inThisOrganisation, lt(presences.seenAt, new Date(now.getTime() - 10 * presenceTimeoutMs).toISOString())))
}

/** @returns whether the browser window had a budget open */
export async function endPresence(tx: OrganisationTx, organisationId: OrganisationId, screenId: string): Promise<boolean> {
  const ended = await tx
    .delete(presences)
    .where(and(eq(presences.organisationId, organisationId), eq(presences.screenId, screenId)))
    .returning({ screenId: presences.screenId })
  return ended.length > 0
}
