import { sql } from 'drizzle-orm'
import { getRestorableSince } from '../../../../domain/changes/bin.ts'
import type { BudgetGroupId, BudgetId, LocationId, OrganisationId, UserId } from '../../../../domain/values/ids.ts'
import type { Call } from '../../../core/calls/call.ts'
import { buildIdArray } from '../../../resources/useSources.ts'
import type { AllowanceClaim } from '../../budgetGroups/commands.ts'

/** A deleted budget group, from the change log. */
export interface DeletedGroup {
  id: BudgetGroupId
  name: string
  description: string | null
  claim: AllowanceClaim
  version: number
  /** The group's budgets, in order. */
  budgetIds: BudgetId[]
  /** How many of these budgets still exist and have no other group. */
  left: number
  /** Null if the system deleted it. */
  deletedById: UserId | null
  /** ISO 8601. */
  deletedAt: string
}

/** The most deleted groups shown at once. */
const mostShown = 200

/**
 * The deleted budget groups that the caller may restore, newest deletion first, read only from the log. Callers limited to some locations
 * can restore only groups whose budgets are all at their locations, because they could not have deleted other groups; the locations of
 * budgets deleted since then come from the budgets' logs.
 * @param locationIds the locations that the caller is limited to; null for all
 */
export async function listDeletedGroups(
  { tx, organisationId, now }: Call<'organisationId' | 'now'>,
  { locationIds, search, ids }: { locationIds: readonly LocationId[] | null; search?: string | null; ids?: readonly string[] },
): Promise<DeletedGroup[]> {
  const words = search?.trim().replace(/[\\%_]/g, '\\$&')
  const standing = sql`from budgets one where one.organisation_id = gone.organisation_id and gone.before -> 'budgetIds' ? one.id::text`
  const rows = await tx.execute<Omit<DeletedGroup, 'deletedAt'> & { deletedAt: string } & Record<string, unknown>>(sql`
    select gone.record_id as id, gone.before ->> 'name' as name, gone.before ->> 'description' as description, gone.version,
      jsonb_build_object('claimsEmploymentAllowance', coalesce((gone.before ->> 'claimsEmploymentAllowance')::boolean, false),
        'allowanceBudgetCodeId', (gone.before ->> 'allowanceBudgetCodeId')::integer,
        'allowanceCostCentreId', (gone.before ->> 'allowanceCostCentreId')::integer) as claim,
      gone.before -> 'budgetIds' as "budgetIds", gone.actor_id as "deletedById", gone.occurred_at as "deletedAt",
      (select count(*)::integer ${standing} and not exists (select from budget_group_members other
        where other.organisation_id = one.organisation_id and other.budget_id = one.id)) as left
    from reference_changes gone
    where gone.organisation_id = ${organisationId} and gone.resource = 'budgetGroup' and gone.action = 'deleted'
      and gone.occurred_at > ${getRestorableSince(now).toISOString()}::timestamptz
      and not exists (select from reference_changes later
        where later.resource = gone.resource and later.record_id = gone.record_id and later.id > gone.id)
      and ${
        locationIds
          ? sql`not exists (select from budget_events made where made.organisation_id = gone.organisation_id
              and made.budget_id = any(array(select jsonb_array_elements_text(gone.before -> 'budgetIds'))::char(24)[])
              and made.version = 1 and not (made.data ->> 'locationId')::integer = any(${buildIdArray(locationIds)}))`
          : sql`true`
      }
      and ${words ? sql`gone.before ->> 'name' ilike ${`%${words}%`}` : sql`true`}
      and ${ids ? sql`gone.record_id = any(${sql.param(`{${ids.join(',')}}`)}::text[])` : sql`true`}
    order by gone.id desc limit ${mostShown}`)
  return [...rows].map(({ deletedAt, ...row }) => ({ ...row, deletedAt: new Date(deletedAt).toISOString() }))
}

/** The budgets of a deleted group that still exist and have no other group, in their old order. */
export async function listRemainingBudgets(
  { tx, organisationId }: Call & { organisationId: OrganisationId },
  budgetIds: readonly BudgetId[],
): Promise<BudgetId[]> {
  const rows = await tx.execute<{ id: BudgetId }>(sql`
    select one.id from budgets one
    where one.organisation_id = ${organisationId} and one.id = any(${sql.param(`{${budgetIds.join(',')}}`)}::char(24)[])
      and not exists (select from budget_group_members other
        where other.organisation_id = one.organisation_id and other.budget_id = one.id)`)
  const left = new Set([...rows].map(({ id }) => id))
  return budgetIds.filter((id) => left.has(id))
}
