import { z } from 'zod'
import {
  type BulkSelection,
  bulkEditRequest,
  bulkSelection,
  type ExportRequest,
  exportRequest,
  listRequest,
} from '../../../../domain/lists/lists.ts'
import { hasAnyPermission, listViewPermissions } from '../../../../domain/people/permissions.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { buildFileRows, listColumns } from '../../../../domain/resources/columns.ts'
import { staffMember } from '../../../../domain/resources/entities/budget/staffMember.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { buildExportFileName } from '../../../../domain/values/format.ts'
import { type LocationId, noUserId } from '../../../../domain/values/ids.ts'
import { forbidden, notFound } from '../../../../domain/words/errors.ts'
import type { Call } from '../../../core/calls/call.ts'
import { defineRestPaths, inLocation, inOrganisation, router } from '../../../core/calls/procedures.ts'
import type { FileReply } from '../../../core/calls/reply.ts'
import { csvReply, emptyReply, reply } from '../../../core/calls/reply.ts'
import type { RowScope } from '../../../core/calls/scope.ts'
import { type OrganisationTx, openStoreWithin } from '../../../core/database/database.ts'
import { announceRecalculationRequired } from '../../../core/live/announce.ts'
import { parsePatchValues } from '../../../resources/change.ts'
import { prepareReferenceNamer, writeCsvFile } from '../../../resources/files.ts'
import { logLeftOutRows } from '../../../resources/import/leftOut.ts'
import { createProgressRecorder } from '../../../resources/import/progress.ts'
import { importInput } from '../../../resources/procedures.ts'
import { addActorNames } from '../../../resources/referenceLog.ts'
import { bulkEditResult, createRecordShape, deletionResult, history, importResult, template, uses } from '../../../resources/replies.ts'
import { fillInCallerLocations } from '../../../resources/rowRules.ts'
import { buildTemplate } from '../../../resources/template.ts'
import { readTerms } from '../../../resources/terms.ts'
import { listContractsOfStaff } from '../../../resources/uses.ts'
import { readLeavesOfPerson } from '../../../shared/costing/leave/queries.ts'
import { addReminderAbout } from '../../../shared/reminders/commands.ts'
import { readRemindersAbout } from '../../../shared/reminders/queries.ts'
import {
  deleteStaff,
  editStaffInBulk,
  eraseStaff,
  importStaff,
  markGroupsOfChangedBirthDates,
  refuseUnassignableLocations,
  saveStaff,
} from '../../../shared/staff/commands.ts'
import {
  readStaffHistory,
  readStaffMember,
  readStaffMemberToChange,
  staffMemberInput,
  validateStaff,
} from '../../../shared/staff/queries.ts'
import { type StaffMember, worksAt } from '../../../streams/budget/people.ts'
import { loadStaffDirectory } from '../../../streams/budget/staffDirectory.ts'
import { listAccessPacks } from '../subjectAccess/queries.ts'
import * as replies from './replies.ts'

const at = defineRestPaths('/api/Staff', { entity: 'StaffMember' })
const console_ = listViewPermissions('ConsoleStaffMembers')
const budgeting = listViewPermissions('BudgetingStaffing')
const writing = ['ConsoleStaffMembersReadUpdate', 'BudgetingStaffingReadUpdate'] as const
const byId = z.object({ id: z.int().positive().brand<'StaffId'>() })

/**
 * The people that a bulk action applies to. In the list of one location, only people of that location can be selected.
 * @throws DomainError 404 for anyone else
 */
async function resolveChosenStaff(
  tx: OrganisationTx,
  rows: RowScope,
  { locationId, ...selection }: BulkSelection & { locationId?: LocationId | null },
): Promise<StaffMember[]> {
  const directory = await loadStaffDirectory(tx, assertDefined(rows.organisationId))
  const chosen = await directory.selectForBulk(selection, rows.locationIds)
  const members = locationId ? chosen?.filter((member) => worksAt(member, [locationId])) : chosen
  if (!members || (!selection.state.selectAll && members.length < assertDefined(chosen).length)) throw notFound('Staff member')
  return members
}

/** The people of a list as a CSV file. */
async function writeStaffFile(
  { tx, now }: Call<'now'>,
  rows: RowScope,
  { locationIds, request }: { locationIds: LocationId[] | null; request: ExportRequest },
): Promise<FileReply> {
  const columns = listColumns(staffMember)
  const name = await prepareReferenceNamer(tx, staffMember, rows)
  const { rows: members } = await (await loadStaffDirectory(tx, assertDefined(rows.organisationId))).selectPage(request, locationIds)
  return writeCsvFile(
    buildExportFileName((await readTerms(tx, rows.organisationId)).StaffMember.plural, now),
    columns.map((column) => column.heading),
    members.flatMap((member) => buildFileRows(staffMember, { columns, record: { ...member }, name })),
  )
}

