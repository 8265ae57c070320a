import { and, eq, sql } from 'drizzle-orm'
import { normaliseLayoutRequest, type ReportLayoutRequest } from '../../../../domain/reports/layouts.ts'
import type { AnyRecord } from '../../../../domain/resources/resource.ts'
import { requireSingleRow } from '../../../../domain/values/assertDefined.ts'
import type { LocationId, UserId } from '../../../../domain/values/ids.ts'
import { conflict, forbidden, invalid } from '../../../../domain/words/errors.ts'
import { reportLayouts } from '../../../../drizzle/consoleTables.ts'
import type { Call } from '../../../core/calls/call.ts'
import { advisoryLocks } from '../../../core/database/advisoryLocks.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { logRecordChange } from '../../../resources/referenceLog.ts'
import { deleteUndeclaredRecord, lockUndeclaredRecord, type UndeclaredKind, updateUndeclaredRecord } from '../../../resources/undeclared.ts'
import { checkLineFilters, findComparedScope, readScope } from '../scopes/queries.ts'
import type { LayoutInput } from './inputs.ts'
import { isOwnLayout, type LayoutRow, type LayoutUser, mayChangeLayout, readVisibleLayout } from './queries.ts'

/** The most layouts of one person. */
const mostLayouts = 100

const layoutLog = { name: 'reportLayout' }

/** A layout as the log stores it. For a private one, its name and request are left out, because they could not be erased with its owner. */
function toLogRecord(row: LayoutRow): AnyRecord {
  if (row.isShared) return { ...row }
  const { name: _name, request: _request, ...rest } = row
  return rest
}

const keptBy = (caller: LayoutUser): UndeclaredKind<LayoutRow> => ({
  ...layoutLog,
  table: reportLayouts,
  get: (tx, _organisationId, id) => readVisibleLayout(tx, caller, id),
  toLogged: toLogRecord,
})

/**
 * The values to store for a layout whose budgets and locations the caller may see.
 * @throws DomainError as the report that it opens
 */
async function buildLayoutValues(tx: OrganisationTx, caller: LayoutUser, { name, isShared, isOverOpen, request: given }: LayoutInput) {
  const request = normaliseLayoutRequest(given, isOverOpen)
  await checkLineFilters(tx, caller.organisationId, request)
  return { name, isShared, isOverOpen, request, locationIds: isOverOpen ? [] : await listNamedLocations(tx, caller, request) }
}

/**
 * The locations in a layout, named directly or through a budget. A group is left out, because each reader sees only their own locations of
 * it.
 */
async function listNamedLocations(tx: OrganisationTx, caller: LayoutUser, request: ReportLayoutRequest): Promise<LocationId[]> {
  const isComparison = request.report === 'budgetComparison'
  if (isComparison && (request.budgetIds?.length ?? 0) < 2)
    throw invalid([{ field: 'budgetIds', message: 'Choose two to four budgets to compare.' }])
  const { budgets } = isComparison
    ? await findComparedScope({ ...caller, tx }, request.budgetIds ?? [], request.yearNames)
    : await readScope({ ...caller, tx }, request)
  const named = isComparison || request.budgetId ? budgets.map(({ location }) => location.id) : []
  return [...new Set([...named, ...(request.locationIds ?? [])])].sort((a, b) => a - b)
}

/**
 * Saves a report request under a name.
 * @throws DomainError 403 for an API client, which is not a person; 404 or 400 for an invalid report; 409 for a name
 * that is taken, or above the limit
 */
export async function createLayout(tx: OrganisationTx, caller: LayoutUser, input: LayoutInput): Promise<LayoutRow> {
  const { organisationId, actor } = caller
  if (actor.userId === null) throw forbidden()
  await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.layouts}, ${actor.userId})`)
  if (
    (await tx.$count(reportLayouts, and(eq(reportLayouts.organisationId, organisationId), eq(reportLayouts.ownerId, actor.userId)))) >=
    mostLayouts
  )
    throw conflict('tooMany', `You can have at most ${mostLayouts} layouts. Delete one that is no longer needed.`)
  const values = await buildLayoutValues(tx, caller, input)
  const row = requireSingleRow(
    await tx
      .insert(reportLayouts)
      .values({ ...values, organisationId, ownerId: actor.userId, created: actor.now.toISOString() })
      .returning(),
  )
  const layoutKind = keptBy(caller)
  await logRecordChange({ tx, actor }, layoutKind, { action: 'created', before: null, after: layoutKind.toLogged(row) })
  return row
}

/**
 * Reads and locks a layout that the caller may change.
 * @throws DomainError 403 for a layout that another user shared; 404 for an unknown layout; 409 if it was saved since the caller read it
 */
async function lockLayout(tx: OrganisationTx, caller: LayoutUser, wanted: { id: number; version?: number }): Promise<LayoutRow> {
  const row = await lockUndeclaredRecord(tx, keptBy(caller), { organisationId: caller.organisationId, ...wanted })
  if (!mayChangeLayout(row, caller)) throw forbidden()
  return row
}

/** @throws DomainError as `createLayout`, and as `deleteLayout`; 409 if the layout was saved since the caller read it */
export async function updateLayout(
  tx: OrganisationTx,
  caller: LayoutUser,
  { id, version, ...input }: LayoutInput & { id: number; version: number },
): Promise<LayoutRow> {
  const before = await lockLayout(tx, caller, { id, version })
  if (!isOwnLayout(before, caller) && !input.isShared)
    throw invalid([{ field: 'isShared', message: 'Only the person who created this layout can stop sharing it.' }])
  return updateUndeclaredRecord({ ...caller, tx }, keptBy(caller), { before, set: await buildLayoutValues(tx, caller, input) })
}

/** @throws DomainError 403 for a layout that another user shared; 404 for an unknown layout */
export async function deleteLayout(tx: OrganisationTx, caller: LayoutUser, id: number): Promise<void> {
  await deleteUndeclaredRecord({ ...caller, tx }, keptBy(caller), await lockLayout(tx, caller, { id }))
}

/** Deletes a user's private layouts, in all organisations. */
export async function deletePrivateLayouts(call: Call<'actor'>, userId: UserId): Promise<void> {
  const { tx } = call
  const gone = await tx
    .delete(reportLayouts)
    .where(and(eq(reportLayouts.ownerId, userId), eq(reportLayouts.isShared, false)))
    .returning()
  for (const row of gone) await logRecordChange(call, layoutLog, { action: 'deleted', before: toLogRecord(row), after: null })
}
