import { and, eq, sql } from 'drizzle-orm'
import { formatIsoMonth } from '../../../domain/monitoring/monitoring.ts'
import type { StoredPayrollEvent } from '../../../domain/payroll/events.ts'
import { createEmptyPayroll, evolve, type PayrollState } from '../../../domain/payroll/evolve.ts'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { payrollLogs } from '../../../drizzle/payrollTables.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { readRecords } from '../../core/stream/stream.ts'
import { loadPayroll } from '../../streams/payroll/items.ts'
import type { Finding } from '../verify/verify.ts'
import { type LocationLogs, verifyLocationLogs } from './locationLogs.ts'

/** Folds a payroll log from the start. @param upTo the last version to include */
export function replayPayroll(events: readonly StoredPayrollEvent[], upTo = Number.POSITIVE_INFINITY): PayrollState {
  const state = createEmptyPayroll()
  for (const event of events) if (event.version <= upTo) evolve(state, event)
  return state
}

/**
 * Verifies the payroll logs of an organisation: each is whole, ends where the chain says, and matches the tables.
 * @param heads the chain's links to each log, by location
 */
export async function verifyPayroll(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  heads: ReadonlyMap<string, { version: number; hash: string }[]>,
): Promise<Finding[]> {
  return verifyLocationLogs(organisationId, heads, await listPayrollLogs(tx, organisationId))
}

/** The payroll logs of an organisation: every location that a log or a table of them names. */
export async function listPayrollLogs(tx: OrganisationTx, organisationId: OrganisationId): Promise<LocationLogs<'payroll'>> {
  const locations = await tx.execute<{ id: LocationId }>(sql`
    select location_id as id from payroll_events where organisation_id = ${organisationId}
    union select location_id from payroll_logs where organisation_id = ${organisationId}
    union select location_id from payroll_items where organisation_id = ${organisationId}
    union select location_id from payroll_lines where organisation_id = ${organisationId}
    order by 1`)
  return {
    stream: 'payroll',
    name: 'Payroll',
    locationIds: locations.map((row) => row.id),
    recordsOf: (locationId) => readRecords({ tx, organisationId }, { name: 'payroll', id: locationId }),
    headOf: async (locationId) => {
      const { version, lastHash, savedAt } = payrollLogs
      const isLog = and(eq(payrollLogs.organisationId, organisationId), eq(payrollLogs.locationId, locationId))
      return (await tx.select({ version, lastHash, savedAt }).from(payrollLogs).where(isLog))[0]
    },
    replay: replayPayroll,
    tablesOf: (locationId) => loadPayroll({ tx, organisationId, locationId }, 'all'),
    straysOf: (locationId) => findLinesWithoutImport(tx, organisationId, locationId),
  }
}

/** Finds lines in months without an import. Such lines belong to no item, so comparing items would miss them. */
async function findLinesWithoutImport(tx: OrganisationTx, organisationId: OrganisationId, locationId: LocationId): Promise<string[]> {
  const months = await tx.execute<{ year: number; month: number }>(sql`
    select distinct line.year, line.month from payroll_lines line
    where organisation_id = ${organisationId} and location_id = ${locationId} and not exists (
      select from payroll_items item where item.organisation_id = line.organisation_id and item.location_id = line.location_id
        and item.kind = 'actuals' and item.year = line.year and item.month = line.month)`)
  return months.map((month) => `The table has lines in ${formatIsoMonth(month)} that no import explains.`)
}
