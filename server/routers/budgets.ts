import { and, asc, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { budgetInput, elementNames, elementsInput, mongoId } from '../../domain/budget/budget.ts'
import { historyLines } from '../../domain/budget/describe.ts'
import { notFound } from '../../domain/errors.ts'
import { poundsOf } from '../../domain/format.ts'
import { listRequest, pageOf } from '../../domain/lists.ts'
import { either } from '../../domain/permissions.ts'
import { resources } from '../../domain/resources/all.ts'
import { budgetGroups, budgets, organisations } from '../../drizzle/schema.ts'
import { announceRequired } from '../announce.ts'
import { runCreateBudgets, runLockBudget, runRenameBudget, runUndo, runUpdateBudget, startMonthOf } from '../commands/budgets.ts'
import { type BudgetRow, costsOf, loadBudget, totalsOf } from '../store/budgetStore.ts'
import type { OrganisationTx } from '../store/database.ts'
import { readEvents } from '../store/eventLog.ts'
import { markBudgetRequired } from '../store/groupStore.ts'
import { userNames } from '../store/referenceLog.ts'
import { get as getRecord } from '../store/resourceStore.ts'
import { staffByIds } from '../store/staffStore.ts'
import { tableFor } from '../store/tables.ts'
import { inBudget, inOrganisation, router } from '../trpc/procedures.ts'

const management = either('ConsoleBudgetManagement')
const managing = ['ConsoleBudgetManagementReadUpdate'] as const
const byId = z.object({ id: mongoId })

/** A budget as the API shows it (entities.json Budget). */
export function shownBudget(row: BudgetRow, groupId: string | null = null) {
  const { elements, locked, ...head } = row.head
  return {
    mongoId: row.id,
    name: head.name,
    locationId: head.locationId,
    budgetGroupId: groupId,
    firstYear: head.firstYear,
    startMonth: head.startMonth,
    numberOfYears: head.numberOfYears,
    state: locked ? 2 : 1,
    lockedAt: head.lockedAt,
    lockedById: head.lockedById,
    sourceBudgetId: null,
    staffAssumptionsId: head.staffAssumptionsId,
    inflationId: null,
    contractTypeIds: head.contractTypeIds,
    ...elements,
    localAuthorityFundingRates: [],
    topSliceTables: [],
    gagPoolTables: [],
    savedAt: new Date(row.savedAt).toISOString(),
    savedById: row.savedById,
    recalculatedAt: row.recalculated?.at ?? null,
    created: new Date(row.created).toISOString().slice(0, 10),
    version: row.version,
  }
}

async function groupIds(tx: OrganisationTx, organisationId: number): Promise<Map<string, string>> {
  const rows = await tx
    .select({ id: budgetGroups.id, budgetIds: budgetGroups.budgetIds })
    .from(budgetGroups)
    .where(eq(budgetGroups.organisationId, organisationId))
  return new Map(rows.flatMap((row) => row.budgetIds.map((budgetId) => [budgetId, row.id] as const)))
}

async function budgetRows(tx: OrganisationTx, organisationId: number, locationIds: readonly number[] | null) {
  const rows = await tx
    .select()
    .from(budgets)
    .where(
      and(
        eq(budgets.organisationId, organisationId),
        locationIds ? inArray(budgets.locationId, locationIds.length ? [...locationIds] : [-1]) : undefined,
      ),
    )
    .orderBy(asc(budgets.name))
  const groups = await groupIds(tx, organisationId)
  return rows.map((row) => shownBudget(row, groups.get(row.id) ?? null))
}

/** A budget that the caller may see. @throws DomainError 404 */
async function visibleBudget(
  tx: OrganisationTx,
  ctx: { organisationId: number; holder: { locationIds: number[] | null } },
  id: string,
): Promise<BudgetRow> {
  const row = await loadBudget(tx, ctx.organisationId, id)
  if (ctx.holder.locationIds && !ctx.holder.locationIds.includes(row.locationId)) throw notFound('Budget')
  return row
}

async function organisationTypeOf(tx: OrganisationTx, organisationId: number): Promise<number> {
  const [row] = (await tx.select().from(organisations).where(eq(organisations.id!, organisationId))) as { organisationType: number }[]
  return row!.organisationType
}

const elementsBody = elementsInput.extend({
  budgetId: mongoId,
  version: z.int().nullish(),
  ...budgetInput.omit({ locationIds: true, firstYear: true }).shape,
})

export const budgetRouter = router({
  list: inOrganisation(management, { method: 'POST', path: '/api/Budget/paginated', entity: 'Budget' })
    .input(listRequest)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => pageOf(await budgetRows(tx, ctx.organisationId, ctx.holder.locationIds), input, ['name'], 'name')),
    ),
  listByLocation: inOrganisation('signedIn', { method: 'POST', path: '/api/Budget/paginated/location', entity: 'Budget' })
    .input(z.object({ ids: z.array(z.int()).max(5000), payload: listRequest.optional() }))
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const allowed = input.ids.filter((id) => !ctx.holder.locationIds || ctx.holder.locationIds.includes(id))
        return pageOf(await budgetRows(tx, ctx.organisationId, allowed), input.payload ?? { pageSize: 5000 }, ['name'], 'name')
      }),
    ),
  get: inOrganisation('signedIn', { method: 'GET', path: '/api/Budget/id/{id:mongoId}', entity: 'Budget' })
    .input(byId)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) =>
        shownBudget(await visibleBudget(tx, ctx, input.id), (await groupIds(tx, ctx.organisationId)).get(input.id) ?? null),
      ),
    ),
  elements: inOrganisation([...either('BudgetingOverview'), ...management], {
    method: 'GET',
    path: '/api/Budget/elements/{id:mongoId}',
    entity: 'BudgetElements',
  })
    .input(byId)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const row = await visibleBudget(tx, ctx, input.id)
        const { mongoId: id, locationId, ...budget } = shownBudget(row)
        return { ...budget, id, budgetId: id, locationIds: [locationId] }
      }),
    ),
  /** What a new budget starts from: the newest tables, the first assumptions, all contract types of the locations. */
  template: inOrganisation(management, { method: 'POST', path: '/api/BudgetElements/template', entity: 'BudgetElements' })
    .input(z.object({ locations: z.array(z.int()).max(5000).default([]) }))
    .query(({ ctx, input }) => ctx.inTransaction((tx) => template(tx, ctx.organisationId, input.locations, ctx.now))),
  create: inOrganisation(managing, { method: 'POST', path: '/api/BudgetElements/create', status: 201, entity: 'BudgetElements' })
    .input(budgetInput)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const ids = await runCreateBudgets(
          tx,
          ctx.organisationId,
          await organisationTypeOf(tx, ctx.organisationId),
          ctx.rows,
          input,
          ctx.actor,
        )
        return Promise.all(ids.map(async (id) => shownBudget(await loadBudget(tx, ctx.organisationId, id))))
      }),
    ),
  update: inOrganisation(managing, { method: 'PUT', path: '/api/BudgetElements/update', entity: 'BudgetElements' })
    .input(elementsBody)
    .mutation(async ({ ctx, input }) => {
      const { shown, required } = await ctx.inTransaction(async (tx) => {
        await visibleBudget(tx, ctx, input.budgetId)
        const changed = await runUpdateBudget(tx, ctx.organisationId, ctx.rows, input.budgetId, input.version ?? null, input, ctx.actor)
        const required = changed ? await markBudgetRequired(tx, ctx.organisationId, input.budgetId, 'Budget assumptions', ctx.now) : []
        return { shown: shownBudget(await loadBudget(tx, ctx.organisationId, input.budgetId)), required }
      })
      await announceRequired(ctx.services, required)
      return shown
    }),
  rename: inOrganisation(managing)
    .input(z.object({ id: mongoId, name: budgetInput.shape.name }))
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await visibleBudget(tx, ctx, input.id)
        await runRenameBudget(tx, ctx.organisationId, input.id, input.name, ctx.actor)
        return shownBudget(await loadBudget(tx, ctx.organisationId, input.id))
      }),
    ),
  lock: inOrganisation(managing, { method: 'POST', path: '/api/Budget/fix/{id:mongoId}', entity: 'Budget' })
    .input(byId)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await visibleBudget(tx, ctx, input.id)
        await runLockBudget(tx, ctx.organisationId, input.id, ctx.actor)
        return shownBudget(await loadBudget(tx, ctx.organisationId, input.id))
      }),
    ),
  history: inBudget([...either('BudgetingOverview', 'BudgetingStaffing'), ...management])
    .input(z.object({ contractId: mongoId.nullish() }))
    .query(async ({ ctx, input }) => {
      const lines = await ctx.inTransaction(async (tx) => {
        const events = await readEvents(tx, ctx.organisationId, ctx.budgetId)
        return historyLines(events, await namesOf(tx, ctx.organisationId, events))
      })
      const shown = lines.filter((line) => !input.contractId || line.contractId === input.contractId)
      const names = await userNames(
        ctx.services.store,
        shown.map((line) => line.actorId),
      )
      return shown.slice(0, 500).map((line) => ({
        ...line,
        actor: line.actorId === null ? 'System' : (names.get(line.actorId) ?? 'Unknown'),
        undoable: line.undoable && line.actorId !== null && line.actorId === ctx.principal.userId,
      }))
    }),
  undo: inBudget(['BudgetingStaffingReadUpdate', ...managing])
    .input(z.object({ version: z.int().positive() }))
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => runUndo(tx, ctx.organisationId, ctx.budgetId, input.version, ctx.actor))),
  /** The state of a budget at a glance: what staff cost by year, what is not calculated, when it was recalculated. */
  summary: inBudget(either('BudgetingOverview', 'BudgetingStaffing')).query(async ({ ctx }) => {
    const { totals, groupId } = await ctx.inTransaction(async (tx) => ({
      totals: totalsOf(
        [...(await costsOf(tx, ctx.organisationId, ctx.budgetId)).values()].map((row) => row.yearTotals),
        ctx.budget.head.numberOfYears,
      ),
      groupId: (await groupIds(tx, ctx.organisationId)).get(ctx.budgetId) ?? null,
    }))
    const savedBy =
      ctx.budget.savedById === null
        ? null
        : ((await userNames(ctx.services.store, [ctx.budget.savedById])).get(ctx.budget.savedById) ?? null)
    return { budget: shownBudget(ctx.budget, groupId), savedBy, totals: { ...totals, years: totals.years.map(poundsOf) } }
  }),
})

