import { z } from 'zod'
import { exportRequest, listRequest } from '../../../domain/lists/lists.ts'
import { budgetCodeType, requestType } from '../../../domain/lookups/lookupIds.ts'
import { describeLookup } from '../../../domain/lookups/lookups.ts'
import { listViewPermissions } from '../../../domain/people/permissions.ts'
import { resources } from '../../../domain/resources/all.ts'
import { toOrganisationId } from '../../../domain/values/ids.ts'
import { defineRestPaths, global, inOrganisation, router } from '../../core/calls/procedures.ts'
import { csvReply } from '../../core/calls/reply.ts'
import { exportList } from '../../resources/files.ts'
import * as queries from '../../resources/queries.ts'
import { createPageReply, createRecordsReply, nameItems } from '../../resources/replies.ts'
import {
  listAdminTables,
  listLeaveTypes,
  listRecordNames,
  loadBudgetCode,
  readLevySettings,
  readLocalAuthorities,
  readRecordsByField,
  readVisibleLocations,
} from '../../shared/lookups/queries.ts'
import * as replies from './replies.ts'

const at = defineRestPaths('/api/')
const byId = z.object({ id: z.int().positive() })

/** Lists of choices for screens, in addition to the operations that every entity has. */
export const lookupRouter = router({
  /**
   * The active admin tables of a type. If a local authority is given, funding rate tables are listed only if they
   * have rates for it (behaviours B-154 and B-191).
   */
  adminTables: global(
    'signedIn',
    'short',
    at('POST', 'AdminTables/list/byType/{type:integer}', { entity: 'AdminTable', summary: 'List the active admin tables of a type' }),
  )
    .input(
      z.object({
        type: z.int().describe(`${describeLookup('adminTableTypes')}.`),
        types: z.array(z.int()).max(20).nullish(),
        localAuthorityId: z.int().nullish(),
      }),
    )
    .output(createRecordsReply(resources.adminTable))
    .query(({ ctx, input }) =>
      ctx.inTransaction((tx) => listAdminTables(tx, input.types?.length ? input.types : [input.type], input.localAuthorityId ?? null)),
    ),
  /** How the levy is calculated for the organisation (rules.md §9). */
  levySettings: inOrganisation(
    listViewPermissions('ConsoleApprenticeshipLevy'),
    'short',
    at('GET', 'ApprenticeshipLevies/settings', { entity: 'ApprenticeshipLevy', summary: 'Read how the apprenticeship levy is calculated' }),
  )
    .output(replies.levySettings)
    .query(({ ctx }) => ctx.inTransaction((tx) => readLevySettings(tx, ctx.organisationId))),
  incomeCodes: inOrganisation(
    'signedIn',
    'short',
    at('GET', 'BudgetCodes/list/income', { entity: 'BudgetCode', summary: 'List the income budget codes' }),
  )
    .output(createRecordsReply(resources.budgetCode))
    .query(({ ctx }) =>
      ctx.inTransaction((tx) => readRecordsByField(tx, resources.budgetCode, { rows: ctx.rows, filter: 'type', values: [1] })),
    ),
  expenditureCodes: inOrganisation(
    'signedIn',
    'short',
    at('GET', 'BudgetCodes/list/expenditure', { entity: 'BudgetCode', summary: 'List the expenditure budget codes' }),
  )
    .output(createRecordsReply(resources.budgetCode))
    .query(({ ctx }) =>
      ctx.inTransaction((tx) => readRecordsByField(tx, resources.budgetCode, { rows: ctx.rows, filter: 'type', values: [2] })),
    ),
  isIncome: inOrganisation(
    'signedIn',
    'short',
    at('GET', 'budgeting/BudgetCodes/is/income/{id:integer}', {
      entity: 'BudgetCode',
      summary: 'Read whether a budget code is for income',
    }),
  )
    .input(byId)
    .output(replies.yesOrNo)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => (await loadBudgetCode(tx, ctx.rows, input.id)).type === budgetCodeType.income),
    ),
  isExpenditure: inOrganisation(
    'signedIn',
    'short',
    at('GET', 'budgeting/BudgetCodes/is/expenditure/{id:integer}', {
      entity: 'BudgetCode',
      summary: 'Read whether a budget code is for expenditure',
    }),
  )
    .input(byId)
    .output(replies.yesOrNo)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => (await loadBudgetCode(tx, ctx.rows, input.id)).type === budgetCodeType.expenditure),
    ),
  /** The names of extended leave types, without duplicates across tables. */
  leaveTypes: global(
    'signedIn',
    'short',
    at('GET', 'ExtendedLeaveTypes/distinct', { entity: 'ExtendedLeaveType', summary: 'List the names of extended leave types' }),
  )
    .output(nameItems)
    .query(({ ctx }) => ctx.inTransaction((tx) => listLeaveTypes(tx))),
  nationalPoints: global(
    'signedIn',
    'short',
    at('POST', 'PayScalePoint/list/global', { entity: 'PayScalePoint', summary: 'List the national pay scale points' }),
  )
    .input(listRequest)
    .output(createPageReply(resources.payScalePoint))
    .query(({ ctx, input }) =>
      ctx.inTransaction((tx) =>
        queries.listRecords({ tx, scope: ctx.rows }, resources.payScalePoint, { ...input, requestType: requestType.national }),
      ),
    ),
  locationsOf: global(
    'signedIn',
    'short',
    at('GET', 'Locations/list/organisation/{id:integer}', { entity: 'Location', summary: 'List the locations of an organisation' }),
  )
    .input(z.object({ id: byId.shape.id.describe('Id of the organisation.') }))
    .output(createRecordsReply(resources.location))
    .query(({ ctx, input }) => ctx.inTransaction((tx) => readVisibleLocations(tx, ctx.rows, toOrganisationId(input.id)))),
  locationNames: global(
    'signedIn',
    'short',
    at('GET', 'Organisations/locations/{id:integer}', {
      entity: 'Organisation',
      summary: 'List the names of the locations of an organisation',
    }),
  )
    .input(byId)
    .output(nameItems)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) =>
        (await readVisibleLocations(tx, ctx.rows, toOrganisationId(input.id))).map((row) => ({ id: row.id, name: String(row.name) })),
      ),
    ),
  localAuthorities: inOrganisation(
    'signedIn',
    'short',
    at('POST', 'Locations/localauthority', { entity: 'Location', summary: 'List the local authorities of selected locations' }),
  )
    .input(z.object({ locationIds: z.array(z.int().brand<'LocationId'>()).min(1, 'Choose at least one location.').max(1000) }))
    .output(replies.localAuthorities)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => readLocalAuthorities(tx, ctx.rows, input.locationIds))),
  exportLocations: global(
    'administrator',
    'file',
    at('POST', 'Locations/export/admin', { entity: 'Location', summary: 'Export the locations of all organisations' }),
  )
    .input(exportRequest)
    .output(csvReply)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => exportList({ ...ctx, tx }, resources.location, { rows: ctx.rows, input }))),
  bfrCodes: global(
    'signedIn',
    'short',
    at('GET', 'BFRCodes/list/{types}', { entity: 'BFRCode', summary: 'List the BFR codes of selected types' }),
  )
    .input(
      z.object({
        types: z
          .string()
          .regex(/^\d(,\d)*$/, 'Types must be numbers with commas between them.')
          .meta({ description: `One or more types, with commas between them: ${describeLookup('bfrCodeTypes')}.`, examples: ['1,2'] }),
      }),
    )
    .output(createRecordsReply(resources.bFRCode))
    .query(({ ctx, input }) =>
      ctx.inTransaction((tx) =>
        readRecordsByField(tx, resources.bFRCode, { rows: ctx.rows, filter: 'type', values: input.types.split(',').map(Number) }),
      ),
    ),
  /** National and the organisation's own codes of one scheme, without archived ones (behaviour B-128). */
  financialCodes: inOrganisation(
    'signedIn',
    'short',
    at('GET', 'FinancialReportingCodes/list/type/{type:integer}', {
      entity: 'FinancialReportingCode',
      summary: 'List the financial reporting codes of a type',
    }),
  )
    .input(z.object({ type: z.int().describe(`${describeLookup('financialCodeTypes')}.`) }))
    .output(createRecordsReply(resources.financialReportingCode))
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) =>
        (await readRecordsByField(tx, resources.financialReportingCode, { rows: ctx.rows, filter: 'type', values: [input.type] })).filter(
          (row) => !row.archive,
        ),
      ),
    ),
  benchmarkingGroups: global(
    'signedIn',
    'short',
    at('GET', 'BenchmarkingGroups/names', { entity: 'BenchmarkingGroup', summary: 'List the names of benchmarking groups' }),
  )
    .output(nameItems)
    .query(({ ctx }) => ctx.inTransaction((tx) => listRecordNames(tx, resources.benchmarkingGroup))),
  inflationRates: inOrganisation(
    listViewPermissions('ConsoleNonStaffInflation'),
    'short',
    at('GET', 'InflationRate/list/{id:integer}', { entity: 'InflationRate', summary: 'List the inflation rates of a set' }),
  )
    .input(z.object({ id: byId.shape.id.describe('Id of the set of non-staff inflation rates.') }))
    .output(createRecordsReply(resources.inflationRate))
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await queries.readRecord({ tx, scope: ctx.rows }, resources.inflation, { id: input.id })
        return readRecordsByField(tx, resources.inflationRate, { rows: ctx.rows, filter: 'inflationId', values: [input.id] })
      }),
    ),
})
