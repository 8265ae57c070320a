import { z } from 'zod'
import { bulkEditRequest, exportRequest, listRequest } from '../../../domain/lists/lists.ts'
import { budgetingPermissions, hasAnyPermission, listViewPermissions } from '../../../domain/people/permissions.ts'
import { resources } from '../../../domain/resources/all.ts'
import type { AnyRecord, AnyResource } from '../../../domain/resources/resource.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { LocationId } from '../../../domain/values/ids.ts'
import { requireNumbers, textOrNull } from '../../../domain/values/unknownValues.ts'
import { forbidden } from '../../../domain/words/errors.ts'
import type { Call } from '../../core/calls/call.ts'
import { defineRestPaths, inLocation, inOrganisation, router } from '../../core/calls/procedures.ts'
import { csvReply, emptyReply } from '../../core/calls/reply.ts'
import type { RowScope } from '../../core/calls/scope.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { parsePatchValues } from '../../resources/change.ts'
import { exportList } from '../../resources/files.ts'
import * as queries from '../../resources/queries.ts'
import { bulkEditResult, createPageReply, createRecordReply } from '../../resources/replies.ts'
import { applyAltDescriptions, readAltDescriptions, readAltDescriptionsOfCode } from '../../shared/altDescriptions/queries.ts'
import { saveAltDescription } from './commands.ts'
import * as replies from './replies.ts'

const reading = listViewPermissions('BudgetingOverview')
const writing = ['BudgetingOverviewReadUpdate'] as const
const restRoute = defineRestPaths('/api/budgeting/')
const alternative = z
  .string()
  .trim()
  .max(200, 'Alternative description can have at most 200 characters.')
  .nullish()
  .transform((text) => text || null)
const code = resources.budgetCode
const centre = resources.costCentre

const coded = z.object({ resource: z.enum(['budgetCode', 'costCentre']), id: z.int().positive() })
const codeOf = (name: 'budgetCode' | 'costCentre'): AnyResource => resources[name]

/** The codes that a location may use: its own, and those for all locations. */
const scopeToLocation = (rows: RowScope, locationId: LocationId): RowScope => ({ ...rows, locationIds: [locationId] })

async function page(
  call: Call<'locationId'>,
  resource: AnyResource,
  { rows, input }: { rows: RowScope; input: z.infer<typeof listRequest> },
) {
  const { tx, locationId } = call
  const found = await queries.listRecords({ tx, scope: scopeToLocation(rows, locationId) }, resource, input)
  return { rows: await applyAltDescriptions(call, resource, found.rows), total: found.total }
}

const shown = (record: AnyRecord) => ({
  id: record.id,
  code: String(record.code),
  description: String(record.description),
  altDescription: textOrNull(record.altDescription),
})

