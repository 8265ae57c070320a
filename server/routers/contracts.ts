import { z } from 'zod'
import { mongoId, type StoredContract, staffContractInput } from '../../domain/budget/budget.ts'
import { explainMonth } from '../../domain/calculation/explain.ts'
import { contractInput, employeesOf, inputsOf } from '../../domain/calculation/frozen.ts'
import type { ContractCost } from '../../domain/calculation/inputs.ts'
import { prepare } from '../../domain/calculation/prepared.ts'
import { yearName } from '../../domain/calendar.ts'
import { notFound } from '../../domain/errors.ts'
import { poundsOf } from '../../domain/format.ts'
import { bulkSelection, listRequest, pageOf, selected } from '../../domain/lists.ts'
import { either } from '../../domain/permissions.ts'
import { openNotes, runDeleteContracts, runSaveContract } from '../commands/contracts.ts'
import { inputsNow, loadContracts } from '../store/budgetStore.ts'
import { costsOf } from '../store/costStore.ts'
import type { OrganisationTx } from '../store/database.ts'
import { readEvents } from '../store/eventLog.ts'
import { readInputs } from '../store/frozenStore.ts'
import { leavesByStaff } from '../store/leaveStore.ts'
import { pointNames, pointsOf } from '../store/scalePoints.ts'
import { type StaffMember, staffByIds, staffByNumber, worksAt } from '../store/staffStore.ts'
import { inBudget, router } from '../trpc/procedures.ts'

const reading = either('BudgetingStaffing')
const writing = ['BudgetingStaffingReadUpdate'] as const
const byId = z.object({ id: mongoId })

interface Scope {
  organisationId: number
  budgetId: string
}

/** A contract as the API shows it (entities.json StaffContract). */
function shown(
  contract: StoredContract,
  member: StaffMember | undefined,
  notes: string | null,
  totals: (number | null)[] | null,
  problems: ContractCost['problems'],
  points: ReadonlyMap<number, string>,
  hasExtendedLeave: boolean,
) {
  const { staffId: _staff, sealedNotes: _notes, contractTypeId, maximumScalePoint, salary, savedAt, ...rest } = contract
  return {
    ...rest,
    employeeNumber: member?.employeeNumber ?? null,
    name: member ? `${member.surname}, ${member.forename}` : null,
    contractTypeName: contractTypeId,
    maximumScalePoint: maximumScalePoint?.id ?? null,
    notes,
    salary: salary.map((row) => ({ ...row, scalePoint: row.scalePoint?.id ?? null })),
    pointNames: salary.map((row) =>
      row.scalePoint ? (points.get(row.scalePoint.id) ?? `${row.scalePoint.scale} ${row.scalePoint.increment}`) : null,
    ),
    hasExtendedLeave,
    reminderDate: null,
    reminderText: null,
    savedAt,
    created: contract.created.slice(0, 10),
    costYears: totals?.map((total) => (total === null ? null : poundsOf(total))) ?? null,
    problems,
  }
}

export type ShownContract = ReturnType<typeof shown>

async function rowsOf(tx: OrganisationTx, { organisationId, budgetId }: Scope): Promise<ShownContract[]> {
  const contracts = await loadContracts(tx, organisationId, budgetId)
  const staff = await staffByIds(tx, organisationId, [
    ...new Set(contracts.flatMap((contract) => (contract.staffId === null ? [] : [contract.staffId]))),
  ])
  const costs = await costsOf(tx, organisationId, budgetId)
  const points = await pointNames(tx, contracts)
  const leaves = await leavesByStaff(tx, organisationId, [...staff.keys()])
  return contracts.map((contract) => {
    const cost = costs.get(contract.id)
    return shown(
      contract,
      contract.staffId === null ? undefined : staff.get(contract.staffId),
      null,
      cost?.yearTotals ?? null,
      cost?.costing.problems ?? [],
      points,
      contract.staffId !== null && leaves.has(contract.staffId),
    )
  })
}

const searched = ['employeeNumber', 'name', 'contractName', 'position', 'department'] as const

async function one(tx: OrganisationTx, { organisationId, budgetId }: Scope, id: string): Promise<ShownContract> {
  const [contract] = await loadContracts(tx, organisationId, budgetId, [id])
  if (!contract) throw notFound('Staff contract')
  const member = contract.staffId === null ? undefined : (await staffByIds(tx, organisationId, [contract.staffId])).get(contract.staffId)
  const cost = (await costsOf(tx, organisationId, budgetId)).get(id)
  return shown(
    contract,
    member,
    await openNotes(tx, organisationId, contract),
    cost?.yearTotals ?? null,
    cost?.costing.problems ?? [],
    await pointNames(tx, [contract]),
    contract.staffId !== null && (await leavesByStaff(tx, organisationId, [contract.staffId])).size > 0,
  )
}

