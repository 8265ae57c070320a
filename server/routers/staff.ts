import { z } from 'zod'
import { forbidden, notFound } from '../../domain/errors.ts'
import { exportFileName } from '../../domain/format.ts'
import {
  type BulkSelection,
  bulkEditRequest,
  bulkSelection,
  chosenOf,
  type ExportRequest,
  exportRequest,
  listRequest,
  pageOf,
} from '../../domain/lists.ts'
import { either, may } from '../../domain/permissions.ts'
import { columnsOf, writeRows } from '../../domain/resources/columns.ts'
import { staffMember } from '../../domain/resources/entities/staffMember.ts'
import { announceRequired } from '../announce.ts'
import type { OrganisationTx } from '../store/database.ts'
import { progressOf } from '../store/importProgress.ts'
import { addReminderAbout, remindersAbout } from '../store/itemReminders.ts'
import { leaveOf } from '../store/leaveStore.ts'
import { withActors } from '../store/referenceLog.ts'
import type { RowScope } from '../store/rowRules.ts'
import { editStaff, groupsOfBirthdays, importStaff } from '../store/staffImport.ts'
import {
  allStaff,
  checkedStaff,
  checkLocations,
  deleteStaff,
  getStaff,
  type StaffMember,
  saveStaff,
  staffHistory,
  staffMemberInput,
  worksAt,
} from '../store/staffStore.ts'
import { termsOf } from '../store/termStore.ts'
import { contractsOfStaff } from '../store/uses.ts'
import { type FileReply, inLocation, inOrganisation, router } from '../trpc/procedures.ts'
import { importInput } from './resourceCalls.ts'
import { patched } from './resourceChange.ts'
import { csvFile, namer } from './resourceFiles.ts'

const console_ = either('ConsoleStaffMembers')
const budgeting = either('BudgetingStaffing')
const writing = ['ConsoleStaffMembersReadUpdate', 'BudgetingStaffingReadUpdate'] as const
const searched = ['employeeNumber', 'forename', 'surname', 'email'] as const
const byId = z.object({ id: z.int().positive() })

/** The people a bulk action takes: the list of one location selects among its people only. @throws DomainError 404 for others */
async function chosen(
  tx: OrganisationTx,
  rows: RowScope,
  { locationId, ...selection }: BulkSelection & { locationId?: number | null },
): Promise<StaffMember[]> {
  const listed = (await allStaff(tx, rows.organisationId!, rows.locationIds)).filter((member) =>
    worksAt(member, locationId ? [locationId] : null),
  )
  const members = chosenOf(listed, selection, searched)
  if (!members) throw notFound('Staff member')
  return members
}

/** The people of a list as a CSV file. */
async function staffFile(
  tx: OrganisationTx,
  rows: RowScope,
  locationIds: number[] | null,
  request: ExportRequest,
  now: Date,
): Promise<FileReply> {
  const columns = columnsOf(staffMember)
  const name = await namer(tx, staffMember, rows)
  const { rows: members } = pageOf(
    await allStaff(tx, rows.organisationId!, locationIds),
    { ...request, pageNumber: 1 },
    searched,
    'surname',
  )
  return csvFile(
    exportFileName((await termsOf(tx, rows.organisationId)).StaffMember.plural, now),
    columns.map((column) => column.heading),
    members.flatMap((member) => writeRows(staffMember, columns, { ...member }, name)),
  )
}

