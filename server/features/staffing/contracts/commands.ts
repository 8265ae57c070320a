import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { type BudgetHead, type StaffContractInput, type StoredContract, staffContractInput } from '../../../../domain/budget/budget.ts'
import { type ContractFacts, deleteStaffContracts, saveStaffContract } from '../../../../domain/budget/decide.ts'
import type { BudgetEvent } from '../../../../domain/budget/events.ts'
import { DomainError, notFound, stale } from '../../../../domain/errors.ts'
import { mongoIdFrom } from '../../../../domain/mongoId.ts'
import { type ResourceName, resources } from '../../../../domain/resources/all.ts'
import type { AnyResource } from '../../../../domain/resources/resource.ts'
import { commit } from '../../../core/budget/commit.ts'
import { staffByIds } from '../../../core/budget/people.ts'
import { contractsOfEmployees, loadBudget, loadContracts, refuseWhileBusy } from '../../../core/budget/queries.ts'
import { found, scalePoints } from '../../../core/budget/scalePoints.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import type { Actor } from '../../../core/events/eventLog.ts'
import { recalculateEmployees } from '../../calculation/costs/commands.ts'
import { staffByNumber, worksAt } from '../staff/queries.ts'
import { contractContext, inputOf } from './context.ts'
import { openNotes, sealNotes } from './notes.ts'

async function known(tx: OrganisationTx, name: ResourceName, ids: readonly number[], locationId: number): Promise<Set<number>> {
  const rows = (await found(tx, resources[name] as AnyResource, ids)) as unknown as { id: number; locations?: number[] }[]
  return new Set(rows.filter((row) => !row.locations?.length || row.locations.includes(locationId)).map((row) => row.id))
}

/** Everything a decision about a contract needs to know of the rest of the organisation. */
async function contractFacts(
  tx: OrganisationTx,
  organisationId: number,
  head: BudgetHead,
  input: StaffContractInput,
  before: StoredContract | undefined,
): Promise<ContractFacts> {
  const named = input.employeeNumber ? await staffByNumber(tx, organisationId, input.employeeNumber) : undefined
  // Contracts are for people of the location; whoever holds the contract already keeps it.
  const staff = named && (worksAt(named.member, [head.locationId]) || named.id === before?.staffId) ? named : undefined
  const rows = input.salary
  const pointIds = [
    ...rows.flatMap((row) => (row.scalePoint === null ? [] : [row.scalePoint])),
    ...(input.maximumScalePoint === null ? [] : [input.maximumScalePoint]),
  ]
  const [types, points, serviceTerms, allowances, analysisTags, fundCodes] = await Promise.all([
    found(tx, resources.contractType, [input.contractTypeName]),
    scalePoints(tx, pointIds),
    known(tx, 'serviceTerm', input.serviceTerms, head.locationId),
    known(
      tx,
      'allowance',
      rows.flatMap((row) => row.allowances),
      head.locationId,
    ),
    known(tx, 'analysisTag', input.analysisTags, head.locationId),
    known(
      tx,
      'fundCode',
      input.fundCodes.map((share) => share.fundCodeId),
      head.locationId,
    ),
  ])
  // Who was erased has no number any more, and keeps the contract.
  const holder =
    !input.employeeNumber && before?.staffId ? (await staffByIds(tx, organisationId, [before.staffId])).get(before.staffId) : undefined
  const staffId = staff?.id ?? (holder?.erased ? holder.id : null)
  const others = staffId === null ? [] : await contractsOfEmployees(tx, organisationId, head.id, [staffId])
  return {
    contractType: types[0],
    points,
    known: { serviceTerms, allowances, analysisTags, fundCodes },
    staffId,
    otherNames: others.filter((other) => other.id !== before?.id).map((other) => other.contractName),
    sealedNotes: await sealNotes(tx, organisationId, staff?.subject, input.notes, before),
  }
}

