import { z } from 'zod'
import { listRequest } from '../../../domain/lists/lists.ts'
import { budgetingPermissions } from '../../../domain/people/permissions.ts'
import { resources } from '../../../domain/resources/all.ts'
import { defineRestPaths, inLocation, inOrganisation, router } from '../../core/calls/procedures.ts'
import type { RowScope } from '../../core/calls/scope.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import * as records from '../../resources/commands.ts'
import * as queries from '../../resources/queries.ts'
import { createPageReply, createRecordReply } from '../../resources/replies.ts'

const at = defineRestPaths('/api/')
const byId = z.object({ id: z.int().positive() })

/** An unused name: `Central (copy)`, `Central (copy 2)`, cut to the maximum length. */
async function nameOfCopy(tx: OrganisationTx, rows: RowScope, name: string): Promise<string> {
  const taken = new Set(
    (await queries.listAllRecords({ tx, scope: rows }, resources.inflation, {})).map((row) => String(row.name).toLowerCase()),
  )
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? ' (copy)' : ` (copy ${number})`
    const copy = name.slice(0, resources.inflation.fields.name.max - suffix.length) + suffix
    if (!taken.has(copy.toLowerCase())) return copy
  }
}

export const incomeAndExpenditureRouter = router({
  /** Copies a set of price rises with all its rates (behaviour B-178). */
  duplicateInflation: inOrganisation(
    ['ConsoleNonStaffInflationReadUpdate'],
    'short',
    at('POST', 'Inflation/duplicate/{id:integer}', {
      status: 201,
      entity: 'Inflation',
      summary: 'Copy a set of non-staff inflation rates',
    }),
  )
    .input(byId)
    .output(createRecordReply(resources.inflation))
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const source = await queries.readRecord({ tx, scope: ctx.rows }, resources.inflation, { id: input.id })
        const by = { scope: ctx.rows, actor: ctx.actor }
        const copy = await records.createRecord(
          { tx, resource: resources.inflation, ...by },
          { name: await nameOfCopy(tx, ctx.rows, String(source.name)), description: source.description },
        )
        const rates = await queries.listAllRecords({ tx, scope: ctx.rows }, resources.inflationRate, {
          filters: [{ filter: 'inflationId', filterType: 'set', values: [source.id] }],
        })
        for (const { budgetCodeId, rates: five } of rates)
          await records.createRecord({ tx, resource: resources.inflationRate, ...by }, { inflationId: copy.id, budgetCodeId, rates: five })
        return copy
      }),
    ),
  /** The profile templates a location may use. */
  profileTemplates: inLocation(
    budgetingPermissions,
    'short',
    at('POST', 'budgeting/ProfileTemplates/list', {
      entity: 'ProfileTemplate',
      summary: 'List the profile templates that a budget can use',
    }),
  )
    .input(listRequest)
    .output(createPageReply(resources.profileTemplate))
    .query(({ ctx, input }) =>
      ctx.inTransaction((tx) =>
        queries.listRecords({ tx, scope: { ...ctx.rows, locationIds: [ctx.locationId] } }, resources.profileTemplate, input),
      ),
    ),
  profileTemplate: inLocation(
    budgetingPermissions,
    'short',
    at('GET', 'budgeting/ProfileTemplates/{id:integer}', {
      entity: 'ProfileTemplate',
      summary: 'Read a profile template that a budget can use',
    }),
  )
    .input(byId)
    .output(createRecordReply(resources.profileTemplate))
    .query(({ ctx, input }) =>
      ctx.inTransaction((tx) =>
        queries.readRecord({ tx, scope: { ...ctx.rows, locationIds: [ctx.locationId] } }, resources.profileTemplate, { id: input.id }),
      ),
    ),
})
