import { and, eq, inArray } from 'drizzle-orm'
import { hasAnyPermission } from '../../../../domain/people/permissions.ts'
import {
  listPermissionsToExplain,
  type ReturnKey,
  type ReturnReason,
  type ReturnReasons,
} from '../../../../domain/reports/returns/returnReasons.ts'
import type { OrganisationId } from '../../../../domain/values/ids.ts'
import { notFound } from '../../../../domain/words/errors.ts'
import { returnReasons } from '../../../../drizzle/consoleTables.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { CallerRights } from '../../../core/calls/context.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { decryptText, ensureOrganisationKey } from '../../../core/database/vault.ts'
import type { ReportReader } from '../scopes/queries.ts'

export type ReasonRow = typeof returnReasons.$inferSelect

/** Whether the caller may see the reasons of a return; reasons of several locations together require access to all locations. */
const seesReasons = ({ locationId }: ReturnKey, { locationIds }: Pick<CallerRights, 'locationIds'>): boolean =>
  locationIds === null || (locationId !== null && locationIds.includes(locationId))

export const mayExplainReturn = (of: ReturnKey, holder: ReportReader['holder']): boolean =>
  seesReasons(of, holder) && hasAnyPermission(holder, listPermissionsToExplain(of))

/** @throws DomainError 404 */
export async function loadReason(tx: OrganisationTx, organisationId: OrganisationId, id: number): Promise<ReasonRow> {
  const [row] = await tx
    .select()
    .from(returnReasons)
    .where(and(eq(returnReasons.organisationId, organisationId), eq(returnReasons.id, id)))
  if (!row) throw notFound('Reason')
  return row
}

/** The reasons of some returns; null for returns whose reasons the reader may not see. */
export async function readReasonsOfReturns(
  { tx, organisationId, holder }: Call & ReportReader,
  returns: readonly ReturnKey[],
): Promise<(ReturnReasons | null)[]> {
  const years = [...new Set(returns.map(({ firstYear }) => firstYear))]
  const rows = years.length
    ? await tx
        .select()
        .from(returnReasons)
        .where(and(eq(returnReasons.organisationId, organisationId), inArray(returnReasons.firstYear, years)))
    : []
  const key = rows.length ? await ensureOrganisationKey(tx, organisationId) : null
  const shown = (row: ReasonRow): ReturnReason => ({
    line: row.line,
    version: row.version,
    text: key ? decryptText(key, row.reason) : '',
    by: key ? decryptText(key, row.writtenBy) : '',
    at: row.writtenAt,
  })
  return returns.map((of) => {
    if (!seesReasons(of, holder)) return null
    const reasonsOfReturn = rows.filter(({ locationId, firstYear }) => locationId === of.locationId && firstYear === of.firstYear)
    return { of, mayWrite: mayExplainReturn(of, holder), kept: new Map(reasonsOfReturn.map((row) => [row.line, shown(row)])) }
  })
}