export const contractRouter = router({
  list: inBudget(reading, { method: 'POST', path: '/api/StaffContract/paginated', entity: 'StaffContract' })
    .input(listRequest)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const rows = await rowsOf(tx, ctx)
        const met = selected(rows, input, searched)
        const first = met.reduce((sum, row) => sum + Math.round((row.costYears?.[0] ?? 0) * 100), 0)
        return {
          ...pageOf(rows, input, searched, 'employeeNumber'),
          firstYearCost: poundsOf(first),
          notCalculated: met.filter((row) => !row.costYears || row.costYears.includes(null)).length,
          firstYearName: yearName(ctx.budget.head.firstYear, 0),
        }
      }),
    ),
  get: inBudget(reading, { method: 'GET', path: '/api/StaffContract/id/{id:mongoId}', entity: 'StaffContract' })
    .input(byId)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => one(tx, ctx, input.id))),
  save: inBudget(writing, { method: 'PUT', path: '/api/StaffContract', entity: 'StaffContract' })
    .input(staffContractInput)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const { id, version } = await runSaveContract(tx, ctx.organisationId, ctx.budgetId, input, ctx.actor)
        return { ...(await one(tx, ctx, id)), savedVersion: version }
      }),
    ),
  bulkDelete: inBudget(writing, { method: 'POST', path: '/api/StaffContract/bulkDelete', entity: 'StaffContract' })
    .input(bulkSelection)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const toggled = new Set(input.state.toggledNodes.map(String))
        const ids = input.state.selectAll
          ? selected(await rowsOf(tx, ctx), input, searched)
              .map((row) => row.id)
              .filter((id) => !toggled.has(id))
          : [...toggled]
        return { deleted: await runDeleteContracts(tx, ctx.organisationId, ctx.budgetId, ids, ctx.actor) }
      }),
    ),
  /** An unsaved copy; it writes nothing (behaviour B-182). */
  duplicate: inBudget(writing, { method: 'GET', path: '/api/StaffContract/duplicate/id/{id:mongoId}', entity: 'StaffContract' })
    .input(byId)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const { id: _id, version: _version, ...copy } = await one(tx, ctx, input.id)
        return { ...copy, contractName: `${copy.contractName} (copy)`.slice(0, 100), costYears: null, problems: [] }
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

/** The cost of a contract month by month with the derivation of each, from the kept inputs it was costed with: the same figures for ever. */
async function forecast(tx: OrganisationTx, { organisationId, budgetId }: Scope, id: string) {
  const contracts = await loadContracts(tx, organisationId, budgetId)
  const contract = contracts.find((candidate) => candidate.id === id)
  if (!contract) throw notFound('Staff contract')
  const row = (await costsOf(tx, organisationId, budgetId)).get(id)
  const [event] = row ? await readEvents(tx, organisationId, budgetId, row.version - 1, row.version) : []
  if (!row || event?.type !== 'StaffContractsRecalculated')
    return { contractId: id, years: [], problems: [], warnings: [], explanation: [], labels: {} as Record<string, string>, costing: null }
  const { frozen, shared } = await readInputs(tx, organisationId, event.data.inputs, budgetId)
  const own = [...employeesOf(contracts).values()].find((group) => group.some((other) => other.id === id))!
  const prepared = prepare(inputsOf(frozen, shared))
  const person = (contract.staffId !== null && frozen.people[contract.staffId]) || { ages: null, leaves: [] }
  const employee = { ...person, contracts: own.map(contractInput) }
  const at = own.findIndex((other) => other.id === id)
  const explanation = row.costing.years.flatMap((_year, year) =>
    Array.from({ length: 12 }, (_unused, month) => ({
      year: year + 1,
      period: month + 1,
      steps: explainMonth(prepared, employee, at, year * 12 + month, shared.labels),
    })),
  )
  return {
    contractId: id,
    years: row.costing.years.map((_year, year) => yearOf(row.costing, year)),
    problems: row.costing.problems,
    warnings: row.costing.warnings,
    explanation,
    labels: shared.labels,
    costing: row.costing,
  }
}

function yearOf(costing: ContractCost, year: number) {
  const cost = costing.years[year]!
  const pounds = (figure: number | null | undefined): number | null => (figure === null || figure === undefined ? null : poundsOf(figure))
  const add = (figures: (number | null)[]): number | null =>
    figures.includes(null) ? null : (figures as number[]).reduce((sum, figure) => sum + figure, 0)
  const month = (period: number) => {
    const allowances = add(Object.values(cost.allowances).map((figures) => figures[period]!))
    const [basic, leavePay, ni, pension, recovery] = [
      cost.basic[period]!,
      cost.leavePay[period]!,
      cost.ni[period]!,
      cost.pension[period]!,
      cost.leaveRecovery[period]!,
    ]
    return {
      basic,
      allowances,
      leavePay,
      employerNI: ni,
      employerPension: pension,
      total: add([basic, allowances, leavePay, ni, pension, recovery]),
    }
  }
  const months = Array.from({ length: 12 }, (_unused, period) => month(period))
  const keys = ['basic', 'allowances', 'leavePay', 'employerNI', 'employerPension', 'total'] as const
  const line = (figures: (typeof months)[number], period: number) => ({
    year: year + 1,
    period,
    ...(Object.fromEntries(keys.map((key) => [key, pounds(figures[key])])) as Record<(typeof keys)[number], number | null>),
  })
  const total = Object.fromEntries(keys.map((key) => [key, add(months.map((figures) => figures[key]))])) as (typeof months)[number]
  return { yearName: cost.year, months: months.map((figures, index) => line(figures, index + 1)), total: line(total, 0) }
}
