import { and, desc, eq, gt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { mongoId, type StoredContract, staffContractInput } from '../../domain/budget/budget.ts'
import { yearName } from '../../domain/calendar.ts'
import { forbidden, notFound } from '../../domain/errors.ts'
import { poundsOf } from '../../domain/format.ts'
import { type BulkSelection, bulkSelection, chosenOf, listRequest, pageOf, selected } from '../../domain/lists.ts'
import { either } from '../../domain/permissions.ts'
import { budgetEvents, budgetGroups, staffContracts } from '../../drizzle/schema.ts'
import { contractPatch, runEditContracts } from '../commands/contractEdit.ts'
import { runDeleteContracts, runSaveContract } from '../commands/contracts.ts'
import { inputsNow, loadContracts } from '../store/budgetStore.ts'
import { forecast } from '../store/contractForecast.ts'
import { type BudgetScope, contractRow, contractRows, searchedColumns } from '../store/contractRows.ts'
import type { OrganisationTx } from '../store/database.ts'
import { addReminderAbout, keepReminder, remindersAbout } from '../store/itemReminders.ts'
import { pointsOf } from '../store/scalePoints.ts'
import { staffChecks } from '../store/staffChecks.ts'
import { staffByNumber, worksAt } from '../store/staffStore.ts'
import { inBudget, router } from '../trpc/procedures.ts'

const reading = either('BudgetingStaffing')
const writing = ['BudgetingStaffingReadUpdate'] as const
const byId = z.object({ id: mongoId })
const reminderAbout = { description: z.string().nullish(), when: z.string().nullish(), notes: z.string().nullish() }

/** The contracts a bulk action takes (behaviour B-094). @throws DomainError 404 when one is not of the budget */
async function chosen(tx: OrganisationTx, scope: BudgetScope, selection: BulkSelection): Promise<string[]> {
  const rows = chosenOf(await contractRows(tx, scope), selection, searchedColumns)
  if (!rows) throw notFound('Staff contract')
  return rows.map((row) => row.id)
}

export const contractRouter = router({
  list: inBudget(reading, { method: 'POST', path: '/api/StaffContract/paginated', entity: 'StaffContract' })
    .input(listRequest)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const rows = await contractRows(tx, ctx)
        const met = selected(rows, input, searchedColumns)
        const first = met.reduce((sum, row) => sum + Math.round((row.costYears?.[0] ?? 0) * 100), 0)
        return {
          ...pageOf(rows, input, searchedColumns, 'employeeNumber'),
          firstYearCost: poundsOf(first),
          notCalculated: met.filter((row) => !row.costYears || row.costYears.includes(null)).length,
          firstYearName: yearName(ctx.budget.head.firstYear, 0),
        }
      }),
    ),
  get: inBudget(reading, { method: 'GET', path: '/api/StaffContract/id/{id:mongoId}', entity: 'StaffContract' })
    .input(byId)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => contractRow(tx, ctx, input.id, ctx.principal.userId))),
  save: inBudget(writing, { method: 'PUT', path: '/api/StaffContract', entity: 'StaffContract' })
    .input(staffContractInput)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const { id, version } = await runSaveContract(tx, ctx.organisationId, ctx.budgetId, input, ctx.actor)
        const { userId } = ctx.principal
        if (userId !== null && (input.reminderDate !== undefined || input.reminderText !== undefined))
          await keepReminder(
            tx,
            ctx.organisationId,
            userId,
            `contract:${id}`,
            input.reminderDate || null,
            input.reminderText || null,
            ctx.actor,
          )
        return { ...(await contractRow(tx, ctx, id, userId)), savedVersion: version }
      }),
    ),
  bulkDelete: inBudget(writing, { method: 'POST', path: '/api/StaffContract/bulkDelete', entity: 'StaffContract' })
    .input(bulkSelection)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const ids = await chosen(tx, ctx, input)
        return { deleted: await runDeleteContracts(tx, ctx.organisationId, ctx.budgetId, ids, ctx.actor) }
      }),
    ),
  /** Changes the same fields of many contracts. */
  edit: inBudget(writing)
    .input(bulkSelection.extend({ patch: contractPatch }))
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const ids = await chosen(tx, ctx, input)
        return { updated: await runEditContracts(tx, ctx.organisationId, ctx.budgetId, ids, input.patch, ctx.actor) }
      }),
    ),
  /** An unsaved copy; it writes nothing (behaviour B-182). */
  duplicate: inBudget(writing, { method: 'GET', path: '/api/StaffContract/duplicate/id/{id:mongoId}', entity: 'StaffContract' })
    .input(byId)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const { id: _id, version: _version, ...copy } = await contractRow(tx, ctx, input.id)
        return { ...copy, contractName: `${copy.contractName} (copy)`.slice(0, 100), costYears: null, problems: [] }
      }),
    ),
  /** The caller's reminders about a contract. */
  reminders: inBudget(reading)
    .input(byId)
    .query(({ ctx, input }) =>
      ctx.inTransaction((tx) => remindersAbout(tx, ctx.organisationId, ctx.principal.userId ?? -1, `contract:${input.id}`)),
    ),
  addReminder: inBudget(reading)
    .input(byId.extend(reminderAbout))
    .mutation(({ ctx, input: { id, ...input } }) => {
      const { userId } = ctx.principal
      if (userId === null) throw forbidden()
      return ctx.inTransaction(async (tx) => {
        await contractRow(tx, ctx, id)
        return addReminderAbout(tx, ctx.organisationId, userId, `contract:${id}`, input, ctx.actor)
      })
    }),
  /** What looks wrong about the staff of the budget. */
  checks: inBudget(reading).query(({ ctx }) => ctx.inTransaction((tx) => staffChecks(tx, ctx.organisationId, ctx.budget))),
  /** What has changed since all contracts were last recalculated: contracts saved after that, and whether something shared has. */
  sinceRecalculation: inBudget(reading).query(({ ctx }) =>
    ctx.inTransaction(async (tx) => {
      const [event] = await tx
        .select({ version: budgetEvents.version, at: budgetEvents.occurredAt })
        .from(budgetEvents)
        .where(
          and(
            eq(budgetEvents.organisationId, ctx.organisationId),
            eq(budgetEvents.budgetId, ctx.budgetId),
            eq(budgetEvents.type, 'StaffContractsRecalculated'),
            sql`${budgetEvents.data} ->> 'cause' = 'group'`,
          ),
        )
        .orderBy(desc(budgetEvents.version))
        .limit(1)
      const [group] = await tx
        .select({ since: budgetGroups.requiredSince, reason: budgetGroups.requiredReason })
        .from(budgetGroups)
        .where(and(eq(budgetGroups.organisationId, ctx.organisationId), sql`${ctx.budgetId} = any(${budgetGroups.budgetIds})`))
      const changed = await tx.$count(
        staffContracts,
        and(
          eq(staffContracts.organisationId, ctx.organisationId),
          eq(staffContracts.budgetId, ctx.budgetId),
          gt(staffContracts.version, event?.version ?? 0),
        ),
      )
      return {
        changed,
        version: event?.version ?? 0,
        at: event ? new Date(event.at).toISOString() : null,
        required: group?.since ? { since: new Date(group.since).toISOString(), reason: group.reason ?? '' } : null,
      }
    }),
  ),
  forecast: inBudget(reading, { method: 'GET', path: '/api/StaffContract/forecast/id/{id:mongoId}', entity: 'StaffContract' })
    .input(byId)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => forecast(tx, ctx, input.id))),
  /** What the browser needs to cost a contract while it is typed: the inputs as they stand now, and the employee's other contracts. */
  inputs: inBudget(reading)
    .input(z.object({ contractId: mongoId.nullish(), employeeNumber: z.string().max(30).nullish() }))
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const named = input.employeeNumber ? await staffByNumber(tx, ctx.organisationId, input.employeeNumber) : undefined
        const contracts = await loadContracts(tx, ctx.organisationId, ctx.budgetId)
        const isHere =
          named && (worksAt(named.member, [ctx.budget.head.locationId]) || contracts.some((contract) => contract.staffId === named.id))
        const staff = isHere ? named : undefined
        const own = staff ? contracts.filter((contract) => contract.staffId === staff.id) : []
        const { shared, frozen } = await inputsNow(tx, ctx.organisationId, ctx.budget.head, own)
        if (staff && !frozen.people[staff.id])
          Object.assign(
            frozen.people,
            (await inputsNow(tx, ctx.organisationId, ctx.budget.head, [{ staffId: staff.id } as StoredContract])).frozen.people,
          )
        return {
          shared,
          frozen,
          contractTypeIds: ctx.budget.head.contractTypeIds,
          points: await pointsOf(tx, ctx.budget.head),
          staffId: staff?.id ?? null,
          name: staff ? `${staff.member.forename} ${staff.member.surname}` : null,
          others: own.filter((contract) => contract.id !== input.contractId),
        }
      }),
    ),
})