export const staffRouter = router({
  list: inOrganisation(console_, 'short', at('POST', '/list', { summary: 'List staff' }))
    .input(listRequest)
    .output(replies.page)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => (await loadStaffDirectory(tx, ctx.organisationId)).selectPage(input, ctx.holder.locationIds)),
    ),
  listByLocation: inLocation(budgeting, 'short', at('POST', '/list/location', { summary: 'List the staff of a location' }))
    .input(listRequest)
    .output(replies.page)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => (await loadStaffDirectory(tx, ctx.organisationId)).selectPage(input, [ctx.locationId])),
    ),
  get: inOrganisation([...budgeting, ...console_], 'short', at('GET', '/{id:integer}', { summary: 'Read a staff member' }))
    .input(byId)
    .output(replies.personWithLeave)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => ({
        ...(await readStaffMember({ ...ctx, tx }, input.id, ctx.holder.locationIds)),
        extendedLeave: await readLeavesOfPerson(tx, ctx.rows, input.id),
      })),
    ),
  create: inOrganisation(writing, 'short', at('POST', '', { status: 201, summary: 'Add a staff member' }))
    .input(staffMemberInput)
    .output(replies.person)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const member = validateStaff({ ...fillInCallerLocations(ctx.holder.locationIds, input), id: null })
        await refuseUnassignableLocations({ ...ctx, tx }, member.locations, ctx.holder.locationIds)
        return saveStaff({ ...ctx, tx }, member)
      }),
    ),
  /** A changed date of birth affects national insurance, so budget groups with the person's contracts then require recalculation. */
  update: inOrganisation(writing, 'short', at('PUT', '', { summary: 'Change a staff member' }))
    .input(staffMemberInput.extend({ id: z.int().positive().brand<'StaffId'>() }))
    .output(replies.person)
    .mutation(async ({ ctx, input }) => {
      const { saved, required } = await ctx.inTransaction(async (tx) => {
        const before = await readStaffMemberToChange({ ...ctx, tx }, input.id, ctx.holder.locationIds)
        const member = validateStaff(input)
        await refuseUnassignableLocations({ ...ctx, tx }, member.locations, ctx.holder.locationIds)
        const saved = await saveStaff({ ...ctx, tx }, member)
        return { saved, required: await markGroupsOfChangedBirthDates({ ...ctx, tx }, [[before, saved]]) }
      })
      await announceRecalculationRequired(ctx.services, required)
      return saved
    }),
  delete: inOrganisation(writing, 'short', at('DELETE', '/{id:integer}', { status: 204, summary: 'Delete a staff member' }))
    .input(byId)
    .output(emptyReply)
    .mutation(async ({ ctx, input }) => {
      await ctx.inTransaction(async (tx) => {
        await readStaffMember({ ...ctx, tx }, input.id, ctx.holder.locationIds)
        await deleteStaff({ ...ctx, tx, scope: ctx.rows }, [input.id])
      })
    }),
  bulkDelete: inOrganisation(writing, 'short', at('POST', '/delete', { summary: 'Delete several staff members' }))
    .input(bulkSelection.extend({ locationId: z.int().brand<'LocationId'>().nullish() }))
    .output(deletionResult)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const ids = (await resolveChosenStaff(tx, ctx.rows, input)).map((member) => member.id)
        return { deleted: await deleteStaff({ ...ctx, tx, scope: ctx.rows }, ids) }
      }),
    ),
  /** Permanently removes the person's identity. Contracts and figures remain. */
  erase: inOrganisation(
    ['ConsoleStaffMembersReadUpdate'],
    'short',
    at('POST', '/{id:integer}/erase', { status: 204, summary: 'Erase a person’s identity permanently; their costs remain' }),
  )
    .input(byId.extend({ employeeNumber: z.string().max(100) }))
    .output(emptyReply)
    .mutation(async ({ ctx, input }) => {
      await ctx.inTransaction((tx) => eraseStaff({ ...ctx, tx, scope: ctx.rows }, input.id, input.employeeNumber))
    }),
  import: inOrganisation(
    ['ConsoleStaffMembersReadUpdate'],
    'import',
    at('POST', '/import', { also: ['/api/Staff/bulk'], summary: 'Import staff' }),
  )
    .input(importInput)
    .output(importResult)
    .mutation(async ({ ctx, input }) => {
      const { result, required } = await ctx.inTransaction(async (tx) => {
        await logLeftOutRows({ ...ctx, tx }, { entity: staffMember.name, organisationId: ctx.organisationId, leftOut: input.leftOut })
        return importStaff(
          { tx, scope: ctx.rows, actor: ctx.actor, locationId: ctx.selection.locationId },
          input.rows,
          createProgressRecorder(ctx.aside, input.progressKey, ctx.actor.userId),
        )
      })
      await announceRecalculationRequired(ctx.services, required)
      return result
    }),
  edit: inOrganisation(writing, 'short', at('PATCH', '/edit', { summary: 'Change the same fields of several staff members' }))
    .input(bulkEditRequest.extend({ locationId: z.int().brand<'LocationId'>().nullish() }))
    .output(bulkEditResult)
    .mutation(async ({ ctx, input }) => {
      const patch = parsePatchValues(staffMember, input.patch, [])
      const { updated, required } = await ctx.inTransaction(async (tx) =>
        editStaffInBulk({ ...ctx, tx, scope: ctx.rows }, await resolveChosenStaff(tx, ctx.rows, input), patch),
      )
      await announceRecalculationRequired(ctx.services, required)
      return { updated }
    }),
  export: inOrganisation(console_, 'export', at('POST', '/export', { summary: 'Export staff' }))
    .input(exportRequest)
    .output(csvReply)
    .query(({ ctx, input }) =>
      ctx.inTransaction((tx) => writeStaffFile({ ...ctx, tx }, ctx.rows, { locationIds: ctx.holder.locationIds, request: input })),
    ),
  exportByLocation: inLocation(budgeting, 'file', at('POST', '/export/location', { summary: 'Export the staff of a location' }))
    .input(exportRequest)
    .output(csvReply)
    .query(({ ctx, input }) =>
      ctx.inTransaction((tx) => writeStaffFile({ ...ctx, tx }, ctx.rows, { locationIds: [ctx.locationId], request: input })),
    ),
  template: inOrganisation([...budgeting, ...console_], 'short')
    .output(template)
    .query(({ ctx }) => ctx.inTransaction((tx) => buildTemplate(tx, staffMember, ctx))),
  history: inOrganisation([...budgeting, ...console_], 'short')
    .input(byId)
    .output(history)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await readStaffMember({ ...ctx, tx }, input.id, ctx.holder.locationIds)
        const all = [...(await readStaffHistory(tx, ctx.organisationId, input.id)), ...(await listAccessPacks(tx, input.id))]
        all.sort((a, b) => b.occurredAt.localeCompare(a.occurredAt))
        return addActorNames(openStoreWithin(tx, ctx.services.store, ctx.organisationId), all)
      }),
    ),
  restore: inOrganisation(writing, 'short')
    .input(byId.extend({ version: z.int().positive() }))
    .output(replies.person)
    .mutation(async ({ ctx, input }) => {
      const { saved, required } = await ctx.inTransaction(async (tx) => {
        const before = await readStaffMemberToChange({ ...ctx, tx }, input.id, ctx.holder.locationIds)
        const earlier = (await readStaffHistory(tx, ctx.organisationId, input.id)).find((entry) => entry.version === input.version)?.after
        if (!earlier) throw notFound('Version')
        const member = validateStaff({ ...earlier, id: input.id, version: null })
        await refuseUnassignableLocations({ ...ctx, tx }, member.locations, ctx.holder.locationIds)
        const saved = await saveStaff({ ...ctx, tx }, member)
        return { saved, required: await markGroupsOfChangedBirthDates({ ...ctx, tx }, [[before, saved]]) }
      })
      await announceRecalculationRequired(ctx.services, required)
      return saved
    }),
  uses: inOrganisation([...budgeting, ...console_], 'short')
    .input(byId)
    .output(uses)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await readStaffMember({ ...ctx, tx }, input.id, ctx.holder.locationIds)
        return listContractsOfStaff({ ...ctx.rows, tx }, input.id, hasAnyPermission(ctx.holder, budgeting))
      }),
    ),
  /** The reminders that the caller has set on a person. */
  reminders: inOrganisation([...budgeting, ...console_], 'short')
    .input(byId)
    .output(reply(z.array(createRecordShape(resources.reminder))))
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await readStaffMember({ ...ctx, tx }, input.id, ctx.holder.locationIds)
        return readRemindersAbout({ ...ctx, tx }, ctx.principal.userId ?? noUserId, `staff:${input.id}`)
      }),
    ),
  addReminder: inOrganisation([...budgeting, ...console_], 'short')
    .input(byId.extend({ description: z.string().nullish(), when: z.string().nullish(), notes: z.string().nullish() }))
    .output(reply(createRecordShape(resources.reminder)))
    .mutation(({ ctx, input: { id, ...input } }) => {
      const { userId } = ctx.principal
      if (userId === null) throw forbidden()
      return ctx.inTransaction(async (tx) => {
        await readStaffMember({ ...ctx, tx }, id, ctx.holder.locationIds)
        return addReminderAbout({ tx, organisationId: ctx.organisationId, userId, actor: ctx.actor }, `staff:${id}`, input)
      })
    }),
  /** The employees to choose from for a contract. */
  pick: inLocation(budgeting, 'short')
    .input(z.object({ search: z.string().max(200).nullish() }))
    .output(replies.staffOptions)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const isNot = (filter: 'archive' | 'erased') => ({ filter, filterType: 'boolean' as const, value: false })
        const directory = await loadStaffDirectory(tx, ctx.organisationId)
        const page = await directory.selectPage(
          { search: input.search, filters: [isNot('archive'), isNot('erased')], pageNumber: 1, pageSize: 50 },
          [ctx.locationId],
        )
        return {
          total: page.total,
          rows: page.rows.map((member) => ({ employeeNumber: member.employeeNumber, name: `${member.surname}, ${member.forename}` })),
        }
      }),
    ),
})
