import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { notFound } from '../../domain/errors.ts'
import { exportRequest, listRequest } from '../../domain/lists.ts'
import { either } from '../../domain/permissions.ts'
import { resources } from '../../domain/resources/all.ts'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import type { OrganisationTx } from '../store/database.ts'
import * as queries from '../store/resourceQueries.ts'
import type { RowScope } from '../store/rowRules.ts'
import { tableFor } from '../store/tables.ts'
import { global, inOrganisation, type RestMeta, router } from '../trpc/procedures.ts'
import { exported } from './resourceFiles.ts'

const get = (path: string, entity: string): RestMeta => ({ method: 'GET', path: `/api/${path}`, entity })
const post = (path: string, entity: string): RestMeta => ({ method: 'POST', path: `/api/${path}`, entity })
const byId = z.object({ id: z.int().positive() })

/** Every row of a resource that meets some values, in its own order. */
async function rowsWith(tx: OrganisationTx, resource: AnyResource, rows: RowScope, filter: string, values: number[]): Promise<AnyRecord[]> {
  return queries.all(tx, resource, rows, { filters: [{ filter, filterType: 'set', values }] })
}

async function namesIn(tx: OrganisationTx, resource: AnyResource): Promise<{ id: number; name: string }[]> {
  const { table, columns } = tableFor(resource)
  return (await tx.select({ id: columns.id!, name: columns.name! }).from(table).orderBy(asc(columns.name!))) as {
    id: number
    name: string
  }[]
}

async function budgetCode(tx: OrganisationTx, rows: RowScope, id: number): Promise<AnyRecord> {
  return queries.get(tx, resources.budgetCode, { ...rows, locationIds: null }, id)
}