export const staffRouter = router({
  list: inOrganisation(console_, { method: 'POST', path: '/api/Staff/list', entity: 'StaffMember' })
    .input(listRequest)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => pageOf(await allStaff(tx, ctx.organisationId, ctx.holder.locationIds), input, searched, 'surname')),
    ),
  listByLocation: inLocation(budgeting, { method: 'POST', path: '/api/Staff/list/location', entity: 'StaffMember' })
    .input(listRequest)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => pageOf(await allStaff(tx, ctx.organisationId, [ctx.locationId]), input, searched, 'surname')),
    ),
  get: inOrganisation([...budgeting, ...console_], { method: 'GET', path: '/api/Staff/{id:integer}', entity: 'StaffMember' })
    .input(byId)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => ({
        ...(await getStaff(tx, ctx.organisationId, input.id, ctx.holder.locationIds)),
        extendedLeave: await leaveOf(tx, ctx.rows, input.id),
      })),
    ),
  create: inOrganisation(writing, { method: 'POST', path: '/api/Staff', status: 201, entity: 'StaffMember' })
    .input(staffMemberInput)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const member = checkedStaff({ ...input, id: null })
        await checkLocations(tx, ctx.organisationId, member.locations, null, ctx.holder.locationIds)
        return saveStaff(tx, ctx.organisationId, member, ctx.actor)
      }),
    ),
  /** A changed date of birth changes national insurance: the groups with the person's contracts are to be recalculated. */
  update: inOrganisation(writing, { method: 'PUT', path: '/api/Staff', entity: 'StaffMember' })
    .input(staffMemberInput.extend({ id: z.int().positive() }))
    .mutation(async ({ ctx, input }) => {
      const { saved, required } = await ctx.inTransaction(async (tx) => {
        const before = await getStaff(tx, ctx.organisationId, input.id, ctx.holder.locationIds)
        const member = checkedStaff(input)
        await checkLocations(tx, ctx.organisationId, member.locations, before.locations, ctx.holder.locationIds)
        const saved = await saveStaff(tx, ctx.organisationId, member, ctx.actor)
        return { saved, required: await groupsOfBirthdays(tx, ctx.organisationId, [[before, saved]], ctx.now) }
      })
      await announceRequired(ctx.services, required)
      return saved
    }),
  delete: inOrganisation(writing, { method: 'DELETE', path: '/api/Staff/{id:integer}', status: 204, entity: 'StaffMember' })
    .input(byId)
    .mutation(async ({ ctx, input }) => {
      await ctx.inTransaction(async (tx) => {
        await getStaff(tx, ctx.organisationId, input.id, ctx.holder.locationIds)
        await deleteStaff(tx, ctx.organisationId, [input.id], ctx.actor)
      })
    }),
  bulkDelete: inOrganisation(writing, { method: 'POST', path: '/api/Staff/delete', entity: 'StaffMember' })
    .input(bulkSelection.extend({ locationId: z.int().nullish() }))
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const ids = (await chosen(tx, ctx.rows, input)).map((member) => member.id)
        return { deleted: await deleteStaff(tx, ctx.organisationId, ids, ctx.actor) }
      }),
    ),
  import: inOrganisation(['ConsoleStaffMembersReadUpdate'], {
    method: 'POST',
    path: '/api/Staff/import',
    also: ['/api/Staff/bulk'],
    entity: 'StaffMember',
  })
    .input(importInput)
    .mutation(async ({ ctx, input }) => {
      const { result, required } = await ctx.inTransaction((tx) =>
        importStaff(tx, ctx.rows, input.rows, ctx.actor, progressOf(ctx.services.store, input.progressKey, ctx.actor.userId)),
      )
      await announceRequired(ctx.services, required)
      return result
    }),
  edit: inOrganisation(writing, { method: 'PATCH', path: '/api/Staff/edit', entity: 'StaffMember' })
    .input(bulkEditRequest.extend({ locationId: z.int().nullish() }))
    .mutation(async ({ ctx, input }) => {
      const patch = patched(staffMember, input.patch, [])
      const { updated, required } = await ctx.inTransaction(async (tx) =>
        editStaff(tx, ctx.rows, await chosen(tx, ctx.rows, input), patch, ctx.actor),
      )
      await announceRequired(ctx.services, required)
      return { updated }
    }),
  export: inOrganisation(console_, { method: 'POST', path: '/api/Staff/export', entity: 'StaffMember' })
    .input(exportRequest)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => staffFile(tx, ctx.rows, ctx.holder.locationIds, input, ctx.now))),
  exportByLocation: inLocation(budgeting, { method: 'POST', path: '/api/Staff/export/location', entity: 'StaffMember' })
    .input(exportRequest)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => staffFile(tx, ctx.rows, [ctx.locationId], input, ctx.now))),
  template: inOrganisation(console_).query(({ ctx }) =>
    ctx.inTransaction(async (tx) => {
      const headings = columnsOf(staffMember).map((column) => column.heading)
      return csvFile(`${(await termsOf(tx, ctx.organisationId)).StaffMember.plural} template.csv`, headings, [])
    }),
  ),
  history: inOrganisation([...budgeting, ...console_])
    .input(byId)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await getStaff(tx, ctx.organisationId, input.id, ctx.holder.locationIds)
        return withActors(ctx.services.store, await staffHistory(tx, ctx.organisationId, input.id))
      }),
    ),
  restore: inOrganisation(writing)
    .input(byId.extend({ version: z.int().positive() }))
    .mutation(async ({ ctx, input }) => {
      const { saved, required } = await ctx.inTransaction(async (tx) => {
        const before = await getStaff(tx, ctx.organisationId, input.id, ctx.holder.locationIds)
        const earlier = (await staffHistory(tx, ctx.organisationId, input.id)).find((entry) => entry.version === input.version)?.after
        if (!earlier) throw notFound('Version')
        const member = checkedStaff({ ...earlier, id: input.id, version: null })
        await checkLocations(tx, ctx.organisationId, member.locations, before.locations, ctx.holder.locationIds)
        const saved = await saveStaff(tx, ctx.organisationId, member, ctx.actor)
        return { saved, required: await groupsOfBirthdays(tx, ctx.organisationId, [[before, saved]], ctx.now) }
      })
      await announceRequired(ctx.services, required)
      return saved
    }),
  uses: inOrganisation([...budgeting, ...console_])
    .input(byId)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await getStaff(tx, ctx.organisationId, input.id, ctx.holder.locationIds)
        return contractsOfStaff(tx, ctx.rows, input.id, may(ctx.holder, budgeting))
      }),
    ),
  /** The caller's reminders about a person. */
  reminders: inOrganisation([...budgeting, ...console_])
    .input(byId)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await getStaff(tx, ctx.organisationId, input.id, ctx.holder.locationIds)
        return remindersAbout(tx, ctx.organisationId, ctx.principal.userId ?? -1, `staff:${input.id}`)
      }),
    ),
  addReminder: inOrganisation([...budgeting, ...console_])
    .input(byId.extend({ description: z.string().nullish(), when: z.string().nullish(), notes: z.string().nullish() }))
    .mutation(({ ctx, input: { id, ...input } }) => {
      const { userId } = ctx.principal
      if (userId === null) throw forbidden()
      return ctx.inTransaction(async (tx) => {
        await getStaff(tx, ctx.organisationId, id, ctx.holder.locationIds)
        return addReminderAbout(tx, ctx.organisationId, userId, `staff:${id}`, input, ctx.actor)
      })
    }),
  /** What the employee picker of a contract offers. */
  pick: inLocation(budgeting)
    .input(z.object({ search: z.string().max(200).nullish() }))
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const members = (await allStaff(tx, ctx.organisationId, [ctx.locationId])).filter((member) => !member.archive && !member.erased)
        const page = pageOf(members, { search: input.search, pageNumber: 1, pageSize: 50 }, searched, 'surname')
        return {
          total: page.total,
          rows: page.rows.map((member) => ({ employeeNumber: member.employeeNumber, name: `${member.surname}, ${member.forename}` })),
        }
      }),
    ),
})
