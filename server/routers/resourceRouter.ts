import { z } from 'zod'
import { DomainError, notFound } from '../../domain/errors.ts'
import { bulkEditRequest, bulkSelection, exportRequest, listRequest } from '../../domain/lists.ts'
import { fullListSize, largestImportRows } from '../../domain/notices.ts'
import { columnsOf } from '../../domain/resources/columns.ts'
import { type AnyRecord, type AnyResource, allOperations, type Operation } from '../../domain/resources/resource.ts'
import type { Values } from '../../domain/resources/schema.ts'
import { defaultTerms } from '../../domain/terms.ts'
import { announceRequired } from '../announce.ts'
import type { OrganisationTx } from '../store/database.ts'
import type { Actor } from '../store/eventLog.ts'
import { markRequired } from '../store/groupStore.ts'
import { importRows } from '../store/importStore.ts'
import { historyOf, userNames } from '../store/referenceLog.ts'
import { usesOfRecord } from '../store/references.ts'
import * as queries from '../store/resourceQueries.ts'
import * as records from '../store/resourceStore.ts'
import { termsOf } from '../store/termStore.ts'
import type { Services } from '../trpc/context.ts'
import { global, inOrganisation, inOrganisationOrGlobal, type Meta, type RestMeta, router } from '../trpc/procedures.ts'
import { csvFile, exported, hiddenFields } from './resourceFiles.ts'
import { picked } from './resourcePick.ts'

const recordInput = z.record(z.string(), z.unknown())
const identified = z.object({ id: z.int().positive() })
const importInput = z.object({ rows: z.array(z.record(z.string(), z.string().max(5000))).max(largestImportRows + 1) })

interface Call {
  inTransaction<T>(work: (tx: OrganisationTx) => Promise<T>): Promise<T>
  services: Services
  rows: queries.RowScope
  actor: Actor
}

/** Runs a change and marks the budget groups whose figures depend on it. */
async function change<T>(
  call: Call,
  resource: AnyResource,
  work: (tx: OrganisationTx) => Promise<{ result: T; changed: AnyRecord[] }>,
): Promise<T> {
  const { result, required } = await call.inTransaction(async (tx) => {
    const { result, changed } = await work(tx)
    return { result, required: await markRequired(tx, resource, changed, defaultTerms[resource.key].plural, call.actor.now) }
  })
  await announceRequired(call.services, required)
  return result
}