/** The lists that screens choose from, beside the nine calls that every entity has (spec 2 §7.3). */
export const lookupRouter = router({
  /** Admin tables of a type that are active, or chosen before; funding rates only where the local authority has some (behaviours B-154 and B-191). */
  adminTables: global('signedIn', post('AdminTables/list/byType/{type:integer}', 'AdminTable'))
    .input(z.object({ type: z.int(), types: z.array(z.int()).max(20).nullish(), localAuthorityId: z.int().nullish() }))
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const { table, columns } = tableFor(resources.adminTable)
        const rates = tableFor(resources.localAuthorityFundingRate)
        const types = input.types?.length ? input.types : [input.type]
        const funded = input.localAuthorityId
          ? sql`(${columns.type!} <> 5 or exists (select from ${rates.table} where ${rates.columns.adminTable!} = ${columns.id!} and ${rates.columns.localAuthority!} = ${input.localAuthorityId}))`
          : undefined
        const rows = await tx
          .select()
          .from(table)
          .where(and(inArray(columns.type!, types), eq(columns.active!, true), funded))
          .orderBy(asc(columns.name!))
        return rows.map(queries.asRecord)
      }),
    ),
  /** How the levy is worked out for the organisation (calculation.md §9). */
  levySettings: inOrganisation(either('ConsoleApprenticeshipLevy'), get('ApprenticeshipLevies/settings', 'ApprenticeshipLevy')).query(
    ({ ctx }) =>
      ctx.inTransaction(async (tx) => {
        const { table, columns } = tableFor(resources.organisation)
        const [row] = await tx.select().from(table).where(eq(columns.id!, ctx.organisationId))
        return {
          calculateApprenticeshipLevyAutomatically: Boolean(row?.calculateApprenticeshipLevyAutomatically),
          apprenticeshipLevyAllowanceAsPercentage: Boolean(row?.apprenticeshipLevyAllowanceAsPercentage),
          annualAllowance: 15_000,
          ratePercentage: 0.5,
        }
      }),
  ),
  incomeCodes: inOrganisation('signedIn', get('BudgetCodes/list/income', 'BudgetCode')).query(({ ctx }) =>
    ctx.inTransaction((tx) => rowsWith(tx, resources.budgetCode, ctx.rows, 'type', [1])),
  ),
  expenditureCodes: inOrganisation('signedIn', get('BudgetCodes/list/expenditure', 'BudgetCode')).query(({ ctx }) =>
    ctx.inTransaction((tx) => rowsWith(tx, resources.budgetCode, ctx.rows, 'type', [2])),
  ),
  isIncome: inOrganisation('signedIn', get('budgeting/BudgetCodes/is/income/{id:integer}', 'BudgetCode'))
    .input(byId)
    .query(({ ctx, input }) => ctx.inTransaction(async (tx) => (await budgetCode(tx, ctx.rows, input.id)).type === 1)),
  isExpenditure: inOrganisation('signedIn', get('budgeting/BudgetCodes/is/expenditure/{id:integer}', 'BudgetCode'))
    .input(byId)
    .query(({ ctx, input }) => ctx.inTransaction(async (tx) => (await budgetCode(tx, ctx.rows, input.id)).type === 2)),
  /** The names of extended leave types, each once however many tables have a rate of it. */
  leaveTypes: global('signedIn', get('ExtendedLeaveTypes/distinct', 'ExtendedLeaveType')).query(({ ctx }) =>
    ctx.inTransaction(async (tx) => {
      const byName = new Map<string, number>()
      for (const { id, name } of await namesIn(tx, resources.extendedLeaveType)) byName.set(name, Math.min(id, byName.get(name) ?? id))
      return [...byName].map(([name, id]) => ({ id, name }))
    }),
  ),
  nationalPoints: global('signedIn', post('PayScalePoint/list/global', 'PayScalePoint'))
    .input(listRequest)
    .query(({ ctx, input }) =>
      ctx.inTransaction((tx) => queries.list(tx, resources.payScalePoint, ctx.rows, { ...input, requestType: 2 })),
    ),
  locationsOf: global('signedIn', get('Locations/list/organisation/{id:integer}', 'Location'))
    .input(byId)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => locationsOf(tx, ctx.rows, input.id))),
  locationNames: global('signedIn', get('Organisations/locations/{id:integer}', 'Organisation'))
    .input(byId)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => (await locationsOf(tx, ctx.rows, input.id)).map((row) => ({ id: row.id, name: String(row.name) }))),
    ),
  localAuthorities: inOrganisation('signedIn', post('Locations/localauthority', 'Location'))
    .input(z.object({ locationIds: z.array(z.int()).min(1, 'Choose at least one location.').max(1000) }))
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const found = await rowsWith(tx, resources.location, ctx.rows, 'id', input.locationIds)
        if (found.length < new Set(input.locationIds).size) throw notFound('Location')
        const names = new Map((await namesIn(tx, resources.localAuthority)).map((row) => [row.id, row.name]))
        return found.map((row) => ({
          locationId: row.id,
          localAuthorityId: row.localAuthorityId as number,
          localAuthorityName: names.get(row.localAuthorityId as number) ?? '',
        }))
      }),
    ),
  exportLocations: global('administrator', post('Locations/export/admin', 'Location'))
    .input(exportRequest)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => exported(tx, resources.location, ctx.rows, input, ctx.now))),
  bfrCodes: global('signedIn', get('BFRCodes/list/{types}', 'BFRCode'))
    .input(z.object({ types: z.string().regex(/^\d(,\d)*$/, 'Types must be numbers with commas between them.') }))
    .query(({ ctx, input }) =>
      ctx.inTransaction((tx) => rowsWith(tx, resources.bFRCode, ctx.rows, 'type', input.types.split(',').map(Number))),
    ),
  /** National and own codes of one scheme; archived ones are not offered (behaviour B-128). */
  financialCodes: inOrganisation('signedIn', get('FinancialReportingCodes/list/type/{type:integer}', 'FinancialReportingCode'))
    .input(z.object({ type: z.int() }))
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) =>
        (await rowsWith(tx, resources.financialReportingCode, ctx.rows, 'type', [input.type])).filter((row) => !row.archive),
      ),
    ),
  benchmarkingGroups: global('signedIn', get('BenchmarkingGroups/names', 'BenchmarkingGroup')).query(({ ctx }) =>
    ctx.inTransaction((tx) => namesIn(tx, resources.benchmarkingGroup)),
  ),
  inflationRates: inOrganisation(either('ConsoleNonStaffInflation'), get('InflationRate/list/{id:integer}', 'InflationRate'))
    .input(byId)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await queries.get(tx, resources.inflation, ctx.rows, input.id)
        return rowsWith(tx, resources.inflationRate, ctx.rows, 'inflationId', [input.id])
      }),
    ),
})

/** The locations of an organisation the caller belongs to. @throws DomainError 404 for another */
async function locationsOf(tx: OrganisationTx, rows: RowScope, organisationId: number): Promise<AnyRecord[]> {
  await queries.get(tx, resources.organisation, rows, organisationId)
  const { table, columns } = tableFor(resources.location)
  const within = rows.organisationId === organisationId && rows.locationIds ? inArray(columns.id!, rows.locationIds) : undefined
  const found = await tx
    .select()
    .from(table)
    .where(and(eq(columns.organisationId!, organisationId), within))
    .orderBy(asc(columns.name!))
  return found.map(queries.asRecord)
}
