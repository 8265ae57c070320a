import { z } from 'zod'
import { monthEndPermissions } from '../../../domain/monitoring/rights.ts'
import { packContentInput, packMonthInput } from '../../../domain/packs/input.ts'
import { packCodePattern } from '../../../domain/packs/pack.ts'
import { type LocationId, type OrganisationId, organisationWideLocationId, type UserId } from '../../../domain/values/ids.ts'
import type { Actor } from '../../core/calls/actor.ts'
import type { BudgetCall, CallerRights } from '../../core/calls/context.ts'
import { defineRestPaths, inOrganisation, router } from '../../core/calls/procedures.ts'
import { emptyReply, pdfReply } from '../../core/calls/reply.ts'
import { type OrganisationTx, openStoreWithin } from '../../core/database/database.ts'
import { publishLiveMessage } from '../../core/live/announce.ts'
import { requestFile } from '../../shared/files/commands.ts'
import { requestedFile } from '../../shared/files/replies.ts'
import * as commands from './commands.ts'
import * as queries from './queries.ts'
import * as replies from './replies.ts'

const at = defineRestPaths('/api/Packs', { term: { singular: 'Pack', plural: 'Governors’ packs' } })
const reading = ['BudgetingReportsRead'] as const

const code = z
  .string()
  .regex(packCodePattern, 'Codes have eight letters and digits, printed at the foot of each page.')
  .meta({ description: 'The code on the pages of the pack.', examples: ['7QK4M2XB'] })
const byCode = z.object({ code })
const version = z.int().positive()

interface Call {
  organisationId: OrganisationId
  holder: CallerRights
  actor: Actor
  principal: { userId: UserId | null }
  requestId: string
  services: BudgetCall['services']
  inTransaction: <T>(work: (tx: OrganisationTx) => Promise<T>) => Promise<T>
}

const whoOf = ({ organisationId, holder, actor }: Call) => ({ organisationId, holder, actor })

/** Runs a change to a pack and tells open monitoring screens, because packs are stored in the monitoring logs. */
async function changing<T>(ctx: Call, work: (tx: OrganisationTx) => Promise<{ result: T; locationIds: LocationId[] }>): Promise<T> {
  const { result, locationIds } = await ctx.inTransaction(work)
  const argument = { locationIds, byId: ctx.principal.userId, requestId: ctx.requestId }
  await publishLiveMessage(ctx.services, { target: 'MonitoringChanged', argument }, { organisationId: ctx.organisationId })
  return result
}

/**
 * Governors' packs: selected chapters, sentences that refer to figures, and figures that are fixed when a pack is
 * finished.
 */
export const packRouter = router({
  list: inOrganisation(reading, 'short', at('GET', '', { summary: 'List the governors’ packs' }))
    .output(replies.packs)
    .query(({ ctx }) =>
      ctx.inTransaction((tx) => queries.listPacks({ ...ctx, tx, store: openStoreWithin(tx, ctx.services.store, ctx.organisationId) })),
    ),
  /** The latest finished pack, with the figures of its first page. */
  latest: inOrganisation(reading, 'short')
    .output(replies.latestPackReply)
    .query(({ ctx }) =>
      ctx.inTransaction((tx) => queries.readLatestPack({ ...ctx, tx, store: openStoreWithin(tx, ctx.services.store, ctx.organisationId) })),
    ),
  get: inOrganisation(reading, 'long', at('GET', '/{code}', { summary: 'Read a governors’ pack by the code on its pages' }))
    .input(byCode)
    .output(replies.pack)
    .query(({ ctx, input }) =>
      ctx.inTransaction((tx) =>
        queries.readShownPack({ ...ctx, tx, store: openStoreWithin(tx, ctx.services.store, ctx.organisationId) }, input.code),
      ),
    ),
  /** The stored PDF of a finished pack. */
  paper: inOrganisation(
    reading,
    'file',
    at('GET', '/{code}/Paper', { mayConflict: true, summary: 'Download a finished governors’ pack as PDF' }),
  )
    .input(byCode)
    .output(pdfReply)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => queries.readPackPdf({ ...ctx, tx }, input.code))),
  start: inOrganisation(monthEndPermissions, 'long')
    .input(
      z.object({
        ...packMonthInput,
        locationId: z.int().positive().brand<'LocationId'>().nullable().describe('Null for the whole organisation.'),
      }),
    )
    .output(replies.startedPack)
    .mutation(({ ctx, input: { locationId, ...month } }) =>
      changing(ctx, async (tx) => ({
        result: await commands.runStartPack({ ...whoOf(ctx), tx }, { ...month, locationId: locationId ?? organisationWideLocationId }),
        locationIds: locationId ? [locationId] : [],
      })),
    ),
  save: inOrganisation(monthEndPermissions, 'long')
    .input(z.object({ code, version, content: packContentInput }))
    .output(replies.pack)
    .mutation(({ ctx, input }) =>
      changing(ctx, async (tx) => {
        const locationId = await commands.runSavePack({ ...whoOf(ctx), tx }, input)
        const store = openStoreWithin(tx, ctx.services.store, ctx.organisationId)
        return { result: await queries.readShownPack({ ...ctx, tx, store }, input.code), locationIds: locationId ? [locationId] : [] }
      }),
    ),
  /** Fixes the figures of a draft and requests its PDF. */
  finish: inOrganisation(monthEndPermissions, 'long')
    .input(z.object({ code, version }))
    .output(requestedFile)
    .mutation(({ ctx, input }) =>
      changing(ctx, async (tx) => {
        const locationId = await commands.runFinishPack({ ...whoOf(ctx), tx }, input)
        const title = await commands.buildFileTitle(tx, ctx.organisationId, await queries.findPack({ ...ctx, tx }, input.code))
        const result = await requestFile(tx, ctx, { kind: 'pack', title, request: { code: input.code } })
        return { result, locationIds: locationId ? [locationId] : [] }
      }),
    ),
  discard: inOrganisation(monthEndPermissions, 'short')
    .input(byCode)
    .output(emptyReply)
    .mutation(({ ctx, input }) =>
      changing(ctx, async (tx) => {
        const locationId = await commands.runDiscardPack({ ...whoOf(ctx), tx }, input.code)
        return { result: undefined, locationIds: locationId ? [locationId] : [] }
      }),
    ),
  /** A pack as PDF, created by a worker. A draft is marked as one. */
  print: inOrganisation(reading, 'file')
    .input(byCode)
    .output(requestedFile)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const title = await commands.buildFileTitle(tx, ctx.organisationId, await queries.findPack({ ...ctx, tx }, input.code))
        return requestFile(tx, ctx, { kind: 'pack', title, request: input })
      }),
    ),
})
