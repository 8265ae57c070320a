import { z } from 'zod'
import { bulkEditRequest, bulkSelection, exportRequest, recordListRequest } from '../../domain/lists/lists.ts'
import { hasAnyPermission } from '../../domain/people/permissions.ts'
import { type AnyRecord, type AnyResource, allOperations, type ResourceOperation } from '../../domain/resources/resource.ts'
import type { RecordValues } from '../../domain/resources/schema.ts'
import { buildCallSchemas } from '../../domain/resources/shape.ts'
import { toOrganisationId } from '../../domain/values/ids.ts'
import { notFound } from '../../domain/words/errors.ts'
import { maximumImportRows, maximumListRows } from '../../domain/words/notices.ts'
import { addArticle, getCountableTerm, toMidSentence } from '../../domain/words/terms.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { CallerRights } from '../core/calls/context.ts'
import type { CallPolicyName } from '../core/calls/policies.ts'
import { global, inOneOrEveryOrganisation, inOrganisation, inOrganisationOrGlobal, type ProcedureMeta } from '../core/calls/procedures.ts'
import { csvReply, emptyReply, reply } from '../core/calls/reply.ts'
import type { RestMeta } from '../core/calls/restMeta.ts'
import type { RowScope } from '../core/calls/scope.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { announceRecalculationRequired } from '../core/live/announce.ts'
import { parsePatchValues, runRecordChange, runRecordChanges } from './change.ts'
import * as records from './commands.ts'
import { exportList, listHiddenFields } from './files.ts'
import { importRows } from './import/commands.ts'
import { leftOutInput, logLeftOutRows } from './import/leftOut.ts'
import { createProgressRecorder } from './import/progress.ts'
import { readPickerRecords, readReferencedNames } from './pick.ts'
import * as queries from './queries.ts'
import { addActorNames, readRecordHistory } from './referenceLog.ts'
import { runReplaceUses } from './replacing/commands.ts'
import * as replies from './replies.ts'
import { buildTemplate } from './template.ts'
import type { ChangeReference } from './undoing/logged.ts'
import { type UndoCaller, undoChange } from './undoing/undo.ts'
import { listVisibleUses } from './uses.ts'
import type { WriteContext } from './writing.ts'

const recordInput = z.record(z.string(), z.unknown())
const identified = z.object({ id: z.int().positive() })
export const importInput = z.object({
  rows: z.array(z.record(z.string(), z.string().max(30_000))).max(maximumImportRows + 1),
  /** Whether to import into the selected organisation, even if the caller could import national records. */
  ownOnly: z.boolean().nullish(),
  /** The key with which the screen asks for the import's progress. */
  progressKey: z.uuid().nullish(),
  leftOut: leftOutInput,
})

interface ProcedureGates {
  read: ProcedureMeta['access']
  list: ProcedureMeta['access']
  pick: ProcedureMeta['access']
  write: ProcedureMeta['access']
  bulk: ProcedureMeta['access']
}

export type RestByOperation = (operation: ResourceOperation) => RestMeta | undefined

export function createRestByOperation(path: string, resource: AnyResource, offered: readonly ResourceOperation[]): RestByOperation {
  const base = `/api/${path}`
  const { created, updated, imported } = buildCallSchemas(resource)
  const term = getCountableTerm(resource.key)
  const [one, many] = [addArticle(term), toMidSentence(term.plural)]
  const limit = path === resource.path ? '' : ', limited to the selected organisation'
  const restByOperation: Record<ResourceOperation, RestMeta> = {
    list: { method: 'POST', path: `${base}/list`, summary: `List ${many}` },
    get: { method: 'GET', path: `${base}/{id:integer}`, summary: `Read ${one}` },
    create: { method: 'POST', path: base, status: 201, body: created, summary: `Add ${one}` },
    update: { method: 'PUT', path: base, body: updated, summary: `Change ${one}` },
    delete: { method: 'DELETE', path: `${base}/{id:integer}`, status: 204, summary: `Delete ${one}` },
    bulkDelete: { method: 'POST', path: `${base}/delete`, summary: `Delete several ${many}` },
    import: { method: 'POST', path: `${base}/import`, also: [`${base}/bulk`], body: imported, summary: `Import ${many}` },
    edit: { method: 'PATCH', path: `${base}/edit`, summary: `Change the same fields of several ${many}` },
    export: { method: 'POST', path: `${base}/export`, summary: `Export ${many}` },
  }
  return (operation) => {
    const { summary, ...rest } = restByOperation[operation]
    return offered.includes(operation) ? { ...rest, summary: `${summary}${limit}`, entity: resource.key } : undefined
  }
}

