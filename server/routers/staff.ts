import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { notFound } from '../../domain/errors.ts'
import { bulkSelection, listRequest, pageOf, selected } from '../../domain/lists.ts'
import { either } from '../../domain/permissions.ts'
import { staffContracts } from '../../drizzle/schema.ts'
import { announceRequired } from '../announce.ts'
import { markBudgetRequired } from '../store/groupStore.ts'
import { allStaff, checkLocations, deleteStaff, getStaff, saveStaff, staffMemberInput, worksAt } from '../store/staffStore.ts'
import { inLocation, inOrganisation, router } from '../trpc/procedures.ts'

const console_ = either('ConsoleStaffMembers')
const budgeting = either('BudgetingStaffing')
const writing = ['ConsoleStaffMembersReadUpdate', 'BudgetingStaffingReadUpdate'] as const
const searched = ['employeeNumber', 'forename', 'surname', 'email'] as const
const byId = z.object({ id: z.int().positive() })

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
    .query(({ ctx, input }) => ctx.inTransaction((tx) => getStaff(tx, ctx.organisationId, input.id, ctx.holder.locationIds))),
  create: inOrganisation(writing, { method: 'POST', path: '/api/Staff', status: 201, entity: 'StaffMember' })
    .input(staffMemberInput)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await checkLocations(tx, ctx.organisationId, input.locations, null, ctx.holder.locationIds)
        return saveStaff(tx, ctx.organisationId, { ...input, id: null }, ctx.actor)
      }),
    ),
  /** A changed date of birth changes national insurance: the groups with the person's contracts are to be recalculated. */
  update: inOrganisation(writing, { method: 'PUT', path: '/api/Staff', entity: 'StaffMember' })
    .input(staffMemberInput.extend({ id: z.int().positive() }))
    .mutation(async ({ ctx, input }) => {
      const { saved, required } = await ctx.inTransaction(async (tx) => {
        const before = await getStaff(tx, ctx.organisationId, input.id, ctx.holder.locationIds)
        await checkLocations(tx, ctx.organisationId, input.locations, before.locations, ctx.holder.locationIds)
        const saved = await saveStaff(tx, ctx.organisationId, input, ctx.actor)
        if (before.dateOfBirth === saved.dateOfBirth) return { saved, required: [] }
        const rows = await tx
          .selectDistinct({ budgetId: staffContracts.budgetId })
          .from(staffContracts)
          .where(and(eq(staffContracts.organisationId, ctx.organisationId), eq(staffContracts.staffId, input.id)))
        const required = []
        for (const { budgetId } of rows)
          required.push(...(await markBudgetRequired(tx, ctx.organisationId, budgetId, 'A date of birth', ctx.now)))
        return { saved, required }
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
        // The list of one location selects among its people only, however many of them are selected.
        const listed = (await allStaff(tx, ctx.organisationId, ctx.holder.locationIds)).filter((member) =>
          worksAt(member, input.locationId ? [input.locationId] : null),
        )
        const toggled = new Set(input.state.toggledNodes.map(Number))
        const ids = input.state.selectAll
          ? selected(listed, input, searched)
              .map((member) => member.id)
              .filter((id) => !toggled.has(id))
          : [...toggled]
        if (ids.some((id) => !listed.some((member) => member.id === id))) throw notFound('Staff member')
        return { deleted: await deleteStaff(tx, ctx.organisationId, ids, ctx.actor) }
      }),
    ),
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
