import { and, asc, eq, or, sql } from 'drizzle-orm'
import { hasAnyPermission } from '../../../../domain/people/permissions.ts'
import type { ReportLayout } from '../../../../domain/reports/layouts.ts'
import type { OrganisationId } from '../../../../domain/values/ids.ts'
import { notFound } from '../../../../domain/words/errors.ts'
import { reportLayouts } from '../../../../drizzle/consoleTables.ts'
import type { Actor } from '../../../core/calls/actor.ts'
import type { CallerRights } from '../../../core/calls/context.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'

export type LayoutRow = typeof reportLayouts.$inferSelect

/** The caller who uses layouts. */
export interface LayoutUser {
  organisationId: OrganisationId
  holder: CallerRights
  actor: Actor
}

export const isOwnLayout = (row: Pick<LayoutRow, 'ownerId'>, { actor }: LayoutUser): boolean =>
  actor.userId !== null && row.ownerId === actor.userId

/** Whether the caller may change a layout: their own or, as an organisation manager, a shared one. */
export const mayChangeLayout = (row: Pick<LayoutRow, 'ownerId' | 'isShared'>, caller: LayoutUser): boolean =>
  isOwnLayout(row, caller) ||
  (row.isShared && !caller.holder.locationIds && hasAnyPermission(caller.holder, ['ConsoleOrganisationsReadUpdate']))

export function presentReportLayout(row: LayoutRow, caller: LayoutUser): ReportLayout {
  const { id, version, name, isShared, isOverOpen, request } = row
  return { id, version, name, isShared, isOverOpen, request, isOwn: isOwnLayout(row, caller), mayChange: mayChangeLayout(row, caller) }
}

/** The condition for layouts that the caller may see: their own, and shared ones if they may see every location in them. */
function visibleLayoutsCondition({ organisationId, holder, actor }: LayoutUser) {
  const { locationIds } = holder
  return and(
    eq(reportLayouts.organisationId, organisationId),
    or(
      actor.userId === null ? undefined : eq(reportLayouts.ownerId, actor.userId),
      and(
        reportLayouts.isShared,
        locationIds ? sql`${reportLayouts.locationIds} <@ ${sql.param(`{${locationIds.join(',')}}`)}::integer[]` : undefined,
      ),
    ),
  )
}

/** The layouts available to the caller, in order of name. */
export async function listLayouts(tx: OrganisationTx, caller: LayoutUser): Promise<LayoutRow[]> {
  return tx
    .select()
    .from(reportLayouts)
    .where(visibleLayoutsCondition(caller))
    .orderBy(asc(sql`lower(${reportLayouts.name})`), asc(reportLayouts.id))
}

/** @throws DomainError 404 for a layout of another organisation, or someone else’s private layout */
export async function readVisibleLayout(tx: OrganisationTx, caller: LayoutUser, id: number): Promise<LayoutRow> {
  const [row] = await tx
    .select()
    .from(reportLayouts)
    .where(and(visibleLayoutsCondition(caller), eq(reportLayouts.id, id)))
  if (!row) throw notFound('Layout')
  return row
}