async function template(tx: OrganisationTx, organisationId: number, locationIds: number[], now: Date) {
  const all = async (name: 'adminTable' | 'staffAssumptions' | 'contractType') => {
    const { table, columns } = tableFor(resources[name])
    return (await tx.select().from(table).orderBy(asc(columns.id!))) as unknown as {
      id: number
      name: string
      type: number
      active: boolean
      locations: number[]
    }[]
  }
  const [tables, assumptions, types] = [await all('adminTable'), await all('staffAssumptions'), await all('contractType')]
  const year =
    now.getUTCMonth() + 1 >= startMonthOf(await organisationTypeOf(tx, organisationId)) ? now.getUTCFullYear() : now.getUTCFullYear() - 1
  const dated = (type: number) =>
    tables
      .filter((table) => table.type === type && table.active)
      .flatMap((table) => (dateInName(table.name) ? [{ effectiveDate: dateInName(table.name)!, adminTableId: table.id }] : []))
  const maxima = await Promise.all(
    locationIds.map(
      async (id) =>
        (await getRecord(tx, resources.location, { organisationId, locationIds: null, isAdministrator: false }, id))
          .maximumBudgetYears as number,
    ),
  )
  return {
    id: null,
    budgetId: null,
    name: `${year}/${String((year + 1) % 100).padStart(2, '0')} Working`,
    locationIds,
    firstYear: year,
    numberOfYears: maxima.length ? Math.min(...maxima) : 3,
    staffAssumptionsId: assumptions[0]?.id ?? null,
    inflationId: null,
    contractTypeIds: types
      .filter((type) => !type.locations.length || locationIds.every((id) => type.locations.includes(id)))
      .map((type) => type.id),
    ...Object.fromEntries(
      elementNames.map((kind) => [
        kind,
        kind.startsWith('custom')
          ? []
          : dated(kind === 'teacherPayScales' ? 1 : kind === 'supportPayScales' ? 2 : kind === 'nationalInsurance' ? 3 : 4),
      ]),
    ),
    localAuthorityFundingRates: [],
    topSliceTables: [],
    gagPoolTables: [],
    version: null,
  }
}

