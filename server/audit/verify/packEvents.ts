import { sql } from 'drizzle-orm'
import type { BudgetId, LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import type { AuditFinding } from './verify.ts'

/**
 * Checks that each finished pack's events are still in the logs. A log that was rewritten together with its chain would differ from what
 * the governors were shown.
 */
export async function verifyPackEvents(tx: OrganisationTx, organisationId: OrganisationId): Promise<AuditFinding[]> {
  const lost = await tx.execute<{ code: string; budgetId: BudgetId | null; locationId: LocationId | null; version: number }>(sql`
    with finished as (
      select item ->> 'code' as code, item -> 'finished' -> 'pins' as pins from monitoring_items
      where organisation_id = ${organisationId} and kind = 'pack' and jsonb_typeof(item -> 'finished') = 'object'
    )
    select code, pin ->> 'id' as "budgetId", null::integer as "locationId", (pin ->> 'version')::integer as version
    from finished cross join lateral jsonb_array_elements(pins -> 'budgets') pin
    where not exists (select from budget_events event where event.organisation_id = ${organisationId}
      and event.budget_id = pin ->> 'id' and event.version = (pin ->> 'version')::integer and event.hash = pin ->> 'hash')
    union all
    select code, null, (pin ->> 'locationId')::integer, (pin ->> 'version')::integer
    from finished cross join lateral jsonb_array_elements(pins -> 'logs') pin
    where (pin ->> 'version')::integer > 0 and not exists (select from monitoring_events event where event.organisation_id = ${organisationId}
      and event.location_id = (pin ->> 'locationId')::integer and event.version = (pin ->> 'version')::integer and event.hash = pin ->> 'hash')
    order by 1, 2, 3`)
  return lost.map(({ code, budgetId, locationId, version }) => {
    const log = budgetId ? `budget ${budgetId}` : locationId ? `monitoring at location ${locationId}` : 'monitoring of the organisation'
    const problem = `When the pack ${code} was finished, version ${version} of ${log} was a different event: the log has since been rewritten.`
    return { budgetId, version, problem }
  })
}