/** What a patch changes. @throws DomainError 400 for an op other than replace or a path that is no field (behaviour B-106) */
function patched(resource: AnyResource, patch: { op: string; path: string; value: unknown }[], hidden: readonly string[]): Values {
  return Object.fromEntries(
    patch.map(({ op, path, value }) => {
      if (op !== 'replace') throw new DomainError('invalid', 'patchOp', 'Only replace is supported.')
      const name = path.replace(/^\//, '')
      if (!resource.fields[name] || hidden.includes(name) || name === 'organisationId')
        throw new DomainError('invalid', 'patchOp', `${name || 'The path'} is not a field that can be changed.`)
      return [name, value]
    }),
  )
}

type Rest = (operation: Operation) => RestMeta | undefined

function restFor(path: string, entity: string, offered: readonly Operation[]): Rest {
  const base = `/api/${path}`
  const places: Record<Operation, RestMeta> = {
    list: { method: 'POST', path: `${base}/list` },
    get: { method: 'GET', path: `${base}/{id:integer}` },
    create: { method: 'POST', path: base, status: 201 },
    update: { method: 'PUT', path: base },
    delete: { method: 'DELETE', path: `${base}/{id:integer}`, status: 204 },
    bulkDelete: { method: 'POST', path: `${base}/delete` },
    import: { method: 'POST', path: `${base}/import`, also: [`${base}/bulk`] },
    edit: { method: 'PATCH', path: `${base}/edit` },
    export: { method: 'POST', path: `${base}/export` },
  }
  return (operation) => (offered.includes(operation) ? { ...places[operation], entity } : undefined)
}

type Kind = 'global' | 'organisation' | 'both'

/** The procedures of one resource, for one set of people. */
function procedures(
  resource: AnyResource,
  access: { read: Meta['access']; list: Meta['access']; pick: Meta['access']; write: Meta['access']; bulk: Meta['access'] },
  rest: Rest,
  kind: Kind,
) {
  const on = (gate: Meta['access'], place?: RestMeta) =>
    kind === 'global' ? global(gate, place) : kind === 'both' ? inOrganisationOrGlobal(gate, place) : inOrganisation(gate, place)
  const organisationFor = (rows: queries.RowScope, input: Values) =>
    rows.organisationId === null && typeof input.organisationId === 'number' ? input.organisationId : rows.organisationId
  return {
    list: on(access.list, rest('list'))
      .input(listRequest)
      .query(({ ctx, input }) => ctx.inTransaction((tx) => queries.list(tx, resource, ctx.rows, input))),
    get: on(access.list, rest('get'))
      .input(identified)
      .query(({ ctx, input }) => ctx.inTransaction((tx) => queries.get(tx, resource, ctx.rows, input.id))),
    create: on(access.write, rest('create'))
      .input(recordInput)
      .mutation(({ ctx, input }) =>
        change(ctx, resource, async (tx) => {
          const result = await records.create(
            tx,
            resource,
            { ...ctx.rows, organisationId: organisationFor(ctx.rows, input) },
            input,
            ctx.actor,
          )
          return { result, changed: [result] }
        }),
      ),
    update: on(access.write, rest('update'))
      .input(recordInput.and(z.looseObject({ id: z.int().positive(), version: z.int().nullish() })))
      .mutation(({ ctx, input }) =>
        change(ctx, resource, async (tx) => {
          const hidden = await hiddenFields(tx, resource, ctx.rows.organisationId)
          const result = await records.update(tx, resource, ctx.rows, input.id, input.version ?? null, input, ctx.actor, hidden)
          return { result, changed: result.version === input.version ? [] : [result] }
        }),
      ),
    delete: on(access.write, rest('delete'))
      .input(identified)
      .mutation(({ ctx, input }) =>
        change(ctx, resource, async (tx) => ({
          result: undefined,
          changed: await records.remove(tx, resource, ctx.rows, [input.id], ctx.actor),
        })),
      ),
    bulkDelete: on(access.bulk, rest('bulkDelete'))
      .input(bulkSelection)
      .mutation(({ ctx, input }) =>
        change(ctx, resource, async (tx) => {
          const changed = await records.remove(tx, resource, ctx.rows, await queries.selectedIds(tx, resource, ctx.rows, input), ctx.actor)
          return { result: { deleted: changed.length }, changed }
        }),
      ),
    import: on(access.write, rest('import'))
      .input(importInput)
      .mutation(({ ctx, input }) =>
        change(ctx, resource, async (tx) => {
          const outcome = await importRows(
            tx,
            resource,
            ctx.rows,
            input.rows,
            ctx.actor,
            await hiddenFields(tx, resource, ctx.rows.organisationId),
          )
          return { result: { imported: outcome.imported, created: outcome.created, updated: outcome.updated }, changed: outcome.records }
        }),
      ),
    edit: on(access.bulk, rest('edit'))
      .input(bulkEditRequest)
      .mutation(({ ctx, input }) =>
        change(ctx, resource, async (tx) => {
          const values = patched(resource, input.patch, await hiddenFields(tx, resource, ctx.rows.organisationId))
          const changed = await records.edit(
            tx,
            resource,
            ctx.rows,
            await queries.selectedIds(tx, resource, ctx.rows, input),
            values,
            ctx.actor,
          )
          return { result: { updated: changed.length }, changed }
        }),
      ),
    export: on(access.read, rest('export'))
      .input(exportRequest)
      .query(({ ctx, input }) => ctx.inTransaction((tx) => exported(tx, resource, ctx.rows, input, ctx.now))),
    template: on(access.read).query(({ ctx }) =>
      ctx.inTransaction(async (tx) => {
        const hidden = await hiddenFields(tx, resource, ctx.rows.organisationId)
        const columns = columnsOf(resource, (field) => hidden.some((name) => resource.fields[name] === field))
        return csvFile(
          `${(await termsOf(tx, ctx.rows.organisationId))[resource.key].plural} template.csv`,
          columns.map((column) => column.heading),
          [],
        )
      }),
    ),
    /** What a picker offers, and what it shows for the ids it holds: nothing archived, nothing of another location. */
    pick: on(access.pick)
      .input(
        z.object({
          search: z.string().max(200).nullish(),
          ids: z.array(z.int()).max(fullListSize).nullish(),
          where: z.record(z.string(), z.union([z.number(), z.boolean()])).nullish(),
          locationId: z.int().nullish(),
        }),
      )
      .query(({ ctx, input }) => ctx.inTransaction((tx) => picked(tx, resource, ctx.rows, input))),
    history: on(access.read)
      .input(identified)
      .query(async ({ ctx, input }) => {
        const entries = await ctx.inTransaction(async (tx) => {
          await queries.get(tx, resource, ctx.rows, input.id)
          return historyOf(tx, resource, input.id)
        })
        const names = await userNames(
          ctx.services.store,
          entries.map((entry) => entry.actorId),
        )
        return entries.map((entry) => ({ ...entry, actor: entry.actorId === null ? 'System' : (names.get(entry.actorId) ?? 'Unknown') }))
      }),
    restore: on(access.write)
      .input(z.object({ id: z.int().positive(), version: z.int().positive() }))
      .mutation(({ ctx, input }) =>
        change(ctx, resource, async (tx) => {
          const earlier = (await historyOf(tx, resource, input.id)).find((entry) => entry.version === input.version)?.after
          if (!earlier) throw notFound('Version')
          const result = await records.restore(tx, resource, ctx.rows, input.id, earlier, ctx.actor)
          return { result, changed: [result] }
        }),
      ),
    uses: on(access.read)
      .input(identified)
      .query(({ ctx, input }) => ctx.inTransaction((tx) => usesOfRecord(tx, resource, [input.id]))),
  }
}

/** The router of a resource: its nine calls, pickers and history, each behind its gate, and the own set where there is one. */
export function resourceRouter(resource: AnyResource) {
  const { read, alsoReadBy = [], pickedBy = [], write, bulk = [] } = resource.access
  const kind: Kind =
    write === 'administrator'
      ? 'global'
      : resource.scope === 'globalOrOrganisation'
        ? 'both'
        : resource.scope === 'global'
          ? 'global'
          : 'organisation'
  const open = (gate: readonly (typeof read)[number][]): Meta['access'] => (gate.length ? gate : 'signedIn')
  const writing: Meta['access'] = write === 'administrator' ? 'administrator' : write
  const all = procedures(
    resource,
    {
      read: open(read),
      list: open([...read, ...alsoReadBy]),
      pick: open([...read, ...alsoReadBy, ...pickedBy]),
      write: writing,
      bulk: writing === 'administrator' ? writing : [...(write as typeof read), ...bulk],
    },
    restFor(resource.path, resource.key, allOperations),
    kind,
  )
  if (!resource.own) return router(all)
  const { own } = resource
  const ownProcedures = procedures(
    resource,
    { read: own.read, list: own.read, pick: own.read, write: own.write as Meta['access'], bulk: own.write as Meta['access'] },
    restFor(own.path, resource.key, own.operations),
    'organisation',
  )
  const { create: _create, delete: _delete, bulkDelete: _bulkDelete, import: _import, ...kept } = ownProcedures
  return router({ ...all, own: router(kept) })
}