/** The date from which a table is meant, read from its name: "Teachers Sept 2025", "NJC April 2025", "NI 2025/26". */
function dateInName(name: string): string | null {
  const year = /\b(20\d\d)\b/.exec(name)?.[1]
  if (!year) return null
  if (/sept?/i.test(name)) return `${year}-09-01`
  if (/\d\/\d\d/.test(name)) return `${year}-04-06`
  return /apr/i.test(name) ? `${year}-04-01` : null
}

/** The names a history speaks of. */
async function namesOf(tx: OrganisationTx, organisationId: number, events: Awaited<ReturnType<typeof readEvents>>) {
  const kinds = {
    location: resources.location,
    contractType: resources.contractType,
    staffAssumptions: resources.staffAssumptions,
    allowance: resources.allowance,
    serviceTerm: resources.serviceTerm,
    fundCode: resources.fundCode,
    analysisTag: resources.analysisTag,
    adminTable: resources.adminTable,
  }
  const names = new Map<string, string>()
  for (const [kind, resource] of Object.entries(kinds)) {
    const { table, columns } = tableFor(resource)
    const rows = (await tx.select({ id: columns.id!, name: columns[resource.naming[0]!]! }).from(table)) as { id: number; name: string }[]
    for (const row of rows) names.set(`${kind} ${row.id}`, row.name)
  }
  const staff = new Set(
    events.flatMap((event) =>
      event.type === 'StaffContractSaved' && event.data.contract.staffId !== null ? [event.data.contract.staffId] : [],
    ),
  )
  for (const [id, member] of await staffByIds(tx, organisationId, [...staff]))
    names.set(`staff ${id}`, `${member.forename} ${member.surname}`)
  return (kind: string, id: number): string => names.get(`${kind} ${id}`) ?? `${kind} ${id}`
}
