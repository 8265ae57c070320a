import { z } from 'zod'
import { listViewPermissions } from '../../../../domain/people/permissions.ts'
import { defineRestPaths, inOrganisation, router } from '../../../core/calls/procedures.ts'
import { emptyReply } from '../../../core/calls/reply.ts'
import { addActorNames, readRecordHistory } from '../../../resources/referenceLog.ts'
import { history } from '../../../resources/replies.ts'
import {
  listConnections,
  listFileRunResults,
  presentConnection,
  readConnection,
  readConnectionSample,
} from '../../../shared/integrations/connections/queries.ts'
import { refuseLimitedEditor } from '../commands.ts'
import { createConnection, deleteConnection, pauseConnection, requestRun, resumeConnection, updateConnection } from './commands.ts'
import { connectionInput } from './inputs.ts'
import * as replies from './replies.ts'

const reading = listViewPermissions('ConsoleOrganisations')
const writing = ['ConsoleOrganisationsReadUpdate'] as const
const byId = z.object({ id: z.int().positive() })
const restRoute = defineRestPaths('/api/integrations/connections', {
  entity: 'Connection',
  term: { singular: 'Connection', plural: 'Connections' },
})

/** Automatic exchange with other systems: users configure it here, workers carry it out, and a list of runs reports the results. */
export const connectionRouter = router({
  list: inOrganisation(reading, 'short', restRoute('GET', '', { summary: 'List the connections to other systems' }))
    .output(replies.connections)
    .query(({ ctx }) =>
      ctx.inTransaction(async (tx) => {
        // A connection covers every location, so callers limited to some do not see it.
        const rows = ctx.holder.locationIds ? [] : await listConnections(tx, ctx.organisationId)
        return rows.map(presentConnection)
      }),
    ),
  get: inOrganisation(reading, 'short', restRoute('GET', '/{id:integer}', { summary: 'Read a connection' }))
    .input(byId)
    .output(replies.connectionReply)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        refuseLimitedEditor(ctx)
        return presentConnection(await readConnection(tx, ctx.organisationId, input.id))
      }),
    ),
  create: inOrganisation(
    writing,
    'short',
    restRoute('POST', '', { status: 201, summary: 'Add a connection to another system, which runs on a schedule' }),
  )
    .input(connectionInput)
    .output(replies.connectionReply)
    .mutation(({ ctx, input }) => ctx.inTransaction(async (tx) => presentConnection(await createConnection({ ...ctx, tx }, input)))),
  update: inOrganisation(writing, 'short', restRoute('PUT', '', { summary: 'Change a connection' }))
    .input(connectionInput.safeExtend({ id: z.int().positive(), version: z.int() }))
    .output(replies.connectionReply)
    .mutation(({ ctx, input }) => ctx.inTransaction(async (tx) => presentConnection(await updateConnection({ ...ctx, tx }, input)))),
  delete: inOrganisation(writing, 'short', restRoute('DELETE', '/{id:integer}', { status: 204, summary: 'Delete a connection' }))
    .input(byId)
    .output(emptyReply)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => deleteConnection({ ...ctx, tx }, input.id))),
  pause: inOrganisation(writing, 'short', restRoute('POST', '/{id:integer}/pause', { summary: 'Pause a connection’s schedule' }))
    .input(byId)
    .output(replies.connectionReply)
    .mutation(({ ctx, input }) => ctx.inTransaction(async (tx) => presentConnection(await pauseConnection({ ...ctx, tx }, input.id)))),
  resume: inOrganisation(writing, 'short', restRoute('POST', '/{id:integer}/resume', { summary: 'Resume a connection’s schedule' }))
    .input(byId)
    .output(replies.connectionReply)
    .mutation(({ ctx, input }) => ctx.inTransaction(async (tx) => presentConnection(await resumeConnection({ ...ctx, tx }, input.id)))),
  run: inOrganisation(writing, 'short', restRoute('POST', '/{id:integer}/run', { summary: 'Run a connection now' }))
    .input(byId)
    .output(replies.connectionReply)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => presentConnection(await requestRun({ ...ctx, tx }, { id: input.id, mode: 'run' }))),
    ),
  /** Tries a connection: a worker checks what a run would do, and `runs` shows the result. Nothing is sent, moved or saved. */
  try: inOrganisation(
    writing,
    'short',
    restRoute('POST', '/{id:integer}/try', { summary: 'Test a run of a connection without sending, moving or saving anything' }),
  )
    .input(byId)
    .output(replies.connectionReply)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => presentConnection(await requestRun({ ...ctx, tx }, { id: input.id, mode: 'try' }))),
    ),
  runs: inOrganisation(
    reading,
    'short',
    restRoute('GET', '/{id:integer}/runs', { summary: 'List the runs of a connection and their results' }),
  )
    .input(
      byId.extend({
        before: z.int().positive().max(Number.MAX_SAFE_INTEGER).nullish().describe('The id of the last one received, to get earlier ones.'),
        most: z.int().min(1, 'Request 1 to 200.').max(200, 'Request 1 to 200.').default(50).describe('The maximum number returned.'),
      }),
    )
    .output(replies.runs)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        refuseLimitedEditor(ctx)
        return listFileRunResults(tx, await readConnection(tx, ctx.organisationId, input.id), input)
      }),
    ),
  /** The data received by the last try, to which the user assigns columns. */
  sample: inOrganisation(writing, 'short')
    .input(byId)
    .output(replies.sample)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        refuseLimitedEditor(ctx)
        return readConnectionSample(tx, ctx, await readConnection(tx, ctx.organisationId, input.id))
      }),
    ),
  history: inOrganisation(writing, 'short')
    .input(byId)
    .output(history)
    .query(async ({ ctx, input }) => {
      const entries = await ctx.inTransaction(async (tx) => {
        refuseLimitedEditor(ctx)
        await readConnection(tx, ctx.organisationId, input.id)
        return readRecordHistory(tx, { name: 'connection' }, input.id)
      })
      return addActorNames(ctx.services.store, entries)
    }),
})