export type ProcedureScope = 'global' | 'organisation' | 'both'

/**
 * Identifies a change by its first record, so that it can be undone.
 * @param later how many versions later than this record the change is
 */
function identifyChange([first]: readonly AnyRecord[], later = 0): { change?: ChangeReference } {
  return first ? { change: { id: first.id, version: first.version + later } } : {}
}

/** The procedures of a resource. With `own`, they read and create only records of the selected organisation. */
export function buildProcedures(
  resource: AnyResource,
  { access, rest, kind, own = false }: { access: ProcedureGates; rest: RestByOperation; kind: ProcedureScope; own?: boolean },
) {
  const on = (gate: ProcedureMeta['access'], policy: CallPolicyName, restMeta?: RestMeta) =>
    kind === 'global'
      ? global(gate, policy, restMeta)
      : kind === 'both'
        ? inOrganisationOrGlobal(gate, policy, restMeta)
        : inOrganisation(gate, policy, restMeta)
  const changing: CallPolicyName = resource.givesRights ? 'rights' : 'short'
  const writes = (holder: CallerRights): boolean =>
    holder.isAdministrator || (access.write !== 'administrator' && access.write !== 'signedIn' && hasAnyPermission(holder, access.write))
  /**
   * The rows that a caller sees. Callers who may not change records with start and end dates see only records that are shown now (behaviour
   * B-258).
   */
  const seen = ({ rows, holder }: { rows: RowScope; holder: CallerRights }): RowScope => ({
    ...rows,
    ownOnly: own,
    shownOnly: Boolean(resource.shown) && !writes(holder),
  })
  const writing = (ctx: { rows: RowScope; holder: CallerRights; actor: Actor }): WriteContext => ({
    resource,
    scope: seen(ctx),
    actor: ctx.actor,
  })
  const offered = (own ? resource.own?.operations : resource.operations) ?? allOperations
  /** A caller who deleted records in bulk may restore them, even without the permission to create single records. */
  const mayUndo =
    (holder: CallerRights): UndoCaller['may'] =>
    (what, isOwn) =>
      offered.includes(what) && (what !== 'create' || isOwn || writes(holder))
  const organisationFor = (rows: RowScope, input: RecordValues) =>
    rows.organisationId === null && typeof input.organisationId === 'number' ? toOrganisationId(input.organisationId) : rows.organisationId
  const { stored, page } = buildCallSchemas(resource)
  const said = { record: reply(stored), page: reply(page) }
  return {
    list: on(access.list, 'short', rest('list'))
      .input(recordListRequest)
      .output(said.page)
      .query(async ({ ctx, input }) => {
        const [scope, isAskedAgain] = [seen(ctx), queries.isRepeatedQuery(input)]
        const hasNames = input.withNames && kind !== 'global'
        const alone =
          isAskedAgain && !hasNames
            ? await queries.listFirstPage(ctx.services.store, { of: ctx.seenBy, resource, scope, request: input })
            : null
        if (alone) return alone
        return ctx.inTransaction(
          async (tx) => {
            const page = await queries.listRecords({ tx, scope }, resource, input)
            // An administrator's list across organisations is read outside any tenant, where the names in tenants' records cannot be read.
            return hasNames ? { ...page, names: await readReferencedNames(tx, resource, { records: page.rows, ...ctx }) } : page
          },
          isAskedAgain ? 'page' : 'look',
        )
      }),
    get: on(access.list, 'short', rest('get'))
      .input(identified)
      .output(said.record)
      .query(({ ctx, input }) => ctx.inTransaction((tx) => queries.readRecord({ tx, scope: seen(ctx) }, resource, { id: input.id }))),
    create: on(access.write, changing, rest('create'))
      .input(recordInput)
      .output(said.record)
      .mutation(({ ctx, input }) =>
        runRecordChange(ctx, resource, async (tx) => {
          const scope = { ...seen(ctx), organisationId: organisationFor(ctx.rows, input) }
          const result = await records.createRecord({ tx, resource, scope, actor: ctx.actor }, input)
          return { result, changed: [result] }
        }),
      ),
    update: on(access.write, changing, rest('update'))
      .input(recordInput.and(z.looseObject({ id: z.int().positive(), version: z.int().nullish() })))
      .output(said.record)
      .mutation(({ ctx, input }) =>
        runRecordChange(ctx, resource, async (tx) => {
          const hidden = await listHiddenFields(tx, resource, ctx.rows.organisationId)
          const result = await records.updateRecord(
            { tx, ...writing(ctx), hidden },
            { id: input.id, version: input.version ?? null },
            input,
          )
          return { result, changed: result.version === input.version ? [] : [result] }
        }),
      ),
    delete: on(access.write, changing, rest('delete'))
      .input(identified)
      .output(emptyReply)
      .mutation(({ ctx, input }) =>
        runRecordChange(ctx, resource, async (tx) => ({
          result: undefined,
          changed: await records.deleteRecords({ ...writing(ctx), tx }, [input.id]),
        })),
      ),
    bulkDelete: on(access.bulk, changing, rest('bulkDelete'))
      .input(bulkSelection)
      .output(replies.deletionResult)
      .mutation(({ ctx, input }) =>
        runRecordChange(ctx, resource, async (tx) => {
          const changed = await records.deleteRecords(
            { ...writing(ctx), tx },
            await queries.resolveRecordIds({ tx, scope: seen(ctx) }, resource, input),
          )
          return { result: { deleted: changed.length, ...identifyChange(changed, 1) }, changed }
        }),
      ),
    import: on(access.write, resource.givesRights ? 'rightsImport' : 'import', rest('import'))
      .input(importInput)
      .output(replies.importResult)
      .mutation(({ ctx, input }) =>
        runRecordChange(ctx, resource, async (tx) => {
          const scope = { ...seen(ctx), ownOnly: own || Boolean(input.ownOnly) }
          const hidden = await listHiddenFields(tx, resource, ctx.rows.organisationId)
          const progress = createProgressRecorder(ctx.aside, input.progressKey, ctx.actor.userId)
          const outcome = await importRows({ tx, resource, scope, actor: ctx.actor, hidden }, input.rows, progress)
          const { imported, created, updated, records: changed } = outcome
          const organisationId = ctx.rows.organisationId
          await logLeftOutRows({ tx, actor: ctx.actor }, { entity: resource.name, organisationId, leftOut: input.leftOut })
          return { result: { imported, created, updated, ...identifyChange(changed) }, changed }
        }),
      ),
    edit: on(access.bulk, changing, rest('edit'))
      .input(bulkEditRequest)
      .output(replies.bulkEditResult)
      .mutation(({ ctx, input }) =>
        runRecordChange(ctx, resource, async (tx) => {
          const values = parsePatchValues(resource, input.patch, await listHiddenFields(tx, resource, ctx.rows.organisationId))
          const edited = await records.editRecords(
            { ...writing(ctx), tx },
            await queries.resolveRecordIds({ tx, scope: seen(ctx) }, resource, input),
            values,
          )
          return { result: { updated: edited.records.length, ...identifyChange(edited.changed) }, changed: edited.records }
        }),
      ),
    export: on(access.read, 'export', rest('export'))
      .input(exportRequest)
      .output(csvReply)
      .query(({ ctx, input }) => ctx.inTransaction((tx) => exportList({ ...ctx, tx }, resource, { rows: seen(ctx), input }))),
    template: on(access.read, 'short')
      .output(replies.template)
      .query(({ ctx }) => ctx.inTransaction((tx) => buildTemplate(tx, resource, { rows: seen(ctx), holder: ctx.holder }))),
    /**
     * The records that a picker offers, and the names of its selected ids. Archived records and those of other locations are not offered.
     */
    pick: on(access.pick, 'short')
      .input(
        z.object({
          search: z.string().max(200).nullish(),
          ids: z.array(z.int()).max(maximumListRows).nullish(),
          where: z.record(z.string(), z.union([z.number(), z.boolean()])).nullish(),
          locationId: z.int().brand<'LocationId'>().nullish(),
        }),
      )
      .output(replies.pickerRecords)
      .query(({ ctx, input }) => ctx.inTransaction((tx) => readPickerRecords(tx, resource, { rows: seen(ctx), input }))),
    history: on(access.read, 'short')
      .input(identified)
      .output(replies.history)
      .query(async ({ ctx, input }) => {
        const entries = await ctx.inTransaction(async (tx) => {
          await queries.readRecord({ tx, scope: seen(ctx) }, resource, { id: input.id })
          return readRecordHistory(tx, resource, input.id)
        })
        return addActorNames(ctx.services.store, entries)
      }),
    restore: on(access.write, changing)
      .input(z.object({ id: z.int().positive(), version: z.int().positive() }))
      .output(said.record)
      .mutation(({ ctx, input }) =>
        runRecordChange(ctx, resource, async (tx) => {
          const earlier = (await readRecordHistory(tx, resource, input.id)).find((entry) => entry.version === input.version)?.after
          if (!earlier) throw notFound('Version')
          const result = await records.restoreRecord({ ...writing(ctx), tx }, input.id, earlier)
          return { result, changed: [result] }
        }),
      ),
    /** Undoes a whole change of any kind: a save, a deletion, a bulk edit or an import. */
    undo: on(access.bulk, changing)
      .input(z.object({ id: z.int().positive(), version: z.int().positive().nullable() }))
      .output(replies.createUndoReply(resource))
      .mutation(({ ctx, input }) =>
        runRecordChanges(ctx, async (tx) => {
          const undoer = { ...writing(ctx), store: ctx.services.store, may: mayUndo(ctx.holder) }
          const { count, record, changed } = await undoChange(tx, undoer, input)
          return { result: { count, record }, changed }
        }),
      ),
    /**
     * Lists what uses a record: a count of each kind and the first hundred by name, so that a screen can link to them. Only uses that the
     * caller may see are listed.
     */
    uses: (kind === 'global' ? inOneOrEveryOrganisation(access.read, 'short') : on(access.read, 'short'))
      .input(identified)
      .output(replies.uses)
      .query(async ({ ctx, input }) => {
        const exists = (tx: OrganisationTx) => queries.readRecord({ tx, scope: seen(ctx) }, resource, { id: input.id })
        if (kind === 'global') await ctx.services.store.asPlatform(exists)
        return ctx.inTransaction(async (tx) => {
          if (kind !== 'global') await exists(tx)
          const rows = { ...ctx.rows, organisationId: ctx.holder.isAdministrator ? null : ctx.rows.organisationId }
          return listVisibleUses(tx, resource, { id: input.id, viewer: { rows, holder: ctx.holder } })
        })
      }),
    /** Moves every use of a record to another record of its kind, in one step. */
    replace: on(access.write, changing)
      .input(z.object({ id: z.int().positive(), withId: z.int('Choose another one.').positive() }))
      .output(replies.replacementResult)
      .mutation(async ({ ctx, input }) => {
        const done = await ctx.inTransaction((tx) => runReplaceUses({ tx, ...writing(ctx), holder: ctx.holder }, input))
        await announceRecalculationRequired(ctx.services, done.required)
        return { moved: done.moved, locked: done.locked }
      }),
  }
}
