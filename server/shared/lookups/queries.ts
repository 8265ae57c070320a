import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { resources } from '../../../domain/resources/all.ts'
import type { AnyRecord, AnyResource } from '../../../domain/resources/resource.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { requireNumber } from '../../../domain/values/unknownValues.ts'
import { notFound } from '../../../domain/words/errors.ts'
import type { RowScope } from '../../core/calls/scope.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { getResourceTable, readResourceRecords } from '../../core/database/tables.ts'
import * as queries from '../../resources/queries.ts'
import { buildCallerRowsCondition } from '../../resources/rowRules.ts'

/** The records in which the field named `filter` has one of the values, in the resource's order. */
export async function readRecordsByField(
  tx: OrganisationTx,
  resource: AnyResource,
  { rows, filter, values }: { rows: RowScope; filter: string; values: number[] },
): Promise<AnyRecord[]> {
  return queries.listAllRecords({ tx, scope: rows }, resource, { filters: [{ filter, filterType: 'set', values }] })
}

export async function listRecordNames(tx: OrganisationTx, resource: AnyResource): Promise<{ id: number; name: string }[]> {
  const { table, columns } = getResourceTable(resource)
  const rows = await tx
    .select({ id: columns.id, name: assertDefined(columns.name) })
    .from(table)
    .orderBy(asc(assertDefined(columns.name)))
  return rows.map(({ id, name }) => ({ id, name: String(name) }))
}

export async function loadBudgetCode(tx: OrganisationTx, rows: RowScope, id: number): Promise<AnyRecord> {
  return queries.readRecord({ tx, scope: { ...rows, locationIds: null } }, resources.budgetCode, { id })
}

/**
 * The locations of an organisation that the caller may see.
 * @throws DomainError 404 for an organisation the caller does not belong to
 */
export async function readVisibleLocations(tx: OrganisationTx, rows: RowScope, organisationId: OrganisationId): Promise<AnyRecord[]> {
  await queries.readRecord({ tx, scope: rows }, resources.organisation, { id: organisationId })
  const { table, columns } = getResourceTable(resources.location)
  const found = await tx
    .select()
    .from(table)
    .where(and(eq(columns.organisationId, organisationId), ...buildCallerRowsCondition(resources.location, { columns, scope: rows })))
    .orderBy(asc(columns.name))
  return found.map(queries.toRecord)
}

/**
 * Active admin tables of some types; funding rates only for local authorities that have some (behaviours B-154 and
 * B-191).
 */
export async function listAdminTables(tx: OrganisationTx, types: number[], localAuthorityId: number | null): Promise<AnyRecord[]> {
  const { table, columns } = getResourceTable(resources.adminTable)
  const rates = getResourceTable(resources.localAuthorityFundingRate)
  const funded = localAuthorityId
    ? sql`(${columns.type} <> 5 or exists (select from ${rates.table} where ${rates.columns.adminTable} = ${columns.id} and ${rates.columns.localAuthority} = ${localAuthorityId}))`
    : undefined
  const rows = await tx
    .select()
    .from(table)
    .where(and(inArray(columns.type, types), eq(columns.active, true), funded))
    .orderBy(asc(columns.name))
  return rows.map(queries.toRecord)
}

/** How the levy is calculated for an organisation (rules.md §9). */
export async function readLevySettings(tx: OrganisationTx, organisationId: OrganisationId) {
  const [row] = await readResourceRecords(tx, resources.organisation, { column: 'id', ids: [organisationId] })
  return {
    calculateApprenticeshipLevyAutomatically: Boolean(row?.calculateApprenticeshipLevyAutomatically),
    apprenticeshipLevyAllowanceAsPercentage: Boolean(row?.apprenticeshipLevyAllowanceAsPercentage),
    annualAllowance: 15_000,
    ratePercentage: 0.5,
  }
}

/** The names of extended leave types, without duplicates across tables. */
export async function listLeaveTypes(tx: OrganisationTx): Promise<{ id: number; name: string }[]> {
  const byName = new Map<string, number>()
  for (const { id, name } of await listRecordNames(tx, resources.extendedLeaveType)) byName.set(name, Math.min(id, byName.get(name) ?? id))
  return [...byName].map(([name, id]) => ({ id, name }))
}

/**
 * The local authorities of locations.
 * @throws DomainError 404 if the caller may not see one of them
 */
export async function readLocalAuthorities(tx: OrganisationTx, rows: RowScope, locationIds: LocationId[]) {
  const found = await readRecordsByField(tx, resources.location, { rows, filter: 'id', values: locationIds })
  if (found.length < new Set(locationIds).size) throw notFound('Location')
  const names = new Map((await listRecordNames(tx, resources.localAuthority)).map((row) => [row.id, row.name]))
  return found.map((row) => ({
    locationId: row.id,
    localAuthorityId: requireNumber(row.localAuthorityId),
    localAuthorityName: names.get(requireNumber(row.localAuthorityId)) ?? '',
  }))
}