/** Saves a staff contract and recalculates the employee. @returns the contract's id and version */
export async function runSaveContract(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  input: StaffContractInput,
  actor: Actor,
): Promise<{ id: string; version: number | null }> {
  const row = await loadBudget(tx, organisationId, budgetId, true)
  await refuseWhileBusy(tx, organisationId, budgetId)
  const [before] = input.id ? await loadContracts(tx, organisationId, budgetId, [input.id]) : []
  if (input.id && !before) throw notFound('Staff contract')
  if (before && input.version != null && input.version !== before.version) throw stale({ version: before.version, id: before.id })
  const id = input.id ?? mongoIdFrom(randomBytes(12))
  const facts = await contractFacts(tx, organisationId, row.head, input, before)
  const events = await commit(tx, row, saveStaffContract(row.head, before, id, input, facts), actor)
  const saved = events[0]
  const employees = [...new Set([facts.staffId ?? id, before?.staffId ?? id])]
  // A save without a change still brings the figures up to what they depend on now.
  await recalculateEmployees(tx, organisationId, budgetId, employees, actor, { onlyIfDifferent: !saved })
  return { id, version: saved?.version ?? null }
}

/** Deletes staff contracts and recalculates their employees. @returns how many were deleted */
export async function runDeleteContracts(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  ids: readonly string[],
  actor: Actor,
): Promise<number> {
  const row = await loadBudget(tx, organisationId, budgetId, true)
  await refuseWhileBusy(tx, organisationId, budgetId)
  const contracts = await loadContracts(tx, organisationId, budgetId, ids)
  if (contracts.length < new Set(ids).size) throw notFound('Staff contract')
  await commit(
    tx,
    row,
    deleteStaffContracts(
      row.head,
      contracts.map((contract) => contract.id),
    ),
    actor,
  )
  const employees = [...new Set(contracts.flatMap((contract) => (contract.staffId === null ? [] : [contract.staffId])))]
  await recalculateEmployees(tx, organisationId, budgetId, employees, actor, { areSomeGone: true })
  return contracts.length
}

const { endDate, position, department, apprentice, serviceTerms, analysisTags, fundCodes } = staffContractInput.shape

/** What may be changed on many contracts at once; what is left out stays, so nothing here has a default. */
export const contractPatch = z
  .object({
    endDate,
    position,
    department,
    apprentice: apprentice.removeDefault(),
    serviceTerms,
    analysisTags: analysisTags.removeDefault(),
    fundCodes: fundCodes.removeDefault(),
  })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, 'Choose something to change.')
export type ContractPatch = z.infer<typeof contractPatch>

/** Changes the same fields of many contracts, all or none. @throws DomainError naming the first contract that may not be changed so */
export async function runEditContracts(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  ids: readonly string[],
  patch: ContractPatch,
  actor: Actor,
): Promise<number> {
  const row = await loadBudget(tx, organisationId, budgetId, true)
  await refuseWhileBusy(tx, organisationId, budgetId)
  const context = await contractContext(tx, organisationId, row.head)
  const chosen = context.contracts.filter((contract) => ids.includes(contract.id))
  if (chosen.length < new Set(ids).size) throw notFound('Staff contract')
  const events: BudgetEvent[] = []
  const employees = new Set<number | string>()
  for (const before of chosen) {
    const notes = await openNotes(tx, organisationId, before)
    const input = { ...inputOf(before, context.numberOf(before.staffId), notes), ...patch }
    const facts = await context.facts(input, before, () => [])
    try {
      events.push(...saveStaffContract(row.head, before, before.id, input, facts))
    } catch (error) {
      if (!(error instanceof DomainError) || !error.fields.length) throw error
      const [{ field, message }] = error.fields as [{ field: string; message: string }]
      throw new DomainError(error.kind, error.code, `${before.contractName}: ${message}`, [{ field, message }])
    }
    employees.add(before.staffId ?? before.id)
  }
  if (!events.length) return 0
  await commit(tx, row, events, actor)
  await recalculateEmployees(tx, organisationId, budgetId, [...employees], actor)
  return events.length
}