/** Codes on the screens of a location, which can change only its own descriptions of them (behaviours B-163 and B-164). */
export const altDescriptionRouter = router({
  codes: inLocation(
    budgetingPermissions,
    'short',
    restRoute('POST', 'BudgetCodes/list', { entity: 'BudgetCode', summary: 'List the budget codes that a budget can use' }),
  )
    .input(listRequest)
    .output(createPageReply(resources.budgetCode))
    .query(({ ctx, input }) => ctx.inTransaction((tx) => page({ ...ctx, tx }, code, { rows: ctx.rows, input }))),
  exportCodes: inLocation(
    reading,
    'file',
    restRoute('POST', 'BudgetCodes/export', { entity: 'BudgetCode', summary: 'Export the budget codes that a budget can use' }),
  )
    .input(exportRequest)
    .output(csvReply)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => exportedFor(tx, code, { ...ctx, input }))),
  words: inLocation(
    reading,
    'short',
    restRoute('POST', 'BudgetCodes/list/altdescription', {
      entity: 'BudgetCode',
      summary: 'List a location’s alternative descriptions of budget codes',
    }),
  )
    .input(listRequest)
    .output(replies.altDescriptionPage)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const found = await page({ ...ctx, tx }, code, { rows: ctx.rows, input })
        return { rows: found.rows.map(shown), total: found.total }
      }),
    ),
  word: inLocation(
    reading,
    'short',
    restRoute('GET', 'BudgetCodes/altdescription', {
      entity: 'BudgetCode',
      summary: 'Read a location’s alternative description of a budget code',
    }),
  )
    .input(z.object({ id: z.int('Id is required.').positive().describe('Id of the budget code.') }))
    .output(replies.altDescription)
    .query(({ ctx, input }) => ctx.inTransaction(async (tx) => shown(await one({ ...ctx, tx }, code, { rows: ctx.rows, id: input.id })))),
  saveWord: inLocation(
    writing,
    'short',
    restRoute('POST', 'BudgetCodes/altdescription', {
      entity: 'BudgetCode',
      summary: 'Change a location’s alternative description of a budget code',
    }),
  )
    .input(z.object({ id: z.int().positive(), altDescription: alternative }))
    .output(replies.altDescription)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await one({ ...ctx, tx }, code, { rows: ctx.rows, id: input.id })
        await saveAltDescription(
          { ...ctx, tx, organisationId: ctx.organisationId, locationId: ctx.locationId, resource: code, recordId: input.id },
          input.altDescription,
        )
        return shown(await one({ ...ctx, tx }, code, { rows: ctx.rows, id: input.id }))
      }),
    ),
  centres: inLocation(
    budgetingPermissions,
    'short',
    restRoute('POST', 'CostCentres/list', { entity: 'CostCentre', summary: 'List the cost centres that a budget can use' }),
  )
    .input(listRequest)
    .output(createPageReply(resources.costCentre))
    .query(({ ctx, input }) => ctx.inTransaction((tx) => page({ ...ctx, tx }, centre, { rows: ctx.rows, input }))),
  centre: inLocation(
    budgetingPermissions,
    'short',
    restRoute('GET', 'CostCentres/{id:integer}', {
      entity: 'CostCentre',
      summary: 'Read a cost centre with the location’s alternative description',
    }),
  )
    .input(z.object({ id: z.int().positive() }))
    .output(createRecordReply(resources.costCentre))
    .query(({ ctx, input }) => ctx.inTransaction((tx) => one({ ...ctx, tx }, centre, { rows: ctx.rows, id: input.id }))),
  /** Changes only the alternative description; any other fields are ignored. */
  updateCentre: inLocation(writing, 'short', restRoute('PUT', 'CostCentres', { entity: 'CostCentre', summary: 'Change a cost centre' }))
    .input(z.looseObject({ id: z.int().positive(), altDescription: alternative }))
    .output(createRecordReply(resources.costCentre))
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await one({ ...ctx, tx }, centre, { rows: ctx.rows, id: input.id })
        await saveAltDescription(
          { ...ctx, tx, organisationId: ctx.organisationId, locationId: ctx.locationId, resource: centre, recordId: input.id },
          input.altDescription,
        )
        return one({ ...ctx, tx }, centre, { rows: ctx.rows, id: input.id })
      }),
    ),
  editCentres: inLocation(
    writing,
    'short',
    restRoute('PATCH', 'CostCentres/edit', { entity: 'CostCentre', summary: 'Change the same fields of several cost centres' }),
  )
    .input(bulkEditRequest)
    .output(bulkEditResult)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const others = Object.keys(centre.fields).filter((name) => name !== 'altDescription')
        const text = alternative.parse(parsePatchValues(centre, input.patch, others).altDescription)
        const ids = await queries.resolveRecordIds({ tx, scope: scopeToLocation(ctx.rows, ctx.locationId) }, centre, input)
        for (const id of ids)
          await saveAltDescription(
            { ...ctx, tx, organisationId: ctx.organisationId, locationId: ctx.locationId, resource: centre, recordId: id },
            text,
          )
        return { updated: ids.length }
      }),
    ),
  exportCentres: inLocation(
    reading,
    'file',
    restRoute('POST', 'CostCentres/export', { entity: 'CostCentre', summary: 'Export the cost centres that a budget can use' }),
  )
    .input(exportRequest)
    .output(csvReply)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => exportedFor(tx, centre, { ...ctx, input }))),
})

/** The alternative descriptions of one code, by location, for the console. */
export const codeDescriptionRouter = router({
  list: inOrganisation(listViewPermissions('ConsoleBudgetCodes', 'ConsoleCostCentres'), 'short')
    .input(coded)
    .output(replies.descriptionsByLocation)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const record = await queries.readRecord({ tx, scope: ctx.rows }, codeOf(input.resource), { id: input.id })
        const words = await readAltDescriptionsOfCode(tx, codeOf(input.resource), input.id)
        const locations = await queries.listAllRecords({ tx, scope: ctx.rows }, resources.location, { sort: 'name' })
        const used = requireNumbers(record.locations)
        return locations
          .filter((location) => !location.archive && (!used.length || used.includes(location.id)))
          .map((location) => ({ locationId: location.id, location: String(location.name), altDescription: words.get(location.id) ?? null }))
      }),
    ),
  save: inOrganisation(['ConsoleBudgetCodesReadUpdate', 'ConsoleCostCentresReadUpdate'], 'short')
    .input(
      coded.extend({
        words: z.array(z.object({ locationId: z.int().positive().brand<'LocationId'>(), altDescription: alternative })).max(1000),
      }),
    )
    .output(emptyReply)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const resource = codeOf(input.resource)
        if (resource.access.write === 'administrator' || !hasAnyPermission(ctx.holder, resource.access.write)) throw forbidden()
        await queries.readRecord({ tx, scope: ctx.rows }, resource, { id: input.id })
        for (const { locationId, altDescription } of input.words) {
          await queries.readRecord({ tx, scope: ctx.rows }, resources.location, { id: locationId })
          await saveAltDescription(
            { ...ctx, tx, organisationId: ctx.organisationId, locationId, resource, recordId: input.id },
            altDescription,
          )
        }
      }),
    ),
})

async function one(call: Call<'locationId'>, resource: AnyResource, { rows, id }: { rows: RowScope; id: number }): Promise<AnyRecord> {
  const { tx, locationId } = call
  const record = await queries.readRecord({ tx, scope: scopeToLocation(rows, locationId) }, resource, { id })
  return assertDefined((await applyAltDescriptions(call, resource, [record]))[0])
}

async function exportedFor(
  tx: OrganisationTx,
  resource: AnyResource,
  { rows, locationId, now, input }: { rows: RowScope; locationId: LocationId; now: Date; input: z.infer<typeof exportRequest> },
) {
  const words = await readAltDescriptions(tx, resource, locationId)
  return exportList({ tx, now }, resource, {
    rows: scopeToLocation(rows, locationId),
    input,
    as: (record) => (words.has(record.id) ? { ...record, altDescription: words.get(record.id) } : record),
  })
}
